import type { AddressInfo } from 'node:net';
import type { ImportDetail, ImportMessage } from '@caseway/contract/imports';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../../test/app.ts';
import { load } from '../../../../test/load.ts';
import { signInAs } from '../../../../test/sign-in.ts';
import { chlamydia, elr, gonorrhoea, notDetected } from '../test-messages.ts';

const testing = await testApp({}, { background: true });
const { app, database } = testing;
const { demo } = await seedDemoTenants(database);
await app.fastify.listen({ port: 0, host: '127.0.0.1' });
const origin = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
const { headers } = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);

/** The statuses of all answers of the server. */
const statuses = new Map<number, number>();
async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${origin}${path}`, {
    ...init,
    headers: { ...headers, ...(init.headers as Record<string, string>) },
  });
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  return response;
}
async function take(
  fileName: string,
  body: Buffer,
  query: Record<string, string> = {},
): Promise<ImportDetail> {
  const response = await ask(`/api/web/imports?${new URLSearchParams({ fileName, ...query })}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(body),
  });
  expect(response.status).toBe(200);
  const { id } = (await response.json()) as ImportDetail;
  for (;;) {
    const detail = (await (await ask(`/api/web/imports/${id}`)).json()) as ImportDetail;
    if (detail.state !== 'queued' && detail.state !== 'running') return detail;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A fixed sequence, so that a failure can be reproduced. */
let state = 20_260_305;
const random = (limit: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};
const ofMessages = [
  '|',
  '^',
  '~',
  '\\',
  '&',
  '\r',
  '\n',
  '"',
  '\0',
  'é',
  '99999999',
  'OBX|',
  'PID|',
  'MSH|',
  '\x0b',
  '\x1c',
  '',
];
const ofRows = [',', ';', '|', '\n', '\x19', 'é', '99999999', '2026-13-45', '=1+1', 'Detected', ' ', ''];
/** Changes that turn a table into something else: then the whole table or its rest is refused, not one row. */
const ofTables = ['"', '\0', '\nMSH|', ...ofRows];
function damaged(text: string, times: number, scraps = ofMessages, cut = 40): string {
  let damage = text;
  for (let left = times; left > 0; left--) {
    const at = random(damage.length);
    damage = damage.slice(0, at) + scraps[random(scraps.length)]! + damage.slice(at + random(cut));
  }
  return damage;
}

const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le', 'mi', 'no', 'ru', 'sa', 'te', 'vi', 'wo', 'zu'];
/** Names so different that the import compares no more people than with real data. */
const nameOf = (n: number) =>
  [n, n / 15, n / 225, n / 3375].map((at) => syllables[Math.floor(at) % 15]).join('');

const header =
  'Last name,First name,Date of birth,Sex,Test performed code,Result,Specimen collection date,Result date,Lab name,Accession number';
const row = (n: number) =>
  `${nameOf(n)},Robin,19${50 + (n % 50)}-0${1 + (n % 9)}-1${n % 10},F,94500-6,${n % 9 ? 'Not detected' : 'Detected'},2026-03-02,2026-03-03,Peach Laboratory,A-${n}`;
const message = (n: number) =>
  elr({
    control: `M${n}`,
    order: `F-M${n}`,
    patient: { id: `MRN${n}`, last: nameOf(n), first: 'Robin' },
    tests: [
      { test: chlamydia, value: n % 9 ? notDetected : undefined },
      { test: gonorrhoea, value: notDetected },
    ],
  });
const list = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n));

const faultless = async (text: string): Promise<Record<string, unknown>[]> =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) => tx.rows(text));

