import { type AuditRow, recordsNamed } from '@caseway/contract/audit';
import { auditActionKey } from '@caseway/contract/audit-action';
import { sentenceOf, wordsOfColumn } from '@caseway/contract/audit-sentence';
import { labelIn, labelsInSentence } from '@caseway/contract/label';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';
import { columnKeys, wordsOfValues } from './event-values.ts';

const ownWords = ['audit'] as const;

/**
 * The texts of events: their sentences, and the labels of actions and kinds of records. An action without a
 * label is named by its kind.
 * @param named whether an event names columns, which have the labels of many screens
 */
export function useAuditWords(named = false) {
  const { t, i18n, ready } = useTranslation(named ? wordsOfValues : ownWords, { useSuspense: false });
  const formats = useFormats();
  const column = (code: string): string => {
    const { own } = wordsOfColumn(code);
    return own
      ? labelIn(own, i18n.language)
      : t([...columnKeys(code)], { defaultValue: t('common:label.unknown.other') });
  };
  const records = (event: Pick<AuditRow, 'deed' | 'records' | 'withheld'>): string => {
    const number = recordsNamed(event);
    if (number === 'withheld') return t('audit:panel.withheld');
    return typeof number === 'number' ? formats.count(number) : t(`audit:records.${number}`);
  };
  return {
    /** Who did what with how many records and why, as one sentence. */
    sentence: (event: AuditRow): string => {
      const filteredBy = named && ready ? event.filteredBy : [];
      const { group, action, count } = sentenceOf({ ...event, filteredBy });
      const keys = {
        sentence: `audit:sentence.${action}`,
        narrowed: `audit:narrowed.${action}`,
        reasoned: `audit:reasoned.${action}`,
      };
      return t(keys[group], {
        count,
        who: event.who ?? t('audit:who.system'),
        records: records(event),
        columns: labelsInSentence(filteredBy.map(column)),
        reason: event.reason,
        defaultValue: t(`audit:deed.${event.deed}`),
      });
    },
    action: ({ action, deed }: Pick<AuditRow, 'action' | 'deed'>): string =>
      t(`audit:action.${auditActionKey(action)}`, { defaultValue: t(`audit:deed.${deed}`) }),
    /** How many records it names, or a text why there is no number. */
    records,
    /** The kind of record it names, with the number of a single case report. */
    record: ({ recordKind, caseNumber }: Pick<AuditRow, 'recordKind' | 'caseNumber'>): string =>
      [
        recordKind && t(`audit:kind.${recordKind}`, { defaultValue: t('common:label.unknown.other') }),
        caseNumber,
      ]
        .filter(Boolean)
        .join(' '),
    /** The label of a value's name in an event. */
    detail: (name: string): string =>
      t(`audit:detail.${name}`, { defaultValue: t('common:label.unknown.other') }),
  };
}
