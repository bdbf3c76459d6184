import { z } from 'zod';
import { addDays, day as daySchema } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import {
  code,
  counting,
  day as dayColumn,
  dayOnceCome,
  fact,
  id as idColumn,
  integer,
  ref,
  text as textColumn,
} from './fact.ts';
import { gridOver } from './fact-grid.ts';
import { patientRecordOfPeople } from './patient-record.ts';
import {
  byServer,
  choice,
  day,
  importedAs,
  inColumn,
  needed,
  onCreation,
  reference,
  text,
} from './record.ts';

/**
 * Medicines with their dose, route and length, as recommended in the CDC's STI Treatment Guidelines of 2021,
 * and `other`. Each is worded under `drug` in the locales.
 */
export const drugs = [
  'benzathine-penicillin-once',
  'benzathine-penicillin-three-weekly',
  'aqueous-penicillin-iv',
  'procaine-penicillin-probenecid',
  'doxycycline-7-days',
  'doxycycline-14-days',
  'doxycycline-28-days',
  'ceftriaxone-250-once',
  'ceftriaxone-500-once',
  'ceftriaxone-1-gram',
  'cefixime-800-once',
  'gentamicin-azithromycin-once',
  'azithromycin-1-gram-once',
  'azithromycin-4-days',
  'levofloxacin-7-days',
  'moxifloxacin-7-days',
  'amoxicillin-7-days',
  'metronidazole-2-grams-once',
  'metronidazole-7-days',
  'tinidazole-2-grams-once',
  'acyclovir-7-to-10-days',
  'valacyclovir-7-to-10-days',
  'other',
] as const;

/** Whether it suits the disease and its stage; `presumptive`: given before the diagnosis was certain. */
export const adequacies = ['adequate', 'inadequate', 'presumptive'] as const;
/** `entered-in-error`: not given, so it never counts. */
export const treatmentStates = ['given', 'entered-in-error'] as const;
export const treatmentSources = ['manual', 'csv'] as const;

/**
 * Days after a treatment: from when a test is a retest rather than a test of cure, and until when one is due.
 */
export const retest = { from: 56, until: 180 } as const;

/** One row per treatment. */
export const treatments = fact(
  'treatment',
  {
    id: idColumn,
    patientId: idColumn,
    caseRecordId: idColumn,
    caseId: textColumn('record'),
    conditionCode: code('conditions'),
    diseaseFamily: code('diseaseFamilies'),
    drug: code(drugs),
    otherDrug: textColumn('record'),
    adequacy: code(adequacies),
    /** It counts if it was given. */
    counts: counting,
    startedOn: dayColumn('open'),
    endedOn: dayColumn('open'),
    /** The last day for its retest; only then is it known whether there was one. */
    retestDueOn: dayOnceCome,
    createdOn: dayColumn('open'),
    /** Days to the first test of the family from day 56 on. */
    daysToRetest: integer('counted'),
    organizationId: ref('organizations'),
    facilityId: ref('facilities'),
    programId: ref('programs'),
    taskId: ref('tasks'),
    countyFips: code('counties'),
    lastName: textColumn('record'),
    firstName: textColumn('record'),
    birthDate: dayColumn('record'),
    sex: code('sex'),
    gender: code('gender'),
    race: code('race'),
    ethnicity: code('ethnicity'),
  },
  {
    records: 'treatments',
    // The question about treatments is whether there was a retest.
    eventDates: ['retestDueOn'],
    enteredOn: 'createdOn',
    person: true,
    counted: 'counts',
    restrictedBy: 'diseaseFamily',
  },
);

const id = z.uuid();
const shownText = z.string().nullable();
const shownDay = daySchema.nullable();

export const treatmentGrid = gridOver(treatments, {
  id: 'treatments',
  permission: 'line-lists/read',
  exportable: 'line-lists/export',
  feature: 'case-reports',
  columns: {
    // A treatment is corrected on its case.
    startedOn: { always: true, width: 116, formOnly: true },
    caseId: { always: true, whole: true, width: 136 },
    drug: { always: true, width: 280 },
    adequacy: { width: 140, formOnly: true },
    lastName: { sensitive: true, width: 140 },
    firstName: { sensitive: true, width: 120 },
    birthDate: { sensitive: true, width: 116 },
    conditionCode: { always: true, width: 190 },
    facilityId: { width: 200 },
    countyFips: { width: 140 },
    otherDrug: { sensitive: true, width: 190, hidden: true },
    endedOn: { width: 116, hidden: true, formOnly: true },
    retestDueOn: { width: 150, hidden: true },
    diseaseFamily: { always: true, width: 160, hidden: true },
    sex: { width: 96, hidden: true },
    race: { width: 180, hidden: true },
    ethnicity: { width: 160, hidden: true },
    createdOn: { always: true, width: 116, hidden: true },
  },
  defaultSort: [{ field: 'startedOn', sort: 'desc' }],
  filters: {},
  defaultRange: (today) => ({ start: addDays(today, -364), end: today }),
  rangeFields: ['startedOn', 'retestDueOn', 'createdOn'],
  also: { caseRecordId: id },
});
export type TreatmentRow = z.infer<typeof treatmentGrid.row>;

