import { createHash } from 'node:crypto';
import { cliaValid, countyFipsValid, npiValid, zipValid } from '@caseway/contract/codes';
import type {
  CsvCaseField,
  CsvDateOrder,
  CsvMapping,
  CsvOptions,
  CsvResultField,
} from '@caseway/contract/csv-mapping';
import type { ImportFaultCode } from '@caseway/contract/import-fault';
import { importFault } from '@caseway/contract/import-fault';
import {
  codedValue,
  codeOf,
  ethnicityOf,
  isEmail,
  numberOf,
  numericOf,
  phoneOf,
  raceOf,
  sexWords,
  wordsOnly,
} from './coding.ts';
import { parseCsvTime } from './csv-dates.ts';
import type { CsvInspection } from './csv-map.ts';
import { dateOrderIn } from './csv-map.ts';
import { ninetyNineIsMissing, sexFigures } from './csv-profile.ts';
import {
  ageFrom,
  classificationWords,
  isMissing,
  isMissingCode,
  isMissingOrUnknown,
  isMissingResult,
  outcomeWords,
  wordFrom,
  yesNoFrom,
} from './csv-values.ts';
import { statusOf } from './elr.ts';
import type { ClockOptions } from './hl7-time.ts';
import { isPlausibleBirth } from './hl7-time.ts';
import type {
  Address,
  Age,
  Answer,
  CaseReportRow,
  Code,
  CodedValue,
  Heritage,
  ImportFault,
  LabReport,
  ObservationValue,
  Organization,
  PersonName,
  Phone,
  Provider,
  Question,
  Sex,
  Time,
} from './report.ts';

/** What became of one row. `faults` holds errors when it is refused, and the warnings in any case. */
export type ReadRow =
  | { outcome: 'usable'; report: LabReport; faults: ImportFault[] }
  | { outcome: 'usable'; caseRow: CaseReportRow; faults: ImportFault[] }
  | { outcome: 'refused'; faults: ImportFault[] };

export interface RowReaderOptions extends ClockOptions {
  mapping: CsvMapping;
  options: CsvOptions;
  inspection: Pick<CsvInspection, 'header' | 'profiles'>;
  /** Who sent the file, for rows that name no reporting facility and no laboratory. */
  sender: string;
}

/** Longest text a field takes; a longer one is a row gone wrong. */
const textLimit = 4000;

type Field = CsvResultField | CsvCaseField;

interface Source {
  column: number;
  order: CsvDateOrder | undefined;
}

/**
 * Reads the rows of one table by its mapping. The table must not be waiting for a decision (`undecided`): a date that
 * can be read in two ways is refused here, never guessed.
 */
export class RowReader {
  readonly #settings: RowReaderOptions;
  readonly #sources = new Map<Field, Source>();
  readonly #constants: Partial<Record<Field, string>>;
  readonly #unmapped: { column: number; name: string }[];
  readonly #ninetyNineMissing: boolean;
  readonly #sexFigures: ReturnType<typeof sexFigures>;

