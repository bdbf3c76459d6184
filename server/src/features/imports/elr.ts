import { createHash } from 'node:crypto';
import type { ImportFaultCode } from '@caseway/contract/import-fault';
import { importFault } from '@caseway/contract/import-fault';
import {
  codedValue,
  codeIn,
  codeOf,
  comparatorOf,
  ethnicityOf,
  numberOf,
  numericOf,
  raceOf,
  sexOf,
  wordsOnly,
} from './coding.ts';
import { classify } from './hl7-classify.ts';
import { decodeHl7 } from './hl7-decode.ts';
import type { ParsedMessage, Segment, Separators } from './hl7-message.ts';
import {
  components,
  field,
  first,
  firstOf,
  parseHl7,
  placeOf,
  repetitionLimit,
  repetitions,
  simple,
  textOf,
} from './hl7-message.ts';
import type { ClockOptions } from './hl7-time.ts';
import { isPlausibleBirth, parseHl7Time } from './hl7-time.ts';
import {
  cliaOf,
  readAddress,
  readAddresses,
  readAuthority,
  readCoded,
  readCodedList,
  readEntity,
  readEntityField,
  readIdentifier,
  readIdentifiers,
  readNames,
  readOrganization,
  readProvider,
  readTelecoms,
} from './hl7-types.ts';
import { ageOf, epidemiologicalInformation, questionOf } from './questions.ts';
import type {
  Answer,
  Code,
  CodedValue,
  EntityIdentifier,
  ImportFault,
  LabReport,
  NextOfKin,
  Observation,
  ObservationValue,
  Order,
  Organization,
  PersonName,
  Phone,
  Provider,
  ReportHeader,
  ReportPatient,
  ResultStatus,
  Specimen,
  Time,
  Visit,
} from './report.ts';

/** What became of one message. `faults` holds errors when it is refused, and the warnings in any case. */
export type ReadMessage = {
  /** `ORU^R01`, empty when unknown. */
  type: string;
  controlId?: string;
  /** The sending facility, else the sending application, in words. */
  sender?: string;
  charset: string;
  contentHash: string;
  faults: ImportFault[];
} & (
  | { outcome: 'usable'; report: LabReport }
  | { outcome: 'waiting'; reason: 'case-notification' }
  | { outcome: 'refused' }
);

/**
 * Reads one HL7 v2 message into a laboratory report. Never throws, whatever the bytes. Refused is what is no
 * laboratory report, cannot be traced (no sender, no control id), names no patient or holds no result; every other
 * fault is a warning beside the report. A case notification is not refused: it waits.
 */
export function readHl7Report(raw: Buffer, line: number, clock: ClockOptions): ReadMessage {
  const decoded = decodeHl7(raw, line);
  const parsed = parseHl7(decoded.text, line);
  const reader = new Reader(parsed, clock, [...decoded.faults, ...parsed.faults], line);
  const contentHash = contentHashOf(decoded.text);
  const about = { type: '', controlId: undefined, sender: undefined, charset: decoded.charset, contentHash };
  return reader.read(about);
}

/** SHA-256 of a message with its line ends made equal and empty lines left out, in hex. */
function contentHashOf(text: string): string {
  return createHash('sha256')
    .update(text.replace(/[\r\n]+/g, '\r').trim())
    .digest('hex');
}

type About = Pick<ReadMessage, 'type' | 'controlId' | 'sender' | 'charset' | 'contentHash'>;

/** Header fields a report can do without, but should not (HL7 2.5.1 ELR: required). */
const expectedHeader = [
  [3, 'sending application'],
  [4, 'sending facility'],
  [5, 'receiving application'],
  [6, 'receiving facility'],
  [7, 'date and time of the message'],
] as const;

/** Faults kept of one message. */
const faultLimit = 100;

const knownVersions = /^2\.[1-9](\.\d)?$/;

class Reader {
  readonly #separators: Separators;
  readonly #segments: Segment[];
  readonly #clock: ClockOptions;
  readonly #faults: ImportFault[];
  readonly #line: number;
  readonly #hasOrders: boolean;

  constructor(parsed: ParsedMessage, clock: ClockOptions, faults: ImportFault[], line: number) {
    this.#separators = parsed.separators;
    this.#segments = parsed.segments;
    this.#clock = clock;
    this.#faults = faults;
    this.#line = line;
    this.#hasOrders = parsed.segments.some((segment) => segment.id === 'OBR');
  }

