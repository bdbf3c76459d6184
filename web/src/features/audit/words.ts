import { useTranslation } from 'react-i18next';

/** What actions and kinds of records are called; a request that has no words of its own is told by its path. */
export function useAuditWords() {
  const { t } = useTranslation('audit');
  return {
    action: (action: string): string => t(`action.${action}`, { defaultValue: action }),
    /** A name that an event's own words use. */
    detail: (name: string): string => t(`detail.${name}`, { defaultValue: t('common:label.unknown.other') }),
    kind: (kind: string | null): string =>
      kind === null ? '' : t(`kind.${kind}`, { defaultValue: t('common:label.unknown.other') }),
  };
}