  constructor(settings: RowReaderOptions) {
    this.#settings = settings;
    const { mapping, options, inspection } = settings;
    const used = new Set<number>();
    for (const { column, field } of mapping.columns) {
      const order = dateOrderIn(inspection, options, column);
      this.#sources.set(field, { column, order: order === 'dmy' || order === 'mdy' ? order : undefined });
      used.add(column);
    }
    this.#constants = mapping.constants;
    this.#unmapped = inspection.header.flatMap((name, column) =>
      used.has(column) ? [] : [{ column, name: name === '' ? `column ${column + 1}` : name }],
    );
    const age = this.#sources.get('age');
    this.#ninetyNineMissing = age !== undefined && ninetyNineIsMissing(inspection.profiles[age.column]!);
    const sex = this.#sources.get('sex');
    this.#sexFigures = sex === undefined ? 'none' : sexFigures(inspection.profiles[sex.column]!);
  }

  /** Reads one row, as `readCsv` gives it. */
  read(cells: readonly string[], line: number): ReadRow {
    const row = new Row(this.#settings, this.#sources, this.#constants, cells, line);
    const contentHash = createHash('sha256')
      .update(cells.map((cell) => cell.trim()).join('\u001f'))
      .digest('hex');
    if (this.#settings.mapping.kind === 'results') {
      const report = this.#readResult(row, contentHash);
      return row.hasError()
        ? { outcome: 'refused', faults: row.faults }
        : { outcome: 'usable', report, faults: row.faults };
    }
    const caseRow = this.#readCase(row, contentHash, cells);
    return row.hasError()
      ? { outcome: 'refused', faults: row.faults }
      : { outcome: 'usable', caseRow, faults: row.faults };
  }

  #readCase(row: Row, contentHash: string, cells: readonly string[]): CaseReportRow {
    const caseId = row.text('caseId');
    const patientId = row.text('patientId');
    const name = row.name();
    if (caseId === undefined && patientId === undefined && name === undefined)
      row.requireOne('caseId', 'patientId', 'fullName', 'lastName');
    const { sex, raw: sexRaw } = row.sex(this.#sexFigures);
    const classification = row.word('classification', classificationWords);
    const outcome = row.word('outcome', outcomeWords);
    const birth = row.time('birthDate', true);
    const onset = row.time('onsetDate');
    const specimenCollected = row.time('collectedDate');
    const diagnosed = row.time('diagnosedDate');
    const reported = row.time('reportedDate');
    const hospitalized = row.time('admittedDate');
    const discharged = row.time('dischargedDate');
    const outcomeDate = row.time('outcomeDate');
    row.inOrder(['birthDate', birth], ['onsetDate', onset], ['reportedDate', reported]);
    row.inOrder(['onsetDate', onset], ['outcomeDate', outcomeDate]);
    row.inOrder(['admittedDate', hospitalized], ['dischargedDate', discharged]);
    const said = row.yesNo('hospitalized');
    const latitude = row.number('latitude', 90);
    const longitude = row.number('longitude', 180);
    const unmapped: Record<string, string> = {};
    for (const { column, name: header } of this.#unmapped) {
      const cell = row.clean(cells[column] ?? '');
      if (cell !== '') unmapped[header] = cell.slice(0, textLimit).toWellFormed();
    }
    const pregnant = row.yesNo('pregnant');
    return {
      line: row.line,
      caseId,
      patientId,
      name,
      sex,
      sexRaw,
      age: row.age(this.#ninetyNineMissing),
      birth,
      onset,
      specimenCollected,
      diagnosed,
      reported,
      hospitalized,
      wasHospitalized:
        said === undefined || said === 'unknown' ? (hospitalized === undefined ? undefined : true) : said,
      discharged,
      outcomeDate,
      outcome: outcome?.value,
      outcomeRaw: row.text('outcome'),
      classification: classification?.value,
      classificationRaw: row.text('classification'),
      condition: row.text('condition') ?? this.#settings.options.condition ?? '',
      address: row.address('street', 'street2', 'city', 'state', 'zip', 'country', 'county'),
      phones: row.phones('phone'),
      emails: row.emails(),
      races: row.heritage('race', raceOf),
      ethnicities: row.heritage('ethnicity', ethnicityOf),
      facility: row.text('facility'),
      notes: row.text('notes'),
      pregnant: pregnant === 'unknown' ? undefined : pregnant,
      point: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
      unmapped,
      contentHash,
    };
  }

  #readResult(row: Row, contentHash: string): LabReport {
    const name = row.name();
    const patientId = row.text('patientId');
    if (name === undefined && patientId === undefined) row.requireOne('lastName', 'fullName', 'patientId');
    const { sex, raw: sexRaw } = row.sex(this.#sexFigures);
    const performed = row.test('testCode', 'testName');
    const ordered = row.test('orderedTestCode', 'orderedTestName');
    const device = row.text('device');
    const test = performed ?? ordered ?? (device === undefined ? undefined : wordsOnly(device));
    if (test === undefined) row.requireOne('testCode', 'testName', 'orderedTestCode', 'device');
    const values = row.result();
    const birth = row.time('birthDate', true);
    const collected = row.time('collectedDate');
    const received = row.time('receivedDate');
    const resulted = row.time('resultDate');
    const released = row.time('reportedDate');
    const orderedAt = row.time('orderDate');
    row.requireReadable(
      ['collectedDate', collected],
      ['receivedDate', received],
      ['resultDate', resulted],
      ['reportedDate', released],
      ['orderDate', orderedAt],
    );
    row.inOrder(
      ['birthDate', birth],
      ['collectedDate', collected],
      ['receivedDate', received],
      ['resultDate', resulted],
      ['reportedDate', released],
    );
    const statusSent = row.text('resultStatus');
    const status = statusOf(statusSent);
    if (statusSent !== undefined && status === undefined)
      row.warn('result-status-unknown', 'resultStatus', { taken: 'F' });
    const lab = row.organization(
      'labName',
      'labClia',
      'labPhone',
      row.address('labStreet', 'labStreet2', 'labCity', 'labState', 'labZip'),
    );
    const reporter = row.organization('reporterName', 'reporterClia', undefined, undefined);
    const facilityAddress = row.address(
      'facilityStreet',
      'facilityStreet2',
      'facilityCity',
      'facilityState',
      'facilityZip',
      undefined,
      'facilityCounty',
    );
    const facility = row.organization('facilityName', undefined, 'facilityPhone', facilityAddress);
    const answers = row.answers();
    const age = row.age(this.#ninetyNineMissing);
    const specimenId = row.text('specimenId');
    const specimenType = row.coded('specimenType');
    const specimenSite = row.coded('specimenSite');
    const hasSpecimen = [specimenId, specimenType, specimenSite, collected, received].some(
      (part) => part !== undefined,
    );
    const accession = row.text('accession') ?? row.text('resultId');
    const sender = reporter ?? lab;
    const assigner =
      sender === undefined
        ? { name: this.#settings.sender }
        : { name: sender.name, id: sender.clia, idType: sender.clia && 'CLIA' };
    const processing = row.text('processing')?.toUpperCase();
    if (processing === 'T' || processing === 'D') row.warn('processing-id-test', 'processing');
    const comment = row.text('comment');
    const flag = row.text('abnormalFlag');
    const units = row.text('units');
    const gender = row.text('genderIdentity');
    if (gender !== undefined) answers.push(answer('gender-identity', gender));
    return {
      header: {
        format: 'csv',
        type: 'row',
        controlId: contentHash.slice(0, 32),
        sendingFacility: assigner,
        sendingClia: sender?.clia,
        processingId: processing === 'T' || processing === 'D' ? processing : 'P',
        sent: released,
        profiles: [],
      },
      patient: {
        identifiers: patientId === undefined ? [] : [{ value: patientId, type: 'PI', assigner }],
        names: name === undefined ? [] : [name],
        mothersMaidenNames: [],
        birth,
        sex,
        sexRaw,
        races: row.heritage('race', raceOf),
        ethnicities: row.heritage('ethnicity', ethnicityOf),
        addresses: present(row.address('street', 'street2', 'city', 'state', 'zip', 'country', 'county')),
        phones: row.phones('phone'),
        emails: row.emails(),
        language: row.coded('language'),
      },
      age,
      nextOfKin: [],
      orders: [
        {
          position: 1,
          filler: accession === undefined ? undefined : { value: accession, assigner },
          test: ordered ?? test,
          status,
          collected,
          received,
          reported: released ?? resulted,
          reasons: [],
          provider: row.provider(),
          providerPhones: row.phones('providerPhone'),
          facility,
          providerAddress: row.address(
            'providerStreet',
            'providerStreet2',
            'providerCity',
            'providerState',
            'providerZip',
          ),
          specimens: hasSpecimen
            ? [
                {
                  filler: specimenId === undefined ? undefined : { value: specimenId, assigner },
                  type: specimenType,
                  sourceSite: specimenSite,
                  collected,
                  received,
                  rejectReasons: [],
                },
              ]
            : [],
          specimensFrom: hasSpecimen ? 'own' : undefined,
          observations: [
            {
              position: 1,
              test: test ?? wordsOnly(''),
              values,
              units: units === undefined ? undefined : { code: units },
              referenceRange: row.text('referenceRange'),
              flags: flag === undefined ? [] : [{ code: flag }],
              status: status ?? 'F',
              observed: collected,
              analysed: resulted,
              methods: [],
              device: device === undefined ? undefined : { name: device },
              performer: lab,
              notes: present(comment),
              line: row.line,
              source: 'row',
            },
          ],
          answers,
          notes: [],
          line: row.line,
        },
      ],
      answers: [],
      notes: [],
      contentHash,
    };
  }
}

const present = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

const answer = (question: Question, text: string): Answer => ({
  question,
  code: wordsOnly(question),
  values: [{ kind: 'text', text, numeric: numericOf(text) }],
});

/** Yes-or-no columns and the question each answers. */
const questionFields: [CsvResultField, Question][] = [
  ['symptomatic', 'symptomatic'],
  ['pregnant', 'pregnant'],
  ['healthcareWorker', 'healthcare-worker'],
  ['congregateSetting', 'congregate-setting'],
  ['hospitalized', 'hospitalized'],
  ['intensiveCare', 'intensive-care'],
  ['firstTest', 'first-test'],
  ['syphilisHistory', 'syphilis-history'],
];

/** Punctuation of other character sets, cut down to one byte on its way. */
const mangled: Record<string, string> = {
  '\x13': '-',
  '\x14': '-',
  '\x18': "'",
  '\x19': "'",
  '\x1c': '"',
  '\x1d': '"',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** One row while it is read: its cells by field, and the faults found in them. */
class Row {
  readonly line: number;
  readonly faults: ImportFault[] = [];
  readonly #clock: RowReaderOptions;
  readonly #sources: ReadonlyMap<Field, Source>;
  readonly #constants: Partial<Record<Field, string>>;
  readonly #cells: readonly string[];
  /** Date fields that hold something that is no date. */
  readonly #unreadable = new Set<Field>();

  constructor(
    clock: RowReaderOptions,
    sources: ReadonlyMap<Field, Source>,
    constants: Partial<Record<Field, string>>,
    cells: readonly string[],
    line: number,
  ) {
    this.#clock = clock;
    this.#sources = sources;
    this.#constants = constants;
    this.#cells = cells;
    this.line = line;
  }

  hasError(): boolean {
    return this.faults.some((fault) => fault.severity === 'error');
  }

  #placeOf(field: Field): string {
    const source = this.#sources.get(field);
    return source === undefined
      ? field
      : this.#clock.inspection.header[source.column] || `column ${source.column + 1}`;
  }

  warn(code: ImportFaultCode, field: Field, params?: Record<string, string>): void {
    this.faults.push(importFault('warning', code, this.#placeOf(field), this.line, params));
  }

  #error(code: ImportFaultCode, field: Field, params?: Record<string, string>): void {
    this.faults.push(importFault('error', code, this.#placeOf(field), this.line, params));
  }

  /** A fault at the first of these fields that has a column: one of them must say something. */
  requireOne(...fields: Field[]): void {
    this.#error('value-required', fields.find((field) => this.#sources.has(field)) ?? fields[0]!);
  }

  /** A cell without outer blanks and control characters. */
  clean(cell: string): string {
    return cell.replace(controls, (character) => mangled[character] ?? '').trim();
  }

  /** A field's cell, or its value for the whole file; empty when it has neither. */
  #cell(field: Field): string {
    const source = this.#sources.get(field);
    if (source === undefined) return this.#constants[field] ?? '';
    const cell = this.#cells[source.column] ?? '';
    const cleaned = this.clean(cell);
    if (
      cleaned !== cell.trim() &&
      !this.faults.some(
        (fault) => fault.code === 'control-characters' && fault.place === this.#placeOf(field),
      )
    ) {
      this.warn('control-characters', field);
    }
    if (cleaned.length <= textLimit) return cleaned;
    this.#error('value-too-long', field, { limit: String(textLimit) });
    return cleaned.slice(0, textLimit).toWellFormed();
  }

  text(field: Field): string | undefined {
    const cell = this.#cell(field);
    return isMissingOrUnknown(cell) ? undefined : cell;
  }

  name(): PersonName | undefined {
    const family = this.text('lastName');
    const given = this.text('firstName');
    const middle = this.text('middleName');
    if (family !== undefined || given !== undefined) {
      if (family === undefined || given === undefined)
        this.warn('name-incomplete', family === undefined ? 'lastName' : 'firstName');
      return { family, given, middle, suffix: this.text('nameSuffix') };
    }
    const whole = this.text('fullName');
    return whole === undefined ? undefined : nameFromWhole(whole);
  }

  sex(figures: ReturnType<typeof sexFigures>): { sex?: Sex; raw?: string } {
    const cell = this.#cell('sex');
    if (isMissing(cell)) return {};
    if (/^\d+(\.0)?$/.test(cell)) {
      const figure = Number(cell);
      if (figures === 'iso-5218') {
        return { sex: figure === 1 ? 'M' : figure === 2 ? 'F' : 'U', raw: cell };
      }
      this.warn('value-unknown', 'sex');
      return { raw: cell };
    }
    const matched = wordFrom(cell, sexWords);
    if (matched === undefined) this.warn('value-unknown', 'sex');
    else if (matched.misspelt) this.warn('value-misspelt', 'sex');
    return { sex: matched?.value, raw: cell };
  }

  word<T>(field: Field, table: Readonly<Record<string, T>>): { value: T } | undefined {
    const cell = this.#cell(field);
    if (isMissing(cell)) return undefined;
    const matched = wordFrom(cell, table);
    if (matched === undefined) this.warn('value-unknown', field);
    else if (matched.misspelt) this.warn('value-misspelt', field);
    return matched;
  }

  time(field: Field, birth = false): Time | undefined {
    const cell = this.#cell(field);
    if (isMissingOrUnknown(cell) || isMissingCode(cell)) return undefined;
    const read = parseCsvTime(cell, { ...this.#clock, order: this.#sources.get(field)?.order, birth });
    if (typeof read !== 'object') {
      const code =
        read === 'unspecified'
          ? 'date-unspecified'
          : read === 'implausible'
            ? 'date-implausible'
            : 'date-invalid';
      if (read === 'order-unknown') this.#error('date-order-unchosen', field);
      else this.warn(code, field);
      if (read !== 'unspecified') this.#unreadable.add(field);
      return undefined;
    }
    if (birth && !isPlausibleBirth(read.time)) {
      this.warn('date-implausible', field);
      return undefined;
    }
    if (read.againstOrder) this.warn('date-against-order', field);
    return read.time;
  }

  /** A row whose dates are all unreadable is refused: nobody could tell when it happened. */
  requireReadable(...fields: [Field, Time | undefined][]): void {
    if (fields.some(([, time]) => time !== undefined)) return;
    for (const [field] of fields) {
      if (!this.#unreadable.has(field)) continue;
      for (const fault of this.faults) {
        if (fault.place === this.#placeOf(field) && fault.code.startsWith('date-')) fault.severity = 'error';
      }
    }
  }

  /** Warns where a date lies before the one that should come first. Only whole days are compared. */
  inOrder(...dates: [Field, Time | undefined][]): void {
    let before: [Field, string] | undefined;
    for (const [field, time] of dates) {
      if (time?.day === undefined) continue;
      if (before !== undefined && time.day < before[1]) {
        this.warn('dates-out-of-order', field, { before: this.#placeOf(before[0]) });
      }
      before = [field, time.day];
    }
  }

  age(ninetyNineMissing: boolean): Age | undefined {
    const cell = this.#cell('age');
    if (isMissingOrUnknown(cell)) return undefined;
    if (/^9{3,}$/.test(cell) || (cell === '99' && ninetyNineMissing)) {
      this.warn('value-placeholder', 'age');
      return undefined;
    }
    const age = ageFrom(cell, this.#cell('ageUnit'));
    if (age === undefined) this.warn(/^\d+$/.test(cell) ? 'age-implausible' : 'number-invalid', 'age');
    return age;
  }

  yesNo(field: Field): boolean | 'unknown' | undefined {
    const cell = this.#cell(field);
    if (isMissing(cell)) return undefined;
    const said = yesNoFrom(cell);
    if (said === undefined) this.warn('value-unknown', field);
    return said;
  }

  number(field: Field, most: number): number | undefined {
    const cell = this.#cell(field);
    if (isMissingOrUnknown(cell)) return undefined;
    const value = numberOf(cell);
    if (value === undefined || Math.abs(value) > most) {
      this.warn('number-invalid', field);
      return undefined;
    }
    return value;
  }

  /** A code or a word: figures and LOINC forms are codes, anything else is text. */
  coded(field: Field): CodedValue | undefined {
    const cell = this.text(field);
    if (cell === undefined) return undefined;
    if (/^\d{6,18}$/.test(cell) || /^\d{1,7}-\d$/.test(cell))
      return this.#checked(field, codeOf(cell, undefined, systemFor(cell)));
    return wordsOnly(cell);
  }

  #checked(field: Field, code: Code | undefined): CodedValue | undefined {
    if (code?.checkDigitWrong) {
      this.warn('check-digit-wrong', field, { system: code.system === 'LN' ? 'LOINC' : 'SNOMED CT' });
    }
    return codedValue([code]);
  }

  /** The test from its code and its name. */
  test(codeField: Field, nameField: Field): CodedValue | undefined {
    const code = this.text(codeField);
    const name = this.text(nameField);
    if (code === undefined) return name === undefined ? undefined : wordsOnly(name);
    return this.#checked(codeField, codeOf(code, name, /^\d{1,7}-\d$/.test(code) ? 'LN' : 'L'));
  }

  /** The result: a SNOMED code, a number, or words. Its category is decided elsewhere. */
  result(): ObservationValue[] {
    const cell = this.#cell('result');
    if (isMissingResult(cell)) {
      this.#error('value-required', 'result');
      return [];
    }
    if (/^\d{6,18}$/.test(cell)) {
      const coded = this.#checked('result', codeOf(cell, undefined, 'SCT'));
      if (coded) return [{ kind: 'coded', coded }];
    }
    return [{ kind: 'text', text: cell, numeric: numericOf(cell) }];
  }

  address(
    street: Field,
    street2: Field,
    city: Field,
    state: Field,
    zip: Field,
    country?: Field,
    county?: Field,
  ): Address | undefined {
    const address: Address = {
      street: this.text(street),
      street2: this.text(street2),
      city: this.text(city),
      state: this.text(state),
      zip: this.text(zip),
      country: country && this.text(country),
      county: county && this.text(county),
    };
    if (Object.values(address).every((part) => part === undefined)) return undefined;
    if (address.zip !== undefined) {
      // A spreadsheet drops the leading zeros of a ZIP code.
      if (/^\d{3,4}$/.test(address.zip)) address.zip = address.zip.padStart(5, '0');
      if (!zipValid(address.zip) && (address.country === undefined || /^US/i.test(address.country)))
        this.warn('zip-invalid', zip);
    }
    if (address.county !== undefined && countyFipsValid(address.county)) address.countyFips = address.county;
    return address;
  }

  phones(field: Field): Phone[] {
    const cell = this.text(field);
    if (cell === undefined) return [];
    const phones = cell
      .split(/[;|]|\s\/\s/)
      .flatMap((part) => (/\d/.test(part) ? [phoneOf(part.trim())] : []));
    if (phones.every((phone) => phone.e164 === undefined)) this.warn('phone-invalid', field);
    return phones;
  }

  emails(): string[] {
    const cell = this.text('email');
    if (cell === undefined) return [];
    const parts = cell.split(/[;,\s]+/).filter((part) => part !== '');
    const emails = parts.filter(isEmail);
    if (emails.length < parts.length) this.warn('email-invalid', 'email');
    return emails;
  }

  heritage(field: Field, read: (raw: CodedValue) => Heritage): Heritage[] {
    const cell = this.#cell(field);
    if (isMissing(cell)) return [];
    return cell
      .split(/[;|]/)
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => {
        const heritage = read(
          /^\d{4}-\d$/.test(part)
            ? { codes: [{ code: part, system: 'CDCREC' }], text: part }
            : wordsOnly(part),
        );
        if (heritage.cdc === undefined) this.warn('value-unknown', field);
        return heritage;
      });
  }

  organization(
    nameField: Field,
    cliaField: Field | undefined,
    phoneField: Field | undefined,
    address: Address | undefined,
  ): Organization | undefined {
    const name = this.text(nameField);
    const cliaSent = cliaField && this.text(cliaField)?.toUpperCase();
    if (name === undefined && cliaSent === undefined) return undefined;
    const clia = cliaSent !== undefined && cliaValid(cliaSent) ? cliaSent : undefined;
    if (cliaSent !== undefined && clia === undefined) this.warn('clia-invalid', cliaField!);
    return {
      name,
      identifiers: cliaSent === undefined ? [] : [{ value: cliaSent, type: 'CLIA' }],
      clia,
      address,
      phones: phoneField === undefined ? [] : this.phones(phoneField),
    };
  }

  provider(): Provider | undefined {
    const id = this.text('providerId');
    const family = this.text('providerLastName');
    const given = this.text('providerFirstName');
    if (id === undefined && family === undefined && given === undefined) return undefined;
    return {
      identifiers: id === undefined ? [] : [{ value: id }],
      name:
        family === undefined && given === undefined
          ? undefined
          : { family, given, middle: this.text('providerMiddleName') },
      npi: id !== undefined && npiValid(id) ? id : undefined,
    };
  }

  answers(): Answer[] {
    const answers: Answer[] = [];
    for (const [field, question] of questionFields) {
      const said = this.yesNo(field);
      if (said === undefined) continue;
      const word = said === true ? 'Y' : said === false ? 'N' : 'UNK';
      answers.push({
        question,
        code: wordsOnly(question),
        values: [{ kind: 'coded', coded: { codes: [{ code: word, system: 'HL70136' }], text: word } }],
      });
    }
    const onset = this.time('onsetDate');
    if (onset !== undefined)
      answers.push({ question: 'onset', code: wordsOnly('onset'), values: [{ kind: 'time', time: onset }] });
    for (const [field, question] of [
      ['symptoms', 'symptoms'],
      ['residenceType', 'residence-type'],
      ['sexOfPartners', 'sex-of-partners'],
    ] as const) {
      const text = this.text(field);
      if (text !== undefined) answers.push(answer(question, text));
    }
    return answers;
  }
}

const systemFor = (code: string): string | undefined => (/^\d{1,7}-\d$/.test(code) ? 'LN' : undefined);

/** A name in one cell: `Family, Given Middle`, else the last word is the family name. */
function nameFromWhole(whole: string): PersonName {
  const comma = whole.indexOf(',');
  if (comma > 0) {
    const [given, ...middle] = whole
      .slice(comma + 1)
      .trim()
      .split(/\s+/);
    return {
      family: whole.slice(0, comma).trim(),
      given: given || undefined,
      middle: middle.join(' ') || undefined,
    };
  }
  const words = whole.split(/\s+/);
  if (words.length === 1) return { family: words[0] };
  return {
    family: words.at(-1),
    given: words[0],
    middle: words.length > 2 ? words.slice(1, -1).join(' ') : undefined,
  };
}
