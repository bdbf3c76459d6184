import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Notification, notificationKinds } from '@caseway/contract/inbox';
import { filled } from '@caseway/contract/mail-text';
import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { bulkJobIn } from '../../../test/bulk.ts';
import { makeCaseReport, makeFacility, makePatient } from '../../../test/factories.ts';
import { messagesTo } from '../../../test/outbox.ts';
import { signInAs } from '../../../test/sign-in.ts';
import type { IdentityAuthorizer } from '../../platform/auth/authorizer.ts';
import { tell, tellJob } from '../../platform/inbox/tell.ts';
import type { Work } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log/log.ts';
import { builtInText } from '../../platform/mail/mail-texts.ts';
import { createMailer } from '../../platform/mail/mailer.ts';
import { runImport } from '../imports/running/run-import.ts';
import { elr, importText } from '../imports/test-messages.ts';
import { inboxHearing } from './heard.ts';
import { mailWork } from './mail-job.ts';
import { toldIn } from './mail-words.ts';
import { notifiedSources } from './notified.ts';
import { tellWork } from './tell-work.ts';

/* Queued jobs of the inbox: about one record or many, on open screens and by mail. The tests run them. */

const testing = await testApp();
const { app, database, config } = testing;
const { demo } = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const ana = await signInAs(testing, 'investigator@demo.caseway.test');
const { ok } = askingAs(testing, epi);
const [anaId, epiId] = [ana.init.user.id, epi.init.user.id];
const service = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) => tx.rows<Row>(text, params));
const inbox = async (headers: Headers) =>
  (await ok<{ notifications: Notification[] }>('GET', 'inbox', undefined, headers)).notifications;

const context = { log: createLog('silent'), attempt: 1, signal: new AbortController().signal };
const run = (work: Work, payload: unknown) => work.run(payload, context);
/** Takes the queued notifications out of the queue, in order. */
async function left(): Promise<unknown[]> {
  const jobs = await database.withScope({ kind: 'system' }, (tx) =>
    tx.rows<{ id: string; payload: unknown }>(
      `select j.id, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1 order by j.id`,
      [tellJob.name],
    ),
  );
  await database.withScope({ kind: 'system' }, (tx) =>
    tx.rows('select graphile_worker.complete_jobs($1::bigint[])', [jobs.map(({ id }) => id)]),
  );
  return jobs.map(({ payload }) => payload);
}
const tellAll = async () => {
  const all = await left();
  for (const payload of all) await run(tellWork(database), payload);
  return all.length;
};

async function newCase(): Promise<string> {
  const { id: patient_id } = await makePatient(database, { tenant_id: demo.id, county_fips: '12057' });
  const row = { tenant_id: demo.id, patient_id, disease_family: 'chlamydia', condition_code: 'chlamydia' };
  return (await makeCaseReport(database, { ...row, county_fips: '12057', classification: 'probable' })).id;
}
const hide = (id: string) =>
  service(`update case_report set disease_family = 'hiv', condition_code = 'hiv' where id = $1`, [id]);
const tellOf = (recordIds: readonly string[], to: string) =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
    tell(
      tx,
      { tenantId: demo.id, recordKind: 'case', actorId: null },
      recordIds.map((recordId) => ({ kind: 'assigned', recordId, to })),
    ),
  );

