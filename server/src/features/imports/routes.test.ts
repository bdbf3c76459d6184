import { randomUUID } from 'node:crypto';
import type {
  CodeMapping,
  ImportDetail,
  ImportMessage,
  ImportRow,
  TableColumns,
} from '@caseway/contract/imports';
import { describe, expect, test } from 'vitest';
import type { Headers } from '../../../test/asking.ts';
import { elr } from './test-messages.ts';
import { appForUploads, someone } from './test-uploads.ts';

const { app, epi, signIn, ask, ok, rows, send, upload, ended, uploaded } = await appForUploads();
const investigator = await signIn('investigator@demo.caseway.test');
const analyst = await signIn('analyst@demo.caseway.test');
const facility = await signIn('facility@demo.caseway.test');
const vendor = await signIn('lab@vendor.caseway.test');

describe('an upload', () => {
  test('is safely stored when it is answered, and is processed in the background', async () => {
    const first = await upload(elr({ patient: someone() }));
    expect(first).toMatchObject({
      state: expect.stringMatching(/queued|running/),
      fileName: 'upload.hl7',
      createdByName: expect.any(String),
    });
    const done = await ended(first.id);
    expect(done).toMatchObject({
      state: 'done', format: 'hl7', messages: 1, taken: 1, waiting: 0, refused: 0, duplicates: 0, progress: null,
      effects: { patientsCreated: 1, resultsCreated: 1, casesOpened: 1 }, reasons: [], repeats: null,
    }); // biome-ignore format: a record
  });

  test('of the same bytes says so', async () => {
    const text = elr({ patient: someone() });
    const first = await uploaded(text);
    const again = await uploaded(text);
    expect(again.repeats?.id).toBe(first.id);
    expect(again).toMatchObject({ messages: 1, duplicates: 1, taken: 0 });
  });

  test('appears in the grid of imports, which sorts and filters', async () => {
    await uploaded(elr({ patient: someone() }), { fileName: 'Réport of März.hl7' });
    const search = (query: object) =>
      ok<{ rows: ImportRow[]; rowCount: number }>('POST', '/api/web/grid/imports/search', query);
    const found = await search({
      filterModel: { items: [{ field: 'fileName', operator: 'contains', value: 'report of marz' }] },
    });
    expect(found).toMatchObject({ rowCount: 1, rows: [{ fileName: 'Réport of März.hl7', taken: 1 }] });
    const sorted = await search({ sortModel: [{ field: 'messages', sort: 'desc' }] });
    expect(sorted.rowCount).toBeGreaterThan(2);
    for (const field of [
      'createdAt',
      'fileName',
      'format',
      'state',
      'taken',
      'waiting',
      'refused',
      'duplicates',
      'facilityName',
      'byteSize',
      'createdByName',
      'finishedAt',
    ])
      await search({ sortModel: [{ field, sort: 'asc' }] });
  });

  test('[P9] that is announced as larger than the limit is refused before it is read', async () => {
    const response = await app.fastify.inject({
      method: 'POST',
      url: '/api/web/imports?fileName=large.hl7',
      headers: {
        ...epi.headers,
        'content-type': 'application/octet-stream',
        'content-length': String(2 ** 30 + 1),
      },
    });
    expect(response.statusCode).toBe(413);
  });

  test('needs the permission to import, and an existing facility and condition', async () => {
    const post = (query: Record<string, string>, headers: Headers) =>
      send(elr(), { fileName: 'a.hl7', ...query }, headers);
    const fault = async (query: Record<string, string>) =>
      ((await (await post(query, epi.headers)).json()) as { faults: { code: string }[] }).faults[0]!.code;
    expect((await post({}, {})).status).toBe(401);
    expect((await post({}, analyst.headers)).status).toBe(403);
    expect(await fault({ facilityId: randomUUID() })).toBe('unknown-facility');
    expect(await fault({ condition: 'nothing' })).toBe('unknown-condition');
  });

  test('for a facility belongs to it, and no other tenant sees it', async () => {
    const id = (await uploaded(elr({ clinic: '', patient: someone() }), {}, facility.headers)).id;
    const [result] = await rows(
      `select r.facility_id from result r join import_message m on m.tenant_id = r.tenant_id and m.id = r.import_message_id where m.import_id = $1`,
      [id],
    );
    expect(result!.facility_id).toBe(facility.init.selectedOrg!.id);
    expect((await ask('GET', `/api/web/imports/${id}`, undefined, vendor.headers)).statusCode).toBe(404);
    expect((await ask('GET', `/api/web/imports/${id}`, undefined, epi.headers)).statusCode).toBe(200);
  });
});

