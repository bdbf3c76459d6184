import { randomUUID } from 'node:crypto';
import type { ColumnsCheck, ImportDetail } from '@caseway/contract/imports';
import { describe, expect, test } from 'vitest';
import { readCsv } from './formats/csv-read.ts';
import { elr } from './test-messages.ts';
import { appForUploads, someone } from './test-uploads.ts';

const { ok, ask, epi, rows, uploaded } = await appForUploads();

const header = 'case_id;last_name;first_name;date_of_birth;onset_date;report_date;ill;case_status';
const list = { fileName: 'list.csv', condition: 'measles' };
const fileOf = (id: string, language: string, query = 'state=refused') =>
  ask('GET', `/api/web/imports/${id}/file?${query}`, undefined, {
    ...epi.headers,
    ...({ 'accept-language': language } as object),
  });
const itemsOf = async (text: string) => {
  const found = [];
  for await (const item of readCsv(
    async function* () {
      yield Buffer.from(text);
    },
    { encoding: 'utf-8', delimiter: ';' },
  ))
    found.push(item);
  return found;
};

describe('the file of the rows that failed', () => {
  const right = 'R1;Okafor;"Ada ""Addie""";1990-05-01;2026-03-01;2026-03-02;yes;confirmed';
  const other = 'R2;Moss;Gil';
  const short = 'R3;"Reed; Jr";Cy;1992-05-01';

  test.each([
    ['en', 'what is wrong with this row', /^The row has 4 values/],
    ['es', 'qué error tiene esta fila', /^La fila tiene 4 valores/],
    ['ht', 'sa ki pa bon nan ranje sa a', /^Ranje a gen 4 valè/],
  ])('says in %s why before the columns as received', async (language, words, why) => {
    const row = `${language}${short}`;
    const done = await uploaded([header, right, row, ''].join('\n'), list);
    expect(done).toMatchObject({ refused: 1 });
    const { body } = await fileOf(done.id, language);
    const [first, second, end] = body.split('\r\n');
    expect(first).toBe(
      `\ufeff"Caseway: ${words}";${header
        .split(';')
        .map((name) => `"${name}"`)
        .join(';')}`,
    );
    const [, reason, rest] = /^"((?:[^"]|"")*)";(.*)$/.exec(second!)!;
    expect(reason).toMatch(why);
    expect(rest).toBe(row);
    expect(end).toBe('');
  });

  test('is put right and imported again, with or without the reasons', async () => {
    const done = await uploaded([header, right, other, short, ''].join('\n'), list);
    const { body } = await fileOf(done.id, 'es');
    const fixed = body
      .replace(short, `${short};2026-03-01;2026-03-02;yes;confirmed`)
      // As a spreadsheet writes it: quotation marks only where they are needed, and a reason that was deleted.
      .replace(/^"[^"]*";(?=R3)/m, ';');
    const again = await uploaded(fixed, list);
    expect(again).toMatchObject({ state: 'done', mappingNeeded: false });
    expect(again).toMatchObject({ messages: 2, taken: 1, duplicates: 1 });
    expect(await rows(`select external_id from case_report where external_id = 'R3'`)).toEqual([
      { external_id: 'R3' },
    ]);
    // What is kept is the row without the reason, so that it can be corrected here too.
    const [kept] = await rows<{ raw: Buffer }>(
      `select raw from import_message where import_id = $1 and convert_from(raw, 'UTF8') like 'R3%'`,
      [again.id],
    );
    expect(kept!.raw.toString()).toBe(`${short};2026-03-01;2026-03-02;yes;confirmed`);
  });

  test('is read without its column of reasons, whatever a row lacks', async () => {
    const read = await itemsOf(
      '\ufeffCaseway: kisa ki pa bon;a;b\r\n"No: ""x""; y";1;2\r\n;3;4\r\nno;5\r\n"why";6;"7\r\nwhy;8;9\r\n;;\r\n',
    );
    expect(
      read.map((item) =>
        item.kind === 'note' ? item.fault.code : item.kind === 'header' ? item.cells : [item.kind, item.raw],
      ),
    ).toEqual([
      ['a', 'b'],
      ['row', '1;2'],
      ['row', '3;4'],
      ['refused', '5'],
      ['refused', '6;"7'],
      ['row', '8;9'],
    ]);
    const [plain] = await itemsOf('a;Caseway: b\n1;2\n');
    expect(plain).toMatchObject({ cells: ['a', 'Caseway: b'] });
  });

  test('is a list of its own beside the messages of HL7', async () => {
    const nameless = elr({ patient: someone() }).replace(/ORU_R01\|[^|]*\|P/, 'ORU_R01||P');
    const known = elr({ patient: someone() });
    const done = await uploaded(`${known}${nameless}`);
    const { body, headers } = await fileOf(done.id, 'en', 'state=refused&reasons=true');
    expect(headers['content-disposition']).toContain('refused-upload.hl7.csv');
    const lines = body.split('\r\n');
    expect(lines[0]).toBe('\ufeffMessage,Line,Number of the message (MSH-10),What is wrong');
    expect(lines[1]).toMatch(/^2,\d+,,MSH-10 is missing/);
    expect(lines).toHaveLength(3);
    const [audited] = await rows(
      `select from audit_event where record_kind = 'import-message' and action like 'GET%file'
         and not coalesce(detail @> '{"text": true}', false) and cardinality(record_ids) = 1`,
    );
    expect(audited).toBeDefined();
  });
});

