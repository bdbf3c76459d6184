import { createHash } from 'node:crypto';
import { caseRecord } from '@caseway/contract/case-record';
import type {
  CsvCaseField,
  CsvDateOrder,
  CsvField,
  CsvKind,
  CsvMapping,
  CsvOptions,
  CsvResultField,
  CsvTreatmentField,
} from '@caseway/contract/csv-mapping';
import { asksCondition, asksWhoIsCase, csvFields, csvRequired } from '@caseway/contract/csv-mapping';
import { importFault } from '@caseway/contract/import-fault';
import { anyRecord } from '@caseway/contract/record';
import { treatmentRecord } from '@caseway/contract/treatments';
import type { ImportFault } from '../../reported/report.ts';
import { dateFormOf } from './csv-dates.ts';
import type { ColumnProfile } from './csv-profile.ts';
import { dateOrderOf, dateShare, Profiler } from './csv-profile.ts';
import type { CsvDialect, OpenSource } from './csv-read.ts';
import { detectCsv, normalizedHeader, readCsv } from './csv-read.ts';
import { isCaseFrom, saysWell, yesNoFrom } from './csv-values.ts';

/**
 * Headers used for a field, in English, Spanish, French and Haitian Creole, in the form of `normalizedHeader`. The
 * first are those of the upload formats of SimpleReport and ReportStream, whose every column is known.
 */
const personHeaders = {
  patientId:
    'patient id|pat id|patient identifier|patient number|patient unique id|mrn|medical record number|id paciente|numero de paciente|expediente|historia clinica|pid',
  lastName:
    'patient last name|last name|surname|family name|lname|patient lname|patient name last|apellido|apellidos|apellido paterno|primer apellido|nom de famille|siyati|siyati pasyan',
  secondLastName:
    'second last name|second surname|maternal surname|apellido materno|segundo apellido|materno|dezyem siyati',
  firstName:
    'patient first name|first name|given name|forename|fname|patient fname|patient name first|nombre|nombres|primer nombre|prenom|prenoms|prenon|non|non pasyan',
  middleName:
    'patient middle name|middle name|mname|middle initial|patient name middle|segundo nombre|deuxieme prenom|dezyem non',
  nameSuffix: 'patient suffix|name suffix|suffix|patient name suffix|sufijo',
  fullName:
    'patient name|name|full name|case name|patient full name|nombre completo|nombre y apellido|nombre y apellidos|apellidos y nombres|apellidos y nombre|apellido y nombre|surname and name|last name first name|nombre del paciente|nom|nom complet|nom et prenom|nom du patient|non konple|non ak siyati',
  birthDate:
    'patient dob|dob|date of birth|birth date|birthdate|patient date of birth|patient birth date|birthday|fecha de nacimiento|fecha nacimiento|fec nac|fnac|date de naissance|dat nesans|dat li fet',
  age: 'age|patient age|age years|age in years|age yrs|edad|edad anos|age at onset|laj|laj pasyan',
  ageUnit: 'age unit|age units|age type|unidad de edad|unidad edad',
  sex: 'patient gender|sex|gender|patient sex|sex at birth|birth sex|sexo|genero|sexe|seks',
  race: 'patient race|race|raza',
  ethnicity: 'patient ethnicity|ethnicity|ethnic group|hispanic|etnia|etnicidad',
  street:
    'patient street|street|address|street address|patient address|patient street address|patient home address|home address|address line 1|address 1|address1|direccion|domicilio|calle|adresse|adres',
  street2:
    'patient street2|patient street 2|street2|street 2|address line 2|address 2|address2|patient address 2|patient address2|patient home address2|patient home address 2|apartment|apt|direccion 2',
  city: 'patient city|city|town|municipality|patient home city|ciudad|municipio|localidad|ville|commune|vil|komin',
  county:
    'patient county|county|district|patient home county|condado|distrito|county of residence|residence county',
  state: 'patient state|state|province|patient home state|estado|provincia|state of residence',
  zip: 'patient zip code|zip code|zip|zipcode|postal code|postcode|patient zip|pat zip|codigo postal|cp',
  country: 'patient country|country|country name|pais',
  phone:
    'patient phone number|phone|phone number|telephone|patient phone|mobile|cell|cell phone|patient callback number|telefono|celular|numero de telefono|numero de telephone|nimewo telefon|telefon',
  email: 'patient email|email|e mail|email address|patient email address|correo|correo electronico',
} as const;

