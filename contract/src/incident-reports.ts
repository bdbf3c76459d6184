import { z } from 'zod';
import { visitTypes, yesNoUnknown } from './case-reports.ts';
import { addDays } from './date-range.ts';
import { any, has, is } from './expression.ts';
import { incidentFlow, incidentStages, seriousCriteria } from './incident-flow.ts';
import { patientRecordWithMaking } from './patient-record.ts';
import {
  askedIf,
  byServer,
  byTransitions,
  choice,
  choices,
  coded,
  computed,
  count,
  day,
  entries,
  entry,
  inColumn,
  known,
  listOf,
  longText,
  needed,
  neededIf,
  onCreation,
  reference,
  rowsOf,
  text,
} from './record.ts';
import { workOf } from './work-tasks.ts';

/** An adverse event after a vaccine, or anything else that went wrong or nearly did. */
export const incidentKinds = ['vaccine-adverse-event', 'other-incident'] as const;
/** What went wrong. */
export const incidentCategories = [
  'medication',
  'device',
  'specimen',
  'privacy-breach',
  'fall',
  'exposure',
  'other',
] as const;
/** The type of report and the degree of harm, as in the AHRQ Common Formats. */
export const incidentEvents = ['incident', 'near-miss', 'unsafe-condition'] as const;
export const harmLevels = ['none', 'mild', 'moderate', 'severe', 'death'] as const;
/** As in E2B(R3) E.i.7. */
export const incidentOutcomes = [
  'recovered',
  'recovering',
  'not-recovered',
  'recovered-with-sequelae',
  'fatal',
  'unknown',
] as const;
/** Whether the investigation found the vaccine to be the cause. */
export const incidentClassifications = ['related', 'coincidental', 'undetermined'] as const;
export const reporterRoles = [
  'health-professional',
  'patient',
  'caregiver',
  'manufacturer',
  'staff',
  'other',
] as const;

/** Caseway's vaccine groups. A file can have finer ones, which are stored in addition. */
export const vaccines = [
  'anthrax',
  'bcg',
  'chikungunya',
  'cholera',
  'covid-19',
  'dengue',
  'dt',
  'dtap',
  'dtp',
  'hepatitis-a',
  'hepatitis-a-b',
  'hepatitis-b',
  'hib',
  'hpv',
  'influenza',
  'japanese-encephalitis',
  'measles',
  'meningococcal',
  'mmr',
  'mmrv',
  'mpox',
  'pneumococcal',
  'polio-inactivated',
  'polio-oral',
  'rabies',
  'rotavirus',
  'rsv',
  'rubella',
  'td',
  'tdap',
  'tetanus',
  'tick-borne-encephalitis',
  'typhoid',
  'varicella',
  'yellow-fever',
  'zoster',
  'combined',
  'other',
  'unknown',
] as const;
export const doses = ['1', '2', '3', '4', '5', '6', '7-or-more', 'unknown'] as const;
export const routes = ['intramuscular', 'subcutaneous', 'intradermal', 'oral', 'nasal', 'other'] as const;
export const sites = ['left-arm', 'right-arm', 'left-leg', 'right-leg', 'mouth', 'nose', 'other'] as const;

/** The days of a report; none can be in the future. */
export const incidentDays = ['receivedOn', 'occurredOn', 'vaccinatedOn', 'diedOn'] as const;

const isVaccine = is('kind', 'vaccine-adverse-event');
const isOther = is('kind', 'other-incident');
const isDeath = any(has('seriousness', 'death'), is('outcome', 'fatal'));