  read(about: About): ReadMessage {
    const header = this.#segments[0];
    if (header === undefined || header.id !== 'MSH' || this.#hasError()) {
      if (!this.#hasError()) this.#error('header-missing', 'MSH', this.#line);
      return { ...about, outcome: 'refused', faults: this.#sorted() };
    }
    const separators = this.#separators;
    const orders = this.#segments.filter((segment) => segment.id === 'OBR');
    const classified = classify(separators, header, orders);
    const sendingApplication = readAuthority(separators, first(separators, header, 3), false);
    const sendingFacility = readAuthority(separators, first(separators, header, 4), false);
    const controlId = simple(separators, header, 10);
    about = {
      ...about,
      type: classified.type,
      controlId,
      sender:
        sendingFacility?.name ?? sendingFacility?.id ?? sendingApplication?.name ?? sendingApplication?.id,
    };
    if (controlId === undefined) this.#missing('MSH-10', 'message control id');
    if (field(header, 9) === '') this.#missing('MSH-9', 'message type');
    else if (classified.type === '') this.#error('message-type-invalid', 'MSH-9', header.line);
    else if (
      classified.kind === 'vaccination' ||
      classified.kind === 'acknowledgement' ||
      classified.kind === 'other'
    ) {
      this.#error('not-elr', 'MSH-9', header.line, { type: classified.type, name: classified.name });
    }
    if (this.#hasError()) return { ...about, outcome: 'refused', faults: this.#sorted() };

    const reportHeader = this.#readHeader(header, classified.structure, controlId!, classified.type);
    if (classified.kind === 'case-notification') {
      return { ...about, outcome: 'waiting', reason: 'case-notification', faults: this.#sorted() };
    }
    if (sendingApplication === undefined && sendingFacility === undefined) {
      this.#error('sender-missing', 'MSH-4', header.line);
    }
    const report = this.#readReport(reportHeader, about.contentHash);
    if (report === undefined || this.#hasError())
      return { ...about, outcome: 'refused', faults: this.#sorted() };
    return { ...about, outcome: 'usable', report, faults: this.#sorted() };
  }

  #hasError(): boolean {
    return this.#faults.some((fault) => fault.severity === 'error');
  }

  /** Errors before warnings, each in the order they were found; of very many, the first and how many more. */
  #sorted(): ImportFault[] {
    const errors = this.#faults.filter((fault) => fault.severity === 'error');
    const sorted =
      errors.length === 0
        ? this.#faults
        : [...errors, ...this.#faults.filter((fault) => fault.severity !== 'error')];
    if (sorted.length <= faultLimit) return sorted;
    const more = String(sorted.length - faultLimit);
    return [
      ...sorted.slice(0, faultLimit),
      importFault('warning', 'more-faults', 'MSH', this.#line, { more }),
    ];
  }

  #error(code: ImportFaultCode, place: string, line: number, params?: Record<string, string>): void {
    this.#faults.push(importFault('error', code, place, line, params));
  }

  #warn(code: ImportFaultCode, place: string, line: number, params?: Record<string, string>): void {
    this.#faults.push(importFault('warning', code, place, line, params));
  }

  #missing(place: string, name: string): void {
    this.#error('field-missing', place, this.#line, { field: place, name });
  }

  #readHeader(header: Segment, structure: string | undefined, controlId: string, type: string): ReportHeader {
    const separators = this.#separators;
    const version = simple(separators, header, 12);
    if (version === undefined) {
      this.#warn('field-missing', 'MSH-12', header.line, { field: 'MSH-12', name: 'version' });
    } else if (!knownVersions.test(version)) {
      this.#warn('version-unexpected', 'MSH-12', header.line);
    }
    const processingId = simple(separators, header, 11)?.toUpperCase();
    if (processingId === undefined) {
      this.#warn('field-missing', 'MSH-11', header.line, { field: 'MSH-11', name: 'processing id' });
    } else if (processingId === 'T' || processingId === 'D') {
      this.#warn('processing-id-test', 'MSH-11', header.line);
    }
    for (const [number, name] of expectedHeader) {
      const isSender = number === 3 || number === 4;
      // Without either the message is refused; that says it.
      if (isSender && field(header, 3) === '' && field(header, 4) === '') continue;
      if (field(header, number) === '') {
        this.#warn('field-missing', `MSH-${number}`, header.line, { field: `MSH-${number}`, name });
      }
    }
    const sendingFacility = readAuthority(separators, first(separators, header, 4), false);
    if (sendingFacility?.idType !== undefined && sendingFacility.id === undefined) {
      this.#warn('field-missing', 'MSH-4.2', header.line, {
        field: 'MSH-4.2',
        name: 'number of the sending facility',
      });
    }
    const profiles: EntityIdentifier[] = [];
    for (const sent of repetitions(separators, header, 21)) {
      const profile = readEntity(separators, sent, false);
      if (profile) profiles.push(profile);
    }
    const software = this.#segments.find((segment) => segment.id === 'SFT');
    return {
      format: 'hl7',
      type,
      structure,
      version,
      controlId,
      sendingApplication: readAuthority(separators, first(separators, header, 3), false),
      sendingFacility,
      sendingClia: cliaOf(sendingFacility),
      receivingApplication: readAuthority(separators, first(separators, header, 5), false),
      receivingFacility: readAuthority(separators, first(separators, header, 6), false),
      processingId: processingId ?? 'P',
      sent: this.#time(header, 7),
      profiles,
      software:
        software === undefined
          ? undefined
          : (simple(separators, software, 3) ?? simple(separators, software, 1)),
    };
  }

  /** A time field, first component of its first repetition; a fault with its place when it is none. */
  #time(segment: Segment, number: number, component = 0): Time | undefined {
    const value = first(this.#separators, segment, number);
    if (value === '') return undefined;
    const text = textOf(
      this.#separators,
      value.includes(this.#separators.component)
        ? value.split(this.#separators.component)[component]
        : component === 0
          ? value
          : undefined,
    );
    return this.#timeOf(segment, component === 0 ? String(number) : `${number}.${component + 1}`, text);
  }

  #timeOf(segment: Segment, place: string, text: string | undefined): Time | undefined {
    if (text === undefined) return undefined;
    const time = parseHl7Time(text, this.#clock);
    if (typeof time === 'object') return time;
    const code =
      time === 'unspecified'
        ? 'date-unspecified'
        : time === 'implausible'
          ? 'date-implausible'
          : 'date-invalid';
    this.#warn(code, placeOf(segment, place), segment.line);
    return undefined;
  }

  #readReport(header: ReportHeader, contentHash: string): LabReport | undefined {
    const pids = this.#segments.filter((segment) => segment.id === 'PID');
    const pid = pids[0];
    if (pid === undefined) {
      this.#error('segment-missing', 'PID', this.#line, { segment: 'PID', name: 'patient' });
    }
    if (pids.length > 1) this.#error('several-patients', placeOf(pids[1]!), pids[1]!.line);
    const patient = pid === undefined ? undefined : this.#readPatient(pid);
    const builder = new ReportBuilder();
    this.#readBody(builder);
    for (const order of builder.orders) this.#finishOrder(order);
    const orders = builder.orders;
    shareSpecimens(orders);
    const results = orders.reduce((sum, order) => sum + order.observations.length, 0);
    if (
      results === 0 &&
      !this.#faults.some((fault) => fault.code === 'observation-code-missing' && fault.severity === 'error')
    ) {
      if (this.#segments.some((segment) => segment.id === 'OBX'))
        this.#error('results-missing', 'OBX', this.#line);
      else this.#error('segment-missing', 'OBX', this.#line, { segment: 'OBX', name: 'observation' });
    }
    if (patient === undefined) return undefined;
    const answers = [...builder.answers, ...orders.flatMap((order) => order.answers)];
    return {
      header,
      patient,
      age: ageOf(answers),
      nextOfKin: builder.nextOfKin,
      visit: builder.visit,
      orders,
      answers: builder.answers,
      notes: builder.notes,
      contentHash,
    };
  }

  #readPatient(pid: Segment): ReportPatient {
    const separators = this.#separators;
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
        if (
          !identifiers.some((known) => known.value === identifier.value && known.type === identifier.type)
        ) {
          identifiers.push(identifier);
        }
      }
    }
    const names = readNames(separators, pid, 5).sort((left, right) => rankOfName(left) - rankOfName(right));
    for (const alias of readNames(separators, pid, 9)) names.push({ ...alias, type: alias.type ?? 'A' });
    if (identifiers.length === 0 && names.length === 0) {
      this.#error('patient-unidentifiable', placeOf(pid, 3), pid.line);
    }
    const legal = names[0];
    if (
      legal !== undefined &&
      legal.type !== 'S' &&
      (legal.family === undefined || legal.given === undefined)
    ) {
      this.#warn('name-incomplete', placeOf(pid, 5), pid.line);
    }
    for (const number of [3, 5, 10, 11, 13]) {
      if (this.#repeatsTooOften(pid, number)) {
        this.#warn('too-many-repetitions', placeOf(pid, number), pid.line, {
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
    const death = this.#time(pid, 29);
    let birth = this.#time(pid, 7);
    if (birth !== undefined && !isPlausibleBirth(birth)) {
      this.#warn('date-implausible', placeOf(pid, 7), pid.line);
      birth = undefined;
    }
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

  #repeatsTooOften(segment: Segment, number: number): boolean {
    const value = field(segment, number);
    if (value.length <= repetitionLimit) return false;
    let count = 0;
    for (const character of value)
      if (character === this.#separators.repetition && ++count >= repetitionLimit) return true;
    return false;
  }

  #readBody(builder: ReportBuilder): void {
    for (const segment of this.#segments) {
      switch (segment.id) {
        case 'NK1':
          this.#readNextOfKin(builder, segment);
          break;
        case 'PV1':
          builder.visit ??= this.#readVisit(segment);
          break;
        case 'ORC':
          builder.control = segment;
          builder.at = 'order-header';
          break;
        case 'OBR':
          builder.start(this.#readOrder(builder, segment));
          break;
        case 'OBX':
          this.#readObservation(builder, segment);
          break;
        case 'SPM':
          this.#readSpecimen(builder, segment);
          break;
        case 'NTE':
          this.#readNote(builder, segment);
          break;
      }
    }
  }

  #readNextOfKin(builder: ReportBuilder, segment: Segment): void {
    const separators = this.#separators;
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

  #readVisit(segment: Segment): Visit {
    const separators = this.#separators;
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
      admitted: this.#time(segment, 44),
      discharged: this.#time(segment, 45),
      attending,
    };
  }

  #readOrder(builder: ReportBuilder, obr: Segment): Order {
    const separators = this.#separators;
    const orc = builder.takeControl();
    const from = orc ?? builder.lastControl;
    const test = readCoded(separators, first(separators, obr, 4));
    this.#checkDigits(test, placeOf(obr, 4), obr.line);
    const providerPhones: Phone[] = [];
    const emails: string[] = [];
    readTelecoms(separators, obr, 17, providerPhones, emails);
    if (from) readTelecoms(separators, from, 14, providerPhones, emails);
    const order: Order = {
      position: obr.occurrence,
      control: orc === undefined ? undefined : simple(separators, orc, 1),
      placer: readEntityField(separators, obr, 2) ?? (orc && readEntityField(separators, orc, 2)),
      filler: readEntityField(separators, obr, 3) ?? (orc && readEntityField(separators, orc, 3)),
      test,
      status: statusOf(simple(separators, obr, 25)),
      collected: this.#time(obr, 7),
      collectedEnd: this.#time(obr, 8),
      received: this.#time(obr, 14),
      reported: this.#time(obr, 22),
      relevantClinicalInfo: textOf(separators, field(obr, 13)),
      reasons: readCodedList(separators, obr, 31),
      provider:
        readProvider(separators, first(separators, obr, 16)) ??
        (from && readProvider(separators, first(separators, from, 12))),
      providerPhones,
      facility: from && this.#readFacility(from, 21, 22, 23),
      providerAddress: from && readAddress(separators, first(separators, from, 24)),
      parent: this.#readParent(obr),
      specimens: [],
      specimensFrom: undefined,
      observations: [],
      answers: [],
      notes: [],
      line: obr.line,
    };
    if (order.placer === undefined && order.filler === undefined) {
      this.#warn('order-number-missing', placeOf(obr, 3), obr.line);
    }
    const source = field(obr, 15);
    if (source !== '') order.specimens.push(...this.#specimenOfOrder(obr, source, order));
    return order;
  }

  /** XON with its address and phones from the fields beside it. */
  #readFacility(segment: Segment, name: number, address: number, phone: number): Organization | undefined {
    const organization = readOrganization(this.#separators, segment, name);
    if (organization === undefined) return undefined;
    organization.address = readAddress(this.#separators, first(this.#separators, segment, address));
    readTelecoms(this.#separators, segment, phone, organization.phones, []);
    return organization;
  }

  #readParent(obr: Segment): Order['parent'] {
    const separators = this.#separators;
    const result = first(separators, obr, 26);
    const order = first(separators, obr, 29);
    if (result === '' && order === '') return undefined;
    const [test, subId, text] = components(separators, result);
    const [placer, filler] = components(separators, order);
    // Before v2.5 the numbers stood in components; a filler without subcomponents is then the second of them.
    return {
      test: readCodedInside(separators, test),
      subId: textOf(separators, subId),
      text: textOf(separators, text),
      placer: readEntity(separators, placer, true),
      filler: readEntity(separators, filler, true),
    };
  }

  /** OBR-15, the specimen of versions before 2.5: code & additives & text & body site … */
  #specimenOfOrder(obr: Segment, sent: string, order: Order): Specimen[] {
    const separators = this.#separators;
    const parts = components(separators, sent);
    const type = readCodedInside(separators, parts[0]) ?? wordsOf(textOf(separators, parts[2]));
    const site = readCodedInside(separators, parts[3]);
    if (type === undefined && site === undefined) return [];
    order.specimensFrom = 'order';
    return [
      {
        placer: undefined,
        filler: undefined,
        type,
        collectionMethod: wordsOf(textOf(separators, parts[5])),
        sourceSite: site,
        collected: order.collected,
        collectedEnd: order.collectedEnd,
        received: this.#time(obr, 14),
        rejectReasons: [],
        role: undefined,
      },
    ];
  }

  #readSpecimen(builder: ReportBuilder, segment: Segment): void {
    const separators = this.#separators;
    const [placer, filler] = components(separators, first(separators, segment, 2));
    const placerId = readEntity(separators, placer, true);
    const specimen: Specimen = {
      placer: placerId,
      filler: readEntity(separators, filler, true),
      type: readCoded(separators, first(separators, segment, 4)),
      collectionMethod: readCoded(separators, first(separators, segment, 7)),
      sourceSite: readCoded(separators, first(separators, segment, 8)),
      collected: this.#time(segment, 17),
      collectedEnd: this.#time(segment, 17, 1),
      received: this.#time(segment, 18),
      rejectReasons: readCodedList(separators, segment, 21),
      role: simple(separators, segment, 11),
    };
    this.#checkDigits(specimen.type, placeOf(segment, 4), segment.line);
    const order = builder.order(segment);
    if (order.specimensFrom === 'order') order.specimens = [];
    order.specimensFrom = 'own';
    order.specimens.push(specimen);
    builder.at = 'specimen';
  }

