import { describe, expect, test } from 'vitest';
import { foldWords } from '../../platform/text/fold.ts';
import { blockKeys, compare, identifying, type Person, prepare, soughtKeys } from './matching.ts';

const rosa: Person = {
  names: [{ last: 'Martínez', first: 'Rosa', middle: 'Elena' }],
  birthDate: '1984-03-09',
  sex: 'F',
  phones: ['+15055550143'],
  street: '12 Alameda Street',
  city: 'Santa Fe',
  postalCode: '87501',
};
const like = (changes: Partial<Person>, of: Person = rosa): Person => ({ ...of, ...changes });
const named = (last: string, first: string, more: { middle?: string; suffix?: string } = {}) => ({
  names: [{ last, first, ...more }],
});
const bare = (last: string, first: string, birthDate?: string, sex?: string): Person => ({
  ...named(last, first),
  birthDate,
  sex,
});

const decide = (a: Person, b: Person) => compare(prepare(a), prepare(b)).decision;
/** Whether a stored person is compared when a report about another one arrives. */
const meet = (stored: Person, reported: Person) => {
  const keys = new Set(blockKeys(prepare(stored)));
  return soughtKeys(prepare(reported)).some((key) => keys.has(key));
};
/** The decision about a report. Candidates are only people found by its keys. */
const outcome = (a: Person, b: Person) => (meet(a, b) ? decide(a, b) : 'different');

describe('the same person', () => {
  test.each<[string, Person, Person]>([
    [
      'the same name, birth date and sex',
      bare('Okafor', 'Chidi', '1990-05-01', 'M'),
      bare('OKAFOR', 'CHIDI', '1990-05-01', 'M'),
    ],
    ['accents left out', rosa, like(named('MARTINEZ', 'ROSA'))],
    [
      'an umlaut written out',
      bare('Müller', 'Jörg', '1971-11-30', 'M'),
      bare('Mueller', 'Joerg', '1971-11-30', 'M'),
    ],
    [
      'a surname mistyped',
      bare('Sheperd', 'John', '1953-07-11', 'M'),
      bare('Shepherd', 'John', '1953-07-11', 'M'),
    ],
    ['a nickname', bare('Nguyen', 'William', '1966-02-14', 'M'), bare('Nguyen', 'Bill', '1966-02-14', 'M')],
    [
      'a Spanish nickname',
      bare('Ortega', 'Francisco', '1966-02-14', 'M'),
      bare('Ortega', 'Paco', '1966-02-14', 'M'),
    ],
    [
      'surname and given name swapped',
      bare('Pierre', 'Jean', '1979-08-21', 'M'),
      bare('Jean', 'Pierre', '1979-08-21', 'M'),
    ],
    [
      'one of two surnames left out',
      bare('García López', 'Ana', '2001-01-15', 'F'),
      bare('Garcia', 'Ana', '2001-01-15', 'F'),
    ],
    [
      'a hyphen between two surnames',
      bare('Garcia-Lopez', 'Ana', '2001-01-15', 'F'),
      bare('García López', 'Ana', '2001-01-15', 'F'),
    ],
    [
      'only the second of two surnames',
      bare('García López', 'Ana', '2001-01-15', 'F'),
      bare('Lopez', 'Ana', '2001-01-15', 'F'),
    ],
    [
      'a particle written together',
      bare('De la Cruz', 'Luz', '1993-12-02', 'F'),
      bare('Delacruz', 'Luz', '1993-12-02', 'F'),
    ],
    [
      'one of two given names',
      bare('Toussaint', 'Marie Claire', '1988-06-06', 'F'),
      bare('Toussaint', 'Marie', '1988-06-06', 'F'),
    ],
    ['day and month swapped, the same telephone', rosa, like({ birthDate: '1984-09-03' })],
    [
      'two digits of the birth date transposed, the same address',
      like({ birthDate: '1984-03-12' }),
      like({ birthDate: '1984-03-21', phones: [] }),
    ],
    ['no birth date, but name, telephone and address', rosa, like({ birthDate: null })],
  ])('%s', (_, a, b) => {
    expect(outcome(a, b)).toBe('same');
    expect(outcome(b, a)).toBe('same');
  });

  test('a moved person with another telephone, but the same name, birth date and sex', () => {
    expect(
      outcome(
        rosa,
        like({ phones: ['+12125550177'], street: '9 Oak Ave', city: 'Albany', postalCode: '12207' }),
      ),
    ).toBe('same');
  });

  test('another name of the same record', () => {
    const married: Person = {
      ...rosa,
      names: [
        { last: 'Chen', first: 'Rosa' },
        { last: 'Martinez', first: 'Rosa' },
      ],
    };
    expect(outcome(bare('Martinez', 'Rosa', '1984-03-09', 'F'), married)).toBe('same');
  });
});