describe('files that are damaged [P8]', () => {
  /** The number of files of each kind, and the number of messages or rows in each. */
  const [number, each] = load([2, 150], [10, 1000]);

  test(`${number * each} messages and ${number * each} rows are accounted for: no fault of the server, every refusal with its place`, {
    timeout: 600_000,
  }, async () => {
    const files: [string, Buffer][] = [];
    for (let file = 0; file < number; file++) {
      const encoding = file % 2 ? 'latin1' : 'utf8';
      const text = list(each, (n) => damaged(message(file * each + n), 1 + random(10))).join('\r');
      files.push([`damaged-${file}.hl7`, Buffer.from(text, encoding)]);
      const rows = list(each, (n) =>
        damaged(row(file * each + n), 1 + random(8), file < number - 1 ? ofRows : ofTables, 8),
      );
      files.push([`damaged-${file}.csv`, Buffer.from([header, ...rows].join('\n'), encoding)]);
    }
    let isOver = false;
    let answered = 0;
    const watch = (async () => {
      while (!isOver) {
        expect((await ask('/health/live')).status).toBe(200);
        answered += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();
    const details: ImportDetail[] = [];
    for (let at = 0; at < files.length; at += 2)
      details.push(...(await Promise.all(files.slice(at, at + 2).map(([name, body]) => take(name, body)))));
    isOver = true;
    await watch;
    expect(details).toHaveLength(2 * number);
    expect(answered).toBeGreaterThan(0);

    const total = { messages: 0, taken: 0, waiting: 0, refused: 0, duplicates: 0 };
    for (const detail of details) {
      expect([detail.fileName, detail.state]).toEqual([
        detail.fileName,
        expect.stringMatching(/^(done|needs-mapping)$/),
      ]);
      expect(detail.messages).toBe(detail.taken + detail.waiting + detail.refused + detail.duplicates);
      for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += detail[key];
      expect(detail.reasons.map(({ reason }) => reason)).not.toContain('not-storable');
      if (detail.refused === 0) continue;
      const { rows } = (await (await ask(`/api/web/imports/${detail.id}/messages?state=refused`)).json()) as {
        rows: ImportMessage[];
      };
      expect(rows.length).toBe(Math.min(detail.refused, 25));
    }
    // Damage may split a message or row, or join it to the previous one; little is left of the last table.
    expect(total.messages).toBeGreaterThan(each * (2 * number - 3));
    expect(total.taken).toBeGreaterThan(0.2 * each * number);
    expect(total.refused).toBeGreaterThan(0.2 * each * number);
    const [placeless] = await faultless(
      `select count(*) as n from import_message m where state = 'refused' and not exists (
         select from jsonb_array_elements(m.faults) f where f->>'severity' = 'error' and f->>'code' = m.reason
           and (f->>'line')::integer > 0 and f->>'place' <> '' and f->>'message' <> '')`,
    );
    expect(placeless).toEqual({ n: 0 });

    expect([...statuses.keys()]).toEqual([200]);
  });

  test('are answered 4xx, or accepted, if they are not a file of messages at all', async () => {
    statuses.clear();
    // Noise that begins like a table or a message, whatever the random sequence did before.
    state = 1;
    for (const [name, body] of [
      ['nothing.hl7', Buffer.alloc(0)],
      ['zeros.hl7', Buffer.alloc(100_000)],
      ['noise.hl7', Buffer.from(list(50_000, () => String.fromCharCode(random(256))).join(''), 'latin1')],
      ['noise.csv', Buffer.from(list(50_000, () => ',;"\n\t x'[random(7)]!).join(''))],
      ['one-line.hl7', Buffer.from(`MSH|^~\\&|${'x'.repeat(3_000_000)}`)],
      ['headers.hl7', Buffer.from('MSH|'.repeat(20_000))],
    ] as const) {
      const detail = await take(name, body);
      expect([name, detail.taken]).toEqual([name, 0]);
      expect(detail.messages).toBe(detail.waiting + detail.refused + detail.duplicates);
      expect(detail.messages).toBeGreaterThan(0);
    }
    expect([...statuses.keys()]).toEqual([200]);
  });
});

describe('a file that is imported twice', () => {
  const size = load(100, 300);
  const counted = () =>
    faultless(
      'select (select count(*) from patient) as patients, (select count(*) from result) as results, (select count(*) from case_report) as cases',
    );

  test.each([
    [
      'laboratory.hl7',
      list(size, (n) =>
        elr({ control: `T${n}`, order: `F-T${n}`, patient: { id: `T${n % 90}`, last: `Twice${n % 90}` } }),
      ).join(''),
    ],
    ['results.csv', [header, ...list(size, (n) => row(50_000 + n))].join('\r\n')],
    ['damaged.hl7', list(size, (n) => damaged(message(60_000 + n), 3)).join('\r')],
  ])('%s leaves the numbers unchanged', async (name, text) => {
    const first = await take(name, Buffer.from(text));
    const before = await counted();
    const again = await take(name, Buffer.from(text));
    expect(first.messages).toBeGreaterThan(0.83 * size);
    expect(again).toMatchObject({
      messages: first.messages,
      taken: 0,
      waiting: 0,
      refused: 0,
      duplicates: first.messages,
    });
    expect(again.repeats).toMatchObject({ id: first.id });
    expect(await counted()).toEqual(before);
  });
});
