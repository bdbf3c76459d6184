import type { ImportFault } from '@caseway/contract/import-fault';

/**
 * The normalised model between reading and storing: every format (HL7 v2, delimited text) is converted to these
 * shapes. Plain data that survives JSON; an absent property means that the sender did not say it. Texts are as sent,
 * unescaped and without outer blanks; nothing is looked up in a catalog here.
 */

export type { ImportFault };

/**
 * A date or time as sent: HL7 DTM, an ISO 8601 text or a CSV date. `instant` is present from a precision of one hour
 * on. A time without an offset was read in the sender's zone.
 */
export interface Time {
  raw: string;
  /** The calendar value as precise as it was given, in the sender's own clock: `2023`, `2023-11`, `2023-11-02`. */
  value: string;
  precision: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction';
  /** The calendar day, `YYYY-MM-DD`, in the tenant's time zone; absent if only year or month are known. */
  day?: string;
  /** The instant in UTC, ISO 8601 with milliseconds. */
  instant?: string;
  hadOffset: boolean;
}

/** One code with its system. `system` is the HL7 table 0396 mnemonic (LN, SCT, L, UCUM, CDCREC …) if known. */
export interface Code {
  code?: string;
  text?: string;
  system?: string;
  version?: string;
  /** The system that the code's form and check digit suggest, if the sender named no system or an unknown one. */
  inferred?: 'LN' | 'SCT';
  /** The system is LOINC or SNOMED CT, and the code's check digit is wrong. */
  checkDigitWrong?: true;
}

/** A coded value with its alternates, in the sender's order. It has at least one code or the text. */
export interface CodedValue {
  codes: Code[];
  /** What the sender's user saw (CWE.9). */
  originalText?: string;
  /** The best words to show: original text, or else the first text, or else the first code. */
  text: string;
}

/** Who assigned an identifier, or which system or facility sent it (HL7 HD). */
export interface Authority {
  name?: string;
  id?: string;
  idType?: string;
}

export interface Identifier {
  value: string;
  /** HL7 table 0203: MR, SS, PI, AN, DL, NPI … */
  type?: string;
  assigner?: Authority;
}

/** An order, specimen or message-profile number with its assigner (HL7 EI). */
export interface EntityIdentifier {
  value: string;
  assigner?: Authority;
}

export interface PersonName {
  family?: string;
  given?: string;
  middle?: string;
  suffix?: string;
  prefix?: string;
  degree?: string;
  /** HL7 table 0200: L legal, A alias, M maiden, B birth, S pseudonym, U unspecified … */
  type?: string;
}

export interface Address {
  street?: string;
  street2?: string;
  city?: string;
  /** As sent: a USPS code, a FIPS number or a name. */
  state?: string;
  zip?: string;
  country?: string;
  /** HL7 table 0190: H home, M mailing, C current, B business, BA bad … */
  type?: string;
  /** As sent. */
  county?: string;
  /** Five digits, if the sender gave the county in that form. */
  countyFips?: string;
}

export interface Phone {
  raw: string;
  /** `+` and digits, only if certain: an explicit country code, or a complete North American number. */
  e164?: string;
  extension?: string;
  /** HL7 table 0201: PRN primary home, WPN work, ORN other, EMR emergency … */
  use?: string;
  /** HL7 table 0202: PH, CP, FX, Internet … */
  equipment?: string;
}

export interface Provider {
  identifiers: Identifier[];
  name?: PersonName;
  npi?: string;
}

export interface Organization {
  name?: string;
  identifiers: Identifier[];
  clia?: string;
  npi?: string;
  address?: Address;
  phones: Phone[];
  director?: Provider;
}

export type Sex = 'M' | 'F' | 'O' | 'U';

/** One answer about race or ethnicity: what was sent, and the CDC code (1002-5 … 2186-5, UNK, ASKU) if it is clear. */
export interface Heritage {
  raw: CodedValue;
  cdc?: string;
}