const resultHeaders: Record<CsvResultField, string> = {
  ...personHeaders,
  genderIdentity: 'patient gender identity|gender identity|identidad de genero',
  language:
    'patient preferred language|preferred language|language|primary language|idioma|idioma preferido|lengua',
  accession:
    'accession number|accession|accession no|accession id|lab accession number|filler order number|order number|order id|test id|numero de acceso|numero de orden|numero d ordre|nimewo demann',
  resultId: 'result id|test result id|observation id|id resultado',
  orderedTestCode: 'ordered test code|test ordered code|test ordered|test code ordered|order code',
  orderedTestName: 'ordered test name|test ordered name|ordered test|prueba solicitada',
  testCode:
    'test performed code|test code|loinc|loinc code|test loinc|test performed loinc|performed test code|codigo loinc|codigo de prueba|codigo prueba',
  testName:
    'test performed name|test name|test|test performed|test description|analysis|assay name|prueba|nombre de la prueba|examen|analisis|nom du test|analyse|tes|non tes la|egzamen|analiz',
  device:
    'equipment model name|device id|device|device name|device identifier|equipment|test kit|kit name|instrument|instrument name|equipo|dispositivo|modelo del equipo',
  result:
    'test result|result|test result code|result value|test outcome|lab result|laboratory result|result text|patient positive|observation|resultado|resultado de la prueba|resultat|resultat du test|rezilta|rezilta tes la',
  resultStatus:
    'test result status|result status|observation result status|status of result|estado del resultado|statut du resultat|eta rezilta a',
  units: 'units|unit|result units|unit of measure|unidades|unidad',
  referenceRange: 'reference range|ref range|normal range|rango de referencia|valores de referencia',
  abnormalFlag: 'abnormal flag|flag|interpretation|abnormal|interpretacion',
  orderDate:
    'order test date|order date|ordered date|date ordered|test ordered date|order date time|fecha de solicitud|fecha de orden',
  collectedDate:
    'specimen collection date|specimen collection date time|collection date|date collected|specimen collected date|collected date|collected|sample date|date sample|date of collection|sample collection date|fecha de toma|fecha de toma de muestra|fecha de recoleccion|fecha de muestra|fecha toma muestra|date de prelevement|date prelevement|dat prelevman|dat pran echantiyon|dat yo pran echantiyon an',
  receivedDate:
    'testing lab specimen received date|specimen received date|received date|date received|lab received date|fecha de recepcion|fecha recepcion',
  resultDate:
    'test result date|test date|result date|date of result|date tested|test time|testing date|resulted date|result date time|test result date time|fecha de resultado|fecha resultado|fecha de prueba|fecha de la prueba|date du resultat|date de resultat|dat rezilta|dat rezilta a',
  reportedDate:
    'date result released|result released date|report date|reported date|date reported|test report date|released date|fecha de informe|fecha de reporte|fecha de notificacion|date du rapport|date de notification|dat rapo a',
  specimenId:
    'specimen id|specimen number|sample id|sample number|specimen identifier|barcode|id muestra|numero de muestra|codigo de muestra|numero d echantillon|nimewo echantiyon',
  specimenType:
    'specimen type|specimen type code|sample type|specimen source|specimen|specimen type name|tipo de muestra|tipo de especimen|muestra|type d echantillon|echantillon|tip echantiyon|echantiyon',
  specimenSite:
    'specimen source site code|specimen source site|specimen site|source site|body site|anatomic site|sitio anatomico|sitio de la muestra',
  comment: 'comment|comments|notes|note|test comment|remarks|comentario|comentarios|observaciones|notas',
  processing: 'processing mode code|processing mode|processing id',
  labName:
    'testing lab name|lab name|laboratory name|laboratory|lab|testing lab|performing lab|performing facility|performing laboratory|testing facility|laboratorio|nombre del laboratorio|laboratoire|nom du laboratoire|laboratwa|non laboratwa a',
  labClia:
    'testing lab clia|lab clia|clia|clia number|testing lab clia number|laboratory clia|performing facility clia',
  labStreet:
    'testing lab street|lab street|lab address|testing lab address|testing lab street address|direccion del laboratorio',
  labStreet2: 'testing lab street2|testing lab street 2|lab street 2|lab address 2',
  labCity: 'testing lab city|lab city',
  labState: 'testing lab state|lab state',
  labZip: 'testing lab zip code|testing lab zip|lab zip|performing facility zip',
  labPhone: 'testing lab phone number|testing lab phone|lab phone',
  providerId: 'ordering provider id|ordering provider npi|provider npi|npi|provider id|npi del proveedor',
  providerLastName:
    'ordering provider last name|ordering provider lname|provider last name|apellido del medico',
  providerFirstName:
    'ordering provider first name|ordering provider fname|provider first name|nombre del medico',
  providerMiddleName: 'ordering provider middle name|provider middle name',
  providerStreet:
    'ordering provider street|ordering provider address|ordering provider street address|provider address',
  providerStreet2:
    'ordering provider street2|ordering provider street 2|ordering provider address2|ordering provider address 2',
  providerCity: 'ordering provider city|provider city',
  providerState: 'ordering provider state|provider state',
  providerZip: 'ordering provider zip code|ordering provider zip|provider zip',
  providerPhone: 'ordering provider phone number|ordering provider phone|provider phone',
  facilityName:
    'ordering facility name|ordering facility|facility name|facility|clinic|clinic name|organization name|establecimiento|clinica|centro de salud|unidad medica|etablissement|centre de sante|clinique|sant sante|klinik',
  facilityStreet:
    'ordering facility street|ordering facility address|ordering facility street address|facility address',
  facilityStreet2: 'ordering facility street2|ordering facility street 2',
  facilityCity: 'ordering facility city|facility city',
  facilityState: 'ordering facility state|facility state',
  facilityZip: 'ordering facility zip code|ordering facility zip|facility zip',
  facilityCounty: 'ordering facility county|facility county',
  facilityPhone: 'ordering facility phone number|ordering facility phone|facility phone',
  reporterName: 'reporting facility name|reporting facility|reporter|sender',
  reporterClia: 'reporting facility clia|reporter clia|sender clia',
  symptomatic:
    'symptomatic for disease|symptomatic|has symptoms|symptoms present|sintomatico|presenta sintomas',
  onsetDate:
    'illness onset date|onset date|date of onset|symptom onset date|symptom onset|date of symptom onset|patient symptom onset|date onset|fecha de inicio de sintomas|inicio de sintomas|fecha inicio sintomas',
  symptoms: 'symptoms|symptoms list|symptom list|sintomas',
  pregnant: 'pregnant|pregnancy|pregnancy status|patient pregnant|embarazada|embarazo',
  healthcareWorker:
    'employed in healthcare|healthcare worker|healthcare employee|health care worker|hcw|personal de salud|trabajador de salud',
  congregateSetting:
    'resident congregate setting|congregate setting|congregate resident|lives in congregate setting|residencia colectiva',
  residenceType:
    'residence type|congregate resident type|congregate setting type|site of care|tipo de residencia',
  hospitalized:
    'hospitalized|hospitalised|was hospitalized|hospitalization|hospitalizado|hospitalizada|hospitalizacion',
  intensiveCare: 'icu|intensive care|admitted to icu|symptoms icu|uci|cuidados intensivos',
  firstTest: 'first test|is first test|primera prueba',
  sexOfPartners:
    'genders of sexual partners|gender of sexual partners|sex of partners|sex of sexual partners',
  syphilisHistory: 'syphilis history|history of syphilis|antecedente de sifilis',
};

