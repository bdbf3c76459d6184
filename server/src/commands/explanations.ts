import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { explanationsPage } from '../features/portal/explanations-page.ts';
import { patientWordsHash } from '../features/portal/patient-words.ts';
import { patientWords } from '../features/reference/catalog.ts';
import { command } from './command.ts';

/*
 * npm run explanations [-- --signed-by "Name, title"]
 *
 * Writes docs/patient-explanations.md: what patients read about their results, for a clinician to review. With
 * --signed-by it first stores who has reviewed the current words.
 */

const table = new URL('../../seeds/reference/patient-words.json', import.meta.url);
const page = new URL('../../../docs/patient-explanations.md', import.meta.url);

const usage = `Usage: npm run explanations [-- --signed-by "Name, title"]

Writes docs/patient-explanations.md for a clinician to review. --signed-by first notes who has reviewed the words.`;

await command(usage, async () => {
  const { values } = parseArgs({ options: { 'signed-by': { type: 'string' } } });
  const by = values['signed-by']?.trim();
  if (by === '') throw new Error('Name who has reviewed the words: --signed-by "Name, title".');
  if (by) {
    const reviewed = { by, on: new Date().toISOString().slice(0, 10), words: patientWordsHash() };
    const text = await readFile(table, 'utf8');
    // Only this line: the rest of the table keeps its layout.
    await writeFile(
      table,
      text.replace(/^ {2}"reviewed": .*$/m, () => `  "reviewed": ${JSON.stringify(reviewed)},`),
    );
    patientWords.reviewed = reviewed;
  }
  await writeFile(page, explanationsPage());
  console.log('wrote docs/patient-explanations.md');
});