const fields = {
  number: byServer(needed(coded(z.string()))),
  kind: onCreation(needed(choice(incidentKinds))),
  stage: byTransitions(needed(choice(incidentStages))),
  /** Empty for an incident without a person, such as a lost box or an open door. */
  patient: inColumn('patient_id', onCreation(reference())),
  /** Where it happened or the vaccine was given; it decides who sees the report. */
  facility: onCreation(reference('facilities')),
  /** The disease it reveals, if any: readers who may not see that family do not see the report. [P18] */
  diseaseFamily: onCreation(entry('diseaseFamilies')),
  program: reference('programs'),
  visitType: choice(visitTypes),
  receivedOn: needed(day()),
  /** The first sign of an adverse event, or the day of any other incident. */
  occurredOn: day(),
  investigator: reference('investigators'),
  reporterRole: choice(reporterRoles),
  reporter: text(200),
  narrative: needed(longText(32_000)),

  vaccinatedOn: askedIf(isVaccine, day()),
  vaccines: askedIf(
    isVaccine,
    neededIf(
      isVaccine,
      rowsOf(
        {
          vaccine: needed(choice(vaccines)),
          brand: text(200),
          manufacturer: text(200),
          lot: text(60),
          dose: choice(doses),
          route: choice(routes),
          site: choice(sites),
        },
        12,
      ),
    ),
  ),
  reactions: askedIf(isVaccine, needed(entries('vaxAdverseReactions', z.array(z.string().max(60)).max(60)))),
  otherReactions: askedIf(isVaccine, longText(2000)),
  seriousness: askedIf(isVaccine, needed(choices(seriousCriteria))),
  hospitalDays: askedIf(has('seriousness', 'hospitalization'), count({ least: 0, most: 3650 })),
  diedOn: askedIf(isDeath, day()),
  emergencyVisit: askedIf(isVaccine, choice(yesNoUnknown)),
  pregnant: askedIf(isVaccine, choice(yesNoUnknown)),
  medicalHistory: askedIf(isVaccine, longText(32_000)),
  medicines: askedIf(isVaccine, longText(32_000)),
  allergies: askedIf(isVaccine, longText(32_000)),
  tests: askedIf(isVaccine, longText(32_000)),
  outcome: askedIf(isVaccine, choice(incidentOutcomes)),
  classification: askedIf(isVaccine, choice(incidentClassifications)),

  category: askedIf(isOther, neededIf(isOther, choice(incidentCategories))),
  event: askedIf(isOther, neededIf(isOther, choice(incidentEvents))),
  harm: askedIf(isOther, choice(harmLevels)),
  measures: askedIf(isOther, longText(10_000)),

  /** Its number in the VAERS file it came from. */
  vaersId: byServer(coded(z.string())),
  createdOn: byServer(needed(day())),
  /** Whether a criterion is met, or the harm was severe. */
  serious: computed(choice(['yes', 'no'])),
  vaccineGroups: computed(choices(vaccines)),
  lots: known(text(1000)),
  lastName: known(coded(z.string())),
  firstName: known(coded(z.string())),
  birthDate: known(day()),
  sex: known(entry('sex')),
  county: known(entry('counties')),
  /** When its next running clock runs out; null once it has ended. */
  dueOn: known(day()),
};

/** The VAERS tables, with the columns of the first form and of VAERS 2.0. */
export const vaersFiles = ['vaers-1', 'vaers-2'] as const;

const access = { read: 'incident-reports/read', write: 'incident-reports/write' } as const;