describe('a dry run', () => {
  test('is reviewed first and then stored', async () => {
    const text = elr({ patient: someone() }) + elr({ patient: someone(), tests: [{ test: 'DRY^Odd^L' }] });
    const tried = await uploaded(text, { dryRun: 'true' });
    expect(tried).toMatchObject({
      dryRun: true,
      messages: 2,
      taken: 1,
      waiting: 1,
      preview: [
        { state: 'taken', reason: null, line: 1, results: [{ category: 'positive' }] },
        { state: 'waiting', reason: 'test-unknown' },
      ],
      codes: { rows: [{ kind: 'test', system: 'L', code: 'DRY', text: 'Odd', n: 1 }], more: 0 },
    });
    expect(await rows('select from import_message where import_id = $1', [tried.id])).toEqual([]);
    await ok('POST', `/api/web/imports/${tried.id}/start`);
    expect(await ended(tried.id)).toMatchObject({
      dryRun: false,
      messages: 2,
      taken: 1,
      waiting: 1,
      preview: null,
      codes: { rows: [], more: 0 },
    });
    expect((await ask('POST', `/api/web/imports/${tried.id}/start`)).statusCode).toBe(409);
    expect((await ask('POST', `/api/web/imports/${tried.id}/cancel`)).statusCode).toBe(409);
  });
});

describe('an unknown code', () => {
  test('is found in the catalog and mapped, and the waiting messages are accepted', async () => {
    const done = await uploaded(
      elr({ lab: 'Mapping Lab', patient: someone(), tests: [{ test: 'CT-01^In-house chlamydia^L' }] }),
    );
    expect(done).toMatchObject({ waiting: 1, reasons: [{ state: 'waiting', reason: 'test-unknown', n: 1 }] });
    const { rows: open } = await ok<{ rows: CodeMapping[] }>('GET', '/api/web/code-mappings');
    const mapping = open.find(({ sender }) => sender === 'Mapping Lab')!;
    expect(mapping).toMatchObject({
      kind: 'test',
      system: 'L',
      code: 'CT-01',
      text: 'In-house chlamydia',
      waiting: 1,
      // Messages that they may not see could contain it too.
      occurrences: null,
    });
    const { tests } = await ok<{
      tests: { loinc: string; site: { label: string } | null }[];
    }>('GET', '/api/web/laboratory-tests?words=chlam%20trach%20naat');
    const siteOf = (code: string) => tests.find(({ loinc }) => loinc === code)!.site;
    // Two of one name, of which one is only for a specimen of the cervix.
    expect(siteOf('21613-5')).toBeNull();
    expect(siteOf('21190-4')).toMatchObject({ label: 'Cervix' });

    const wrong = await ask('PUT', `/api/web/code-mappings/${mapping.id}`, {
      state: 'mapped',
      target: '21613-6',
    });
    expect([wrong.statusCode, wrong.json().faults[0].code]).toEqual([422, 'unknown-test']);
    expect(
      (await ask('PUT', `/api/web/code-mappings/${mapping.id}`, { state: 'ignored' }, investigator.headers))
        .statusCode,
    ).toBe(403);
    const decided = await ok<{ mapping: CodeMapping; queued: number }>(
      'PUT',
      `/api/web/code-mappings/${mapping.id}`,
      { state: 'mapped', target: '21613-5' },
    );
    expect(decided).toMatchObject({
      queued: 1,
      mapping: { state: 'mapped', targetLabel: expect.stringContaining('Chlamydia') },
    });
    await expect
      .poll(async () => (await ok<ImportDetail>('GET', `/api/web/imports/${done.id}`)).taken)
      .toBe(1);
    expect(await ended(done.id)).toMatchObject({ messages: 1, taken: 1, waiting: 0, reasons: [] });
    // The next message of that sender is mapped automatically.
    expect(
      await uploaded(
        elr({ lab: 'Mapping Lab', patient: someone(), tests: [{ test: 'CT-01^In-house chlamydia^L' }] }),
      ),
    ).toMatchObject({ taken: 1, waiting: 0 });
  });

  test('is proposed as someone decided it for the same sender before', async () => {
    const { firstName, lastName } = epi.init.user;
    await uploaded(
      elr({ lab: 'Mapping Lab', patient: someone(), tests: [{ test: 'CT-01^Chlamydia, in house^99MAP' }] }),
    );
    const { rows: open } = await ok<{ rows: CodeMapping[] }>('GET', '/api/web/code-mappings');
    expect(open.find(({ sender }) => sender === 'Mapping Lab')).toMatchObject({
      system: '99MAP',
      proposal: { target: '21613-5', basis: 'mapped-before', mappedBy: `${firstName} ${lastName}` },
    });
  });

  test('can be left out permanently', async () => {
    const done = await uploaded(
      elr({
        lab: 'Comment Lab',
        patient: someone(),
        tests: [{}, { test: 'RMK^Remark^L', type: 'TX', value: 'call us' }],
      }),
    );
    expect(done.waiting).toBe(1);
    const { rows: open } = await ok<{ rows: CodeMapping[] }>('GET', '/api/web/code-mappings');
    await ok('PUT', `/api/web/code-mappings/${open.find(({ sender }) => sender === 'Comment Lab')!.id}`, {
      state: 'ignored',
    });
    await expect
      .poll(async () => (await ok<ImportDetail>('GET', `/api/web/imports/${done.id}`)).taken)
      .toBe(1);
  });
});

