import { addMonths, daysBetween } from '@caseway/contract/date-range';
import type { Incident } from '@caseway/contract/incident-reports';
import { demographics } from '../../reference/catalog.ts';
import { countyByFips, stateByFips } from '../../reference/places.ts';
import {
  doseSeries,
  dosesBefore,
  notNamed,
  outcomeCodes,
  routeCodes,
  siteCodes,
  theirsOf,
  vaccineCodes,
} from './vaers-codes.ts';

/*
 * The columns of the three tables of a VAERS data set, in order, and how each maps to a report. docs/vaers.md is the
 * same list for people; a test compares both.
 */

/** Form 1 has the first 29 columns of the data and counts the previous doses; VAERS 2.0 has 35. */
export const vaersForms = ['1', '2'] as const;
export type VaersForm = (typeof vaersForms)[number];
/** The first columns of the data are those of form 1. */
const columnsOfForm1 = 29;

/** The parts of a report that the columns are written from. */
export type Told = Pick<
  Incident,
  | 'number'
  | 'receivedOn'
  | 'occurredOn'
  | 'vaccinatedOn'
  | 'diedOn'
  | 'narrative'
  | 'seriousness'
  | 'hospitalDays'
  | 'emergencyVisit'
  | 'outcome'
  | 'tests'
  | 'medicines'
  | 'medicalHistory'
  | 'allergies'
  | 'vaccines'
  | 'reactions'
  | 'otherReactions'
  | 'createdOn'
> &
  Partial<Pick<Incident, 'vaersId' | 'birthDate' | 'sex' | 'county'>>;
export type GivenVaccine = Told['vaccines'][number];

/**
 * `field`: the field of a report; absent if we have none, and the cell is stored as received. `write`: makes the
 * cell from our fields. `follows`: what a received cell depends on, if that is not what would be written.
 */
export interface ColumnOf<From> {
  name: string;
  field?: string;
  write?: (from: From, form: VaersForm) => string;
  follows?: (from: From) => string;
}

/** `2026-03-07` becomes `03/07/2026`. */
export const vaersDay = (day: string | null | undefined): string =>
  day ? `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}` : '';
const flag = (is: boolean): string => (is ? 'Y' : '');
const flagOf =
  (criterion: string) =>
  ({ seriousness }: Told): string =>
    flag(seriousness.includes(criterion));

/** Age in months when vaccinated, or otherwise at the onset; null if the birth date is not shown. */
function monthsOf({ birthDate, vaccinatedOn, occurredOn, receivedOn }: Told): number | null {
  const day = vaccinatedOn ?? occurredOn ?? receivedOn;
  if (!birthDate || day < birthDate) return null;
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4));
  const months = years * 12 + Number(day.slice(5, 7)) - Number(birthDate.slice(5, 7));
  return addMonths(birthDate, months) > day ? months - 1 : months;
}
/** An age in years and tenths, cut and not rounded. */
function ageOf(told: Told, write: (years: number, tenths: number) => string): string {
  const months = monthsOf(told);
  return months === null ? '' : write(Math.floor(months / 12), Math.floor(((months % 12) * 10) / 12));
}
/** Infants under two years have tenths. */
const untilYears = 2;

function stateOf({ county }: Told): string {
  const fips = county ? countyByFips(county)?.stateFips : undefined;
  return (fips && stateByFips(fips)?.abbreviation) || '';
}

function daysToOnset({ vaccinatedOn, occurredOn }: Told): string {
  return vaccinatedOn && occurredOn ? String(daysBetween(vaccinatedOn, occurredOn)) : '';
}

export const vaersId = ({ vaersId, number }: Pick<Told, 'vaersId' | 'number'>): string => vaersId ?? number;