describe('pairs that a person has to decide', () => {
  test.each<[string, Person, Person]>([
    ['another surname, everything else the same', rosa, like(named('Delgado', 'Rosa'))],
    ['given names that sound like twins in one household', rosa, like(named('Martinez', 'Rosana'))],
    ['twins whose names differ by one letter', like(named('Bell', 'Jayden')), like(named('Bell', 'Kayden'))],
    [
      'sisters whose first name is the same',
      like(named('Ruiz', 'María José')),
      like(named('Ruiz', 'María Fernanda')),
    ],
    [
      'day and month swapped and nothing beside it',
      bare('Okafor', 'Chidi', '1990-05-01', 'M'),
      bare('Okafor', 'Chidi', '1990-01-05', 'M'),
    ],
    [
      'one digit of the birth date off and nothing beside it',
      bare('Okafor', 'Chidi', '1990-05-01', 'M'),
      bare('Okafor', 'Chidi', '1991-05-01', 'M'),
    ],
    [
      'the sex contradicts',
      bare('Okafor', 'Sam', '1990-05-01', 'M'),
      bare('Okafor', 'Sam', '1990-05-01', 'F'),
    ],
    [
      'two other middle initials and nothing beside it',
      { ...bare('Lee', 'Mary', '1975-10-10', 'F'), ...named('Lee', 'Mary', { middle: 'A' }) },
      { ...bare('Lee', 'Mary', '1975-10-10', 'F'), ...named('Lee', 'Mary', { middle: 'T' }) },
    ],
    [
      'no birth date, name and ZIP code alone',
      like({ birthDate: null, phones: [], street: null }),
      like({ birthDate: null, phones: [], street: null }),
    ],
    [
      'only an initial for the given name',
      bare('Okonkwo', 'C', '1990-05-01', 'M'),
      bare('Okonkwo', 'Chidi', '1990-05-01', 'M'),
    ],
  ])('%s', (_, a, b) => {
    expect(outcome(a, b)).toBe('review');
    expect(outcome(b, a)).toBe('review');
  });
});

describe('different people', () => {
  const father: Person = { ...like(named('Reed', 'Thomas')), birthDate: '1955-04-02', sex: 'M' };
  test.each<[string, Person, Person]>([
    ['twins in one household', like(named('Martinez', 'Rosa')), like(named('Martinez', 'Carmen'))],
    ['father and son of one name in one household', father, { ...father, birthDate: '1984-11-20' }],
    [
      'father and son, told apart by the suffix',
      { ...father, ...named('Reed', 'Thomas', { suffix: 'Sr' }) },
      { ...father, ...named('Reed', 'Thomas', { suffix: 'Jr.' }), birthDate: '1984-11-20' },
    ],
    [
      'father and son born on the same day of the year',
      { ...father, birthDate: '1955-04-02' },
      { ...father, birthDate: '1985-04-02' },
    ],
    [
      'the same name, another birth date',
      bare('Garcia', 'Maria', '1980-01-02', 'F'),
      bare('Garcia', 'Maria', '1992-07-30', 'F'),
    ],
    [
      'the same birth date, another name',
      bare('Garcia', 'Maria', '1980-01-02', 'F'),
      bare('Gardner', 'Mabel', '1980-01-02', 'F'),
    ],
    [
      'husband and wife',
      rosa,
      { ...rosa, ...named('Martinez', 'Carlos'), birthDate: '1982-12-24', sex: 'M' },
    ],
  ])('%s', (_, a, b) => {
    expect(outcome(a, b)).toBe('different');
    expect(outcome(b, a)).toBe('different');
  });

  test('people without a name never match by anything but an identifier', () => {
    const anonymous: Person = {
      names: [],
      birthDate: '1984-03-09',
      sex: 'F',
      postalCode: '87501',
      phones: ['+15055550143'],
    };
    expect(blockKeys(prepare(anonymous))).toEqual([]);
    expect(outcome(anonymous, anonymous)).toBe('different');
    const numbered = {
      ...anonymous,
      identifiers: [{ kind: 'PI', assigner: 'Home test app', value: 'AX-1' }],
    };
    expect(outcome(numbered, numbered)).toBe('same');
  });
});

