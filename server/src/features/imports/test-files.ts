import fc from 'fast-check';
import { chlamydia, detected, elr, gonorrhoea, hivScreen, notDetected } from './test-messages.ts';

/** Few people, so that they recur: twins, a person without a birth date, a nameless one. */
const people = [
  { id: 'A1', last: 'Okafor', first: 'Ada' },
  { id: 'A2', last: 'Okafor', first: 'Adele' },
  { id: 'B1', last: 'Ruiz Soto', first: 'Ana María', birth: '19800203' },
  { id: '', last: 'Ruiz', first: 'Ana', birth: '19800203' },
  { id: '', last: 'Quist', first: 'Bo', birth: '' },
  { id: 'Q1', last: 'Quist', first: 'Bo', birth: '' },
  { id: 'X1', last: '', first: '', birth: '' },
] as const;
const changes = [
  {},
  {},
  { street: '9 Other Rd' },
  { street: '7 New St', zip: '30309' },
  { phone: '5550177' },
  { phone: '' },
  { phone: '', street: '', zip: '', city: '' },
  { sex: 'M' },
  { middle: 'Eve', race: '' },
] as const;
const result = fc.record({
  test: fc.constantFrom(chlamydia, gonorrhoea, hivScreen, 'X1^Local^L', '20507-0^RPR^LN'),
  value: fc.constantFrom(detected, detected, notDetected, '^odd words'),
  status: fc.constantFrom('F', 'F', 'P', 'C', 'W', 'X'),
});
const report = fc
  .record({
    who: fc.constantFrom(...people),
    change: fc.constantFrom(...changes),
    order: fc.nat(25),
    clinic: fc.constantFrom('Mercy Clinic', 'Hope Center', 'Hope Center', ''),
    collected: fc.constantFrom('20260302093000-0500', '20260320', '20260428'),
    reported: fc.constantFrom('20260304150000-0500', '20260305150000-0500', '20260430'),
    tests: fc.array(result, { minLength: 1, maxLength: 3 }),
  })
  .map(({ who, change, order, ...more }) => ({
    patient: { ...who, ...change },
    order: `F-${order}`,
    ...more,
  }));
const messages = fc
  .array(fc.tuple(fc.nat(9), report), { minLength: 50, maxLength: 50 })
  .map((list) =>
    list.map(([kind, given], at) =>
      kind === 0
        ? `MSH|^~\\&|LIS|Lab|||20260301||ADT^A01|X${at}|P|2.5.1\rPID|1||1^^^A^MR||Doe^J\r`
        : // The same control id makes equal reports the same message.
          elr({ ...given, control: kind === 1 ? 'again' : `C${at}` }),
    ),
  )
  .map((list) => list.flatMap((text, at) => (at % 11 === 10 ? [text, list[at - 7]!] : [text])).join(''));
const row = fc
  .record({
    number: fc.constantFrom('', '1', '2', '3', 'GA-2026-4'),
    name: fc.constantFrom('', '', 'Anonymous', 'Ada Okafor', 'Bo Quist'),
    onset: fc.constantFrom('', '2026-03-01', '2026-03-03', '2026-03-29'),
    sex: fc.constantFrom('F', 'M'),
    age: fc.constantFrom('', '30', '31', '62'),
    outcome: fc.constantFrom('', 'recovered', 'died'),
    classification: fc.constantFrom('', 'suspected', 'confirmed'),
    facility: fc.constantFrom('', 'Hope Center'),
  })
  .map((cells) => Object.values(cells).join(','));
const list = fc
  .array(row, { minLength: 30, maxLength: 30 })
  .map((rows) => `case_id,name,onset_date,sex,age,outcome,classification,facility\n${rows.join('\n')}\n`);

/** Files for tests: laboratory messages and a line list, with every combination. The same in every run. */
export const mixedFiles = (count: number): { messages: string; list: string }[] =>
  fc.sample(fc.record({ messages, list }), { numRuns: count, seed: 20_260_305 });
