import { units } from '@caseway/contract/units';
import { wordsIn } from '../../platform/words/words.ts';
import { patientWords, resultCategories } from '../reference/catalog.ts';
import type { PatientWords } from '../reference/schema.ts';
import { patientWordsReview } from './patient-words.ts';

const languages = { en: 'English', es: 'Español', ht: 'Kreyòl ayisyen' } as const;
const answers: Readonly<Record<PatientWords['rows'][number]['answers'][number], string>> = {
  positive: 'positive',
  negative: 'negative',
  presumptive: 'presumptive positive',
  unclear: 'inconclusive, indeterminate or equivocal',
  invalid: 'invalid, or specimen unsatisfactory',
  pending: 'pending',
  'not-done': 'not done',
  number: 'a number, of which nothing says where it lies',
  below: 'too little to be counted, such as <20',
  'number-very-high': 'a number so high that it cannot wait',
  'number-high': 'a number above the range',
  'number-low': 'a number below the range',
  'number-within': 'a number within the range',
};

const list = (items: readonly string[]) => items.join(', ');
/** A table cell in Markdown. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** When a row applies, in words. */
function when({ families, conditions, kinds, answers: named }: PatientWords['rows'][number]): string {
  const parts = [`answer ${list(named.map((one) => answers[one]))}`];
  if (kinds) parts.push(`test ${list(kinds)}`);
  if (families) parts.push(`family ${list(families)}`);
  if (conditions) parts.push(`condition ${list(conditions.map((one) => one ?? 'none named'))}`);
  return parts.join('; ');
}

/** Every explanation that patients can read, for a clinician to review and sign: `docs/patient-explanations.md`. */
export function explanationsPage(): string {
  const { rows, sources } = patientWords;
  const { reviewed, signer } = patientWordsReview();
  const words = Object.fromEntries(
    Object.keys(languages).map((language) => [language, wordsIn('explanations', language, 'PUBLIC_HEALTH')]),
  );
  const keys = [...new Set(rows.map(({ key }) => key))];
  const lines = [
    '# What patients read about their results',
    '',
    'Made by `npm run explanations` from `server/seeds/reference/patient-words.json` and the locales `explanations`; a test fails when it is out of date. Do not edit it by hand.',
    '',
    `**Reviewed: ${reviewed ? `by ${reviewed.by} on ${reviewed.on}` : 'not yet'}.** To be signed by: ${signer.label}. Nobody should use these words for real patients before that. After reading all of it, sign with \`npm run explanations -- --signed-by "Name, title"\`. A word or a row that is changed later is unsigned again.`,
    '',
    'A result gets the words of the first row that fits its answer, the kind of test, the disease family and the condition; whatever fits no row of a disease gets general words. The kind of test is derived from the LOINC catalogue in `server/src/features/reference/analyte.ts`. Where a test for one disease names another one, the words for what cannot wait count, and else the general ones.',
    '',
    `Answers: ${resultCategories.map(({ code, label }) => `${label} (\`${code}\`)`).join(', ')}.`,
    '',
  ];
  for (const key of keys) {
    const own = rows.filter((row) => row.key === key);
    const named = [...new Set(own.flatMap((row) => row.sources))];
    lines.push(`## ${key}`, '');
    for (const row of own) lines.push(`- When: ${when(row)}.`);
    lines.push(`- Source: ${named.map((one) => sources[one]!.title).join('; ')}.`, '');
    lines.push('| | What this means | What to do next |', '|---|---|---|');
    for (const [language, name] of Object.entries(languages)) {
      const text = (part: string) => cell(words[language]!(`explained.${key}.${part}`)!);
      lines.push(`| ${name} | ${text('meaning')} | ${text('next')} |`);
    }
    lines.push('', 'Signed: ______________________', '');
  }
  lines.push('## Sources', '', '| Source | Address | Last changed |', '|---|---|---|');
  for (const { title, url, updated } of Object.values(sources))
    lines.push(`| ${cell(title)} | ${url ?? ''} | ${updated ?? 'to be checked at signing'} |`);
  lines.push(
    '',
    '## Units',
    '',
    '| UCUM | Printed | English | Español | Kreyòl ayisyen |',
    '|---|---|---|---|---|',
  );
  for (const { code, sign, label, labelI18N } of units)
    lines.push(`| \`${code}\` | ${cell(sign)} | ${label} | ${labelI18N!.es} | ${labelI18N!.ht} |`);
  return `${lines.join('\n')}\n`;
}