describe('codes of several senders', () => {
  const sent = (lab: string, ...tests: string[]) =>
    uploaded(elr({ lab, patient: someone(), tests: tests.map((test) => ({ test })) }));
  type Listed = { rows: CodeMapping[]; rowCount: number; senders: object[] };
  const list = (query: string) => ok<Listed>('GET', `/api/web/code-mappings?${query}`);
  const codesOf = async (query: string) =>
    (await list(query)).rows.filter(({ sender }) => /^Queue/.test(sender)).map(({ code }) => code);
  const decide = (body: object) =>
    ok<{ decided: number; queued: number }>('POST', '/api/web/code-mappings/decisions', body);

  test('are listed by sender, those with the most waiting messages first', async () => {
    await sent('Queue East', 'Q1^Première of the queue^L');
    for (const _ of [1, 2, 3]) await sent('Queue West', 'Q3^Third of the queue^L');
    await sent('Queue West', 'Q2^Second of the queue^L', 'Q3^Third of the queue^L');
    expect(await codesOf('')).toEqual(['Q3', 'Q2', 'Q1']);
    const { senders } = await list('');
    expect(senders).toEqual(
      expect.arrayContaining([
        // The fourth message waits for both of its codes.
        { sender: 'Queue West', codes: 2, waiting: 5 },
        { sender: 'Queue East', codes: 1, waiting: 1 },
      ]),
    );
    expect(await codesOf('sender=Queue%20East')).toEqual(['Q1']);
    expect(await codesOf('words=QUEUE%20second')).toEqual(['Q2']);
    expect(await codesOf('words=premiere')).toEqual(['Q1']);
    expect(await list('words=100%25')).toMatchObject({ rows: [], rowCount: 0 });
  });

  test('are left out together, and reopened together', async () => {
    const { rows } = await list('words=of%20the%20queue');
    const chosen = rows.filter(({ code }) => code !== 'Q1').map(({ id }) => ({ id }));
    expect(await decide({ state: 'ignored', codes: chosen })).toEqual({ decided: 2, queued: 4 });
    expect(await codesOf('')).toEqual(['Q1']);
    expect((await codesOf('state=ignored')).toSorted()).toEqual(['Q2', 'Q3']);
    expect(await decide({ state: 'open', codes: chosen })).toEqual({ decided: 2, queued: 0 });
    expect((await codesOf('')).toSorted()).toEqual(['Q1', 'Q2', 'Q3']);
  });

  test('are decided all or none, and every wrong answer is reported at once', async () => {
    const { rows } = await list('words=of%20the%20queue');
    const [first, second, third] = rows.map(({ id }) => id);
    const wrong = await ask('POST', '/api/web/code-mappings/decisions', {
      state: 'mapped',
      codes: [
        { id: first, target: '21613-6' },
        { id: second, target: '21613-5' },
        { id: third, target: 'nothing' },
      ],
    });
    expect(wrong.statusCode).toBe(422);
    expect(wrong.json().faults).toMatchObject([
      { path: 'codes.0.target', code: 'unknown-test' },
      { path: 'codes.2.target', code: 'unknown-test' },
    ]);
    const unknown = await ask('POST', '/api/web/code-mappings/decisions', {
      state: 'ignored',
      codes: [{ id: first }, { id: randomUUID() }],
    });
    expect(unknown.statusCode).toBe(404);
    expect((await codesOf('')).length).toBe(3);
    const mapped = rows.map(({ id }) => ({ id, target: '21613-5' }));
    expect((await decide({ state: 'mapped', codes: mapped })).decided).toBe(3);
    expect((await codesOf('state=mapped')).toSorted()).toEqual(['Q1', 'Q2', 'Q3']);
  });
});

