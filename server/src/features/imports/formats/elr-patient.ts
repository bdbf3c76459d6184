import { ethnicityOf, raceOf, sexOf } from '../../patients/demographics.ts';
import type { NextOfKin, PersonName, Phone, Provider, ReportPatient, Visit } from '../../reported/report.ts';
import type { ReportBuilder } from './elr-builder.ts';
import type { Reading } from './elr-reading.ts';
import {
  components,
  first,
  firstOf,
  placeOf,
  repetitionLimit,
  repetitions,
  type Segment,
  simple,
} from './hl7-message.ts';
import { isPlausibleBirth } from './hl7-time.ts';
import {
  readAddresses,
  readCoded,
  readCodedList,
  readIdentifier,
  readIdentifiers,
  readNames,
  readProvider,
  readTelecoms,
} from './hl7-types.ts';

const nameRanks = ['L', 'D', 'C', 'B', 'M', 'N', undefined, 'A', 'S', 'P', 'U'];
const rankOfName = (name: PersonName): number => {
  const rank = nameRanks.indexOf(name.type);
  return rank === -1 ? nameRanks.length : rank;
};

export function readPatient(reading: Reading, pid: Segment): ReportPatient {
  const separators = reading.separators;
  const identifiers = readIdentifiers(separators, pid, 3);
  for (const [number, type] of [
    [2, undefined],
    [4, undefined],
    [18, 'AN'],
    [19, 'SS'],
    [20, 'DL'],
  ] as const) {
    for (const identifier of readIdentifiers(separators, pid, number)) {
      if (type !== undefined) identifier.type ??= type;
      if (!identifiers.some((known) => known.value === identifier.value && known.type === identifier.type)) {
        identifiers.push(identifier);
      }
    }
  }
  const names = readNames(separators, pid, 5).sort((left, right) => rankOfName(left) - rankOfName(right));
  for (const alias of readNames(separators, pid, 9)) names.push({ ...alias, type: alias.type ?? 'A' });
  if (identifiers.length === 0 && names.length === 0) {
    reading.error('patient-unidentifiable', placeOf(pid, 3), pid.line);
  }
  const legal = names[0];
  if (
    legal !== undefined &&
    legal.type !== 'S' &&
    (legal.family === undefined || legal.given === undefined)
  ) {
    reading.warn('name-incomplete', placeOf(pid, 5), pid.line);
  }
  for (const number of [3, 5, 10, 11, 13]) {
    if (reading.repeatsTooOften(pid, number)) {
      reading.warn('too-many-repetitions', placeOf(pid, number), pid.line, {
        limit: String(repetitionLimit),
      });
    }
  }
  const phones: Phone[] = [];
  const emails: string[] = [];
  readTelecoms(separators, pid, 13, phones, emails);
  readTelecoms(separators, pid, 14, phones, emails);
  readTelecoms(separators, pid, 40, phones, emails);
  const addresses = readAddresses(separators, pid, 11);
  const county = simple(separators, pid, 12);
  if (county !== undefined && addresses[0] !== undefined && addresses[0].county === undefined) {
    addresses[0].county = county;
    if (/^\d{5}$/.test(county)) addresses[0].countyFips = county;
  }
  const sexRaw = simple(separators, pid, 8);
  const deceased = simple(separators, pid, 30)?.toUpperCase();
  let birth = reading.happened(pid, 7);
  if (birth !== undefined && !isPlausibleBirth(birth)) {
    reading.warn('date-implausible', placeOf(pid, 7), pid.line);
    birth = undefined;
  }
  reading.birth = birth;
  const death = reading.happened(pid, 29);
  return {
    identifiers,
    names,
    mothersMaidenNames: readNames(separators, pid, 6),
    birth,
    sex: sexRaw === undefined ? undefined : sexOf(sexRaw),
    sexRaw,
    races: readCodedList(separators, pid, 10).map(raceOf),
    ethnicities: readCodedList(separators, pid, 22).map(ethnicityOf),
    addresses,
    phones,
    emails,
    language: readCoded(separators, first(separators, pid, 15)),
    deceased: deceased === 'Y' ? true : deceased === 'N' ? false : death === undefined ? undefined : true,
    death,
    species: readCoded(separators, first(separators, pid, 35)),
  };
}

export function readNextOfKin(reading: Reading, builder: ReportBuilder, segment: Segment): void {
  const separators = reading.separators;
  const kin: NextOfKin = {
    names: readNames(separators, segment, 2),
    relationship: readCoded(separators, first(separators, segment, 3)),
    addresses: readAddresses(separators, segment, 4),
    phones: [],
    emails: [],
  };
  for (const number of [5, 6, 40]) readTelecoms(separators, segment, number, kin.phones, kin.emails);
  if (kin.names.length + kin.addresses.length + kin.phones.length + kin.emails.length > 0) {
    builder.nextOfKin.push(kin);
  }
}

export function readVisit(reading: Reading, segment: Segment): Visit {
  const separators = reading.separators;
  const attending: Provider[] = [];
  for (const sent of repetitions(separators, segment, 7)) {
    const provider = readProvider(separators, sent);
    if (provider) attending.push(provider);
  }
  const number = first(separators, segment, 19);
  const location = components(separators, first(separators, segment, 3))
    .map((part) => firstOf(separators, part))
    .filter((part) => part !== undefined);
  return {
    patientClass: simple(separators, segment, 2)?.toUpperCase(),
    number: number === '' ? undefined : readIdentifier(separators, number),
    location: location.length === 0 ? undefined : location.slice(0, 4).join(' '),
    admitted: reading.time(segment, 44),
    discharged: reading.time(segment, 45),
    attending,
  };
}
