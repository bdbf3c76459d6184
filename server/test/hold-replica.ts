// A process with a replica that has stored new values of codes, prints that, and never ends; a test kills it.
// Arguments: folder, tenant, and `read` for a reader that keeps the old state open.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { facts as all } from '../src/facts.ts';
import { Duck } from '../src/platform/analytics/duckdb.ts';
import { type Batch, Replica } from '../src/platform/analytics/replica.ts';
import { copiedColumns } from '../src/platform/analytics/stored-facts.ts';

const [folder, tenantId, reads] = process.argv.slice(2) as [string, string, string | undefined];

/** Results and cases only, because a replica does the same for every fact. */
const facts = all.slice(0, 2);
const position = (cursor: number) => ({ origin: 'here', cursor, asOf: new Date() });
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** One row of each table, with the same value for all codes. */
async function filesOf(number: number, value: string): Promise<Batch['files']> {
  const files = await Promise.all(
    facts.map(async (fact) => {
      const { table } = fact;
      const cells = copiedColumns(fact).map(({ name, kind }) =>
        name === 'id' ? id(number) : kind === 'code' ? value : '\\N',
      );
      const path = join(folder, `${table}-${number}.csv`);
      await writeFile(path, `${cells.join(',')}\n`);
      return [table, { path, rows: 1 }] as const;
    }),
  );
  return Object.fromEntries(files);
}
const again = (number: number) =>
  Object.fromEntries(facts.map(({ table }) => [table, [{ column: 'id', ids: [id(number)] }]]));

const duck = await Duck.open(folder);
const replica = new Replica(duck, folder, tenantId, facts);
await replica.open(() => {});
await replica.load(await filesOf(1, 'old'), position(1));
if (reads === 'read') {
  const reader = await replica.connect();
  await reader.run('begin');
  await reader.rows(`select count(*) from ${facts[0]!.table}`);
}
for (const number of [2, 3, 4])
  await replica.apply({
    files: await filesOf(number, `new ${number}`),
    again: again(number),
    position: position(number),
  });
console.log('applied');
setInterval(() => {}, 1000);