/** The names of a record's fields in other systems' files, from its declaration. */
const known = (field: keyof typeof caseRecord.fields): string =>
  anyRecord(caseRecord).fields[field]!.importedAs!;
const knownTreatment = (field: keyof typeof treatmentRecord.fields): string =>
  anyRecord(treatmentRecord).fields[field]!.importedAs!;

const caseHeaders: Record<CsvCaseField, string> = {
  caseId: known('externalId'),
  ...personHeaders,
  condition: known('condition'),
  classification: known('classification'),
  isCase:
    'ill|is case|is a case|case yes no|case y n|ill yes no|ill y n|is ill|was ill|became ill|got ill|sick|was sick|case|case control|case or control|case control status|ill or well|es caso|caso|caso si no|caso control|enfermo|enferma|enfermo si no|se enfermo|malad|ka',
  onsetDate: known('onsetOn'),
  collectedDate: known('collectedOn'),
  diagnosedDate:
    'diagnosis date|date of diagnosis|date diagnosis|diagnosed date|date of confirmation|confirmation date|date of first positive test|date first pcr positive test|date of positive test|fecha de diagnostico|fecha diagnostico|fecha de confirmacion',
  reportedDate: known('reportedOn'),
  admittedDate:
    'admission date|date of admission|date admission|hospital admission date|date hospitalized|date of hospitalisation|date of hospitalization|hospitalization date|hospitalisation date|fecha de hospitalizacion|fecha de ingreso|fecha ingreso',
  hospitalized: known('hospitalized'),
  dischargedDate:
    'discharge date|date of discharge|date discharge|date discharged|fecha de alta|fecha de egreso',
  outcome: known('outcome'),
  outcomeDate:
    'outcome date|date of outcome|date outcome|date of death|death date|fecha de defuncion|fecha de desenlace|fecha de muerte',
  facility: known('facility'),
  pregnant: known('pregnant'),
  visitType: known('visitType'),
  latitude: 'latitude|lat|latitud',
  longitude: 'longitude|long|lon|lng|longitud',
  notes: 'notes|note|comments|comment|remarks|observaciones|comentarios|notas',
};

