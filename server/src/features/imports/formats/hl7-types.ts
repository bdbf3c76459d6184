import { cliaValid, countyFipsValid, npiValid } from '@caseway/contract/codes';
import { e164Of, isEmail } from '../../patients/demographics.ts';
import { nameFromWhole, withSuffixApart } from '../../patients/person-name.ts';
import { codedValue, codeOf } from '../../reported/coding.ts';
import type {
  Address,
  Authority,
  CodedValue,
  EntityIdentifier,
  Identifier,
  Organization,
  PersonName,
  Phone,
  Provider,
} from '../../reported/report.ts';
import type { Segment, Separators } from './hl7-message.ts';
import { components, first, firstOf, repetitions, textOf } from './hl7-message.ts';

/**
 * Reads HL7 v2 data types into the report's shapes, v2.3 to v2.8 alike: a component that a version does not have is
 * empty. Each reader takes one repetition as sent and returns undefined if it is empty.
 */

/** CE, CNE, CWE: code, text and system, an alternate, a second alternate (10 to 12), original text (9). */
export function readCoded(separators: Separators, sent: string | undefined): CodedValue | undefined {
  if (sent === undefined || sent === '' || sent === '""') return undefined;
  if (!sent.includes(separators.component)) {
    // In a field that is already split into components, the triplet is in subcomponents.
    const inner = sent.includes(separators.subcomponent) ? sent.split(separators.subcomponent) : [sent];
    return readTriplets(separators, inner);
  }
  return readTriplets(separators, components(separators, sent));
}

function readTriplets(separators: Separators, parts: string[]): CodedValue | undefined {
  const text = (number: number) => textOf(separators, parts[number - 1]);
  // If the system is empty, an OID (CWE.14 to CWE.16) still names it.
  const codes = [codeOf(text(1), text(2), text(3) ?? text(14), text(7))];
  if (parts.length > 3) codes.push(codeOf(text(4), text(5), text(6) ?? text(17), text(8)));
  if (parts.length > 9) codes.push(codeOf(text(10), text(11), text(12) ?? text(20), text(13)));
  return codedValue(codes, text(9));
}

/** Every repetition of a coded field. */
export function readCodedList(separators: Separators, segment: Segment, number: number): CodedValue[] {
  const values: CodedValue[] = [];
  for (const sent of repetitions(separators, segment, number)) {
    const value = readCoded(separators, sent);
    if (value) values.push(value);
  }
  return values;
}

/** HD as a whole field (components), or as a component (subcomponents). */
export function readAuthority(
  separators: Separators,
  sent: string | undefined,
  inside: boolean,
): Authority | undefined {
  if (sent === undefined || sent === '' || sent === '""') return undefined;
  const parts = sent.split(inside ? separators.subcomponent : separators.component);
  return authorityOf(
    textOf(separators, parts[0]),
    textOf(separators, parts[1]),
    textOf(separators, parts[2]),
  );
}

function authorityOf(name?: string, id?: string, idType?: string): Authority | undefined {
  return name === undefined && id === undefined ? undefined : { name, id, idType };
}

/** EI as a field (`number^namespace^id^type`) or as a component. */
export function readEntity(
  separators: Separators,
  sent: string | undefined,
  inside: boolean,
): EntityIdentifier | undefined {
  if (sent === undefined || sent === '' || sent === '""') return undefined;
  const parts = sent.split(inside ? separators.subcomponent : separators.component);
  const value = textOf(separators, parts[0]);
  if (value === undefined) return undefined;
  const text = (index: number) => textOf(separators, parts[index]);
  return { value, assigner: authorityOf(text(1), text(2), text(3)) };
}

/** CX: an identifier with its type and assigner. */
export function readIdentifier(separators: Separators, sent: string): Identifier | undefined {
  const parts = components(separators, sent);
  const value = firstOf(separators, parts[0]);
  if (value === undefined) return undefined;
  return {
    value,
    type: firstOf(separators, parts[4])?.toUpperCase(),
    assigner: readAuthority(separators, parts[3], true) ?? readAuthority(separators, parts[5], true),
  };
}

