import { type AuditRow, auditActionKey } from '@caseway/contract/audit';
import { useTranslation } from 'react-i18next';

/** What actions and kinds of records are called; an action without words of its own is named by its kind. */
export function useAuditWords() {
  const { t } = useTranslation('audit');
  return {
    action: ({ action, deed }: Pick<AuditRow, 'action' | 'deed'>): string =>
      t(`action.${auditActionKey(action)}`, { defaultValue: t(`deed.${deed}`) }),
    /** A name that an event's own words use. */
    detail: (name: string): string => t(`detail.${name}`, { defaultValue: t('common:label.unknown.other') }),
    kind: (kind: string | null): string =>
      kind === null ? '' : t(`kind.${kind}`, { defaultValue: t('common:label.unknown.other') }),
  };
}