const fields = {
  caseRecord: inColumn('case_report_id', onCreation(needed(reference()))),
  drug: importedAs(
    'drug|drug name|medication|medication name|medicine|treatment|treatment given|treatment drug|regimen|rx|medicamento|farmaco|tratamiento|medicament|traitement|medikaman|tretman',
    needed(choice(drugs)),
  ),
  otherDrug: text(200),
  startedOn: importedAs(
    'treatment date|date of treatment|date treated|treated on|treated date|treatment start|treatment start date|date treatment started|start date|started on|date given|given on|date administered|rx date|fecha de tratamiento|fecha tratamiento|inicio de tratamiento|fecha de inicio de tratamiento|date du traitement|date de traitement|dat tretman|dat tretman nan',
    needed(day()),
  ),
  endedOn: importedAs(
    'treatment end date|treatment end|end date|ended on|treatment completed|treatment completion date|date completed|stop date|fecha de fin de tratamiento|fin de tratamiento|date de fin du traitement|dat tretman fini',
    day(),
  ),
  adequacy: importedAs(
    'adequacy|adequate|treatment adequacy|treatment adequate|adequately treated|adequate treatment|idoneidad|tratamiento adecuado|adecuado',
    choice(adequacies),
  ),
  /** Where it was given, and by whom. */
  givenAt: importedAs(
    'treating facility|treatment facility|treatment location|treated at|given at|facility|facility name|clinic|clinic name|establecimiento|clinica|unidad medica|etablissement|centre de sante|sant sante|klinik',
    reference('facilities'),
  ),
  provider: importedAs(
    'treating provider|treatment provider|treated by|given by|provider|provider name|prescriber|prescribed by|clinician|physician|doctor|medico|medico tratante|profesional|prescripteur|medecin|dokte',
    text(200),
  ),
  state: needed(choice(treatmentStates)),
  source: byServer(needed(choice(treatmentSources))),
  createdOn: byServer(needed(day())),
};

export const treatment = z.object({
  id,
  version: z.number().int(),
  caseRecord: id,
  drug: z.string(),
  otherDrug: shownText,
  startedOn: daySchema,
  endedOn: shownDay,
  adequacy: shownText,
  givenAt: id.nullable(),
  provider: shownText,
  state: z.string(),
  source: z.string(),
  createdOn: daySchema,
});
export type Treatment = z.infer<typeof treatment>;

/** What a person was given for a case. */
export const treatmentRecord = patientRecordOfPeople({
  id: 'treatments',
  kind: 'treatment',
  noun: 'treatment',
  table: 'treatment',
  access: { read: 'case-reports/read', write: 'case-reports/write' },
  about: { field: 'caseRecord', kind: 'case' },
  alone: true,
  name: 'drug',
  fields,
  grid: treatmentGrid,
  answer: treatment,
  form: ['drug', 'otherDrug', 'startedOn', 'endedOn', 'adequacy', 'givenAt', 'provider'],
  begins: { state: 'given' },
  timeline: { at: ['startedOn'], shows: ['adequacy', 'state'] },
});

/** The treatments of a case, newest first; those entered in error are last. */
export const treatmentsOfCase = endpoint({
  method: 'GET',
  path: '/api/web/case-reports/:id/treatments',
  access: 'case-reports/read',
  deed: 'read',
  summary: 'The treatments of a case report',
  patientData: true,
  params: z.strictObject({ id }),
  response: z.object({ treatments: z.array(treatment) }),
});

/**
 * Fault codes of a treatment, worded under `treatments:fault.<code>`. `birthDate` is the person's, if known.
 */
export function treatmentFaults(
  {
    drug,
    otherDrug,
    startedOn,
    endedOn,
  }: { drug?: unknown; otherDrug?: unknown; startedOn?: string | null; endedOn?: string | null },
  { today, birthDate }: { today: string; birthDate: string | null },
): { field: 'otherDrug' | 'startedOn' | 'endedOn'; code: string }[] {
  const ofDay = (field: 'startedOn' | 'endedOn', value: string | null | undefined) => {
    if (!value) return [];
    if (value > today) return [{ field, code: 'future' }];
    if (value < '1900-01-01') return [{ field, code: 'before-1900' }];
    return birthDate !== null && value < birthDate ? [{ field, code: 'before-birth' }] : [];
  };
  return [
    ...(drug === 'other' && !otherDrug ? [{ field: 'otherDrug' as const, code: 'other-drug-needed' }] : []),
    ...ofDay('startedOn', startedOn),
    ...(endedOn && startedOn && endedOn < startedOn
      ? [{ field: 'endedOn' as const, code: 'before-start' }]
      : []),
  ];
}
