import { hash } from 'node:crypto';
import type { ImportFaultCode } from '@caseway/contract/import-fault';
import { ethnicityOf, raceOf } from '../../patients/demographics.ts';
import { wordsOnly } from '../../reported/coding.ts';
import type {
  CaseReportRow,
  ImportFault,
  LabReport,
  RowPerson,
  TreatmentRow,
} from '../../reported/report.ts';
import { statusOf } from '../../results/result-status.ts';
import { drugNamed } from '../../treatments/drug-named.ts';
import { dateOrderIn } from './csv-map.ts';
import { mIsWoman, ninetyNineIsMissing, sexFigures } from './csv-profile.ts';
import { answer, type Field, Row, type RowReaderOptions, type Source } from './csv-row.ts';
import { adequacyWords, classificationWords, outcomeWords } from './csv-values.ts';
import { textLimit } from './field-lengths.ts';

/** The outcome of one row. `faults` has the errors if it is refused, and always the warnings. */
export type ReadRow =
  | { outcome: 'usable'; report: LabReport; faults: ImportFault[] }
  | { outcome: 'usable'; caseRow: CaseReportRow; faults: ImportFault[] }
  | { outcome: 'usable'; treatment: TreatmentRow; faults: ImportFault[] }
  /** A person has to correct something first: the reason is the first such fault. */
  | { outcome: 'waiting'; reason: ImportFaultCode; faults: ImportFault[] }
  | { outcome: 'refused'; faults: ImportFault[] };

/**
 * Reads the rows of one table by its mapping. The table must not be waiting for a decision (`undecided`): an
 * ambiguous date is refused here, never guessed.
 */
