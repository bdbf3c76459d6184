import { incidentFaults, incidentRecord } from '@caseway/contract/incident-reports';
import type { KeptProblem } from '@caseway/contract/vaers';
import { listEntryOf } from '../../reference/catalog.ts';
import {
  doseSeries,
  dosesBefore,
  isNothing,
  oursOf,
  outcomeCodes,
  routeCodes,
  siteCodes,
  vaccineCodes,
} from './vaers-codes.ts';
import {
  betweenTerms,
  type GivenVaccine,
  symptomsInRow,
  type Told,
  type VaersForm,
} from './vaers-columns.ts';

/** The cells of a report in the three tables, by column name, as received. */
export interface Received {
  form: VaersForm;
  data: Readonly<Record<string, string>>;
  vaccines: readonly Readonly<Record<string, string>>[];
  symptoms: readonly Readonly<Record<string, string>>[];
}

/** What a file says in the fields of a report, without the person and what we add. */
export type ReadReport = Omit<Told, 'number' | 'createdOn' | 'birthDate' | 'sex' | 'county' | 'vaersId'>;

/** A cell that fits no field unchanged; it is stored with the report. */
export interface Doubt {
  column: string;
  /** The row of a vaccine, from 0. */
  row?: number;
  code: KeptProblem;
}

type TextField = 'narrative' | 'tests' | 'medicines' | 'medicalHistory' | 'allergies' | 'otherReactions';
const longest: Readonly<Record<TextField, number>> = {
  narrative: 32_000,
  tests: 32_000,
  medicines: 32_000,
  medicalHistory: 32_000,
  allergies: 32_000,
  otherReactions: 2000,
};
const mostVaccines = incidentRecord.fields.vaccines.most!;
const rowFields = incidentRecord.fields.vaccines.rows!;