describe('only name and ZIP code', () => {
  const born = (birthDate: string | undefined): Person => ({
    ...bare('Garcia', 'Maria', birthDate, 'F'),
    postalCode: '87501',
    city: 'Santa Fe',
  });

  test('leads to and from people without a birth date', () => {
    const [known, unknown] = [born('1984-03-09'), born(undefined)];
    expect(meet(known, unknown)).toBe(true);
    expect(meet(unknown, known)).toBe(true);
    expect(meet(unknown, unknown)).toBe(true);
  });
  test.each([
    ['1980-12-15', '1981-02-15'],
    ['1980-11-15', '1981-01-15'],
  ])('is not needed for a typing error that changes year and month: %s and %s', (one, other) => {
    expect(outcome(born(one), born(other))).toBe('review');
    expect(outcome(born(other), born(one))).toBe('review');
  });
  test('does not lead from a missing birth date to another, which would make them different people anyway', () => {
    const [one, other] = [born('1984-03-09'), born('1961-10-27')];
    expect(meet(one, other)).toBe(false);
    expect(decide(one, other)).toBe('different');
  });
});

describe('identifiers', () => {
  const mr = (value: string, assigner = 'Mercy Clinic') => [{ kind: 'MR', assigner, value }];

  test('a shared one decides, though the surname is new', () => {
    expect(
      outcome(
        { ...rosa, identifiers: mr('4711') },
        { ...rosa, ...named('Delgado', 'Rosa'), identifiers: mr('4711') },
      ),
    ).toBe('same');
  });
  test('the same number from another assigner means nothing', () => {
    expect(
      outcome(
        { ...bare('A', 'B', '1984-03-09'), identifiers: mr('4711') },
        { ...bare('C', 'D', '1990-01-01'), identifiers: mr('4711', 'Other') },
      ),
    ).toBe('different');
  });
  test('one that birth date, sex or the whole name contradict is left to a person', () => {
    const known = { ...rosa, identifiers: mr('4711') };
    expect(outcome(known, { ...known, birthDate: '1999-12-12' })).toBe('review');
    expect(outcome(known, { ...known, sex: 'M' })).toBe('review');
    expect(outcome(known, { ...known, ...named('Abbott', 'Quentin') })).toBe('review');
  });
  test('one with another given name is left to a person, whatever the birth date: twins under one family number', () => {
    const of = (first: string, more: Partial<Person> = {}) => ({
      ...named('Bell', first),
      ...more,
      identifiers: mr('4711'),
    });
    expect(outcome(of('Jayden'), of('Marcus'))).toBe('review');
    expect(outcome(of('Jayden', { birthDate: '2001-04-02' }), of('Marcus'))).toBe('review');
    expect(
      outcome(of('Jayden', { birthDate: '2001-04-02' }), of('Marcus', { birthDate: '2001-04-02' })),
    ).toBe('review');
    expect(outcome(of('William'), of('Bill'))).toBe('same');
  });
  test('another social security number keeps two records apart until someone decides', () => {
    const ss = (value: string) => ({ identifiers: [{ kind: 'SS', assigner: '', value }] });
    expect(outcome({ ...rosa, ...ss('536-22-1234') }, { ...rosa, ...ss('536-22-9876') })).toBe('review');
    expect(outcome({ ...rosa, ...ss('536-22-1234') }, { ...rosa, ...ss('536221234') })).toBe('same');
  });
  describe('never join two people without a person', () => {
    const born = '2014-06-03';
    const child = (
      first: string,
      numbers: [kind: string, value: string][],
      more: Partial<Person> = {},
    ): Person => ({
      ...like(named('Alvarez', first)),
      birthDate: born,
      ...more,
      identifiers: numbers.map(([kind, value]) => ({
        kind,
        assigner: kind === 'MR' ? 'Mercy Clinic' : kind === 'NI' ? 'MEX' : '',
        value,
      })),
    });
    const suffix = (value: string, numbers: [string, string][] = [], more: Partial<Person> = {}) => ({
      ...child('Thomas', numbers, more),
      ...named('Alvarez', 'Thomas', { suffix: value }),
    });
    test.each<[string, Person, Person, 'same' | 'review' | 'different']>([
      [
        'twins under one family number',
        child('Mateo', [['MR', '4711']]),
        child('Lucas', [['MR', '4711']]),
        'review',
      ],
      [
        'twins under one family number, each with a social security number',
        child('Mateo', [
          ['MR', '4711'],
          ['SS', '536-22-1234'],
        ]),
        child('Lucas', [
          ['MR', '4711'],
          ['SS', '536-22-1235'],
        ]),
        'review',
      ],
      [
        'one family number and one given name, two social security numbers',
        child('Mateo', [
          ['MR', '4711'],
          ['SS', '536-22-1234'],
        ]),
        child('Mateo', [
          ['MR', '4711'],
          ['SS', '418-07-9921'],
        ]),
        'review',
      ],
      [
        'twins under one number whose names differ in the first letter',
        child('Jayden', [['MR', '4711']]),
        child('Kayden', [['MR', '4711']]),
        'review',
      ],
      [
        'twins under one number with one first name',
        child('María José', [['MR', '4711']]),
        child('María Fernanda', [['MR', '4711']]),
        'review',
      ],
      [
        'a given name mistyped beside one number',
        child('Mateo', [['MR', '4711']]),
        child('Matoe', [['MR', '4711']]),
        'same',
      ],
      [
        'a nickname beside one number',
        child('William', [['MR', '4711']]),
        child('Bill', [['MR', '4711']]),
        'same',
      ],
      [
        'another given name beside one social security number and birth date',
        child('Mateo', [['SS', '536-22-1234']]),
        child('Lucas', [['SS', '536-22-1234']]),
        'same',
      ],
      [
        'a record number used again for somebody else',
        child('Mateo', [['MR', '4711']]),
        child('Priya', [['MR', '4711']], { ...named('Shah', 'Priya'), birthDate: '1951-01-30', sex: 'M' }),
        'review',
      ],
      [
        'one digit of the social security number mistyped',
        child('Mateo', [['SS', '536-22-1234']]),
        child('Mateo', [['SS', '536-22-1284']]),
        'review',
      ],
      [
        'two digits of it changed places, beside one record number',
        child('Mateo', [
          ['MR', '4711'],
          ['SS', '536-22-1234'],
        ]),
        child('Mateo', [
          ['MR', '4711'],
          ['SS', '536-22-1243'],
        ]),
        'review',
      ],
      [
        'a social security number that is only filled in',
        child('Mateo', [
          ['MR', '4711'],
          ['SS', '536-22-1234'],
        ]),
        child('Mateo', [
          ['MR', '4711'],
          ['SS', '999-99-9999'],
        ]),
        'same',
      ],
      [
        'two national numbers of another country',
        child('Mateo', [['NI', 'X1234567']]),
        child('Mateo', [['NI', 'X7654321']]),
        'review',
      ],
      [
        'Jr and Sr under one family number',
        suffix('Jr', [['MR', '4711']]),
        suffix('Sr', [['MR', '4711']]),
        'review',
      ],
      ['Jr and Sr without a number', suffix('Jr'), suffix('Sr'), 'review'],
      [
        'Jr and Sr a generation apart',
        suffix('Jr'),
        suffix('Sr', [], { birthDate: '1984-06-03' }),
        'different',
      ],
    ])('%s', (_, a, b, expected) => {
      expect(outcome(a, b)).toBe(expected);
      expect(outcome(b, a)).toBe(expected);
    });
  });
  test('a placeholder number identifies no one', () => {
    const of = (kind: string, value: string, assigner = 'X') => identifying({ kind, assigner, value });
    expect(of('MR', '00000')).toBe(false);
    expect(of('MR', 'UNKNOWN')).toBe(false);
    expect(of('SS', '999-99-9999')).toBe(false);
    expect(of('SS', '123-45-6789')).toBe(false);
    expect(of('MR', '17')).toBe(true);
    expect(of('MR', '17', '')).toBe(false);
  });
});

