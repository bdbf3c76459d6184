import { cliaValid, countyFipsValid, npiValid, zipValid } from '@caseway/contract/codes';
import type {
  CsvCaseField,
  CsvDateOrder,
  CsvMapping,
  CsvOptions,
  CsvResultField,
  CsvTreatmentField,
} from '@caseway/contract/csv-mapping';
import { type ImportFaultCode, importFault } from '@caseway/contract/import-fault';
import { withoutFormless } from '@caseway/contract/name';
import { isEmail, phoneOf, sexWords } from '../../patients/demographics.ts';
import { nameFromWhole, withSuffixApart } from '../../patients/person-name.ts';
import { codedValue, codeOf, numberOf, numericOf, wordsOnly } from '../../reported/coding.ts';
import type {
  Address,
  Age,
  Answer,
  CaseReportRow,
  Code,
  CodedValue,
  Heritage,
  ImportFault,
  ObservationValue,
  Organization,
  PersonName,
  Phone,
  Provider,
  Question,
  Sex,
  Time,
} from '../../reported/report.ts';
import { parseCsvTime } from './csv-dates.ts';
import type { CsvInspection } from './csv-map.ts';
import type { sexFigures } from './csv-profile.ts';
import { normalizedHeader } from './csv-read.ts';
import {
  ageFrom,
  isCaseFrom,
  isMissing,
  isMissingCode,
  isMissingName,
  isMissingOrUnknown,
  isMissingResult,
  wordFrom,
  yesNoFrom,
} from './csv-values.ts';
import { csvLimit } from './field-lengths.ts';
import { type ClockOptions, isPlausibleBirth, latestPast, liesAhead, liesBeforeBirth } from './hl7-time.ts';
import { isPlaceName } from './place-name.ts';

export interface RowReaderOptions extends ClockOptions {
  mapping: CsvMapping;
  options: CsvOptions;
  inspection: Pick<CsvInspection, 'header' | 'profiles'>;
  /** The sender of the file, for rows that name neither a reporting facility nor a laboratory. */
  sender: string;
}

export type Field = CsvResultField | CsvCaseField | CsvTreatmentField;

export interface Source {
  column: number;
  order: CsvDateOrder | undefined;
}