describe('a refused message', () => {
  const broken = () => elr({ control: '', patient: someone(), order: `B${randomUUID()}` });

  test('is shown as it was received with the place of its fault, and is accepted once it is corrected', async () => {
    const text = broken();
    const done = await uploaded(text + elr({ patient: someone() }));
    expect(done).toMatchObject({
      messages: 2,
      taken: 1,
      refused: 1,
      reasons: [{ state: 'refused', reason: 'field-missing', n: 1 }],
    });
    const { rows: refused } = await ok<{ rows: ImportMessage[] }>(
      'GET',
      `/api/web/imports/${done.id}/messages?state=refused`,
    );
    expect(refused).toHaveLength(1);
    expect(refused[0]!.faults[0]).toMatchObject({ code: 'field-missing', place: 'MSH-10', line: 1 });
    const message = `/api/web/imports/${done.id}/messages/${refused[0]!.id}`;
    const shown = await ok<{ text: string }>('GET', message);
    expect(shown.text).toBe(text.trim());

    const still = await ok<ImportMessage>('POST', `${message}/correct`, { text: shown.text });
    expect(still).toMatchObject({ id: refused[0]!.id, state: 'refused', revision: 0 });
    const corrected = await ok<ImportMessage>('POST', `${message}/correct`, {
      text: shown.text.replace('ORU_R01||P', `ORU_R01|C${randomUUID()}|P`),
    });
    expect(corrected).toMatchObject({ state: 'taken', revision: 1, index: 0, corrects: refused[0]!.id });
    expect(await ended(done.id)).toMatchObject({
      messages: 2,
      taken: 2,
      refused: 0,
      corrected: 1,
      reasons: [],
    });
    // The message as received did not change.
    expect((await ok<{ text: string; correctedBy: string }>('GET', message)).correctedBy).toBe(corrected.id);
    expect((await ask('POST', `${message}/correct`, { text: 'again' })).statusCode).toBe(409);
  });

  test('can be downloaded as a file', async () => {
    const [a, b] = [broken(), broken()];
    const done = await uploaded(`${a}${elr({ patient: someone() })}${b}`);
    const response = await ask('GET', `/api/web/imports/${done.id}/file?state=refused`);
    expect(response.body).toBe(`${a.trim()}\r\n${b.trim()}\r\n`);
    expect(response.headers['content-disposition']).toContain('refused-upload.hl7');
    const [audited] = await rows(
      `select record_ids from audit_event where record_kind = 'import-message' and action like 'GET%file' and cardinality(record_ids) = 2`,
    );
    expect(audited).toBeDefined();
  });

  test('[P15] is shown to no one without a row in the audit log', async () => {
    const done = await uploaded(broken());
    const { rows: refused } = await ok<{ rows: ImportMessage[] }>(
      'GET',
      `/api/web/imports/${done.id}/messages`,
    );
    await ok('GET', `/api/web/imports/${done.id}/messages/${refused[0]!.id}`);
    const audited = await rows(
      `select from audit_event where $1 = any (record_ids) and detail @> '{"text": true}'`,
      [refused[0]!.id],
    );
    expect(audited).toHaveLength(1);
  });
});

