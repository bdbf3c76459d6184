import { z } from 'zod';

/**
 * What the columns of an uploaded table can mean, for the importer, the mapping screen and the check of
 * remembered mappings. Labels are under `csvField.<field>`.
 */

export type CsvFieldKind =
  | 'text'
  | 'date'
  | 'birth-date'
  | 'age'
  | 'age-unit'
  | 'sex'
  | 'race'
  | 'ethnicity'
  | 'yes-no'
  | 'code'
  | 'result'
  | 'status'
  | 'phone'
  | 'email'
  | 'zip'
  | 'number'
  | 'outcome'
  | 'classification'
  | 'is-case'
  | 'adequacy'
  | 'processing';

export interface CsvField {
  kind: CsvFieldKind;
  group: 'patient' | 'test' | 'laboratory' | 'provider' | 'facility' | 'questions' | 'case' | 'treatment';
}

const field = (group: CsvField['group'], kind: CsvFieldKind = 'text'): CsvField => ({ kind, group });

/** Person fields, the same in every kind of table. */
const person = {
  patientId: field('patient'),
  lastName: field('patient'),
  secondLastName: field('patient'),
  firstName: field('patient'),
  middleName: field('patient'),
  nameSuffix: field('patient'),
  fullName: field('patient'),
  birthDate: field('patient', 'birth-date'),
  age: field('patient', 'age'),
  ageUnit: field('patient', 'age-unit'),
  sex: field('patient', 'sex'),
  race: field('patient', 'race'),
  ethnicity: field('patient', 'ethnicity'),
  street: field('patient'),
  street2: field('patient'),
  city: field('patient'),
  county: field('patient'),
  state: field('patient'),
  zip: field('patient', 'zip'),
  country: field('patient'),
  phone: field('patient', 'phone'),
  email: field('patient', 'email'),
} as const;

/** One row is one laboratory result. */
export const csvResultFields = {
  ...person,
  genderIdentity: field('patient'),
  language: field('patient'),
  accession: field('test'),
  resultId: field('test'),
  orderedTestCode: field('test', 'code'),
  orderedTestName: field('test'),
  testCode: field('test', 'code'),
  testName: field('test'),
  device: field('test'),
  result: field('test', 'result'),
  resultStatus: field('test', 'status'),
  units: field('test'),
  referenceRange: field('test'),
  abnormalFlag: field('test'),
  orderDate: field('test', 'date'),
  collectedDate: field('test', 'date'),
  receivedDate: field('test', 'date'),
  resultDate: field('test', 'date'),
  reportedDate: field('test', 'date'),
  specimenId: field('test'),
  specimenType: field('test'),
  specimenSite: field('test'),
  comment: field('test'),
  processing: field('test', 'processing'),
  labName: field('laboratory'),
  labClia: field('laboratory'),
  labStreet: field('laboratory'),
  labStreet2: field('laboratory'),
  labCity: field('laboratory'),
  labState: field('laboratory'),
  labZip: field('laboratory'),
  labPhone: field('laboratory', 'phone'),
  providerId: field('provider'),
  providerLastName: field('provider'),
  providerFirstName: field('provider'),
  providerMiddleName: field('provider'),
  providerStreet: field('provider'),
  providerStreet2: field('provider'),
  providerCity: field('provider'),
  providerState: field('provider'),
  providerZip: field('provider'),
  providerPhone: field('provider', 'phone'),
  facilityName: field('facility'),
  facilityStreet: field('facility'),
  facilityStreet2: field('facility'),
  facilityCity: field('facility'),
  facilityState: field('facility'),
  facilityZip: field('facility'),
  facilityCounty: field('facility'),
  facilityPhone: field('facility', 'phone'),
  reporterName: field('facility'),
  reporterClia: field('facility'),
  symptomatic: field('questions', 'yes-no'),
  onsetDate: field('questions', 'date'),
  symptoms: field('questions'),
  pregnant: field('questions', 'yes-no'),
  healthcareWorker: field('questions', 'yes-no'),
  congregateSetting: field('questions', 'yes-no'),
  residenceType: field('questions'),
  hospitalized: field('questions', 'yes-no'),
  intensiveCare: field('questions', 'yes-no'),
  firstTest: field('questions', 'yes-no'),
  sexOfPartners: field('questions'),
  syphilisHistory: field('questions', 'yes-no'),
} as const satisfies Record<string, CsvField>;
export type CsvResultField = keyof typeof csvResultFields;

/** One row is one case. If a column says which rows are cases, only those are. */
export const csvCaseFields = {
  caseId: field('case'),
  ...person,
  condition: field('case'),
  classification: field('case', 'classification'),
  isCase: field('case', 'is-case'),
  onsetDate: field('case', 'date'),
  collectedDate: field('case', 'date'),
  diagnosedDate: field('case', 'date'),
  reportedDate: field('case', 'date'),
  admittedDate: field('case', 'date'),
  hospitalized: field('case', 'yes-no'),
  dischargedDate: field('case', 'date'),
  outcome: field('case', 'outcome'),
  outcomeDate: field('case', 'date'),
  facility: field('case'),
  pregnant: field('case', 'yes-no'),
  visitType: field('case'),
  latitude: field('case', 'number'),
  longitude: field('case', 'number'),
  notes: field('case'),
} as const satisfies Record<string, CsvField>;
export type CsvCaseField = keyof typeof csvCaseFields;