export interface ReportPatient {
  identifiers: Identifier[];
  /** Legal name first if the sender marked one. A name without any part is left out. */
  names: PersonName[];
  mothersMaidenNames: PersonName[];
  birth?: Time;
  sex?: Sex;
  sexRaw?: string;
  races: Heritage[];
  ethnicities: Heritage[];
  addresses: Address[];
  phones: Phone[];
  emails: string[];
  language?: CodedValue;
  deceased?: boolean;
  death?: Time;
  /** Set if the subject is an animal: the species as sent (PID-35). */
  species?: CodedValue;
}

export interface NextOfKin {
  names: PersonName[];
  relationship?: CodedValue;
  addresses: Address[];
  phones: Phone[];
  emails: string[];
}

export interface Visit {
  /** HL7 table 0004: I inpatient, O outpatient, E emergency … */
  patientClass?: string;
  number?: Identifier;
  location?: string;
  admitted?: Time;
  discharged?: Time;
  attending: Provider[];
}

/** An age as stated by the sender, in UCUM units. */
export interface Age {
  value: number;
  unit: 'a' | 'mo' | 'wk' | 'd' | 'h' | 'min';
}

export interface NumericValue {
  comparator?: '<' | '<=' | '>' | '>=' | '=' | '<>';
  number: number;
  /** `-` a range, `/` or `:` a ratio or titre, `+` a category such as 2+, `.` a decimal part. */
  separator?: string;
  second?: number;
}

export type ObservationValue =
  | { kind: 'coded'; coded: CodedValue }
  | { kind: 'numeric'; numeric: NumericValue; text: string }
  /** `numeric` is present if the whole text is a number, a bounded number or a titre. */
  | { kind: 'text'; text: string; numeric?: NumericValue }
  | { kind: 'time'; time: Time }
  /** A document or a pointer. The data itself is only in the received message. */
  | { kind: 'document'; mediaType?: string; encoding?: string; characters: number; pointer?: string };

/** HL7 table 0085, first letter. */
export type ResultStatus =
  | 'A'
  | 'B'
  | 'C'
  | 'D'
  | 'F'
  | 'I'
  | 'N'
  | 'O'
  | 'P'
  | 'R'
  | 'S'
  | 'U'
  | 'V'
  | 'W'
  | 'X';

export interface Observation {
  /** The n-th OBX of the message (from 1), or the column group of a row. */
  position: number;
  setId?: string;
  /** The test: at least one code or a text. */
  test: CodedValue;
  subId?: string;
  valueType?: string;
  values: ObservationValue[];
  units?: Code;
  referenceRange?: string;
  /** HL7 table 0078: H, L, A, N, R, S, I … */
  flags: Code[];
  status: ResultStatus;
  /** Clinically relevant time: when the specimen was taken. */
  observed?: Time;
  analysed?: Time;
  methods: CodedValue[];
  device?: { id?: string; name?: string };
  performer?: Organization;
  notes: string[];
  line?: number;
  /** Its source: an OBX, an order without OBX (cancelled or pending), a row. */
  source: 'observation' | 'order' | 'row';
}

/** An answer to a question about the patient (ask at order entry), never a result. */
export interface Answer {
  /** The question's meaning, if it is one of those listed in `questions`. */
  question?: Question;
  code: CodedValue;
  values: ObservationValue[];
  units?: Code;
  status?: ResultStatus;
  line?: number;
}

export type Question =
  | 'age'
  | 'symptomatic'
  | 'onset'
  | 'symptoms'
  | 'pregnant'
  | 'hospitalized'
  | 'intensive-care'
  | 'congregate-setting'
  | 'residence-type'
  | 'healthcare-worker'
  | 'first-test'
  | 'occupation'
  | 'gender-identity'
  | 'sexual-orientation'
  | 'sex-of-partners'
  | 'syphilis-history'
  | 'died';

export interface Specimen {
  placer?: EntityIdentifier;
  filler?: EntityIdentifier;
  type?: CodedValue;
  collectionMethod?: CodedValue;
  sourceSite?: CodedValue;
  collected?: Time;
  collectedEnd?: Time;
  received?: Time;
  rejectReasons: CodedValue[];
  /** HL7 table 0369: P patient, Q quality control, L pool … */
  role?: string;
}