  #readNote(builder: ReportBuilder, segment: Segment): void {
    const texts: string[] = [];
    for (const sent of repetitions(this.#separators, segment, 3)) {
      const text = textOf(this.#separators, sent);
      if (text !== undefined) texts.push(text);
    }
    if (texts.length > 0) builder.notesHere().push(texts.join('\n'));
  }

  #readObservation(builder: ReportBuilder, obx: Segment): void {
    const separators = this.#separators;
    const test = readCoded(separators, first(separators, obx, 3));
    if (test === undefined) {
      this.#warn('observation-code-missing', placeOf(obx, 3), obx.line);
      builder.at = 'skipped';
      return;
    }
    this.#checkDigits(test, placeOf(obx, 3), obx.line);
    const question = questionOf(test);
    const purpose = simple(separators, obx, 29)?.toUpperCase();
    // OBX before any order: the sender speaks of the patient, unless there is no order at all.
    const beforeOrders = builder.orders.length === 0 && this.#hasOrders;
    const order = beforeOrders
      ? undefined
      : builder.order(obx, () => this.#warn('order-missing', placeOf(obx), obx.line));
    const isAnswer =
      order === undefined ||
      question !== undefined ||
      purpose === 'QST' ||
      purpose === 'SCI' ||
      (order.test !== undefined && codeIn(order.test, 'LN') === epidemiologicalInformation) ||
      (builder.at === 'specimen' && order.observations.length > 0);
    const statusSent = simple(separators, obx, 11);
    const valueType = simple(separators, obx, 2)?.toUpperCase();
    const values = this.#readValues(obx, valueType);
    if (isAnswer) {
      const answer: Answer = {
        question,
        code: test,
        values,
        units: readUnits(separators, obx),
        status: statusOf(statusSent),
        line: obx.line,
      };
      (order?.answers ?? builder.answers).push(answer);
      if (builder.at !== 'specimen') builder.at = 'answer';
      return;
    }
    const status = this.#readStatus(obx, statusSent, order);
    const observation: Observation = {
      position: obx.occurrence,
      setId: simple(separators, obx, 1),
      test,
      subId: textOf(separators, field(obx, 4)),
      valueType,
      values,
      units: readUnits(separators, obx),
      referenceRange: textOf(separators, field(obx, 7)),
      flags: readFlags(separators, obx),
      status,
      observed: this.#time(obx, 14),
      analysed: this.#time(obx, 19),
      methods: readCodedList(separators, obx, 17),
      device: this.#readDevice(obx),
      performer: this.#readPerformer(obx),
      notes: [],
      line: obx.line,
      source: 'observation',
    };
    if (values.length === 0 && (status === 'F' || status === 'C') && observation.flags.length === 0) {
      this.#warn('value-missing', placeOf(obx, 5), obx.line);
    }
    if (this.#addObservation(builder, order, observation, obx)) builder.observed(observation);
    else builder.at = 'skipped';
  }

  /** Adds an observation unless the order already holds it word for word. */
  #addObservation(builder: ReportBuilder, order: Order, observation: Observation, obx: Segment): boolean {
    const known = builder.sameObservation(observation);
    const said = JSON.stringify([observation.values, observation.status]);
    if (known.includes(said)) {
      this.#warn('observation-repeated', placeOf(obx), obx.line);
      return false;
    }
    if (known.length > 0) this.#warn('observation-contradicted', placeOf(obx), obx.line);
    known.push(said);
    order.observations.push(observation);
    return true;
  }

  #readStatus(obx: Segment, sent: string | undefined, order: Order): ResultStatus {
    const status = statusOf(sent);
    if (status !== undefined) return status;
    const taken = order.status ?? 'F';
    this.#warn(
      sent === undefined ? 'result-status-missing' : 'result-status-unknown',
      placeOf(obx, 11),
      obx.line,
      { taken },
    );
    return taken;
  }

  #readDevice(obx: Segment): Observation['device'] {
    const sent = first(this.#separators, obx, 18);
    if (sent === '') return undefined;
    const [id, namespace] = components(this.#separators, sent);
    const value = textOf(this.#separators, id);
    const name = textOf(this.#separators, namespace);
    return value === undefined && name === undefined ? undefined : { id: value, name };
  }

  #readPerformer(obx: Segment): Organization | undefined {
    const separators = this.#separators;
    let performer = this.#readFacility(obx, 23, 24, 0);
    const producer = first(separators, obx, 15);
    if (producer !== '') {
      // OBX-15 names the laboratory by its CLIA number before v2.5.1, and often beside OBX-23.
      const [id, name] = components(separators, producer).map((part) => textOf(separators, part));
      const clia = cliaOf({ id });
      if (performer === undefined && (id !== undefined || name !== undefined)) {
        performer = {
          name: name ?? id,
          identifiers: id === undefined ? [] : [{ value: id, type: undefined, assigner: undefined }],
          clia,
          npi: undefined,
          address: undefined,
          phones: [],
          director: undefined,
        };
      } else if (performer !== undefined && clia !== undefined) performer.clia ??= clia;
    }
    if (performer !== undefined) performer.director = readProvider(separators, first(separators, obx, 25));
    return performer;
  }

  #checkDigits(value: CodedValue | undefined, place: string, line: number): void {
    if (value === undefined) return;
    for (const [index, code] of value.codes.entries()) {
      if (code.checkDigitWrong) {
        const system = code.system === 'LN' ? 'LOINC' : 'SNOMED CT';
        this.#warn('check-digit-wrong', `${place}.${index * 3 + 1}`, line, { system });
      }
    }
  }

  #readValues(obx: Segment, valueType: string | undefined): ObservationValue[] {
    const separators = this.#separators;
    const whole = field(obx, 5);
    if (whole === '') return [];
    const isText = valueType === 'ST' || valueType === 'TX' || valueType === 'FT';
    // In text, a separator is more often unescaped punctuation than a repetition; only TX and FT repeat, as lines.
    if (valueType === 'ST') return textValues(textOf(separators, whole));
    const sent = repetitions(separators, obx, 5);
    if (isText) {
      const lines = sent
        .map((part) => textOf(separators, part) ?? '')
        .join('\n')
        .trim();
      return textValues(lines === '' ? undefined : lines);
    }
    if (this.#repeatsTooOften(obx, 5)) {
      this.#warn('too-many-repetitions', placeOf(obx, 5), obx.line, { limit: String(repetitionLimit) });
    }
    const values: ObservationValue[] = [];
    for (const part of sent) {
      const value = this.#readValue(obx, valueType, part);
      if (value !== undefined) values.push(value);
    }
    return values;
  }

  #readValue(obx: Segment, valueType: string | undefined, sent: string): ObservationValue | undefined {
    const separators = this.#separators;
    switch (valueType) {
      case 'CE':
      case 'CWE':
      case 'CNE':
      case 'CF':
      case 'IS':
      case 'ID': {
        const coded = readCoded(separators, sent);
        if (coded === undefined) return undefined;
        this.#checkDigits(coded, placeOf(obx, 5), obx.line);
        if (isMisplacedText(coded, valueType)) this.#warn('value-not-of-type', placeOf(obx, 5), obx.line);
        return { kind: 'coded', coded };
      }
      case 'NM': {
        const text = textOf(separators, sent);
        if (text === undefined) return undefined;
        const numeric = numericOf(text);
        if (numeric === undefined) {
          this.#warn('value-not-of-type', placeOf(obx, 5), obx.line);
          return { kind: 'text', text, numeric: undefined };
        }
        return { kind: 'numeric', numeric, text };
      }
      case 'SN':
        return this.#readStructured(obx, sent);
      case 'DT':
      case 'TS':
      case 'DTM': {
        const text = textOf(separators, sent.split(separators.component, 1)[0]);
        if (text === undefined) return undefined;
        const time = this.#timeOf(obx, '5', text);
        return time === undefined ? { kind: 'text', text, numeric: undefined } : { kind: 'time', time };
      }
      case 'ED': {
        const [, media, subtype, encoding, data] = components(separators, sent);
        const type = [textOf(separators, media), textOf(separators, subtype)].filter(
          (part) => part !== undefined,
        );
        return {
          kind: 'document',
          mediaType: type.length === 0 ? undefined : type.join('/'),
          encoding: textOf(separators, encoding),
          characters: data?.length ?? 0,
          pointer: undefined,
        };
      }
      case 'RP': {
        const [pointer, , media, subtype] = components(separators, sent);
        const type = [textOf(separators, media), textOf(separators, subtype)].filter(
          (part) => part !== undefined,
        );
        return {
          kind: 'document',
          mediaType: type.length === 0 ? undefined : type.join('/'),
          encoding: undefined,
          characters: 0,
          pointer: textOf(separators, pointer),
        };
      }
      case undefined: {
        // No type: a triplet with a known system is a code, anything else text.
        this.#warn('value-type-unknown', placeOf(obx, 2), obx.line);
        const coded = sent.includes(separators.component) ? readCoded(separators, sent) : undefined;
        if (coded?.codes.some((code) => code.system !== undefined)) return { kind: 'coded', coded };
        return textValues(textOf(separators, sent))[0];
      }
      default: {
        if (!otherTypes.has(valueType)) this.#warn('value-type-unknown', placeOf(obx, 2), obx.line);
        const text = components(separators, sent)
          .map((part) => firstOf(separators, part))
          .filter((part) => part !== undefined)
          .join(' ');
        return text === '' ? undefined : { kind: 'text', text, numeric: undefined };
      }
    }
  }

  /** SN: comparator, number, separator, number. */
  #readStructured(obx: Segment, sent: string): ObservationValue | undefined {
    const separators = this.#separators;
    const parts = components(separators, sent).map((part) => textOf(separators, part));
    const text = parts.filter((part) => part !== undefined).join('');
    if (text === '') return undefined;
    if (parts.length === 1) {
      const numeric = numericOf(text);
      if (numeric !== undefined) return { kind: 'numeric', numeric, text };
    }
    const [comparatorSent, firstSent, separator, secondSent] = parts;
    const comparator = comparatorSent === undefined ? undefined : comparatorOf(comparatorSent);
    const number = firstSent === undefined ? undefined : numberOf(firstSent);
    const second = secondSent === undefined ? undefined : numberOf(secondSent);
    if (
      number === undefined ||
      (comparatorSent !== undefined && comparator === undefined) ||
      (secondSent !== undefined && second === undefined)
    ) {
      this.#warn('value-not-of-type', placeOf(obx, 5), obx.line);
      return { kind: 'text', text, numeric: undefined };
    }
    return { kind: 'numeric', numeric: { comparator, number, separator, second }, text };
  }

  /**
   * An order that was cancelled, or whose results are pending, says so without an OBX: it becomes an observation of
   * the ordered test without a value, so that the order is not lost and a later result replaces it.
   */
  #finishOrder(order: Order): void {
    if (order.observations.length > 0 || order.answers.length > 0 || order.test === undefined) return;
    if (order.status === undefined || !withoutValue.has(order.status)) return;
    order.observations.push({
      position: 0,
      setId: undefined,
      test: order.test,
      subId: undefined,
      valueType: undefined,
      values: [],
      units: undefined,
      referenceRange: undefined,
      flags: [],
      status: order.status,
      observed: order.collected,
      analysed: undefined,
      methods: [],
      device: undefined,
      performer: undefined,
      notes: [],
      line: order.line,
      source: 'order',
    });
  }
}