describe('many at once', () => {
  test('queue one job for each transaction, and notify the person who began it of its end', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, newCase));
    await tellAll();
    const action = randomUUID();
    await ok('POST', 'case-reports/bulk', {
      id: action,
      selection: { ids },
      transition: { id: 'assign', fields: { investigator: anaId } },
    });
    // Two records in each of three transactions, and the end.
    await bulkJobIn(database)(demo.id, action);
    expect(await tellAll()).toBe(4);
    const told = await inbox(ana.headers);
    expect(told.map(({ recordId }) => recordId).sort()).toEqual([...ids].sort());
    expect(await inbox(epi.headers)).toMatchObject([
      { kind: 'bulk-ended', recordId: action, work: 'case-reports', state: 'done', actor: null },
    ]);
    // Undone as a whole.
    const undo = randomUUID();
    await ok('POST', `case-reports/bulk/${action}/undo`, { id: undo });
    await bulkJobIn(database)(demo.id, undo);
    await tellAll();
    expect(await inbox(ana.headers)).toEqual([]);
  });

  test('cause no notification in an import; its sender gets one when it has ended', async () => {
    await tellAll();
    const { importId } = await importText(database, demo.id, elr({ order: 'I-1' }), { createdBy: epiId });
    expect(await tellAll()).toBe(1);
    const ended = (await inbox(epi.headers)).filter(({ kind }) => kind === 'import-ended');
    expect(ended).toMatchObject([
      { recordKind: 'import-run', recordId: importId, state: 'done', actor: null },
    ]);
    expect((await inbox(ana.headers)).map(({ kind }) => kind)).not.toContain('import-ended');
    // Without an account, like an import from a folder.
    await importText(database, demo.id, elr({ order: 'I-2' }));
    expect(await tellAll()).toBe(0);
  });

  test('an import says which of its runs has ended', async () => {
    const waiting = elr({ order: 'I-3', tests: [{ test: 'ODD3^Odd^L' }] });
    const told = async () => {
      await tellAll();
      const [one] = await inbox(epi.headers);
      return [one!.recordKind, one!.state];
    };
    const { importId } = await importText(database, demo.id, waiting, { createdBy: epiId, dryRun: true });
    expect(await told()).toEqual(['import-dry-run', 'done']);
    const run = () => runImport({ database, tenantId: demo.id, importId });
    await ok('POST', `imports/${importId}/start`);
    await run();
    expect(await told()).toEqual(['import-run', 'done']);
    await ok('POST', `imports/${importId}/rerun`, { state: 'waiting' });
    await run();
    expect(await told()).toEqual(['import-rerun', 'done']);
    // The dry run is not what the import has become.
    const all = (await inbox(epi.headers)).filter(({ recordId }) => recordId === importId);
    expect(all.map(({ recordKind, state }) => [recordKind, state])).toEqual([
      ['import-rerun', 'done'],
      ['import-run', 'done'],
      ['import-dry-run', null],
    ]);
  });

  const query = pg.Client.prototype.query;
  afterAll(() => {
    pg.Client.prototype.query = query;
  });
  test('cost as many statements as one', async () => {
    const cost = async (records: number) => {
      const told = Array.from({ length: records }, () => ({
        id: v7(),
        kind: 'given-back',
        recordId: randomUUID(),
        to: records % 2 === 0 ? anaId : epiId,
        version: 2,
      }));
      const sought = told.map((one) => ({ ...one, id: v7(), to: { field: 'investigator', value: anaId } }));
      let statements = 0;
      pg.Client.prototype.query = function counting(this: pg.Client, ...given: unknown[]) {
        // The replicas follow at the same time.
        if (/notif|case_report_history/.test(JSON.stringify(given[0]) ?? '')) statements += 1;
        return (query as (...all: unknown[]) => unknown).apply(this, given);
      } as typeof query;
      await run(tellWork(database), {
        tenantId: demo.id,
        recordKind: 'case',
        history: 'case_report_history',
        actorId: null,
        at: new Date().toISOString(),
        told: [...told, ...sought],
        takenBack: told.map(({ recordId }) => ({ recordId, undone: 9, by: 10 })),
      });
      pg.Client.prototype.query = query;
      return statements;
    };
    expect([await cost(1), await cost(200)]).toEqual([6, 6]);
  });
});

describe('a record that moves to another person or place', () => {
  const shown = async (headers: Headers, recordId: string) =>
    (await inbox(headers)).filter((one) => one.recordId === recordId).map(({ name }) => name);
  const caseId = async (id: string) =>
    (await service<{ caseId: string }>('select case_id as "caseId" from case_report where id = $1', [id]))[0]!
      .caseId;

  test('after a merge of persons stays in the inbox under its own number, and after the undo too', async () => {
    const person = { tenant_id: demo.id, county_fips: '12057' };
    const [older, newer] = [await makePatient(database, person), await makePatient(database, person)];
    const { id } = await makeCaseReport(database, {
      tenant_id: demo.id, patient_id: newer.id, disease_family: 'chlamydia', condition_code: 'chlamydia',
      county_fips: '12057', classification: 'probable',
    }); // biome-ignore format: a record
    await tellOf([id], anaId);
    await tellAll();
    const named = [await caseId(id)];
    expect(await shown(ana.headers, id)).toEqual(named);
    const { headers } = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
    const pair = randomUUID();
    await service(
      `insert into patient_match (tenant_id, id, patient_id, candidate_id, score, parts, patient_families, candidate_families)
       values ($1, $2, $3, $4, 0.8, '{}', '{chlamydia}', '{}')`,
      [demo.id, pair, newer.id, older.id],
    );
    for (const [decision, owner] of [['same', older], ['open', newer]] as const) {
      await ok('POST', `patient-matches/${pair}`, { decision }, headers);
      expect(await service('select patient_id from case_report where id = $1', [id])).toEqual([
        { patient_id: owner.id },
      ]);
      expect(await shown(ana.headers, id)).toEqual(named);
    } // biome-ignore format: a table
  });

  test('after a merge of places is in the inbox of its current place', async () => {
    const facility = await signInAs(testing, 'facility@demo.caseway.test');
    const into = facility.init.selectedOrg!.id;
    const from = await makeFacility(database, { tenant_id: demo.id, registered: false });
    const person = { tenant_id: demo.id, county_fips: '12057', facility_ids: [from.id] };
    const { id: patient_id } = await makePatient(database, person);
    const { id } = await makeCaseReport(database, {
      tenant_id: demo.id, patient_id, disease_family: 'chlamydia', condition_code: 'chlamydia',
      county_fips: '12057', facility_id: from.id, classification: 'probable',
    }); // biome-ignore format: a record
    await tellOf([id], facility.init.user.id);
    await tellAll();
    expect(await shown(facility.headers, id)).toEqual([]);
    const admin = await signInAs(testing, 'admin@demo.caseway.test');
    await ok('POST', `facilities/${from.id}/merge`, { version: 1, into }, admin.headers);
    expect(await shown(facility.headers, id)).toEqual([await caseId(id)]);
  });
});

