import { describe, expect, test } from 'vitest';
import {
  assignerNamed,
  cityLine,
  cliaValid,
  countyFipsValid,
  e164Valid,
  loincCheckDigitValid,
  loincCode,
  npiValid,
  phoneShown,
  snomedCheckDigitValid,
  stateFipsValid,
  timeZoneValid,
  zipValid,
} from './codes.ts';

const accepts = (valid: (value: string) => boolean, ...values: string[]) =>
  expect(values.filter((value) => !valid(value))).toEqual([]);
const refuses = (valid: (value: string) => boolean, ...values: string[]) =>
  expect(values.filter((value) => valid(value))).toEqual([]);

describe('codes with check digits [S5.1]', () => {
  test('a LOINC number is valid if its mod-10 check digit is', () => {
    // 24111: 1·2 + 1 + 1·2 + 4 + 2·2 = 13, up to 20 is 7.
    accepts(loincCheckDigitValid, '24111-7', '94500-6', '625-4', '20-8', '36-4', '100434-0');
    refuses(
      loincCheckDigitValid,
      '24111-8',
      '94558-5',
      '12345-6',
      '94500',
      '',
      '024111-7',
      '24111-7 ',
      '2106-33',
    );
  });

  test('a LOINC answer or part also counts its letters', () => {
    // Detected, Not detected, Positive, Negative, Pregnant, and a part from a hepatitis case notification.
    accepts(loincCheckDigitValid, 'LA11882-0', 'LA11883-8', 'LA6576-8', 'LA6577-6', 'LA15173-0', 'LP38318-9');
    refuses(loincCheckDigitValid, 'LA11882-1', 'LA6576-6', 'LB6576-8');
  });

  test('changing a digit or swapping two neighbors makes a LOINC number invalid', () => {
    refuses(loincCheckDigitValid, '24112-7', '42111-7', '94050-6');
  });

  test('a SNOMED CT code is valid if its Verhoeff check digit is', () => {
    accepts(
      snomedCheckDigitValid,
      '10828004',
      '260373001',
      '11214006',
      '260385009',
      '260415000',
      '131194007',
      '720735008',
      '455371000124106',
      '840539006',
    );
    // The last one is from a real message: 260415000 with a wrong check digit next to the word "detected".
    refuses(snomedCheckDigitValid, '10828005', '260373010', '1234', '', '0260373001', '260415007');
  });

  test('a SNOMED CT description identifier is not a concept', () => {
    refuses(snomedCheckDigitValid, '123037018', '754786011');
  });

  test('an NPI check digit counts the fixed prefix 80840', () => {
    // The worked example of the standard: 123456789 has check digit 3.
    accepts(npiValid, '1234567893');
    refuses(npiValid, '1234567890', '3234567893', '123456789');
  });
});

describe('codes with a fixed form [S5.1]', () => {
  test('CLIA', () => {
    accepts(cliaValid, '05D2222542', '11D0668319');
    refuses(cliaValid, '05X2222542', '5D2222542', '05D222254');
  });

  test('ZIP', () => {
    accepts(zipValid, '33101', '00901', '33101-1234');
    refuses(zipValid, '3310', '331011234', '33101-', 'K1A 0B1', '33101 ');
  });

  test('FIPS', () => {
    accepts(stateFipsValid, '01', '12', '72');
    refuses(stateFipsValid, '1', '00', '123', 'FL');
    accepts(countyFipsValid, '12086', '09110', '01001');
    refuses(countyFipsValid, '1001', '12000', '00086', '120861');
  });

  test('telephone numbers are E.164, and North American ones are complete', () => {
    accepts(e164Valid, '+13055550123', '+50937001234', '+442079460958');
    refuses(
      e164Valid,
      '3055550123',
      '+1305555012',
      '+130555501234',
      '+11055550123',
      '+13051550123',
      '+0123456789',
      '+1 305 555 0123',
    );
  });

  test('time zones are IANA place names from the list, not offsets or abbreviations', () => {
    accepts(timeZoneValid, 'UTC', ...Intl.supportedValuesOf('timeZone'));
    // Aliases of listed zones, on which browsers differ.
    accepts(timeZoneValid, 'Asia/Kolkata', 'Europe/Kyiv', 'America/Indiana/Indianapolis');
    refuses(
      timeZoneValid,
      '+05:00',
      '+14:00',
      '-0500',
      'EST',
      'GMT',
      'Etc/GMT+5',
      'america/chicago',
      'Gulf/Nowhere',
    );
    refuses(timeZoneValid, 'America/Nowhere', '');
  });

  test('a schema reports a wrong code with a translatable error', () => {
    const issue = loincCode.safeParse('94558-5').error!.issues[0]!;
    expect(issue).toMatchObject({ code: 'custom', params: { code: 'invalid-loinc' } });
  });
});

test.each([
  ['+18135550177', '(813) 555-0177'],
  ['+19415550155', '(941) 555-0155'],
  ['+14045550188 x12', '(404) 555-0188 x12'],
  ['+50934123456', '+509 3412 3456'],
  ['+525512345678', '+52 55 1234 5678'],
  ['+442079460018', '+44 20 7946 0018'],
  // Too short, or not a number: unchanged.
  ['+1813555', '+1813555'],
  ['ask at the desk', 'ask at the desk'],
])('the telephone number %s is written %s', (stored, shown) => {
  expect(phoneShown(stored)).toBe(shown);
});

test('an address ends with city, postal state and ZIP', () => {
  const place = { city: 'Macclenny', stateFips: '12', postalCode: '32063' };
  expect(cityLine(place)).toBe('Macclenny, FL 32063');
  expect(cityLine({ ...place, postalCode: '320631234' })).toBe('Macclenny, FL 32063-1234');
  expect(cityLine({ ...place, city: null })).toBe('FL 32063');
  expect(cityLine({ ...place, stateFips: '99', postalCode: null })).toBe('Macclenny');
  expect(cityLine({ city: null, stateFips: null, postalCode: null })).toBeNull();
});

test.each([
  ['harbor clinic', 'harbor clinic'],
  ['2.16.840.1.113883.3.72.5.30.2', null],
  ['urn:oid:2.16.840.1.113883', null],
  ['94e5ac2a-6368-5389-bf8a-000000000000', null],
  ['94e5ac2a', null],
  ['', null],
])('the issuer %s of an identifier is shown as %s', (assigner, shown) => {
  expect(assignerNamed(assigner)).toBe(shown);
});
