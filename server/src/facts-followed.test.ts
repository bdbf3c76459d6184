import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { makeCaseNumbers, makeFacility, makeOrganization, makeTenant } from '../test/factories.ts';
import { facts } from './facts.ts';
import {
  chlamydia,
  detected,
  elr,
  gonorrhoea,
  hivScreen,
  importText,
  notDetected,
  type TestMessage,
} from './features/imports/test-messages.ts';
import { decideMatch } from './features/matches/matches.ts';
import { facilityServer } from './features/places/facilities.ts';
import { mergeInto } from './features/places/merge.ts';
import { addContactToRecord } from './features/portal/own-record.ts';
import { startAnalytics } from './platform/analytics/engine.ts';
import { statementFor } from './platform/analytics/visible-facts.ts';
import { createLog } from './platform/log/log.ts';
import { readRecord } from './platform/records/record-sql.ts';
import type { Scope } from './platform/scope.ts';

/*
 * A replica that has followed equals PostgreSQL after everything that the product does with a person's records: no
 * write goes unannounced to replicas. [P5]
 */

const { database } = await createTestDatabase({ poolSize: 6 });
const { id: tenantId } = await makeTenant(database);
await makeCaseNumbers(database, tenantId);
const { id: organization_id } = await makeOrganization(database, { tenant_id: tenantId });
const [alder, birch] = await Promise.all(
  ['Alder Clinic', 'Birch Clinic'].map((name) =>
    makeFacility(database, { tenant_id: tenantId, name, match_name: name.toLowerCase(), organization_id }),
  ),
);
const service: Scope = { kind: 'service', tenantId };
const rows = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope(service, (tx) => tx.rows<Row>(text, params));

const folder = await mkdtemp(join(tmpdir(), 'caseway-followed-'));
const analytics = await startAnalytics({
  database,
  facts,
  log: createLog('fatal'),
  folder,
  engine: 'duckdb',
  sweepMs: 60_000,
});
afterAll(async () => {
  await analytics.close();
  await rm(folder, { recursive: true, force: true });
});

type Row = Record<string, unknown>;
/** A replica numbers persons itself: the number is replaced by the first row of the same person. */
const byPerson = (all: Row[]) =>
  all.map((row) => ({
    ...row,
    patient_number: all.findIndex(({ patient_number }) => patient_number === row.patient_number),
  }));

/** The rows of every fact in the replica once it has followed, which equal those of PostgreSQL. */
async function followed(step: string): Promise<string> {
  await analytics.caughtUp(tenantId);
  const found: unknown[] = [];
  for (const { table, columns } of facts) {
    // A replica leaves out what places see of the notes if it is all of them.
    const names = columns.flatMap(({ name }) => (/._notes_key$/.test(name) ? [] : [name]));
    const select = `select ${names.join(', ')} from ${table} order by id`;
    const { rows: held } = await analytics.query<Row>({ scopes: [service], freshness: 'any', select });
    const { text, params } = statementFor(facts, service, { select }, 'postgres');
    expect(byPerson(held), `${table} after ${step}`).toEqual(byPerson(await rows<Row>(text, params)));
    found.push(held);
  }
  return JSON.stringify(found);
}

const ada = { id: 'A1', last: 'Okafor', first: 'Ada', birth: '19900501', phone: '5550111' };
/** A person with the same telephone and address, who may be her. */
const adah = { ...ada, id: 'B1', first: 'Adah', birth: '19900105' };
const take = (given: TestMessage) =>
  importText(database, tenantId, elr({ clinic: 'Alder Clinic', ...given }));
const note = (text: string) => ({ more: [`NTE|1||${text}`] });
const facility = (id: string) => database.withScope(service, (tx) => readRecord(tx, facilityServer, id));
const decide = async (decision: 'same' | 'open') => {
  const [pair] = await rows<{ id: string }>('select id from patient_match where tenant_id = $1', [tenantId]);
  await database.withScope(service, (tx) => decideMatch(tx, tenantId, pair!.id, decision, randomUUID()));
};

const steps: [step: string, work: () => Promise<unknown>][] = [
  ['a first report', () => take({ order: 'O-1', patient: ada, tests: [{ value: notDetected }] })],
  ['a positive result, which opens a case', () => take({ order: 'O-2', patient: ada, ...note('First') })],
  [
    'a correction with another note',
    () => take({ order: 'O-2', patient: ada, tests: [{ status: 'C', flag: 'A' }], ...note('Corrected') }),
  ],
  [
    'a report that knows more about her',
    () =>
      take({
        order: 'O-3',
        patient: { ...ada, middle: 'Ngozi', street: '7 Elm St', race: '1002-5^American Indian^HL70005' },
        tests: [{ test: gonorrhoea }],
        reported: '20260401150000-0500',
      }),
  ],
  [
    'a report of a restricted family',
    () => take({ order: 'O-4', patient: { ...ada, phone: '5557001' }, tests: [{ test: hivScreen }] }),
  ],
  [
    'somebody who may be her',
    () =>
      take({
        order: 'O-5',
        patient: adah,
        clinic: 'Birch Clinic',
        tests: [{ test: chlamydia, value: detected }],
        ...note('Second'),
      }),
  ],
  ['the two as one person', () => decide('same')],
  ['the two as two again', () => decide('open')],
  [
    'a facility that is another one',
    async () => {
      const [from, into] = [await facility(birch!.id), await facility(alder!.id)];
      await database.withScope(service, (tx) =>
        mergeInto(tx, { tenantId, accountId: randomUUID() }, from, into),
      );
    },
  ],
  [
    'a telephone that the patient has confirmed',
    async () => {
      const [person] = await rows<{ id: string }>('select id from patient where first_name = $1', ['Ada']);
      await database.withScope(service, (tx) =>
        addContactToRecord(tx, tenantId, person!.id, { phone: '+14045559999' }),
      );
    },
  ],
];

test('a replica has what PostgreSQL has, after everything that the product does with records [P5]', async () => {
  let before = await followed('nothing');
  for (const [step, work] of steps) {
    await work();
    const after = await followed(step);
    expect(after, `${step} changes nothing`).not.toBe(before);
    before = after;
  }
});