export class RowReader {
  readonly #settings: RowReaderOptions;
  readonly #sources = new Map<Field, Source>();
  readonly #constants: Partial<Record<Field, string>>;
  readonly #unmapped: { column: number; name: string }[];
  readonly #ninetyNineMissing: boolean;
  readonly #sexFigures: ReturnType<typeof sexFigures>;
  readonly #mIsWoman: boolean;

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
    this.#mIsWoman = sex !== undefined && mIsWoman(inspection.profiles[sex.column]!);
  }

  /** Reads one row from `readCsv`. */
  read(cells: readonly string[], line: number): ReadRow {
    const row = new Row(this.#settings, this.#sources, this.#constants, cells, line);
    const contentHash = hash('sha256', cells.map((cell) => cell.trim()).join('\u001f'));
    if (this.#settings.mapping.kind === 'results') {
      const report = this.#readResult(row, contentHash);
      return unusable(row) ?? { outcome: 'usable', report, faults: row.faults };
    }
    if (this.#settings.mapping.kind === 'treatments') {
      const treatment = this.#readTreatment(row, contentHash);
      return unusable(row) ?? { outcome: 'usable', treatment, faults: row.faults };
    }
    const caseRow = this.#readCase(row, contentHash, cells);
    return unusable(row) ?? { outcome: 'usable', caseRow, faults: row.faults };
  }

  /** The person that a row of a line list is about. */
  #readPerson(row: Row) {
    const caseId = row.text('caseId');
    const patientId = row.text('patientId');
    const name = row.name();
    if (caseId === undefined && patientId === undefined && name === undefined)
      row.requireOne('caseId', 'patientId', 'fullName', 'lastName');
    const { sex, raw: sexRaw } = row.sex(this.#sexFigures, this.#mIsWoman);
    return { caseId, patientId, name, sex, sexRaw, birth: row.time('birthDate', true) };
  }

  #readCase(row: Row, contentHash: string, cells: readonly string[]): CaseReportRow {
    const person = this.#readPerson(row);
    const { birth } = person;
    const classification = row.word('classification', classificationWords)?.value;
    const isCase = row.isCase(classification);
    const outcome = row.word('outcome', outcomeWords);
    const onset = row.time('onsetDate');
    const specimenCollected = row.time('collectedDate');
    const diagnosed = row.time('diagnosedDate');
    const reported = row.time('reportedDate');
    const hospitalized = row.time('admittedDate');
    const discharged = row.time('dischargedDate');
    const outcomeDate = row.time('outcomeDate');
    row.notBefore(
      birth,
      ['onsetDate', onset],
      ['collectedDate', specimenCollected],
      ['diagnosedDate', diagnosed],
      ['reportedDate', reported],
      ['admittedDate', hospitalized],
      ['dischargedDate', discharged],
      ['outcomeDate', outcomeDate],
    );
    // A well person has no day of onset.
    if (isCase !== false && classification !== 'not-a-case')
      row.requireDay(
        'case-date-missing',
        ['onsetDate', onset],
        ['collectedDate', specimenCollected],
        ['diagnosedDate', diagnosed],
        ['reportedDate', reported],
        ['admittedDate', hospitalized],
      );
    row.inOrder(['onsetDate', onset], ['reportedDate', reported]);
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
      ...person,
      age: row.age(this.#ninetyNineMissing),
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
      classification: isCase === false ? 'not-a-case' : classification,
      classificationRaw: row.text('classification'),
      condition: row.text('condition') ?? this.#settings.options.condition ?? '',
      ...contactsOf(row),
      facility: row.placeName('facility'),
      notes: row.text('notes'),
      pregnant: pregnant === 'unknown' ? undefined : pregnant,
      visitType: row.text('visitType'),
      point: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
      unmapped,
      contentHash,
    };
  }

  #readTreatment(row: Row, contentHash: string): TreatmentRow {
    const person = this.#readPerson(row);
    const { birth } = person;
    const medicine = row.text('drug');
    if (medicine === undefined) row.requireOne('drug');
    const duration = row.text('duration');
    const started = row.time('startedDate');
    const ended = row.time('endedDate');
    row.notBefore(birth, ['startedDate', started], ['endedDate', ended]);
    row.requireDay('treatment-date-missing', ['startedDate', started]);
    row.inOrder(['startedDate', started], ['endedDate', ended]);
    // A duration in its own column is in days, unless it names another unit.
    const length = duration !== undefined && /^\d+$/.test(duration) ? `${duration} days` : duration;
    const drug = [medicine, row.text('dose'), length].filter((part) => part !== undefined).join(' ');
    if (medicine !== undefined && drugNamed(drug) === undefined) row.warn('drug-not-listed', 'drug');
    return {
      line: row.line,
      ...person,
      age: row.age(this.#ninetyNineMissing),
      ...contactsOf(row),
      condition: row.text('condition') ?? this.#settings.options.condition ?? '',
      drug,
      started,
      ended,
      adequacy: row.word('adequacy', adequacyWords)?.value,
      facility: row.placeName('treatedAt'),
      provider: row.text('treatedBy'),
      contentHash,
    };
  }

  #readResult(row: Row, contentHash: string): LabReport {
    const name = row.name();
    const patientId = row.text('patientId');
    if (name === undefined && patientId === undefined) row.requireOne('lastName', 'fullName', 'patientId');
    const { sex, raw: sexRaw } = row.sex(this.#sexFigures, this.#mIsWoman);
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
    row.notBefore(
      birth,
      ['collectedDate', collected],
      ['receivedDate', received],
      ['resultDate', resulted],
      ['reportedDate', released],
    );
    row.inOrder(
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
    const answers = row.answers(birth);
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

/** How to reach the person of a row, and what it says about their origin. */
const contactsOf = (
  row: Row,
): Omit<RowPerson, 'patientId' | 'name' | 'sex' | 'sexRaw' | 'age' | 'birth'> => ({
  address: row.address('street', 'street2', 'city', 'state', 'zip', 'country', 'county'),
  phones: row.phones('phone'),
  emails: row.emails(),
  races: row.heritage('race', raceOf),
  ethnicities: row.heritage('ethnicity', ethnicityOf),
});

/** The outcome of a row that cannot be accepted as it is. */
function unusable(row: Row): ReadRow | undefined {
  const { faults } = row;
  if (row.hasError()) return { outcome: 'refused', faults };
  const waits = row.waitsFor();
  return waits && { outcome: 'waiting', reason: waits.code, faults };
}

const present = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);
