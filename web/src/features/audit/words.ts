import { type AuditRow, recordsNamed } from '@caseway/contract/audit';
import { auditActionKey } from '@caseway/contract/audit-action';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';

/** The labels of actions and kinds of records; an action without words is named by its kind. */
export function useAuditWords() {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  return {
    action: ({ action, deed }: Pick<AuditRow, 'action' | 'deed'>): string =>
      t(`action.${auditActionKey(action)}`, { defaultValue: t(`deed.${deed}`) }),
    /** How many records it names, or in words why there is no number. */
    records: (event: Pick<AuditRow, 'deed' | 'records' | 'withheld'>): string => {
      const named = recordsNamed(event);
      if (named === 'withheld') return t('panel.withheld');
      return typeof named === 'number' ? formats.count(named) : t(`records.${named}`);
    },
    /** A name that an event's own words use. */
    detail: (name: string): string => t(`detail.${name}`, { defaultValue: t('common:label.unknown.other') }),
    kind: (kind: string | null): string =>
      kind === null ? '' : t(`kind.${kind}`, { defaultValue: t('common:label.unknown.other') }),
  };
}