/** `03/07/2026` becomes `2026-03-07`; null for anything that is not a day. */
export function dayOf(text: string | undefined): string | null {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text?.trim() ?? '') ?? [];
  if (year === undefined) return null;
  const made = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  const time = new Date(`${made}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(made) ? made : null;
}

/**
 * The report in our fields, and the cells that fit no field. `today`: the day on which it was first read, so that it
 * is always read the same.
 */
export function readReport(
  { data, vaccines, symptoms }: Received,
  today: string,
): { told: ReadReport; doubts: Doubt[] } {
  const doubts: Doubt[] = [];
  const cell = (column: string) => data[column]?.trim() ?? '';
  const isSet = (column: string) => cell(column).toUpperCase() === 'Y';
  const day = (column: string) => {
    const found = dayOf(cell(column));
    if (cell(column) !== '' && found === null) doubts.push({ column, code: 'no-day' });
    return found;
  };
  const text = (column: string, field: TextField, from = cell(column)) => {
    const fitting = from.trim().slice(0, longest[field]);
    if (fitting.length < from.trim().length) doubts.push({ column, code: 'cut' });
    return fitting.trim() || null;
  };
  const days = {
    receivedOn: day('RECVDATE'),
    occurredOn: day('ONSET_DATE'),
    vaccinatedOn: day('VAX_DATE'),
    diedOn: isSet('DIED') ? day('DATEDIED') : null,
  };
  const columnOf = {
    receivedOn: 'RECVDATE',
    occurredOn: 'ONSET_DATE',
    vaccinatedOn: 'VAX_DATE',
    diedOn: 'DATEDIED',
  } as const;
  // The day of receipt stays, because no report is without it; people check it when they import.
  for (const { field, code } of incidentFaults(
    Object.fromEntries(Object.entries(days).map(([name, value]) => [name, value ?? undefined])),
    { today, birthDate: null },
  )) {
    if (field === 'receivedOn' && code !== 'before-occurred') continue;
    const other = field === 'receivedOn' ? 'occurredOn' : field;
    doubts.push({ column: columnOf[other], code: code as KeptProblem });
    days[other] = null;
  }

  const seriousness = [
    ...(isSet('DIED') ? ['death'] : []),
    ...(isSet('L_THREAT') ? ['life-threatening'] : []),
    ...(isSet('HOSPITAL') || isSet('X_STAY') ? ['hospitalization'] : []),
    ...(isSet('DISABLE') ? ['disability'] : []),
    ...(isSet('BIRTH_DEFECT') ? ['birth-defect'] : []),
  ];
  const hospitalDays = /^\d{1,4}$/.test(cell('HOSPDAYS')) ? Number(cell('HOSPDAYS')) : null;
  const daysFit = hospitalDays !== null && hospitalDays <= 3650 && seriousness.includes('hospitalization');
  if (cell('HOSPDAYS') !== '' && !daysFit) doubts.push({ column: 'HOSPDAYS', code: 'no-number-of-days' });
  const outcome = oursOf(outcomeCodes, cell('RECOVD'));
  if (cell('RECOVD') !== '' && outcome === null) doubts.push({ column: 'RECOVD', code: 'unknown-code' });

  const terms = symptoms.flatMap((row) =>
    Array.from({ length: symptomsInRow }, (_, index) => row[`SYMPTOM${index + 1}`]?.trim() ?? ''),
  );
  const named = terms.filter((term) => term !== '');
  const ours = named.map((term) => listEntryOf('vaccineAdverseReaction', term)?.code);
  const reactions = [...new Set(ours.flatMap((code) => code ?? []))].slice(0, 60);
  const others = named.filter((_, index) => ours[index] === undefined);
  let otherReactions = others.join(betweenTerms);
  if (otherReactions.length > longest.otherReactions) {
    doubts.push({ column: 'SYMPTOM1', code: 'cut' });
    otherReactions = otherReactions.slice(
      0,
      otherReactions.lastIndexOf(betweenTerms, longest.otherReactions),
    );
  }

  if (vaccines.length > mostVaccines)
    doubts.push({ column: 'VAX_TYPE', row: mostVaccines, code: 'left-out' });
  const given = vaccines.slice(0, mostVaccines).map((row, index) => vaccineOf(row, index, doubts));
  const narrative = text('SYMPTOM_TEXT', 'narrative') ?? (named.join(betweenTerms).slice(0, 32_000) || '–');
  return {
    told: {
      receivedOn: days.receivedOn ?? '',
      occurredOn: days.occurredOn,
      vaccinatedOn: days.vaccinatedOn,
      diedOn: days.diedOn,
      narrative,
      seriousness,
      hospitalDays: daysFit ? hospitalDays : null,
      emergencyVisit: isSet('ER_VISIT') || isSet('ER_ED_VISIT') ? 'yes' : null,
      outcome,
      tests: text('LAB_DATA', 'tests'),
      medicines: text('OTHER_MEDS', 'medicines'),
      medicalHistory: text('HISTORY', 'medicalHistory'),
      allergies: text('ALLERGIES', 'allergies'),
      // Every report has at least one.
      vaccines: given.length > 0 ? given : [vaccineOf({}, 0, [])],
      reactions,
      otherReactions: otherReactions || null,
    },
    doubts,
  };
}

/** Whether two vaccines are the same in each of their fields. */
export const sameVaccine = (one: GivenVaccine, other: GivenVaccine): boolean =>
  Object.keys(rowFields).every(
    (name) => (one[name as keyof GivenVaccine] ?? null) === (other[name as keyof GivenVaccine] ?? null),
  );

/** The same for a report that was read before. */
export const asTold = (received: Received, readOn: string): ReadReport => readReport(received, readOn).told;

function vaccineOf(row: Readonly<Record<string, string>>, index: number, doubts: Doubt[]): GivenVaccine {
  const cell = (column: string) => row[column]?.trim() ?? '';
  const known = <C extends string>(column: string, found: C | null): C | null => {
    if (!isNothing(cell(column)) && found === null) doubts.push({ column, row: index, code: 'unknown-code' });
    return found;
  };
  const text = (column: string, field: 'brand' | 'manufacturer' | 'lot') => {
    if (cell(column) === '') return null;
    const read = rowFields[field]!.written.safeParse(cell(column));
    if (!read.success) doubts.push({ column, row: index, code: 'left-out' });
    return read.success ? (read.data as string) : null;
  };
  const type = oursOf(vaccineCodes, cell('VAX_TYPE'));
  if (cell('VAX_TYPE') !== '' && type === null)
    doubts.push({ column: 'VAX_TYPE', row: index, code: 'unknown-code' });
  return {
    vaccine: type ?? (cell('VAX_TYPE') === '' ? 'unknown' : 'other'),
    brand: text('VAX_NAME', 'brand'),
    manufacturer: text('VAX_MANU', 'manufacturer'),
    lot: text('VAX_LOT', 'lot'),
    dose:
      row.VAX_DOSE_SERIES === undefined
        ? known('VAX_DOSE', oursOf(dosesBefore, cell('VAX_DOSE')))
        : known('VAX_DOSE_SERIES', oursOf(doseSeries, cell('VAX_DOSE_SERIES'))),
    route: known('VAX_ROUTE', oursOf(routeCodes, cell('VAX_ROUTE'))),
    site: known('VAX_SITE', oursOf(siteCodes, cell('VAX_SITE'))),
  };
}