/** XPN: a person's name; undefined without any part of a name. */
function readName(separators: Separators, sent: string): PersonName | undefined {
  const parts = components(separators, sent);
  const family = firstOf(separators, parts[0]);
  const given = firstOf(separators, parts[1]);
  const middle = firstOf(separators, parts[2]);
  if (family === undefined && given === undefined && middle === undefined) return undefined;
  return {
    family,
    given,
    middle,
    suffix: firstOf(separators, parts[3]),
    prefix: firstOf(separators, parts[4]),
    degree: firstOf(separators, parts[5]) ?? firstOf(separators, parts[13]),
    type: firstOf(separators, parts[6])?.toUpperCase(),
  };
}

const clia = new Set(['CLIA', '2.16.840.1.113883.4.7', '2.16.840.1.113883.19.4.6']);
const npiAuthority = new Set(['2.16.840.1.113883.4.6', 'NPI', 'CMS', 'NPPES']);

/** Whether an assigner is the CLIA register, by name, OID or type. */
const isClia = (authority: Authority | undefined): boolean =>
  authority !== undefined &&
  (clia.has(authority.name?.toUpperCase() ?? '') ||
    clia.has(authority.id ?? '') ||
    authority.idType?.toUpperCase() === 'CLIA');

/** A facility's own CLIA number in its name (`Lab^12D4567890^CLIA`). */
export function cliaOf(authority: Authority | undefined): string | undefined {
  const id = authority?.id?.trim().toUpperCase();
  return id !== undefined && cliaValid(id) ? id : undefined;
}

/** XCN: a person with number and name. */
export function readProvider(separators: Separators, sent: string | undefined): Provider | undefined {
  if (sent === undefined || sent === '' || sent === '""') return undefined;
  const parts = components(separators, sent);
  const text = (number: number) => firstOf(separators, parts[number - 1]);
  const value = text(1);
  const family = text(2);
  const given = text(3);
  if (value === undefined && family === undefined && given === undefined) return undefined;
  const assigner = readAuthority(separators, parts[8], true);
  const type = text(13)?.toUpperCase();
  const isNpi =
    type === 'NPI' ||
    npiAuthority.has(assigner?.id ?? '') ||
    npiAuthority.has(assigner?.name?.toUpperCase() ?? '');
  return {
    identifiers: value === undefined ? [] : [{ value, type, assigner }],
    name:
      family === undefined && given === undefined
        ? undefined
        : {
            family,
            given,
            middle: text(4),
            suffix: text(5),
            prefix: text(6),
            degree: text(7) ?? text(21),
            type: text(10),
          },
    npi: value !== undefined && isNpi && npiValid(value) ? value : undefined,
  };
}

/** XON: an organisation's name and numbers, without address. */
export function readOrganization(
  separators: Separators,
  segment: Segment,
  number: number,
): Organization | undefined {
  let result: Organization | undefined;
  for (const sent of repetitions(separators, segment, number)) {
    const parts = components(separators, sent);
    const name = textOf(separators, parts[0]);
    const value = firstOf(separators, parts[9]) ?? firstOf(separators, parts[2]);
    if (name === undefined && value === undefined) continue;
    result ??= {
      name,
      identifiers: [],
      clia: undefined,
      npi: undefined,
      address: undefined,
      phones: [],
      director: undefined,
    };
    result.name ??= name;
    if (value === undefined) continue;
    const assigner = readAuthority(separators, parts[5], true);
    const type = firstOf(separators, parts[6])?.toUpperCase();
    result.identifiers.push({ value, type, assigner });
    const upper = value.toUpperCase();
    if (cliaValid(upper) && (isClia(assigner) || type === 'CLIA' || type === 'XX')) result.clia ??= upper;
    if ((type === 'NPI' || npiAuthority.has(assigner?.id ?? '')) && npiValid(value)) result.npi ??= value;
  }
  return result;
}