const treatmentHeaders: Record<CsvTreatmentField, string> = {
  caseId: known('externalId'),
  ...personHeaders,
  condition: known('condition'),
  drug: knownTreatment('drug'),
  dose: 'dose|dosage|drug dose|treatment dose|strength|dosis|doz',
  duration:
    'duration|duration days|days|number of days|treatment duration|course|length of treatment|duracion|dias|duree|kantite jou',
  startedDate: knownTreatment('startedOn'),
  endedDate: knownTreatment('endedOn'),
  adequacy: knownTreatment('adequacy'),
  treatedAt: knownTreatment('givenAt'),
  treatedBy: knownTreatment('provider'),
};

/** A proposed meaning of one column. `field` is absent if nothing fits. */
export interface ColumnSuggestion {
  column: number;
  header: string;
  field?: CsvResultField | CsvCaseField | CsvTreatmentField;
  /** 0 to 1. From `sure` on, the meaning is used without asking; below `likely`, none is suggested. */
  confidence: number;
}

export const sure = 0.85;
export const likely = 0.6;

interface Candidate {
  column: number;
  field: string;
  confidence: number;
}

const indexes = {
  results: indexOf(resultHeaders),
  'line-list': indexOf(caseHeaders),
  treatments: indexOf(treatmentHeaders),
};

/** Each synonym as its words, with its field and its place in the field's list (the most usual first). */
function indexOf(headers: Record<string, string>) {
  return Object.entries(headers).flatMap(([field, synonyms]) =>
    synonyms.split('|').map((synonym) => ({
      field,
      synonym,
      squeezed: synonym.replaceAll(' ', ''),
      words: new Set(synonym.split(' ')),
    })),
  );
}

const fieldsOf: Record<CsvKind, Record<string, CsvField>> = csvFields;

/** Single words that keep their meaning among others (`sex_fem_2`). Any other word must be the whole header. */
const telling = new Set(
  'sex gender sexo genero race raza ethnicity dob birthdate zip email onset accession loinc clia npi mrn pregnant hospitalized'.split(
    ' ',
  ),
);

/** Words that do not affect the meaning of a column. */
const idle = new Set(['pii', 'the', 'of', 'de', 'la', 'el', 'del']);

function match(header: string, kind: CsvMapping['kind']): { field: string; confidence: number }[] {
  const words = normalizedHeader(header)
    .split(' ')
    .filter((word) => !idle.has(word));
  const text = normalizedHeader(header);
  const bare = words.join(' ');
  const run = text.replaceAll(' ', '');
  const own = new Set(words);
  const best = new Map<string, number>();
  for (const { field, synonym, squeezed, words: theirs } of indexes[kind]) {
    let confidence = 0;
    if (synonym === text || synonym === bare) confidence = 1;
    else if (squeezed === run) confidence = 0.97;
    else {
      const meant = [...theirs].filter((word) => !idle.has(word));
      const shared = meant.filter((word) => own.has(word)).length;
      const alone = meant.length === 1 && !telling.has(meant[0]!);
      if (meant.length > 0 && shared === meant.length && (!alone || own.size === 1)) {
        // All its words are present: the larger their share of the header, the more certain.
        confidence = own.size === shared ? 0.95 : 0.5 + 0.3 * (shared / own.size);
      }
    }
    if (confidence > (best.get(field) ?? 0)) best.set(field, confidence);
  }
  return [...best].map(([field, confidence]) => ({ field, confidence }));
}