/** HL7 table 0123: statuses under which no value is expected. */
const withoutValue: ReadonlySet<ResultStatus> = new Set<ResultStatus>(['X', 'I', 'O', 'S']);

/** Value types that are read as their words; the rest of table 0125 is read above. */
const otherTypes = new Set([
  'TM',
  'TN',
  'EI',
  'CX',
  'CK',
  'CN',
  'XPN',
  'PN',
  'XAD',
  'AD',
  'XCN',
  'XON',
  'XTN',
  'CP',
  'MO',
  'NA',
  'MA',
  'DR',
  'SI',
  'PPN',
  'JCC',
  'CQ',
  'VR',
  'AUI',
  'OG',
]);

const nameRanks = ['L', 'D', 'C', 'B', 'M', 'N', undefined, 'A', 'S', 'P', 'U'];
const rankOfName = (name: PersonName): number => {
  const rank = nameRanks.indexOf(name.type);
  return rank === -1 ? nameRanks.length : rank;
};

const statuses: Record<string, ResultStatus> = {
  FINAL: 'F',
  PRELIMINARY: 'P',
  PRELIM: 'P',
  CORRECTED: 'C',
  CORRECTION: 'C',
  CANCELLED: 'X',
  CANCELED: 'X',
  WRONG: 'W',
  DELETED: 'D',
  PARTIAL: 'S',
  PENDING: 'I',
};