/** One row is one treatment of a person whose case is known. */
export const csvTreatmentFields = {
  caseId: field('case'),
  ...person,
  condition: field('case'),
  drug: field('treatment'),
  dose: field('treatment'),
  duration: field('treatment'),
  startedDate: field('treatment', 'date'),
  endedDate: field('treatment', 'date'),
  adequacy: field('treatment', 'adequacy'),
  treatedAt: field('treatment'),
  treatedBy: field('treatment'),
} as const satisfies Record<string, CsvField>;
export type CsvTreatmentField = keyof typeof csvTreatmentFields;

/** What the columns of each kind of table can mean. */
export const csvFields = {
  results: csvResultFields,
  'line-list': csvCaseFields,
  treatments: csvTreatmentFields,
} as const satisfies Record<string, Record<string, CsvField>>;
export type CsvKind = keyof typeof csvFields;
export const csvKinds = Object.keys(csvFields) as [CsvKind, ...CsvKind[]];

/** One field of each group must be mapped, or have a value for the whole file. */
export const csvRequired: { readonly [Kind in CsvKind]: readonly (keyof (typeof csvFields)[Kind])[][] } = {
  results: [
    ['lastName', 'fullName', 'patientId'],
    ['testCode', 'testName', 'orderedTestCode', 'orderedTestName', 'device'],
    ['result'],
  ],
  'line-list': [
    ['caseId', 'patientId', 'lastName', 'fullName'],
    ['onsetDate', 'collectedDate', 'diagnosedDate', 'reportedDate', 'admittedDate'],
  ],
  treatments: [['caseId', 'patientId', 'lastName', 'fullName'], ['drug'], ['startedDate']],
};

/** Line list columns that say who is a case. */
const caseColumns: readonly CsvCaseField[] = ['isCase', 'classification'];
/** Dates that only cases have. Well people can have a specimen date too. */
const datesOfCases: readonly CsvCaseField[] = ['onsetDate', 'diagnosedDate', 'reportedDate'];

/**
 * Whether a user must say which rows of a line list are cases: no column says so, and the list may include
 * well people, because its columns suggest it (`mayHoldWell`) or none is a date that only cases have.
 */
export function asksWhoIsCase(
  kind: CsvKind,
  given: ReadonlySet<string>,
  { everyRowIsCase = false, mayHoldWell }: { everyRowIsCase?: boolean; mayHoldWell: boolean },
): boolean {
  const has = (fields: readonly string[]) => fields.some((field) => given.has(field));
  return kind === 'line-list' && !everyRowIsCase && !has(caseColumns) && (mayHoldWell || !has(datesOfCases));
}

const keys = <K extends string>(fields: Record<K, CsvField>) => z.enum(Object.keys(fields) as [K, ...K[]]);

/** Whether a user must say which condition the rows are about. A treatment with a case number needs none. */
export const asksCondition = (kind: CsvKind, given: ReadonlySet<string>): boolean =>
  kind !== 'results' && !given.has('condition') && !(kind === 'treatments' && given.has('caseId'));

const mappingOf = <Kind extends CsvKind, K extends string>(kind: Kind, fields: Record<K, CsvField>) =>
  z.strictObject({
    kind: z.literal(kind),
    /** Columns by position, from 0. Unlisted columns are kept unchanged and have no meaning. */
    columns: z
      .array(z.strictObject({ column: z.int().min(0).max(9999), field: keys(fields) }))
      .max(1000)
      .refine((columns) => new Set(columns.map((entry) => entry.field)).size === columns.length, {
        error: 'a field can be mapped to one column only',
        params: { code: 'field-mapped-twice' },
      })
      .refine((columns) => new Set(columns.map((entry) => entry.column)).size === columns.length, {
        error: 'a column can be mapped to one field only',
        params: { code: 'column-mapped-twice' },
      }),
    /** Values for every row, for fields without a column. */
    constants: z.partialRecord(keys(fields), z.string().trim().min(1).max(500)).default({}),
  });

export const csvMapping = z.discriminatedUnion('kind', [
  mappingOf('results', csvResultFields),
  mappingOf('line-list', csvCaseFields),
  mappingOf('treatments', csvTreatmentFields),
]);
export type CsvMapping = z.infer<typeof csvMapping>;

/** The order of day and month in numeric dates. */
export const csvDateOrder = z.enum(['dmy', 'mdy']);
export type CsvDateOrder = z.infer<typeof csvDateOrder>;

/** What a user must decide because the table does not say it. */
export const csvOptions = z.strictObject({
  /** Day and month order by column position. */
  dateOrders: z.record(z.string().regex(/^\d{1,4}$/), csvDateOrder).default({}),
  /** The condition of every row in a list of cases or treatments. */
  condition: z.string().trim().min(1).max(200).optional(),
  /** Everyone in the line list is a case, although no column says so. */
  everyRowIsCase: z.boolean().optional(),
});
export type CsvOptions = z.infer<typeof csvOptions>;
