import { type AuditRow, recordsNamed } from '@caseway/contract/audit';
import { sentenceOf, wordsOfColumn } from '@caseway/contract/audit-sentence';
import { labelIn, labelsInSentence } from '@caseway/contract/label';
import { numberLocaleOf } from '@caseway/contract/number-locale';
import type { wordsIn } from '../../platform/words/words.ts';

/**
 * The sentence of an event for a file, in the reader's words; based on the kind of deed if the action has no
 * sentence.
 */
export function sentencesIn(
  language: string,
  wordsOf: (namespace: string) => ReturnType<typeof wordsIn>,
): (row: AuditRow) => string {
  const words = wordsOf('audit');
  const forms = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(numberLocaleOf(language));
  const nameOf = (code: string) => {
    const { own, keys } = wordsOfColumn(code);
    if (own) return labelIn(own, language);
    const found = [...keys, `audit:value.filteredBy.${code}`].flatMap((key) => {
      const at = key.indexOf(':');
      return wordsOf(key.slice(0, at))(key.slice(at + 1)) ?? [];
    });
    return found[0] ?? wordsOf('common')('label.unknown.other') ?? '';
  };
  const known = new Map<string, string>();
  const columnOf = (code: string) => {
    const name = known.get(code) ?? nameOf(code);
    known.set(code, name);
    return name;
  };
  return (row) => {
    const { group, action, count } = sentenceOf(row);
    const key = `${group}.${action}`;
    const text =
      count === undefined ? words(key) : (words(`${key}_${forms.select(count)}`) ?? words(`${key}_other`));
    const named = recordsNamed(row);
    const values: Record<string, string> = {
      who: row.who ?? words('who.system') ?? '',
      count: numbers.format(count ?? 0),
      records: typeof named === 'number' ? numbers.format(named) : '',
      columns: labelsInSentence(row.filteredBy.map(columnOf)),
      reason: row.reason ?? '',
    };
    return (text ?? words(`deed.${row.deed}`) ?? row.deed).replaceAll(
      /\{\{(\w+)\}\}/g,
      (_, name: string) => values[name] ?? '',
    );
  };
}