test('the first rows are shown as they would be stored, and are not stored', async () => {
  const number = randomUUID().slice(0, 6);
  const table = (last: string, born: string, more: string[] = []) =>
    ['Ref,Who,Born,Seen on', `${number}-0,${last},${born},2026-04-03`, ...more, ''].join('\n');
  const mapping = {
    kind: 'line-list',
    columns: [
      { column: 0, field: 'caseId' },
      { column: 1, field: 'fullName' },
      { column: 2, field: 'birthDate' },
      { column: 3, field: 'onsetDate' },
    ],
    constants: {},
  };
  const decided = { mapping, options: { dateOrders: {}, condition: 'salmonellosis' } };
  const preview = async ({ id }: ImportDetail, headers = epi.headers) =>
    (await ok<ColumnsCheck>('POST', `/api/web/imports/${id}/columns/check`, decided, headers)).preview.map(
      ({ person, state, records }) => [
        state,
        person && `${person.lastName}, ${person.firstName}, ${person.birthDate}: ${person.match}`,
        records.map(({ kind, isNew, conditionCode }) => `${kind} ${conditionCode} ${isNew}`).join(),
      ],
    );
  const first = await uploaded(table('Mara Quill', '1980-02-03'), { fileName: 'first.csv' });
  expect(first).toMatchObject({ state: 'needs-mapping' });
  expect(await preview(first)).toEqual([
    ['taken', 'Quill, Mara, 1980-02-03: new', 'case salmonellosis true'],
  ]);
  expect(await rows('select from case_report where external_id = $1', [`${number}-0`])).toEqual([]);
  await ok('PUT', `/api/web/imports/${first.id}/columns`, decided);
  await expect
    .poll(() => rows('select from case_report where external_id = $1', [`${number}-0`]))
    .toHaveLength(1);

  const more = [
    `${number}-1,Mara Quill,1980-02-03,2026-06-05`,
    `${number}-2,Ned Rusk,1981-03-04,2026-04-04`,
    `${number}-2,Ned Rusk,1981-03-04,2026-04-05`,
    `${number}-4,Ida Sund,1982-03-04,no day`,
  ];
  const again = table('Mara Quill', '1980-02-03', more)
    .replace('Ref,', 'Number,')
    .replace('Who', 'Name of whom');
  const second = await uploaded(again, { fileName: 'second.csv' });
  expect(second).toMatchObject({ state: 'needs-mapping' });
  const shown = await preview(second);
  expect(shown.slice(0, 4)).toEqual([
    ['taken', 'Quill, Mara, 1980-02-03: known', 'case salmonellosis false'],
    ['taken', 'Quill, Mara, 1980-02-03: known', 'case salmonellosis true'],
    ['taken', 'Rusk, Ned, 1981-03-04: new', 'case salmonellosis true'],
    ['taken', 'Rusk, Ned, 1981-03-04: repeated', 'case salmonellosis true'],
  ]);
  expect(shown[4]![0]).not.toBe('taken');
  // Whom it found is in the audit log.
  const [told] = await rows<{ n: number }>(
    `select cardinality(record_ids) as n from audit_event where action = 'looked up by a dry run'
       and detail->>'importId' = $1`,
    [second.id],
  );
  expect(told).toEqual({ n: 1 });
  // Rows that are stored are not previewed again.
  expect(await preview(first)).toEqual([]);
});