describe('a stated age, if a birth date is missing', () => {
  // On 1 March 2026: 30 years, 32 years, 3 months.
  const thirty = { bornFrom: '1995-03-01', bornTo: '1996-03-01' };
  const thirtyTwo = { bornFrom: '1993-02-28', bornTo: '1994-02-28' };
  const month3 = { bornFrom: '2025-10-31', bornTo: '2025-11-30' };
  const ana = (more: Partial<Person>): Person => ({ ...rosa, birthDate: null, ...more });
  const age = (a: Partial<Person>, b: Partial<Person>) => compare(prepare(ana(a)), prepare(ana(b))).parts.age;

  test('tells people apart who share name, telephone and address', () => {
    expect(outcome(ana(thirty), ana(thirty))).toBe('same');
    expect(outcome(ana(thirty), ana(thirtyTwo))).toBe('review');
    expect(outcome(ana({ ...thirty, phones: [] }), ana({ ...thirtyTwo, phones: [] }))).toBe('different');
  });
  test('never joins people who would not be joined without it', () => {
    const bared = { phones: [], street: null };
    expect(outcome(ana({ ...thirty, ...bared }), ana({ ...thirty, ...bared }))).toBe('review');
  });
  test('contradicts only beyond half of its unit', () => {
    expect(age(thirty, { bornFrom: '1994-06-01', bornTo: '1995-06-01' })).toBe(0.3);
    expect(
      age({ bornFrom: '1994-03-01', bornTo: '1995-03-01' }, { bornFrom: '1995-08-30', bornTo: '1996-08-30' }),
    ).toBe(0.3);
    expect(age(thirty, thirtyTwo)).toBe(0);
    expect(age(month3, { bornFrom: '2025-12-30', bornTo: '2026-01-30' })).toBe(0);
    expect(age(month3, { bornFrom: '2025-03-01', bornTo: '2026-03-01' })).toBe(0.3);
  });
  test('is compared with a birth date', () => {
    expect(age(thirty, { birthDate: '1995-09-09' })).toBe(0.3);
    expect(age(thirty, { birthDate: '1984-03-09' })).toBe(0);
    expect(age(thirty, { birthDate: '1996-01-01', birthDatePrecision: 'year' })).toBe(0.3);
    expect(compare(prepare(rosa), prepare({ ...rosa, ...thirty })).parts).not.toHaveProperty('age');
  });
  test('that contradicts keeps a shared identifier from deciding', () => {
    const numbered = { identifiers: [{ kind: 'MR', assigner: 'Mercy Clinic', value: '4711' }] };
    expect(outcome(ana({ ...thirty, ...numbered }), ana({ ...thirtyTwo, ...numbered }))).toBe('review');
  });
});

test('a score is 1 without doubt, and falls with every difference', () => {
  expect(compare(prepare(rosa), prepare(rosa)).score).toBe(1);
  const { score, parts } = compare(
    prepare(bare('Lee', 'Ann', '1975-10-10')),
    prepare(bare('Lee', 'Ann', '1975-10-11')),
  );
  // Surname 5, given name 4, one digit of the birth date 2.5: 11.5 of 20.
  expect(score).toBeCloseTo(0.575);
  expect(parts).toEqual({ lastName: 1, firstName: 1, birthDate: 0.6 });
});

test('folding removes case, accents and punctuation and keeps other alphabets', () => {
  expect(foldWords(" O'Neill-Ñandú ")).toBe('oneill nandu');
  expect(foldWords('Łukasz Søren')).toBe('lukasz soren');
  expect(foldWords('王小明')).toBe('王小明');
});