/** HL7 tables 0085 and 0123; words are sent as well. Undefined when it is neither. */
export function statusOf(sent: string | undefined): ResultStatus | undefined {
  if (sent === undefined) return undefined;
  const upper = sent.toUpperCase();
  return /^[ABCDFINOPRSUVWX]$/.test(upper) ? (upper as ResultStatus) : statuses[upper];
}

const wordsOf = (text: string | undefined): CodedValue | undefined =>
  text === undefined ? undefined : wordsOnly(text);

const textValues = (text: string | undefined): ObservationValue[] =>
  text === undefined ? [] : [{ kind: 'text', text, numeric: numericOf(text) }];

/** A coded component whose triplets stand in subcomponents. */
function readCodedInside(separators: Separators, sent: string | undefined): CodedValue | undefined {
  if (sent === undefined || sent === '' || sent === '""') return undefined;
  const parts = sent.split(separators.subcomponent).map((part) => textOf(separators, part));
  return codedValue(
    [codeOf(parts[0], parts[1], parts[2], parts[6]), codeOf(parts[3], parts[4], parts[5], parts[7])],
    parts[8],
  );
}

function readUnits(separators: Separators, obx: Segment): Code | undefined {
  const units = readCoded(separators, first(separators, obx, 6));
  return units?.codes[0] ?? (units === undefined ? undefined : { text: units.text });
}

