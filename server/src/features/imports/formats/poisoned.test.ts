import { randomBytes } from 'node:crypto';
import { csvFields } from '@caseway/contract/csv-mapping';
import { describe, expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../../test/database.ts';
import { makeTenant } from '../../../../test/factories.ts';
import { elr, importText } from '../test-messages.ts';
import { readHl7Report } from './elr.ts';
import { csvLimit, hl7Limit, textLimit } from './field-lengths.ts';

const { database, superuserUrl } = await createTestDatabase();

/** Letters that PostgreSQL cannot compress. */
const noise = (length: number) =>
  randomBytes(length)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, 'x')
    .slice(0, length);
const full = () =>
  elr({
    more: ['SPM|1|S1&LIS^S2&LIS||258500001^Swab^SCT', 'PV1|1|O|||||12^Doe^Jo', 'NK1|1|Roe^Jo|MTH^Mother'],
  });

describe('[P28] a value too long for its field', () => {
  // Every field of every segment that is read, in its first component and one more.
  const segments = full().split('\r').filter(Boolean);
  const places = segments.flatMap((segment) =>
    Array.from({ length: 30 }, (_, at) => at + 1)
      .filter((number) => hl7Limit(segment.slice(0, 3), number) !== undefined)
      .filter((number) => !segment.startsWith('MSH') || ![1, 2, 9].includes(number))
      .flatMap((number) => [0, 1].map((component) => ({ id: segment.slice(0, 3), number, component }))),
  );
  test.each(places)('$id-$number.$component is refused with its place', ({ id, number, component }) => {
    const text = segments
      .map((segment) => {
        if (!segment.startsWith(id)) return segment;
        const fields = segment.split('|');
        const at = id === 'MSH' ? number - 1 : number;
        while (fields.length <= at) fields.push('');
        const parts = fields[at]!.split('^');
        while (parts.length <= component) parts.push('');
        parts[component] = noise(hl7Limit(id, number)! + 1);
        fields[at] = parts.join('^');
        return fields.join('|');
      })
      .join('\r');
    const read = readHl7Report(Buffer.from(text), 1, { timeZone: 'America/New_York' });
    const base = id === 'MSH' ? 'MSH' : `${id}[1]`;
    expect(read.outcome).toBe('refused');
    expect(read.faults).toContainEqual(
      expect.objectContaining({ code: 'value-too-long', place: `${base}-${number}.${component + 1}` }),
    );
  });

  test('in HL7 is measured as it is read: unescaped, and a result may be long', () => {
    const clock = { timeZone: 'America/New_York' };
    const name = (last: string) => readHl7Report(Buffer.from(elr({ patient: { last } })), 1, clock).outcome;
    expect(name('\\F\\'.repeat(150))).toBe('usable');
    expect(name('\\F\\'.repeat(400_000))).toBe('refused');
    const long = elr({ tests: [{ type: 'TX', value: 'a long report '.repeat(500) }] });
    expect(readHl7Report(Buffer.from(long), 1, clock).outcome).toBe('usable');
  });

  test.each(
    Object.entries(csvFields).flatMap(([kind, fields]) =>
      Object.keys(fields).map((name) => [kind, name] as const),
    ),
  )('in a table (%s, %s) has a limit that an index can hold', (_, name) => {
    const limit = csvLimit(name as never);
    expect(limit).toBeLessThanOrEqual(['notes', 'comment', 'result'].includes(name) ? textLimit : 500);
  });

  test('at its limit fits into every index', async () => {
    const { id } = await makeTenant(database, { time_zone: 'America/New_York' });
    const key = () => noise(200);
    const text = elr({
      control: key(),
      lab: `${key()}^${key()}^ISO`,
      patient: { id: key(), last: key(), first: key(), middle: key() },
      order: key(),
      clinic: key(),
    });
    expect((await importText(database, id, text)).counts).toMatchObject({ refused: 0 });
  });

  test('of a row is refused with its column, and the others are accepted', async () => {
    const { id } = await makeTenant(database);
    const rows = ['a', noise(201), 'c'].map((name, at) => `${at + 1},${name},2026-03-0${at + 1},F`);
    const list = `case_id,name,onset_date,sex\n${rows.join('\n')}\n`;
    for (const dryRun of [true, false]) {
      const { counts, reasons } = await importText(database, id, list, {
        condition: 'salmonellosis',
        dryRun,
      });
      if (!dryRun) expect(counts).toMatchObject({ refused: 1 });
      expect(reasons).toMatchObject({ 'refused:value-too-long': 1 });
    }
  });
});

describe('[P28] a message that cannot be stored', () => {
  test('among 1,000 is the only one refused, in a dry run and in a real one', async () => {
    // The database itself refuses it, for a reason that no reader could foresee.
    await asSuperuser(
      `create index poison on specimen ((1 / (case when accession like 'poison%' then 0 else 1 end)))`,
      [],
      superuserUrl,
    );
    const people = Array.from({ length: 1000 }, (_, at) => ({
      id: `P${at}`,
      last: noise(9),
      first: noise(9),
      phone: '',
    }));
    const messages = Array.from({ length: 1000 }, (_, at) =>
      elr({
        control: `P${at}`,
        order: at === 500 ? 'poison' : `P${at}`,
        // The previous and next messages are about the same person.
        patient: people[Math.abs(at - 500) <= 1 ? 500 : at]!,
      }),
    );
    const { id } = await makeTenant(database, { time_zone: 'America/New_York' });
    const tried = await importText(database, id, messages.join(''), { dryRun: true });
    const done = await importText(database, id, messages.join(''));
    expect([tried.end, done.end]).toEqual(['done', 'done']);
    expect(done.counts).toMatchObject({ messages: 1000, refused: 1, duplicates: 0 });
    expect(done.counts!.taken! + done.counts!.waiting!).toBe(999);
    expect(done.reasons['refused:not-storable']).toBe(1);
    expect(tried.reasons).toEqual(done.reasons);
    expect(tried.effects).toEqual(done.effects);
  });
});

test('[P28] a file with a note for each of its rows is accepted, and lists the first hundred', async () => {
  const { id } = await makeTenant(database);
  const header = 'case_id,name,onset_date,sex\n';
  const { importId, counts } = await importText(database, id, `${header.repeat(5000)}1,Ann,2026-03-01,F\n`, {
    condition: 'salmonellosis',
  });
  expect(counts).toMatchObject({ messages: 1, refused: 0 });
  const [row] = await asSuperuser<{ notes: { code: string }[] }>(
    'select notes from import where id = $1',
    [importId],
    superuserUrl,
  );
  expect(row!.notes.map(({ code }) => code)).toEqual([
    ...Array(100).fill('header-row-repeated'),
    'more-notes',
  ]);
});
