import { z } from 'zod';

/**
 * Formats and check digits of the codes Caseway accepts, shared by browser and server. [S5.1]
 * They show that a code is well formed; only a look-up in the reference data shows that it exists.
 */

/**
 * Luhn check digit (mod 10) of digit values from left to right; values above 9 count as the sum of their
 * digits.
 */
function luhnCheckDigit(values: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[values.length - 1 - i]!;
    const weighted = i % 2 === 0 ? value * 2 : value;
    sum += i % 2 === 0 ? Math.floor(weighted / 10) + (weighted % 10) : weighted;
  }
  return (10 - (sum % 10)) % 10;
}

/**
 * Whether a string is a LOINC code with a valid mod-10 check digit: `24111-7`, and the parts and answers
 * `LP…` and `LA…`, whose letters count as their ASCII code minus 48.
 * Source: LOINC Users' Guide, calculating mod 10 check digits.
 */
export function loincCheckDigitValid(code: string): boolean {
  const match = /^((?:LA|LP|LL|LG)?[1-9]\d{0,6})-(\d)$/.exec(code);
  if (!match) return false;
  const values = [...match[1]!].map((character) => character.charCodeAt(0) - 48);
  return luhnCheckDigit(values) === Number(match[2]);
}

/** The multiplication table of the dihedral group of order 10, and Verhoeff's permutation by position. */
const dihedral = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
] as const;
const positions = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
  [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
  [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
  [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
  [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
  [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
  [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
] as const;

/**
 * Whether a string is a SNOMED CT concept identifier with a valid Verhoeff check digit: 6 to 18 digits, no
 * leading zero, partition 00 (international) or 10 (extension). Descriptions and relationships are refused.
 * Source: SNOMED CT Release File Specification, SCTID.
 */
export function snomedCheckDigitValid(code: string): boolean {
  if (!/^[1-9]\d{5,17}$/.test(code)) return false;
  const partition = code.slice(-3, -1);
  if (partition !== '00' && partition !== '10') return false;
  let check = 0;
  for (let i = 0; i < code.length; i += 1) {
    const digit = Number(code[code.length - 1 - i]);
    check = dihedral[check]![positions[i % 8]![digit]!]!;
  }
  return check === 0;
}

/** Whether a string is a National Provider Identifier: ten digits, Luhn with the prefix 80840. Source: CMS, 45 CFR 162.406. */
export function npiValid(code: string): boolean {
  if (!/^[12]\d{9}$/.test(code)) return false;
  const values = [...`80840${code.slice(0, 9)}`].map(Number);
  return luhnCheckDigit(values) === Number(code[9]);
}

/** Whether a string has the form of a CLIA number: two digits, `D`, seven digits. */
export const cliaValid = (code: string): boolean => /^\d{2}D\d{7}$/.test(code);

/** Whether a string has the form of a US ZIP code: five digits, or five and four. */
export const zipValid = (code: string): boolean => /^\d{5}(-\d{4})?$/.test(code);

/** Whether a string has the form of a FIPS state code: two digits. */
export const stateFipsValid = (code: string): boolean => /^(?!00)\d{2}$/.test(code);

/** Whether a string has the form of a FIPS county code: state and county, five digits. */
export const countyFipsValid = (code: string): boolean => /^(?!00)\d{2}(?!000)\d{3}$/.test(code);

/**
 * Whether a string is a telephone number in E.164: `+`, no leading zero, 7 to 15 digits. A North American
 * number (+1) needs ten digits after the 1, with area code and exchange starting with 2 to 9.
 */
export function e164Valid(phone: string): boolean {
  if (!/^\+[1-9]\d{6,14}$/.test(phone)) return false;
  return !phone.startsWith('+1') || /^\+1[2-9]\d{2}[2-9]\d{6}$/.test(phone);
}

/**
 * Whether a string is UTC or a time zone users can choose, by its IANA place name. `+05:00`, `EST` and
 * `Etc/GMT+5` have no daylight saving time, and PostgreSQL reads some of them with the opposite sign.
 */
export function timeZoneValid(timeZone: string): boolean {
  if (timeZone === 'UTC') return true;
  if (
    !/^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Z]/.test(timeZone)
  )
    return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** A string schema with this check; its issue has a code for the translated message. */
const checked = (valid: (value: string) => boolean, code: string, message: string) =>
  z.string().refine(valid, { error: message, params: { code } });

export const loincCode = checked(
  loincCheckDigitValid,
  'invalid-loinc',
  'not a LOINC number, or its check digit is wrong',
);
export const snomedCode = checked(
  snomedCheckDigitValid,
  'invalid-snomed',
  'not a SNOMED CT code, or its check digit is wrong',
);
export const npiCode = checked(npiValid, 'invalid-npi', 'not an NPI, or its check digit is wrong');
export const cliaCode = checked(cliaValid, 'invalid-clia', 'not a CLIA number');
export const zipCode = checked(zipValid, 'invalid-zip', 'not a ZIP code');
export const stateFips = checked(stateFipsValid, 'invalid-state-fips', 'not a FIPS state code');
export const countyFips = checked(countyFipsValid, 'invalid-county-fips', 'not a FIPS county code');
export const phoneNumber = checked(
  e164Valid,
  'invalid-phone',
  'not a telephone number in international form',
);
export const timeZoneName = checked(timeZoneValid, 'time-zone', 'not a time zone');

/** Country codes of one and two digits (ITU-T E.164); all others have three. */
const countryCode = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d{4,})$/;

/**
 * A telephone number for display: `(813) 555-0177`, or `+509 3412 3456` for another country. Anything not in
 * E.164 is unchanged; an extension stays after the number.
 */
export function phoneShown(phone: string): string {
  const [number, ...extension] = phone.split(' ');
  const rest = extension.length > 0 ? ` ${extension.join(' ')}` : '';
  const here = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number!);
  if (here) return `(${here[1]}) ${here[2]}-${here[3]}${rest}`;
  const abroad = e164Valid(number!) && countryCode.exec(number!);
  if (!abroad) return phone;
  const groups = abroad[2]!.replaceAll(/(?<=\d\d)(?=(?:\d{4})+$)/g, ' ');
  return `+${abroad[1]} ${groups}${rest}`;
}

/**
 * Each FIPS code of a state, district or territory, followed by its postal abbreviation (USPS Publication 28,
 * appendix B).
 */
const postalStates =
  '01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME ' +
  '24MD 25MA 26MI 27MN 28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI ' +
  '45SC 46SD 47TN 48TX 49UT 50VT 51VA 53WA 54WV 55WI 56WY 60AS 66GU 69MP 72PR 78VI';
const postalStateOf = new Map(
  postalStates.split(' ').map((entry): [string, string] => [entry.slice(0, 2), entry.slice(2)]),
);
/** `FL` for `12`; null if the code is no state. */
export const postalState = (fips: string | null): string | null => postalStateOf.get(fips ?? '') ?? null;

/** The last line of an address: `Macclenny, FL 32063`; null if it has no parts. */
export function cityLine(place: {
  city: string | null;
  stateFips: string | null;
  postalCode: string | null;
}): string | null {
  const zip = place.postalCode?.replace(/^(\d{5})(\d{4})$/, '$1-$2') ?? null;
  const behind = [postalState(place.stateFips), zip].filter(Boolean).join(' ');
  return [place.city, behind].filter(Boolean).join(', ') || null;
}

/** The types of personal identifiers that have a label (HL7 table 0203). */
export const identifierKinds = [
  'AN',
  'DL',
  'EI',
  'LR',
  'MA',
  'MC',
  'MR',
  'NI',
  'PI',
  'PN',
  'PPN',
  'PT',
  'SR',
  'SS',
  'VN',
] as const;

/** The issuer of an identifier, if it is a name: an OID, UUID or other number means nothing to people. */
export const assignerNamed = (assigner: string): string | null =>
  /\p{L}{2}/u.test(assigner) && !/^[0-9a-f]{8}(-|$)/i.test(assigner) && !/^urn:/i.test(assigner)
    ? assigner
    : null;