function readFlags(separators: Separators, obx: Segment): Code[] {
  const flags: Code[] = [];
  for (const flag of readCodedList(separators, obx, 8)) if (flag.codes[0]) flags.push(flag.codes[0]);
  return flags;
}

/** Words in the place of a code: blanks, no digit, no words beside it. */
const isMisplacedText = (coded: CodedValue, valueType: string): boolean => {
  if (valueType === 'IS' || valueType === 'ID') return false;
  const [code] = coded.codes;
  return (
    code?.code !== undefined &&
    code.text === undefined &&
    coded.codes.length === 1 &&
    /[a-z]\s+[a-z]/i.test(code.code)
  );
};

/** Gives orders without a specimen their parent's, or the only specimen of the message. */
function shareSpecimens(orders: Order[]): void {
  const all = orders.flatMap((order) => (order.specimensFrom === 'own' ? order.specimens : []));
  const distinct = new Set(
    all.map((specimen) => JSON.stringify([specimen.filler, specimen.placer, specimen.type])),
  );
  for (const order of orders) {
    if (order.specimens.length > 0) continue;
    const filler = order.parent?.filler?.value;
    const placer = order.parent?.placer?.value;
    const parent = orders.find(
      (other) =>
        other !== order &&
        other.specimens.length > 0 &&
        ((filler !== undefined && other.filler?.value === filler) ||
          (placer !== undefined && other.placer?.value === placer)),
    );
    if (parent) {
      order.specimens = parent.specimens;
      order.specimensFrom = 'parent';
    } else if (distinct.size === 1 && all[0] !== undefined) {
      order.specimens = [all[0]];
      order.specimensFrom = 'only';
    }
  }
}