describe('a date in the future', () => {
  const future = '20990118101500-0500';

  test('waits with its place, opens no case, and is accepted once it is corrected', async () => {
    const done = await uploaded(elr({ patient: someone(), collected: future }));
    expect(done).toMatchObject({
      messages: 1,
      waiting: 1,
      effects: {},
      reasons: [{ state: 'waiting', reason: 'date-in-future', n: 1 }],
    });
    const { rows: waiting } = await ok<{ rows: ImportMessage[] }>(
      'GET',
      `/api/web/imports/${done.id}/messages?state=waiting`,
    );
    expect(waiting[0]!.faults).toMatchObject([
      { severity: 'waits', code: 'date-in-future', place: 'OBR[1]-7', line: 4 },
      { severity: 'waits', code: 'date-in-future', place: 'OBX[1]-14', line: 5 },
    ]);
    const message = `/api/web/imports/${done.id}/messages/${waiting[0]!.id}`;
    const { text } = await ok<{ text: string }>('GET', message);
    await ok<ImportMessage>('POST', `${message}/correct`, {
      text: text.replaceAll(future, '20260118101500-0500'),
    });
    expect(await ended(done.id)).toMatchObject({ taken: 1, waiting: 0, effects: { casesOpened: 1 } });
  });

  test('of a row waits on its own, and the row is accepted once it is corrected', async () => {
    const header = 'Patient ID,Last Name,First Name,Date of Birth,Test Code,Result,Collection Date,Lab Name';
    const row = (born: string, collected: string) => {
      const { id, last } = someone();
      return `${id},${last},Ada,${born},21613-5,Not detected,${collected},Peach Laboratory`;
    };
    const done = await uploaded(
      `${header}\n${row('1990-05-01', '2026-03-02')}\n${row('2097-01-01', '2026-03-02')}\n${row('1990-05-01', '2097-11-01')}\n`,
      { fileName: 'future.csv' },
    );
    expect(done).toMatchObject({
      state: 'done',
      taken: 1,
      waiting: 2,
      reasons: [{ state: 'waiting', reason: 'date-in-future', n: 2 }],
    });
    const { rows: waiting } = await ok<{ rows: ImportMessage[] }>(
      'GET',
      `/api/web/imports/${done.id}/messages?state=waiting`,
    );
    expect(waiting.map(({ faults }) => faults[0]!.place)).toEqual(['Date of Birth', 'Collection Date']);
    const message = `/api/web/imports/${done.id}/messages/${waiting[0]!.id}`;
    const { text } = await ok<{ text: string }>('GET', message);
    await ok('POST', `${message}/correct`, { text: text.replace('2097', '1997') });
    expect(await ended(done.id)).toMatchObject({ taken: 2, waiting: 1 });
  });
});