/**
 * How the values of a column support a meaning: a factor on the confidence in its header. A header that clearly says
 * date is one, whatever the values are, because unreadable dates must be reported as faults.
 */
function evidence(kind: CsvField['kind'], confidence: number, profile: ColumnProfile | undefined): number {
  if (profile === undefined || profile.filled === 0) return 1;
  // "Case" heads case numbers as well as words that say who is a case.
  if (kind === 'is-case')
    return shareOf(profile, (value) => isCaseFrom(value) !== undefined) >= 0.8 ? 1 : 0.4;
  const dates = dateShare(profile);
  if (kind === 'date' || kind === 'birth-date') return confidence === 1 || dates >= 0.3 ? 1 : 0.4;
  const figures = profile.numbers / profile.filled;
  // Eight digits can be a date or a number, so only dates with separators or month names count against another
  // meaning.
  if (dates > 0.8 && figures < 0.2 && kind !== 'text') return 0.4;
  return 1;
}

/** The share of filled cells with such a value; 0 for a column of many different values. */
function shareOf({ values, filled }: ColumnProfile, is: (value: string) => boolean): number {
  if (!values || filled === 0) return 0;
  return [...values].reduce((sum, [value, n]) => sum + (is(value) ? n : 0), 0) / filled;
}

/** A table of people who ate the same meal has at least this many yes-or-no columns. */
const columnsOfCohort = 3;

/**
 * Whether a table may hold both ill and well people: an otherwise unused column says that someone is well or
 * negative, a header mentions cases or groups, or several columns say yes in some rows and no in others.
 */
export function mayHoldWell(
  header: readonly string[],
  profiles: readonly Pick<ColumnProfile, 'values' | 'filled'>[],
): boolean {
  let saysYesAndNo = 0;
  for (const { column, field, confidence } of suggestAs('line-list', header, profiles as ColumnProfile[])) {
    const values = [...(profiles[column]?.values?.keys() ?? [])];
    if (field === 'isCase' || field === 'classification') return true;
    if (field !== undefined && confidence >= likely) continue;
    const words = normalizedHeader(header[column]!).split(' ');
    if (values.length > 1 && words.some((word) => speaksOfGroups.has(word))) return true;
    if (values.some(saysWell)) return true;
    const said = new Set(values.map(yesNoFrom));
    if (said.has(true) && said.has(false) && !said.has(undefined)) saysYesAndNo += 1;
  }
  return saysYesAndNo >= columnsOfCohort;
}

const speaksOfGroups = new Set(
  'case cases ill sick well control group arm cohort exposed caso casos enfermo enferma sano control grupo cohorte expuesto malad ka'.split(
    ' ',
  ),
);

/** The probable meaning of each column in a table of one kind. */
export function suggestAs(
  kind: CsvMapping['kind'],
  header: readonly string[],
  profiles?: readonly ColumnProfile[],
): ColumnSuggestion[] {
  const candidates: Candidate[] = [];
  for (const [column, name] of header.entries()) {
    for (const { field, confidence } of match(name, kind)) {
      const weighed = confidence * evidence(fieldsOf[kind][field]!.kind, confidence, profiles?.[column]);
      if (weighed >= likely) candidates.push({ column, field, confidence: weighed });
    }
  }
  candidates.sort((left, right) => right.confidence - left.confidence || left.column - right.column);
  const suggestions: ColumnSuggestion[] = header.map((name, column) => ({
    column,
    header: name,
    confidence: 0,
  }));
  const taken = new Set<string>();
  for (const { column, field, confidence } of candidates) {
    const suggestion = suggestions[column]!;
    if (suggestion.field !== undefined || taken.has(field)) continue;
    taken.add(field);
    suggestion.field = field as ColumnSuggestion['field'];
    suggestion.confidence = Math.round(confidence * 100) / 100;
  }
  return suggestions;
}

/** The probable kind of a table, and the probable meaning of its columns. */
export interface MappingSuggestion {
  kind: CsvMapping['kind'];
  columns: ColumnSuggestion[];
}

const missingGroups = (kind: CsvKind, mapped: ReadonlySet<string>): string[][] =>
  csvRequired[kind].filter((group: readonly string[]) => !group.some((field) => mapped.has(field)));