export const answer = (question: Question, text: string): Answer => ({
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

/** Headers for names that begin with the family name: "Apellidos y nombres". */
const familyFirst = /^(?:apellidos?|surname|family name|last name)\b/;

/** Punctuation of other character sets that was cut to one byte in transit. */
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
export class Row {
  readonly line: number;
  readonly faults: ImportFault[] = [];
  readonly #clock: RowReaderOptions;
  readonly #sources: ReadonlyMap<Field, Source>;
  readonly #constants: Partial<Record<Field, string>>;
  readonly #cells: readonly string[];
  readonly #latest = latestPast();
  /** Date fields whose value is not a date. */
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

  /** What a person has to correct before the row can be accepted. */
  waitsFor(): ImportFault | undefined {
    return this.faults.find((fault) => fault.severity === 'waits');
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

  #wait(code: ImportFaultCode, field: Field): void {
    this.faults.push(importFault('waits', code, this.#placeOf(field), this.line));
  }

  /** A fault at the first of these fields that has a column, because one of them must have a value. */
  requireOne(...fields: Field[]): void {
    this.#error('value-required', fields.find((field) => this.#sources.has(field)) ?? fields[0]!);
  }

  /** A cell without outer blanks, control characters, and characters without a glyph. */
  clean(cell: string): string {
    return withoutFormless(cell.replace(controls, (character) => mangled[character] ?? '')).trim();
  }

  /** A field's cell, or its value for the whole file; empty if it has neither. */
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
    const limit = csvLimit(field);
    if (cleaned.length <= limit) return cleaned;
    this.#error('value-too-long', field, { limit: String(limit) });
    return cleaned.slice(0, limit).toWellFormed();
  }

  text(field: Field): string | undefined {
    const cell = this.#cell(field);
    return isMissingOrUnknown(cell) ? undefined : cell;
  }

  #namePart(field: Field): string | undefined {
    const cell = this.#cell(field);
    return isMissingName(cell) ? undefined : cell;
  }

  name(): PersonName | undefined {
    const family = this.#namePart('lastName');
    const given = this.#namePart('firstName');
    const middle = this.#namePart('middleName');
    const second = this.#namePart('secondLastName');
    if (family !== undefined || given !== undefined) {
      if (family === undefined || given === undefined)
        this.warn('name-incomplete', family === undefined ? 'lastName' : 'firstName');
      return withSuffixApart({
        family: family !== undefined && second !== undefined ? `${family} ${second}` : family,
        given,
        middle,
        suffix: this.text('nameSuffix'),
      });
    }
    const whole = this.text('fullName');
    if (whole === undefined) return undefined;
    const header = normalizedHeader(this.#placeOf('fullName'));
    const name = nameFromWhole(whole, familyFirst.test(header) ? 'family-first' : 'given-first');
    return { ...name, middle: middle ?? name.middle, suffix: this.text('nameSuffix') ?? name.suffix };
  }

  sex(figures: ReturnType<typeof sexFigures>, mIsWoman: boolean): { sex?: Sex; raw?: string } {
    const cell = this.#cell('sex');
    if (isMissing(cell)) return {};
    if (mIsWoman && /^[mv]$/i.test(cell)) return { sex: cell.toLowerCase() === 'm' ? 'F' : 'M', raw: cell };
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

  /** The time of a past event; a time in the future waits to be corrected. */
  time(field: Field, birth = false): Time | undefined {
    const time = this.#timeIn(field, birth);
    if (!time) return undefined;
    if (liesAhead(time, this.#latest)) this.#wait('date-in-future', field);
    else if (birth && !isPlausibleBirth(time)) this.warn('date-implausible', field);
    else return time;
    return undefined;
  }

  #timeIn(field: Field, birth: boolean): Time | undefined {
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
    if (read.againstOrder) this.warn('date-against-order', field);
    return read.time;
  }

  /** A row whose dates are all unreadable is refused, because it is unknown when it happened. */
  requireReadable(...fields: [Field, Time | undefined][]): void {
    if (fields.some(([, time]) => time !== undefined)) return;
    for (const [field] of fields) {
      if (!this.#unreadable.has(field)) continue;
      for (const fault of this.faults) {
        if (fault.place === this.#placeOf(field) && fault.code.startsWith('date-')) fault.severity = 'error';
      }
    }
  }

  /** A row without any date is refused: it would be counted in the wrong year. `code`: the fault to use. */
  requireDay(code: ImportFaultCode, ...fields: [Field, Time | undefined][]): void {
    if (fields.some(([, time]) => time?.day !== undefined)) return;
    const places = fields.map(([field]) => this.#placeOf(field));
    // One of them can be corrected.
    if (this.faults.some(({ severity, place }) => severity === 'waits' && places.includes(place))) return;
    this.requireReadable(...fields);
    if (!this.hasError())
      this.#error(code, (fields.find(([field]) => this.#sources.has(field)) ?? fields[0]!)[0]);
  }

  /** Whether the person is a case, if a column says so. A classification also says it. */
  isCase(classification: CaseReportRow['classification']): boolean | undefined {
    if (!this.#sources.has('isCase')) return undefined;
    const cell = this.#cell('isCase');
    const said = isMissing(cell) ? 'unknown' : isCaseFrom(cell);
    if (said === undefined) this.warn('value-unknown', 'isCase');
    if (typeof said !== 'boolean') {
      if (classification === undefined) this.#wait('case-untold', 'isCase');
      return undefined;
    }
    const isClassed = classification !== undefined && classification !== 'unknown';
    if (isClassed && said === (classification === 'not-a-case')) this.#wait('case-contradicted', 'isCase');
    return said;
  }

  /** Nothing can have happened to a person before their birth. */
  notBefore(birth: Time | undefined, ...dates: [Field, Time | undefined][]): void {
    if (birth)
      for (const [field, time] of dates)
        if (time && liesBeforeBirth(time, birth)) this.#wait('date-before-birth', field);
  }

  /** Warns if a date is before the one that should come first. Only whole days are compared. */
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

  /** A code or a word: digits and LOINC forms are codes, anything else is text. */
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

  /** The name of a place, with a warning if it is not a name. */
  placeName(field: Field): string | undefined {
    const name = this.text(field);
    if (name !== undefined && !isPlaceName(name)) this.warn('place-name-odd', field);
    return name;
  }

  organization(
    nameField: Field,
    cliaField: Field | undefined,
    phoneField: Field | undefined,
    address: Address | undefined,
  ): Organization | undefined {
    const name = this.placeName(nameField);
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
    const family = this.#namePart('providerLastName');
    const given = this.#namePart('providerFirstName');
    if (id === undefined && family === undefined && given === undefined) return undefined;
    return {
      identifiers: id === undefined ? [] : [{ value: id }],
      name:
        family === undefined && given === undefined
          ? undefined
          : { family, given, middle: this.#namePart('providerMiddleName') },
      npi: id !== undefined && npiValid(id) ? id : undefined,
    };
  }

  answers(birth: Time | undefined): Answer[] {
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
    const onset = this.#timeIn('onsetDate', false);
    // An impossible answer does not hold up a result.
    if (onset && (liesAhead(onset, this.#latest) || (birth && liesBeforeBirth(onset, birth))))
      this.warn('date-implausible', 'onsetDate');
    else if (onset !== undefined)
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