/** Where in the message reading stands: what a note or an observation belongs to. */
class ReportBuilder {
  readonly orders: Order[] = [];
  readonly nextOfKin: NextOfKin[] = [];
  readonly answers: Answer[] = [];
  readonly notes: string[] = [];
  visit: Visit | undefined;
  control: Segment | undefined;
  lastControl: Segment | undefined;
  at: 'patient' | 'order-header' | 'order' | 'observation' | 'answer' | 'skipped' | 'specimen' = 'patient';
  #observation: Observation | undefined;
  readonly #seen = new Map<string, string[]>();

  /** The ORC that stands before this OBR, once. */
  takeControl(): Segment | undefined {
    const control = this.control;
    this.control = undefined;
    if (control) this.lastControl = control;
    return control;
  }

  start(order: Order): void {
    this.orders.push(order);
    this.#seen.clear();
    this.at = 'order';
  }

  /** What the observations of the order in work with the same test and sub-id have said. */
  sameObservation({ test, subId }: Observation): string[] {
    const key = JSON.stringify([test.codes[0]?.code ?? test.text, test.codes[0]?.system, subId]);
    const known = this.#seen.get(key) ?? [];
    this.#seen.set(key, known);
    return known;
  }

  /** The order in work; without any, one that only holds what was sent without. */
  order(segment: Segment, onMissing?: () => void): Order {
    const order = this.orders.at(-1);
    if (order) return order;
    onMissing?.();
    const made: Order = {
      position: 0,
      specimens: [],
      reasons: [],
      providerPhones: [],
      observations: [],
      answers: [],
      notes: [],
      line: segment.line,
    };
    this.orders.push(made);
    return made;
  }

  observed(observation: Observation): void {
    this.#observation = observation;
    this.at = 'observation';
  }

  /** Where a note that stands here belongs. */
  notesHere(): string[] {
    if (this.at === 'patient') return this.notes;
    if (this.at === 'observation' && this.#observation) return this.#observation.notes;
    return this.orders.at(-1)?.notes ?? this.notes;
  }
}