/** Suggests what each column means, and whether the table holds laboratory results, cases or treatments. */
export function suggestMapping(
  header: readonly string[],
  profiles?: readonly ColumnProfile[],
): MappingSuggestion {
  const weigh = (kind: CsvMapping['kind']) => {
    const columns = suggestAs(kind, header, profiles);
    const mapped = new Set(
      columns.flatMap((column) =>
        column.confidence >= likely && column.field ? [column.field as string] : [],
      ),
    );
    const sum = columns.reduce((total, column) => total + column.confidence, 0);
    return { kind, columns, missing: missingGroups(kind, mapped), mapped, sum };
  };
  const results = weigh('results');
  const cases = weigh('line-list');
  const treatments = weigh('treatments');
  // Results need a result and a test. A table without them is a list of cases unless more of its columns fit
  // results.
  const hasTest = results.missing.length === 0;
  const hasResult = results.mapped.has('result');
  const speaksOfCases = ['onsetDate', 'classification', 'outcome', 'caseId', 'reportedDate'].filter((field) =>
    cases.mapped.has(field),
  ).length;
  const kind = hasTest || (hasResult && speaksOfCases < 2) || results.sum > cases.sum + 1 ? results : cases;
  // A list of cases can have a treatment column too; a list of treatments has nothing about the course of the
  // illness.
  const isOfTreatments = treatments.missing.length === 0 && !hasResult && speaksOfCases < 2;
  return isOfTreatments
    ? { kind: treatments.kind, columns: treatments.columns }
    : { kind: kind.kind, columns: kind.columns };
}

/**
 * The suggestion as a mapping: only columns with a certain meaning, unless a lower confidence is given. A wrong
 * column is worse than an unmapped one, which is kept and can be mapped by a person.
 */
export function mappingFrom(suggestion: MappingSuggestion, least: number = sure): CsvMapping {
  const columns = suggestion.columns.flatMap(({ column, field, confidence }) =>
    field !== undefined && confidence >= least ? [{ column, field }] : [],
  );
  return { kind: suggestion.kind, columns, constants: {} } as CsvMapping;
}

/** Identifies a header: the same columns in the same order, however they are written. 32 hex digits. */
export const headerSignature = (header: readonly string[]): string =>
  createHash('sha256').update(header.map(normalizedHeader).join('\n')).digest('hex').slice(0, 32);

/** Upload formats whose specification fixes the order of day and month. */
const layouts: { columns: string[]; order: CsvDateOrder }[] = [
  // SimpleReport and ReportStream bulk upload: MM/DD/YYYY.
  { columns: ['patient_dob', 'test_performed_code', 'test_result', 'testing_lab_clia'], order: 'mdy' },
];

/** The order of day and month that the format of a header prescribes. */
function prescribedDateOrder(header: readonly string[]): CsvDateOrder | undefined {
  const names = new Set(header.map((name) => name.trim().toLowerCase()));
  return layouts.find((layout) => layout.columns.every((column) => names.has(column)))?.order;
}

/** Everything needed about a table before its rows are read. */
export interface CsvInspection {
  dialect: CsvDialect;
  header: string[];
  signature: string;
  profiles: ColumnProfile[];
  rows: number;
  refused: number;
  suggestion: MappingSuggestion;
  notes: ImportFault[];
}

/**
 * Reads a whole table once: its encoding and delimiter, unless known, its header, and what its columns look like and
 * probably mean. Returns a fault if it is not a table.
 */