/** XAD: an address; undefined if there is only its type. */
export function readAddress(separators: Separators, sent: string | undefined): Address | undefined {
  if (sent === undefined || sent === '' || sent === '""') return undefined;
  const parts = components(separators, sent);
  const text = (number: number) => firstOf(separators, parts[number - 1]);
  const street = text(1);
  const street2 = text(2);
  const city = text(3);
  const state = text(4);
  const zip = text(5);
  const country = text(6);
  const county = text(9);
  if (
    street === undefined &&
    street2 === undefined &&
    city === undefined &&
    state === undefined &&
    zip === undefined &&
    country === undefined &&
    county === undefined
  ) {
    return undefined;
  }
  return {
    street,
    street2,
    city,
    state,
    zip,
    country,
    type: text(7)?.toUpperCase(),
    county,
    countyFips: county !== undefined && countyFipsValid(county) ? county : undefined,
  };
}

/** Every repetition of an address field. */
export function readAddresses(separators: Separators, segment: Segment, number: number): Address[] {
  const addresses: Address[] = [];
  for (const sent of repetitions(separators, segment, number)) {
    const address = readAddress(separators, sent);
    if (address) addresses.push(address);
  }
  return addresses;
}

/** XTN: phone numbers and email addresses of a field, in any component, each once. */
export function readTelecoms(
  separators: Separators,
  segment: Segment,
  number: number,
  phones: Phone[],
  emails: string[],
): void {
  for (const sent of repetitions(separators, segment, number)) {
    const parts = components(separators, sent);
    const text = (component: number) => textOf(separators, parts[component - 1]);
    const whole = text(1);
    const address = text(4);
    for (const email of [address, whole]) {
      if (email !== undefined && isEmail(email) && !emails.includes(email)) emails.push(email);
    }
    const area = text(6);
    const local = text(7);
    const unformatted = text(12);
    const numbered = local === undefined ? undefined : `${area ?? ''}${local}`;
    const raw =
      whole !== undefined && !isEmail(whole)
        ? whole
        : (unformatted ?? (numbered && [area, local].filter(Boolean).join(' ')));
    if (raw === undefined || !/\d/.test(raw)) continue;
    const country = text(5);
    const e164 =
      (numbered === undefined ? undefined : e164Of(numbered, country)) ??
      (unformatted === undefined ? undefined : e164Of(unformatted, country)) ??
      (whole === undefined ? undefined : e164Of(whole, country));
    const phone: Phone = { raw, e164, extension: text(8), use: text(2)?.toUpperCase(), equipment: text(3) };
    if (!phones.some((known) => known.raw === raw || (e164 !== undefined && known.e164 === e164)))
      phones.push(phone);
  }
}

/** Every repetition of an identifier field. */
export function readIdentifiers(separators: Separators, segment: Segment, number: number): Identifier[] {
  const identifiers: Identifier[] = [];
  for (const sent of repetitions(separators, segment, number)) {
    const identifier = readIdentifier(separators, sent);
    if (identifier) identifiers.push(identifier);
  }
  return identifiers;
}

/** Every name of a field that contains any part of a name. */
export function readNames(separators: Separators, segment: Segment, number: number): PersonName[] {
  const names: PersonName[] = [];
  for (const sent of repetitions(separators, segment, number)) {
    const name = readName(separators, sent);
    if (name) names.push(withSuffixApart(inParts(name)));
  }
  return names;
}

/** Splits "Family, Given" in the field for the family name alone. */
const inParts = (name: PersonName): PersonName =>
  name.given === undefined && name.family?.includes(',') ? { ...name, ...nameFromWhole(name.family) } : name;

/** A field of one repetition as an entity identifier. */
export const readEntityField = (
  separators: Separators,
  segment: Segment,
  number: number,
): EntityIdentifier | undefined => readEntity(separators, first(separators, segment, number), false);