test('[P18, P24] an open screen is notified of what its reader sees, and of nothing else', async () => {
  const [seen, hidden] = [await newCase(), await newCase()];
  await tellOf([seen, hidden], epiId);
  await tellAll();
  await hide(hidden);
  const rows = await service<{ id: string; record: string }>(
    'select id, record_id as record from notification where account_id = $1 and record_id = any ($2::uuid[])',
    [epiId, [seen, hidden]],
  );
  const ofRecord = (record: string) => rows.filter((one) => one.record === record).map(({ id }) => id);
  const hears = inboxHearing(database, notifiedSources, async () => null);
  const [reader] = await (app.authorizer as IdentityAuthorizer).readersOf(epiId, demo.id);
  const heard = (ids: string[]) => hears(reader!.scope, { type: 'inbox-changed', ids });
  expect(await heard(ofRecord(seen))).toEqual({ type: 'inbox-changed', ids: [] });
  expect(await heard(ofRecord(hidden))).toBeNull();
  expect(await heard([...ofRecord(hidden), ...ofRecord(seen)])).toEqual({ type: 'inbox-changed', ids: [] });
});

describe('by mail', () => {
  const mailer = createMailer({
    outbox: join(config.dataDir, 'outbox'),
    from: 'Caseway <no-reply@localhost>',
  });
  const mail = (accountId: string, by: 'mail' | 'digest') =>
    run(
      mailWork({
        database,
        authorizer: app.authorizer as IdentityAuthorizer,
        mailer,
        sources: notifiedSources,
        publicUrl: config.publicUrl,
      }),
      { id: v7(), tenantId: demo.id, accountId, by, at: new Date().toISOString() },
    );
  const address = 'epi@demo.caseway.test';

  test('immediately: a count of what is visible and unread, each once, and only for people who want that', async () => {
    const [one, other, hidden] = [await newCase(), await newCase(), await newCase()];
    await tellOf([one, other, hidden], epiId);
    await tellAll();
    await mail(epiId, 'mail');
    await mail(epiId, 'digest');
    expect(await messagesTo(testing, address)).toEqual([]);
    await ok('POST', 'inbox/read-all', {});
    await ok('PUT', 'inbox/ways', { kind: 'assigned', way: 'mail' });
    const [first, second, third] = [await newCase(), await newCase(), await newCase()];
    await tellOf([first, second, third], epiId);
    await tellAll();
    await hide(third);
    await mail(epiId, 'mail');
    const [sent, ...more] = await messagesTo(testing, address);
    expect(more).toEqual([]);
    expect(sent).toContain('2 records were assigned to you.');
    expect(sent).toMatch(/\/inbox$/m);
    for (const named of [first, second, epi.init.user.lastName, 'hlamydia'])
      expect(sent).not.toContain(named);
    await mail(epiId, 'mail');
    await mail(epiId, 'digest');
    expect(await messagesTo(testing, address)).toHaveLength(1);
  });

  test.each(['en', 'es', 'ht'] as const)('[P16] in %s it has numbers and no name', (language) => {
    for (const kind of notificationKinds)
      for (const count of [1, 12]) {
        const what = toldIn(language, new Map([[kind, Array(count)]]));
        expect(what).toMatch(new RegExp(`(^|\\D)${count}(\\D|$)`));
        const { text } = builtInText('inbox', language, 'PUBLIC_HEALTH');
        const said = filled(text.body, { what, tenant: 'Department', address: 'https://caseway.example' });
        expect(said).toContain(what);
        expect(said).not.toMatch(/\{\{|undefined|#/);
        expect(text.subject).not.toContain('{{');
      }
  });
});

test('privacy officers are notified of emergency access, whatever they have chosen', async () => {
  const id = randomUUID();
  await service(
    `insert into break_glass (tenant_id, id, account_id, org_type, org_id, case_number, reason_kind, reason, expires_at)
     values ($1, $2, $3, 'T', $1, '2026-0000009', 'treatment', 'x', now())`,
    [demo.id, id, epiId],
  );
  const privacy = await signInAs(testing, 'privacy@demo.caseway.test');
  await database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
    tell(tx, { tenantId: demo.id, recordKind: 'break-glass', actorId: null }, [
      { kind: 'glass-opened', recordId: id, to: privacy.init.user.id },
      // A former officer.
      { kind: 'glass-opened', recordId: id, to: anaId },
    ]),
  );
  await tellAll();
  expect(await inbox(privacy.headers)).toMatchObject([{ kind: 'glass-opened', recordId: id, name: null }]);
  expect((await inbox(ana.headers)).map(({ kind }) => kind)).not.toContain('glass-opened');
});
