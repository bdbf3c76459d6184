import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { runImport } from './run-import.ts';
import { spool } from './spool.ts';
import { chlamydia, countsOf, elr, gonorrhoea, notDetected } from './test-messages.ts';

const { database, appUrl } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'caseway-resume-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Reports of which some are of one person, corrected later, sent twice, of an unknown test, or no report at all. */
function mixedFile(messages: number): string {
  const one = (n: number): string => {
    const person = n % 5 === 4 ? n - 4 : n;
    const patient = {
      id: `P${person}`,
      last: `Name${String.fromCharCode(65 + (person % 26))}${person}`,
      first: `Kim${person % 7}`,
      birth: `19${50 + (person % 50)}0${1 + (person % 9)}1${person % 9}`,
      phone: '',
    };
    if (n % 50 === 49) return `MSH|^~\\&|LIS|Lab|||20260301||ADT^A01|X${n}|P|2.5.1\rPID|1||1^^^A^MR||Doe^J\r`;
    if (n % 20 === 19)
      return elr({ control: `C${n}`, order: `F${n}`, patient, tests: [{ test: `X${n % 3}^Local^L` }] });
    if (n % 9 === 8)
      return elr({
        control: `C${n}`,
        order: `F${n - 4}`,
        patient: { ...patient, id: `P${n - 4}` },
        tests: [{ status: 'C', value: notDetected }],
      });
    return elr({
      control: `C${n}`,
      order: `F${n}`,
      patient,
      collected: `202603${String(1 + (n % 28)).padStart(2, '0')}0930-0500`,
      tests: [
        { test: chlamydia, value: n % 3 ? notDetected : undefined },
        { test: gonorrhoea, value: notDetected },
      ],
    });
  };
  const text = Array.from({ length: messages }, (_, n) => one(n % 13 === 12 ? n - 1 : n));
  return `FHS|^~\\&\rBHS|^~\\&\r${text.join('')}BTS|${messages}\rFTS|1\r`;
}

async function queue(tenantId: string, text: string): Promise<string> {
  const importId = randomUUID();
  const { byteSize, sha256 } = await spool(
    (async function* () {
      yield Buffer.from(text);
    })(),
    dataDir,
    importId,
  );
  await database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.run(
      `insert into import (tenant_id, id, file_name, byte_size, sha256, state) values ($1, $2, 'test', $3, $4, 'queued')`,
      [tenantId, importId, byteSize, sha256],
    ),
  );
  return importId;
}

/** Everything an import has left, without ids and times. */
async function stored(tenantId: string, importId: string) {
  const count = (text: string) => database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows(text));
  return {
    ...(await countsOf(database, tenantId, importId)),
    patients: await count('select last_name, first_name, birth_date from patient order by 1, 2, 3'),
    results: await count(
      `select r.source_key, r.result_category, r.status, r.superseded_by is null as current, p.last_name from result r
       join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id order by 1, 2, 3, 4`,
    ),
    cases: await count(
      `select p.last_name, c.classification, c.review_reason, c.collected_on,
         (select array_agg(e.kind order by e.kind) from case_event e where e.tenant_id = c.tenant_id and e.case_report_id = c.id) as events
       from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id order by 1, 4`,
    ),
    numbers: await count('select case_id from case_report order by 1'),
    messages: await count('select index, line, state, reason from import_message order by index'),
    codes: await count('select code, occurrences from code_mapping order by 1'),
    notes: await count('select notes from import'),
    open: await count('select from import_message where rerun'),
  };
}

const script = fileURLToPath(new URL('../../../test/run-import.ts', import.meta.url));

/** Runs the import in a process of its own and kills it after a while. Answers what it said it had stored. */
async function runAndKill(
  tenantId: string,
  importId: string,
  after: number,
): Promise<{ acknowledged: number; end?: string }> {
  const child = spawn(process.execPath, [script, appUrl, dataDir, tenantId, importId, '30'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  let began: (() => void) | undefined;
  const working = new Promise<void>((resolve) => {
    began = resolve;
  });
  child.stdout.on('data', (data) => {
    said += data;
    began?.();
  });
  const exited = once(child, 'exit');
  // Counted from its first commit, since it takes a while to begin.
  const timer = working.then(() => setTimeout(() => child.kill('SIGKILL'), after));
  await exited;
  clearTimeout(await Promise.race([timer, undefined]));
  const lines = said.trim().split('\n').filter(Boolean);
  const numbers = lines.map(Number).filter((number) => !Number.isNaN(number));
  return { acknowledged: numbers.at(-1) ?? 0, end: lines.find((line) => Number.isNaN(Number(line))) };
}

test('[P5] an import that is killed again and again ends as one that nobody disturbed', {
  timeout: 180_000,
}, async () => {
  const text = mixedFile(840);
  const undisturbed = (await makeTenant(database)).id;
  const reference = await queue(undisturbed, text);
  expect(
    await runImport({ database, dataDir, tenantId: undisturbed, importId: reference, batchSize: 97 }),
  ).toBe('done');
  const expected = await stored(undisturbed, reference);
  expect(expected.counts).toMatchObject({ messages: 840 });
  expect(expected.counts!.duplicates).toBeGreaterThan(50);
  expect(expected.counts!.waiting).toBeGreaterThan(20);
  expect(expected.counts!.refused).toBeGreaterThan(10);

  const killed = (await makeTenant(database)).id;
  const importId = await queue(killed, text);
  let kills = 0;
  for (let run = 0; run < 40; run++) {
    // Pauses that are not a multiple of what a batch takes, so that every part of one is hit.
    const { acknowledged, end } = await runAndKill(killed, importId, (run * 37) % 140);
    const [row] = await database.withScope({ kind: 'service', tenantId: killed }, (tx) =>
      tx.rows<{ next_index: number; stored: number; counted: number }>(
        `select next_index, (select count(*) from import_message) as stored,
           (select coalesce(sum(n), 0) from import_tally where kind = 'state') as counted from import`,
      ),
    );
    // What was acknowledged is stored, and messages, progress and counts are of one state.
    expect(row!.stored).toBeGreaterThanOrEqual(acknowledged);
    expect([row!.next_index, row!.counted]).toEqual([row!.stored, row!.stored]);
    if (end === 'done') break;
    kills += 1;
  }
  expect(kills).toBeGreaterThanOrEqual(10);
  expect(await stored(killed, importId)).toEqual(expected);
});