export const dataColumns: readonly ColumnOf<Told>[] = [
  { name: 'VAERS_ID', field: 'vaersId', write: vaersId },
  { name: 'RECVDATE', field: 'receivedOn', write: ({ receivedOn }) => vaersDay(receivedOn) },
  { name: 'STATE', field: 'county', write: stateOf },
  {
    name: 'AGE_YRS',
    field: 'birthDate',
    write: (told) => ageOf(told, (years, tenths) => `${years}.${tenths}`),
  },
  { name: 'CAGE_YR', field: 'birthDate', write: (told) => ageOf(told, String) },
  {
    name: 'CAGE_MO',
    field: 'birthDate',
    write: (told) => ageOf(told, (years, tenths) => (years < untilYears ? `.${tenths}` : '')),
  },
  {
    name: 'SEX',
    field: 'sex',
    write: ({ sex }) => (sex ? (sex === 'F' || sex === 'M' ? sex : 'U') : ''),
  },
  { name: 'RPT_DATE' },
  { name: 'SYMPTOM_TEXT', field: 'narrative', write: ({ narrative }) => narrative },
  { name: 'DIED', field: 'seriousness', write: flagOf('death') },
  { name: 'DATEDIED', field: 'diedOn', write: ({ diedOn }) => vaersDay(diedOn) },
  { name: 'L_THREAT', field: 'seriousness', write: flagOf('life-threatening') },
  {
    name: 'ER_VISIT',
    field: 'emergencyVisit',
    write: ({ emergencyVisit }, form) => flag(form === '1' && emergencyVisit === 'yes'),
  },
  { name: 'HOSPITAL', field: 'seriousness', write: flagOf('hospitalization') },
  {
    name: 'HOSPDAYS',
    field: 'hospitalDays',
    write: ({ hospitalDays }) => (hospitalDays === null ? '' : String(hospitalDays)),
  },
  // A prolonged stay counts as a stay, because we have one criterion for both.
  { name: 'X_STAY', field: 'seriousness', follows: flagOf('hospitalization') },
  { name: 'DISABLE', field: 'seriousness', write: flagOf('disability') },
  {
    name: 'RECOVD',
    field: 'outcome',
    write: ({ outcome }) =>
      outcome === 'recovering' || outcome === 'recovered-with-sequelae'
        ? 'N'
        : theirsOf(outcomeCodes, outcome),
  },
  { name: 'VAX_DATE', field: 'vaccinatedOn', write: ({ vaccinatedOn }) => vaersDay(vaccinatedOn) },
  { name: 'ONSET_DATE', field: 'occurredOn', write: ({ occurredOn }) => vaersDay(occurredOn) },
  { name: 'NUMDAYS', field: 'occurredOn', write: daysToOnset },
  { name: 'LAB_DATA', field: 'tests', write: ({ tests }) => tests ?? '' },
  { name: 'V_ADMINBY' },
  { name: 'V_FUNDBY' },
  { name: 'OTHER_MEDS', field: 'medicines', write: ({ medicines }) => medicines ?? '' },
  { name: 'CUR_ILL' },
  { name: 'HISTORY', field: 'medicalHistory', write: ({ medicalHistory }) => medicalHistory ?? '' },
  { name: 'PRIOR_VAX' },
  { name: 'SPLTTYPE' },
  { name: 'FORM_VERS', write: (_, form) => form },
  { name: 'TODAYS_DATE', field: 'createdOn', write: ({ createdOn }) => vaersDay(createdOn) },
  { name: 'BIRTH_DEFECT', field: 'seriousness', write: flagOf('birth-defect') },
  { name: 'OFC_VISIT' },
  {
    name: 'ER_ED_VISIT',
    field: 'emergencyVisit',
    write: ({ emergencyVisit }, form) => flag(form === '2' && emergencyVisit === 'yes'),
  },
  { name: 'ALLERGIES', field: 'allergies', write: ({ allergies }) => allergies ?? '' },
];

/** The columns after the report number. */
const vaccineColumnsOf = (dose: ColumnOf<GivenVaccine>): readonly ColumnOf<GivenVaccine>[] => [
  {
    name: 'VAX_TYPE',
    field: 'vaccine',
    write: ({ vaccine }) => theirsOf(vaccineCodes, vaccine, notNamed),
  },
  { name: 'VAX_MANU', field: 'manufacturer', write: ({ manufacturer }) => manufacturer ?? '' },
  { name: 'VAX_LOT', field: 'lot', write: ({ lot }) => lot ?? '' },
  dose,
  { name: 'VAX_ROUTE', field: 'route', write: ({ route }) => theirsOf(routeCodes, route) },
  { name: 'VAX_SITE', field: 'site', write: ({ site }) => theirsOf(siteCodes, site) },
  { name: 'VAX_NAME', field: 'brand', write: ({ brand }) => brand ?? '' },
];
export const vaccineColumns: Readonly<Record<VaersForm, readonly ColumnOf<GivenVaccine>[]>> = {
  '1': vaccineColumnsOf({
    name: 'VAX_DOSE',
    field: 'dose',
    write: ({ dose }) => theirsOf(dosesBefore, dose),
  }),
  '2': vaccineColumnsOf({
    name: 'VAX_DOSE_SERIES',
    field: 'dose',
    write: ({ dose }) => theirsOf(doseSeries, dose),
  }),
};

export const symptomsInRow = 5;
/** The columns after the report number: terms, each with the version of its dictionary. */
export const symptomColumns: readonly string[] = Array.from({ length: symptomsInRow }, (_, index) => [
  `SYMPTOM${index + 1}`,
  `SYMPTOMVERSION${index + 1}`,
]).flat();

const reactionLabels = new Map(demographics.vaccineAdverseReaction.map(({ code, label }) => [code, label]));
/** Between reactions that are not in our list. */
export const betweenTerms = '; ';
/** The terms of a report in English: those of our list, and the reporter's own words. */
export const termsOf = ({
  reactions,
  otherReactions,
}: Pick<Told, 'reactions' | 'otherReactions'>): string[] => [
  ...reactions.map((code) => reactionLabels.get(code) ?? code),
  ...(otherReactions ?? '')
    .split(/[;\n]/)
    .map((term) => term.trim())
    .filter((term) => term !== ''),
];

/** The columns of each table of a form. */
export const tablesOf = (form: VaersForm) => ({
  data: form === '1' ? dataColumns.slice(0, columnsOfForm1) : dataColumns,
  vaccines: vaccineColumns[form],
});
