import { describe, expect, it } from 'vitest';
import { message, observation, parts, report, valued } from './test-elr.ts';

describe('values of every type', () => {
  it.each([
    ['SN', '=^9.2', { kind: 'numeric', numeric: { comparator: '=', number: 9.2 } }],
    ['SN', '>^100', { kind: 'numeric', numeric: { comparator: '>', number: 100 } }],
    ['SN', '^1^:^64', { kind: 'numeric', numeric: { number: 1, separator: ':', second: 64 }, text: '1:64' }],
    ['SN', '^2^+', { kind: 'numeric', numeric: { number: 2, separator: '+' } }],
    ['SN', '^0^-^5', { kind: 'numeric', numeric: { number: 0, separator: '-', second: 5 } }],
    ['SN', '"^1^/^3', { kind: 'text', text: '"1/3' }],
    ['NM', '05.100', { kind: 'numeric', numeric: { number: 5.1 }, text: '05.100' }],
    ['NM', '<20', { kind: 'numeric', numeric: { comparator: '<', number: 20 } }],
    ['NM', '1,250', { kind: 'numeric', numeric: { number: 1250 } }],
    ['NM', '-0.5', { kind: 'numeric', numeric: { number: -0.5 } }],
    ['ST', 'Reactive', { kind: 'text', text: 'Reactive', numeric: undefined }],
    ['ST', '1:128', { kind: 'text', text: '1:128', numeric: { number: 1, separator: ':', second: 128 } }],
    ['ST', 'one^two & three', { kind: 'text', text: 'one^two & three' }],
    ['TX', 'line 1~line 2', { kind: 'text', text: 'line 1\nline 2' }],
    ['FT', 'bold \\H\\here\\N\\\\.br\\next', { kind: 'text', text: 'bold here\nnext' }],
    ['DT', '20240304', { kind: 'time', time: { day: '2024-03-04', precision: 'day' } }],
    ['TS', '202403040915-0700', { kind: 'time', time: { instant: '2024-03-04T16:15:00.000Z' } }],
    ['DTM', '2024', { kind: 'time', time: { value: '2024', precision: 'year' } }],
    ['TM', '0915', { kind: 'text', text: '0915' }],
    [
      'CE',
      '260373001^Detected^SCT',
      { kind: 'coded', coded: { codes: [{ code: '260373001', system: 'SCT' }], text: 'Detected' } },
    ],
    [
      'CWE',
      '^Bordetella pertussis^SNM',
      {
        kind: 'coded',
        coded: { codes: [{ text: 'Bordetella pertussis', system: 'SNM' }], text: 'Bordetella pertussis' },
      },
    ],
    ['CWE^^HL70125', '260373001^Detected^SCT', { kind: 'coded', coded: { codes: [{ code: '260373001' }] } }],
    [
      'ED',
      '^text^html^Base64^PGI+',
      { kind: 'document', mediaType: 'text/html', encoding: 'Base64', characters: 4 },
    ],
    [
      'RP',
      'https://example.test/r1^^SD^PICT',
      { kind: 'document', mediaType: 'SD/PICT', pointer: 'https://example.test/r1' },
    ],
    ['XAD', '1 Main St^^Greeley^CO', { kind: 'text', text: '1 Main St Greeley CO' }],
    ['', '260373001^Detected^SCT', { kind: 'coded', coded: { text: 'Detected' } }],
    ['', 'Positive', { kind: 'text', text: 'Positive' }],
  ])('%s %s', (type, value, expected) => {
    expect(valued(type, value).values).toMatchObject([expected]);
  });

  it('keeps every repetition of a coded value', () => {
    expect(valued('CWE', 'MD^Maryland^L~KS^Kansas^L').values).toHaveLength(2);
  });

  it('keeps units and ignores an empty value', () => {
    expect(valued('NM', '5', 'ug/dL^microgram per decilitre^UCUM').units).toMatchObject({
      code: 'ug/dL',
      system: 'UCUM',
    });
    expect(valued('ST', '""').values).toEqual([]);
  });

  it('infers LOINC and SNOMED from form and check digit if no system is named, and marks it', () => {
    const made = observation('OBX|1|CE|43304-5^Test||10828004^Positive||||||F');
    expect(made.test.codes).toMatchObject([{ code: '43304-5', system: undefined, inferred: 'LN' }]);
    expect(made.values).toMatchObject([{ coded: { codes: [{ code: '10828004', inferred: 'SCT' }] } }]);
  });

  it('reads statuses sent as a letter, a coded text or a word', () => {
    const statuses = ['C', 'C^Corrected^HL70085', 'Final', 'corrected', 'X'].map(
      (status) => observation(`OBX|1|ST|43304-5^T^LN||x||||||${status}`).status,
    );
    expect(statuses).toEqual(['C', 'C', 'F', 'C', 'X']);
  });
});

describe('answers are not results', () => {
  it('by the question, by OBX-29, and as specimen observations', () => {
    const { orders, age } = report(
      message(
        {
          nte: 'OBX|2|CWE|95419-8^Has symptoms^LN||Y^Yes^HL70136||||||F\rOBX|3|ST|X-1^Local question^L||blue||||||F||||||||||||||||||QST',
        },
        'OBX|4|SN|35659-2^Age at collection^LN||=^37|a^Year^UCUM|||||F\rOBX|5|ST|X-2^Volume^L||10||||||F',
      ),
    );
    expect(orders[0]!.observations).toHaveLength(1);
    expect(orders[0]!.answers.map((answer) => [answer.question, answer.code.text])).toEqual([
      ['symptomatic', 'Has symptoms'],
      [undefined, 'Local question'],
      ['age', 'Age at collection'],
      [undefined, 'Volume'],
    ]);
    expect(age).toEqual({ value: 37, unit: 'a' });
  });

  it.each([
    ['OBX|2|NM|30525-0^Age^LN||5|wk^weeks^UCUM|||||F', { value: 5, unit: 'wk' }],
    ['OBX|2|CWE|30525-0^Age^LN||9|mo^months^UCUM|||||F', { value: 9, unit: 'mo' }],
    ['OBX|2|SN|29553-5^Age calculated^LN||^41|Y^Years^L|||||F', { value: 41, unit: 'a' }],
    ['OBX|2|NM|30525-0^Age^LN||44||||||F', { value: 44, unit: 'a' }],
    ['OBX|2|NM|30525-0^Age^LN||444|a|||||F', undefined],
  ])('age from %s', (obx, age) => {
    expect(report(message({ nte: obx })).age).toEqual(age);
  });

  it('treats observations after the specimen as results if there are none before it', () => {
    const { orders } = report(message({ obx: '', nte: '' }, parts.obx));
    expect(orders[0]!.observations).toHaveLength(1);
  });

  it('treats observations before the first order as answers about the patient', () => {
    const { answers } = report(message({ pv1: 'OBX|1|ST|8302-2^Height^LN||170||||||F' }));
    expect(answers).toMatchObject([{ code: { text: 'Height' } }]);
  });
});