export async function inspectCsv(open: OpenSource, known?: CsvDialect): Promise<CsvInspection | ImportFault> {
  const dialect = known ?? (await detectCsv(open));
  if ('code' in dialect) return dialect;
  let header: string[] | undefined;
  let profiler = new Profiler(0);
  let repeated: { column: number; first: number }[] = [];
  const contradicted = new Set<number>();
  let refused = 0;
  const notes: ImportFault[] = [];
  for await (const item of readCsv(open, dialect)) {
    if (item.kind === 'header') {
      header = item.cells;
      profiler = new Profiler(header.length);
      if (!looksLikeHeader(header)) return importFault('error', 'header-row-missing', 'file', item.line);
      repeated = repeatedColumns(header);
    } else if (item.kind === 'row') {
      profiler.add(item.cells);
      for (const { column, first } of repeated)
        if (item.cells[column]?.trim() !== item.cells[first]?.trim()) contradicted.add(column).add(first);
    } else if (item.kind === 'refused') refused++;
    else if (item.fault.severity === 'error') return item.fault;
    // A note is added when the rows are read.
  }
  if (header === undefined) return importFault('error', 'header-row-missing', 'file', 1);
  if (profiler.rows + refused === 0) return importFault('error', 'rows-missing', 'file', 1);
  if (looksLikeData(header)) notes.push(importFault('warning', 'first-row-is-data', 'file', 1));
  for (const { column } of repeated)
    notes.push(importFault('warning', 'column-repeated', header[column]!, 1));
  const suggestion = suggestMapping(header, profiler.columns);
  // A person decides which of two columns with one header counts, if they differ.
  for (const each of suggestion.columns)
    if (contradicted.has(each.column)) each.confidence = Math.min(each.confidence, likely);
  return {
    dialect,
    header,
    signature: headerSignature(header),
    profiles: profiler.columns,
    rows: profiler.rows,
    refused,
    suggestion,
    notes,
  };
}

/** Columns with the same header as an earlier one. */
function repeatedColumns(header: readonly string[]): { column: number; first: number }[] {
  const names = header.map(normalizedHeader);
  return names.flatMap((name, column) => {
    const first = names.indexOf(name);
    return name !== '' && first < column ? [{ column, first }] : [];
  });
}

/** A header has names: it is not mostly numbers, dates or blanks. */
function looksLikeHeader(header: readonly string[]): boolean {
  const naming = header.filter((name) => /\p{L}/u.test(name) && !/^\d{1,4}[-/.]\d/.test(name)).length;
  return naming * 2 >= header.length;
}

/** A date or a test code is not a heading: the first row then belongs to a person, and would be lost. */
const looksLikeData = (header: readonly string[]): boolean =>
  header.some(
    (name) =>
      /^\d{3,5}-\d$/.test(name.trim()) || (!/^\d*(\.\d+)?$/.test(name.trim()) && dateFormOf(name) !== 'none'),
  );

/**
 * What a person has to decide before the rows can be read; empty if nothing. A table waits for: required columns,
 * the condition of a line list and who in it is a case, the order of day and month of a column with ambiguous dates.
 */
export function undecided(
  inspection: Pick<CsvInspection, 'header' | 'profiles'>,
  mapping: CsvMapping,
  options: CsvOptions,
): ImportFault[] {
  const faults: ImportFault[] = [];
  const given = new Set<string>([
    ...mapping.columns.map((entry) => entry.field),
    ...Object.keys(mapping.constants),
  ]);
  const missing = missingGroups(mapping.kind, given);
  if (missing.length > 0 && looksLikeData(inspection.header))
    faults.push(importFault('waits', 'first-row-is-data', 'file', 1));
  if (missing.length > 0) {
    const columns = missing.map((group) => group.join(' / ')).join(', ');
    faults.push(importFault('waits', 'columns-unmapped', 'file', 1, { columns }));
  }
  if (options.condition === undefined && asksCondition(mapping.kind, given))
    faults.push(importFault('waits', 'condition-unchosen', 'file', 1));
  const { everyRowIsCase } = options;
  if (
    asksWhoIsCase(mapping.kind, given, {
      everyRowIsCase,
      mayHoldWell: mayHoldWell(inspection.header, inspection.profiles),
    })
  )
    faults.push(importFault('waits', 'case-column-unchosen', 'file', 1));
  for (const { column, field } of mapping.columns) {
    const kind = fieldsOf[mapping.kind][field]!.kind;
    if (
      (kind === 'date' || kind === 'birth-date') &&
      dateOrderIn(inspection, options, column) === 'unknown'
    ) {
      faults.push(importFault('waits', 'date-order-unchosen', inspection.header[column]!, 1));
    }
  }
  return faults;
}

/** The order of day and month in one column: chosen by a person, fixed by the format, or found from its values. */
export function dateOrderIn(
  inspection: Pick<CsvInspection, 'header' | 'profiles'>,
  options: CsvOptions,
  column: number,
): ReturnType<typeof dateOrderOf> {
  return (
    options.dateOrders[String(column)] ??
    prescribedDateOrder(inspection.header) ??
    dateOrderOf(inspection.profiles[column]!)
  );
}