export interface Order {
  /** The n-th OBR of the message, from 1. */
  position: number;
  control?: string;
  placer?: EntityIdentifier;
  filler?: EntityIdentifier;
  test?: CodedValue;
  status?: ResultStatus;
  collected?: Time;
  collectedEnd?: Time;
  received?: Time;
  reported?: Time;
  relevantClinicalInfo?: string;
  reasons: CodedValue[];
  provider?: Provider;
  providerPhones: Phone[];
  facility?: Organization;
  providerAddress?: Address;
  /** The result that this order follows from: reflex tests, susceptibilities. */
  parent?: {
    test?: CodedValue;
    subId?: string;
    text?: string;
    placer?: EntityIdentifier;
    filler?: EntityIdentifier;
  };
  /** Its own, or else its parent's, or else the only one of the message. */
  specimens: Specimen[];
  specimensFrom?: 'own' | 'parent' | 'only' | 'order';
  observations: Observation[];
  answers: Answer[];
  notes: string[];
  line?: number;
}

export interface ReportHeader {
  format: 'hl7' | 'csv';
  /** `ORU^R01`; `row` for delimited text. */
  type: string;
  structure?: string;
  version?: string;
  controlId: string;
  sendingApplication?: Authority;
  sendingFacility?: Authority;
  /** The CLIA number of the sending facility, if it names itself by one. */
  sendingClia?: string;
  receivingApplication?: Authority;
  receivingFacility?: Authority;
  /** P production, T training, D debugging; `P` by default. */
  processingId: string;
  sent?: Time;
  profiles: EntityIdentifier[];
  software?: string;
}

/** One laboratory report about one patient: the unit that is stored, matched and counted. */
export interface LabReport {
  header: ReportHeader;
  patient: ReportPatient;
  /** As stated in an answer; never computed here. */
  age?: Age;
  nextOfKin: NextOfKin[];
  visit?: Visit;
  orders: Order[];
  /** Answers that belong to no order. */
  answers: Answer[];
  notes: string[];
  /** SHA-256 (hex) of the message with uniform line ends: the same content has the same hash. */
  contentHash: string;
}

/** What a row of a list says about its person. */
export interface RowPerson {
  patientId?: string;
  name?: PersonName;
  sex?: Sex;
  sexRaw?: string;
  age?: Age;
  birth?: Time;
  address?: Address;
  phones: Phone[];
  emails: string[];
  races: Heritage[];
  ethnicities: Heritage[];
}

/** One row of a case line list. */
export interface CaseReportRow extends RowPerson {
  /** The line of the file that the row begins on. */
  line: number;
  caseId?: string;
  /** Event dates by meaning. */
  onset?: Time;
  specimenCollected?: Time;
  diagnosed?: Time;
  reported?: Time;
  hospitalized?: Time;
  wasHospitalized?: boolean;
  discharged?: Time;
  outcomeDate?: Time;
  outcome?: 'recovered' | 'died' | 'ill' | 'unknown';
  outcomeRaw?: string;
  classification?: 'suspect' | 'probable' | 'confirmed' | 'not-a-case' | 'unknown';
  classificationRaw?: string;
  /** The condition as text, from its column or from the person who started the import. */
  condition: string;
  facility?: string;
  notes?: string;
  pregnant?: boolean;
  /** As sent. */
  visitType?: string;
  /** Latitude and longitude in degrees, WGS 84. */
  point?: { latitude: number; longitude: number };
  /** Every unmapped column, as text: nothing of a row is lost. */
  unmapped: Record<string, string>;
  contentHash: string;
}

/** One row of a list of treatments. */
export interface TreatmentRow extends RowPerson {
  line: number;
  /** The number of its case: from another list, or from Caseway. */
  caseId?: string;
  /** The condition as text; empty if only the number identifies the case. */
  condition: string;
  /** The medicine with its dose and length, as sent. */
  drug: string;
  started?: Time;
  ended?: Time;
  adequacy?: 'adequate' | 'inadequate' | 'presumptive';
  facility?: string;
  provider?: string;
  contentHash: string;
}