describe('a table', () => {
  let lists = 0;
  const table = (names: [string, string][]) =>
    `Ref,Who,Seen on,Outcome\n${names.map(([name, on], at) => `K${lists}-${at},${name},${on},recovered`).join('\n')}\n`;

  test('waits until its columns are mapped, is checked, runs, and is mapped automatically the next time', async () => {
    lists += 1;
    const done = await uploaded(
      table([
        ['Ana Ruiz', '03/04/2026'],
        ['Bo Quist', '02/04/2026'],
      ]),
      { fileName: 'list.csv' },
    );
    expect(done).toMatchObject({
      state: 'needs-mapping',
      format: 'csv',
      messages: 2,
      waiting: 2,
      mappingNeeded: true,
    });
    const columns = await ok<TableColumns>('GET', `/api/web/imports/${done.id}/columns`);
    expect(columns).toMatchObject({ header: ['Ref', 'Who', 'Seen on', 'Outcome'], remembered: false });
    expect(columns.rows[0]).toEqual([`K${lists}-0`, 'Ana Ruiz', '03/04/2026', 'recovered']);

    const mapping = {
      kind: 'line-list',
      columns: [
        { column: 0, field: 'caseId' },
        { column: 1, field: 'fullName' },
        { column: 2, field: 'onsetDate' },
        { column: 3, field: 'outcome' },
      ],
      constants: {},
    };
    const check = (options: object) =>
      ok<{ undecided: { code: string }[]; readable: number }>(
        'POST',
        `/api/web/imports/${done.id}/columns/check`,
        { mapping, options },
      );
    expect((await check({ dateOrders: {} })).undecided.map(({ code }) => code)).toEqual([
      'condition-unchosen',
      'date-order-unchosen',
    ]);
    const options = { dateOrders: { 2: 'dmy' }, condition: 'salmonellosis' };
    expect(await check(options)).toMatchObject({ undecided: [], rows: 2, readable: 2 });
    const early = await ask('PUT', `/api/web/imports/${done.id}/columns`, {
      mapping,
      options: { dateOrders: {} },
    });
    expect([early.statusCode, early.json().faults.map(({ code }: { code: string }) => code)]).toEqual([
      422,
      ['condition-unchosen', 'date-order-unchosen'],
    ]);
    const before = { mapping: columns.mapping, options: columns.options };
    const decided = { mapping, options, before };
    expect(await ok('PUT', `/api/web/imports/${done.id}/columns`, decided)).toEqual({ queued: 2 });
    // Another person's later decision is not overwritten unseen.
    expect((await ask('PUT', `/api/web/imports/${done.id}/columns`, decided)).statusCode).toBe(409);
    await expect
      .poll(async () => (await ok<ImportDetail>('GET', `/api/web/imports/${done.id}`)).taken)
      .toBe(2);
    expect(await ended(done.id)).toMatchObject({
      state: 'done',
      taken: 2,
      waiting: 0,
      effects: { casesOpened: 2, patientsCreated: 2 },
    });
    expect(
      await rows(
        `select external_id, onset_on, condition_code, source from case_report where source = 'csv' order by external_id`,
      ),
    ).toEqual([
      {
        external_id: `K${lists}-0`,
        onset_on: '2026-04-03',
        condition_code: 'salmonellosis',
        source: 'csv',
      },
      {
        external_id: `K${lists}-1`,
        onset_on: '2026-04-02',
        condition_code: 'salmonellosis',
        source: 'csv',
      },
    ]);

    lists += 1;
    const next = await uploaded(table([['Cy Ober', '05/04/2026']]), {
      fileName: 'list.csv',
      condition: 'salmonellosis',
    });
    expect(next).toMatchObject({ state: 'done', taken: 1, waiting: 0 });
  });

  test('is refused if the import is not a table', async () => {
    const done = await uploaded(elr({ patient: someone() }));
    expect((await ask('GET', `/api/web/imports/${done.id}/columns`)).statusCode).toBe(404);
  });
});

test('every endpoint requires its permission', async () => {
  const id = randomUUID();
  const guarded: ['GET' | 'POST' | 'PUT', string, object?][] = [
    ['GET', `/api/web/imports/${id}`],
    ['POST', `/api/web/imports/${id}/cancel`],
    ['POST', `/api/web/imports/${id}/start`],
    ['POST', `/api/web/imports/${id}/rerun`, { state: 'waiting' }],
    ['GET', `/api/web/imports/${id}/messages`],
    ['GET', `/api/web/imports/${id}/messages/${id}`],
    ['POST', `/api/web/imports/${id}/messages/${id}/correct`, { text: 'x' }],
    ['GET', `/api/web/imports/${id}/file?state=refused`],
    ['GET', `/api/web/imports/${id}/columns`],
    ['GET', '/api/web/code-mappings'],
    ['PUT', `/api/web/code-mappings/${id}`, { state: 'ignored' }],
    ['GET', '/api/web/laboratory-tests?words=a'],
    ['GET', '/api/web/patient-matches'],
    ['POST', `/api/web/patient-matches/${id}`, { decision: 'same' }],
  ];
  for (const [method, url, body] of guarded) {
    expect([url, (await ask(method, url, body, {})).statusCode]).toEqual([url, 401]);
    expect([url, (await ask(method, url, body, analyst.headers)).statusCode]).toEqual([url, 403]);
    const status = (await ask(method, url, body)).statusCode;
    expect([url, url.includes(id) ? status : 200]).toEqual([url, url.includes(id) ? 404 : 200]);
  }
});
