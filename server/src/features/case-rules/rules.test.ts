import { describe, expect, test } from 'vitest';
import { conditionByCode } from '../reference/catalog.ts';
import { decide } from './decide.ts';
import { ageInMonths } from './evaluate.ts';
import { factCodes } from './facts.ts';
import { dilutionOf } from './findings.ts';
import { caseDefinitions, definitionsOf, versionFor } from './rules.ts';
import { findingsOf, personOf } from './test-cases.ts';

describe('the definitions', () => {
  test.each(caseDefinitions.map((definition) => [definition.id, definition] as const))(
    '%s is plain data of lawful classes',
    (_, definition) => {
      expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
      expect(definition.conditions).toContain(definition.files);
      for (const { classification, condition = definition.files } of definition.classes) {
        expect(definition.conditions).toContain(condition);
        expect(conditionByCode(condition)?.classifications, condition).toContain(classification);
        expect(conditionByCode(condition)?.family).toBe(definition.family);
      }
    },
  );

  test('have an id each, and all versions of one decide the same conditions', () => {
    expect(new Set(caseDefinitions.map(({ id }) => id)).size).toBe(caseDefinitions.length);
    for (const versions of Map.groupBy(caseDefinitions, ({ files }) => files).values())
      for (const { conditions } of versions) expect(conditions).toEqual(versions[0]!.conditions);
  });

  test('decide no condition twice', () => {
    const decided = [...new Set(caseDefinitions.map(({ family }) => family))].flatMap((family) =>
      definitionsOf(family).flatMap(({ conditions }) => conditions),
    );
    expect(decided.toSorted()).toEqual([...new Set(decided)].toSorted());
  });

  test('use known facts, and each fact is used', () => {
    const asked = new Set(
      [...JSON.stringify(caseDefinitions).matchAll(/"fact":"([a-z-]+)"/g)].map((match) => match[1]),
    );
    expect([...asked].sort()).toEqual([...factCodes].sort());
  });

  test('each says what contradicts a positive test, or that no test can', () => {
    const without = caseDefinitions.flatMap(({ id, contradicted }) =>
      contradicted === undefined && !id.endsWith('-table') ? [id] : [],
    );
    expect(without.sort()).toEqual([
      // Culture of H. ducreyi misses most infections.
      'chancroid-1996',
      // So does culture of Legionella, and the antigen test finds only one serogroup.
      'legionellosis-2020',
      // So does culture of B. pertussis.
      'pertussis-2020',
    ]);
  });

  test('a window in months uses calendar months', () => {
    const windows = [
      ...JSON.stringify(caseDefinitions).matchAll(/"(apart|within|before)(Days|Months)":(\d+)/g),
    ];
    expect(windows.length).toBeGreaterThan(30);
    // Half years and years in days would be wrong by a day or two. Only one definition, of hepatitis B, says 365
    // days.
    expect(
      [...new Set(windows.flatMap(([, , unit, n]) => (unit === 'Days' ? [Number(n)] : [])))].sort(
        (a, b) => a - b,
      ),
    ).toEqual([0, 2, 7, 14, 30, 60, 84, 90, 180, 365]);
    expect([...new Set(windows.flatMap(([, , unit, n]) => (unit === 'Months' ? [n] : [])))].sort()).toEqual([
      '12',
      '6',
    ]);
  });

  test('the year of the event chooses the version, and the oldest version is used for earlier years', () => {
    const [lyme] = definitionsOf('lyme');
    expect(versionFor(lyme!, '2021-12-31').id).toBe('lyme-disease-2017');
    expect(versionFor(lyme!, '2022-01-01').id).toBe('lyme-disease-2022');
    expect(versionFor(lyme!, '2009-06-01').id).toBe('lyme-disease-2017');
  });
});

describe('an explanation', () => {
  const explain = (
    told: Parameters<typeof findingsOf>[0],
    facts: Parameters<typeof decide>[1]['facts'] = {},
    day = '2026-03-02',
  ) => {
    const findings = findingsOf(told);
    const [definition] = definitionsOf(findings[0]!.family);
    return decide(versionFor(definition!, day), {
      day,
      findings,
      earlierCases: [],
      onset: null,
      person: personOf({}),
      facts,
    });
  };

  test('says for each criterion whether it is met, not met or unknown, and which results decided it', () => {
    expect(explain([['23826-1', '+']]).classes).toEqual([
      {
        classification: 'confirmed',
        condition: 'pertussis',
        state: 'unknown',
        criteria: [
          { depth: 0, kind: 'all', state: 'unknown' },
          { depth: 1, kind: 'fact', state: 'unknown', what: ['acute-cough'] },
          { depth: 1, kind: 'positive', state: 'met', what: ['pertussis-direct'], results: ['r1'] },
        ],
      },
      expect.objectContaining({ classification: 'probable', state: 'unknown' }),
      expect.objectContaining({ classification: 'probable', state: 'unknown' }),
      {
        classification: 'unknown',
        condition: 'pertussis',
        state: 'met',
        criteria: [{ depth: 0, kind: 'positive', state: 'met', what: ['pertussis-direct'], results: ['r1'] }],
      },
    ]);
  });

  test('says what would change it: only what is missing, nothing that is decided', () => {
    expect(explain([['23826-1', '+']]).next[0]).toEqual({
      classification: 'confirmed',
      condition: 'pertussis',
      needs: [{ depth: 0, kind: 'fact', state: 'unknown', what: ['acute-cough'] }],
    });
    // A person known not to cough cannot become a confirmed case.
    expect(
      explain([['23826-1', '+']], { 'acute-cough': false }).next.map((each) => each.classification),
    ).toEqual(['probable']);
    expect(explain([['24111-7', '+']]).next).toEqual([]);
  });

  test('for someone reported without any result is unknown', () => {
    const [definition] = definitionsOf('gonorrhea');
    const event = {
      day: '2026-03-02',
      findings: [],
      earlierCases: [],
      onset: null,
      person: personOf({}),
      facts: {},
    };
    expect(decide(definition!, event).classification).toBe('unknown');
  });

  test('with a withdrawn result is not a case, and unknown if a fact could still make it one', () => {
    expect(explain([['24111-7', '-']])).toMatchObject({
      classification: 'not_a_case',
      condition: 'gonorrhea',
    });
    expect(explain([['23826-1', '-']])).toMatchObject({ classification: 'unknown', condition: 'pertussis' });
  });
});

test('a titer is the number of its dilution; 1:6 is not a titer', () => {
  expect(
    ['1:1', '1:8', 'Reactive, 1:32', '1 : 256', '1:6', '11:8', 'none'].map((text) => dilutionOf(text, null)),
  ).toEqual([0, 3, 5, 8, null, null, null]);
  expect(dilutionOf(null, 16)).toBe(4);
});

test('an age in months agrees with the birth date', () => {
  expect(ageInMonths({ birthDate: '2024-09-02', birthDatePrecision: 'day' }, '2026-03-01')).toEqual([17, 17]);
  expect(ageInMonths({ birthDate: '2024-09-02', birthDatePrecision: 'day' }, '2026-03-02')).toEqual([18, 18]);
  expect(ageInMonths({ birthDate: '2024-01-01', birthDatePrecision: 'year' }, '2026-03-02')).toEqual([
    14, 26,
  ]);
  expect(ageInMonths({ birthDate: null, birthDatePrecision: null }, '2026-03-02')).toBeUndefined();
});