export const incidentGrid = listOf(fields, {
  id: 'incident-reports',
  permission: access.read,
  exportable: 'incident-reports/export',
  files: vaersFiles,
  columns: {
    number: { whole: true, width: 140 },
    receivedOn: { width: 116 },
    kind: { width: 190 },
    stage: { width: 130 },
    serious: { width: 96 },
    dueOn: { width: 116 },
    lastName: { sensitive: true, width: 130 },
    firstName: { sensitive: true, width: 120 },
    vaccineGroups: { width: 180 },
    lots: { width: 140 },
    reactions: { width: 220 },
    category: { width: 140 },
    harm: { width: 116 },
    facility: { width: 190 },
    investigator: { width: 150 },
    occurredOn: { width: 116, hidden: true },
    vaccinatedOn: { width: 116, hidden: true },
    seriousness: { width: 180, hidden: true },
    outcome: { width: 150, hidden: true },
    classification: { width: 140, hidden: true },
    event: { width: 140, hidden: true },
    birthDate: { sensitive: true, width: 116, hidden: true },
    sex: { width: 96, hidden: true },
    county: { width: 140, hidden: true },
    program: { width: 180, hidden: true },
    visitType: { width: 130, hidden: true },
    diseaseFamily: { width: 160, hidden: true },
    reporterRole: { width: 150, hidden: true },
    createdOn: { width: 116, hidden: true },
    vaersId: { whole: true, width: 116, hidden: true },
  },
  sortedBy: 'receivedOn',
  newestFirst: true,
  filters: ['programFilter', 'locationFilter', 'visitTypeFilter', 'diseaseFamilyFilter'],
  narrows: {
    programFilter: 'program',
    locationFilter: 'facility',
    visitTypeFilter: 'visitType',
    diseaseFamilyFilter: 'diseaseFamily',
  },
  card: { title: ['kind'], state: 'stage', lines: ['number', 'facility', 'receivedOn', 'dueOn'] },
  owner: { column: 'investigator', may: 'case-reports/investigate' },
  defaultRange: (today) => ({ start: addDays(today, -14), end: addDays(today, 14) }),
  rangeFields: ['receivedOn', 'occurredOn', 'vaccinatedOn', 'dueOn', 'createdOn'],
  counted: true,
});
export const incidentRow = incidentGrid.row;
export type Incident = z.infer<typeof incidentRow>;
/** A single report. `asReceived`: the other cells of its VAERS file, one per line; lists do not read them. */
const incidentAnswer = z.intersection(
  incidentRow as z.ZodType,
  z.object({ asReceived: z.string().nullable() }),
) as unknown as z.ZodType<Incident & { asReceived: string | null }>;

/** What went wrong with a person, a specimen or anything else, and how it ended. */
export const incidentRecord = patientRecordWithMaking({
  id: 'incident-reports',
  kind: 'incident',
  noun: 'incident report',
  table: 'incident',
  access,
  about: { field: 'patient', kind: 'patient' },
  alone: true,
  name: 'number',
  fields,
  workflow: { of: 'stage', flow: incidentFlow },
  grid: incidentGrid,
  answer: incidentAnswer,
  form: [
    'kind',
    'patient',
    ['receivedOn', 'occurredOn'],
    'narrative',
    ['category', 'event'],
    ['harm', 'vaccinatedOn'],
    'measures',
    'vaccines',
    'reactions',
    'otherReactions',
    'seriousness',
    ['hospitalDays', 'emergencyVisit'],
    ['outcome', 'diedOn'],
    'pregnant',
    'medicalHistory',
    'medicines',
    'allergies',
    'tests',
    ['facility', 'program'],
    ['visitType', 'diseaseFamily'],
    ['reporterRole', 'reporter'],
  ],
  bulk: ['investigator', 'program'],
  oneByOne: ['close'],
  timeline: { at: ['occurredOn', 'receivedOn'], shows: ['kind', 'stage'] },
});

/**
 * Fault codes of a report beyond its conditions, worded under `incident-reports:fault.<code>`. `birthDate` is
 * the person's, if known.
 */
export function incidentFaults(
  values: Partial<Pick<Incident, (typeof incidentDays)[number]>>,
  { today, birthDate }: { today: string; birthDate: string | null },
): { field: (typeof incidentDays)[number]; code: string }[] {
  const { vaccinatedOn, occurredOn, receivedOn, diedOn } = values;
  const ofDays = incidentDays.flatMap((field) => {
    const value = values[field];
    if (!value) return [];
    if (value > today) return [{ field, code: 'future' }];
    if (value < '1900-01-01') return [{ field, code: 'before-1900' }];
    return birthDate !== null && value < birthDate ? [{ field, code: 'before-birth' }] : [];
  });
  const order: [
    field: (typeof incidentDays)[number],
    code: string,
    earlier?: string | null,
    later?: string | null,
  ][] = [
    ['occurredOn', 'before-vaccination', vaccinatedOn, occurredOn],
    ['receivedOn', 'before-occurred', occurredOn, receivedOn],
    ['diedOn', 'before-occurred', occurredOn, diedOn],
  ];
  return [
    ...ofDays,
    ...order.flatMap(([field, code, earlier, later]) =>
      earlier && later && later < earlier && !ofDays.some((one) => one.field === field)
        ? [{ field, code }]
        : [],
    ),
  ];
}

/** What has to be done about a report, and by when. */
export const incidentWork = workOf(incidentRecord);
