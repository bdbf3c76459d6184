import { type ImportFault, importFault } from '@caseway/contract/import-fault';
import { routineTarget } from '@caseway/contract/imports';
import { findingOf } from '../case-rules/findings.ts';
import { filedUnder } from '../case-rules/rules.ts';
import {
  type ResultReading,
  resultStatusOf,
  routineKindOf,
  testAmong,
  testByLoinc,
} from '../reference/catalog.ts';
import type { LaboratoryTest, ResultCategory } from '../reference/schema.ts';
import type {
  CodedValue,
  LabReport,
  Observation,
  Order,
  Organization,
  ResultStatus,
  Specimen,
  Time,
} from '../reported/report.ts';
import {
  type Doubt,
  familyOf,
  type MappedCodes,
  mappingKey,
  saidBy,
  senderCode,
  type UnknownCode,
} from './code-asked.ts';
import { familiesInText, restrictedFamilyIn, untold } from './families-in-text.ts';
import { testNamed } from './laboratory-tests.ts';
import { preliminary, readValue, systemOf, valueWords } from './read-value.ts';
import { type ResultKey, shortHash } from './result-key.ts';
import { statusEffect } from './result-status.ts';

/**
 * HL7 table 0369: blind, calibrator, quality control, proficiency, verifying calibrator. Such a sample belongs to no
 * patient.
 */
export const controlSpecimen = /^[BCEFOQV]$/;

/** One observation in its stored form. Null if the sender did not say. Days are those of the tenant's time zone. */
export interface ObservedResult {
  key: ResultKey;
  contentHash: string;
  order: Order;
  specimen: Specimen | undefined;
  performer: Organization | undefined;
  testLoinc: string | null;
  testLocalCode: string | null;
  testName: string;
  method: string | null;
  assay: string | null;
  conditionCode: string | null;
  diseaseFamily: string | null;
  category: ResultCategory;
  /** Code of the reference list of result statuses. */
  status: string;
  hl7Status: ResultStatus;
  valueCode: string | null;
  valueSystem: string | null;
  valueText: string | null;
  valueNumber: number | null;
  valueComparator: string | null;
  units: string | null;
  referenceRange: string | null;
  abnormalFlag: string | null;
  accession: string | null;
  specimenSite: string | null;
  /** Who ordered the test, as name and title: `Dr. Ana M Ruiz`. */
  providerName: string | null;
  providerNpi: string | null;
  /** With country code if it is certain, otherwise as sent. */
  providerPhone: string | null;
  /** Notes of the message, the order and the observation, one line each. */
  notes: string | null;
  collectedAt: string | null;
  receivedAt: string | null;
  resultedAt: string | null;
  reportedAt: string | null;
  collectedOn: string | null;
  receivedOn: string | null;
  resultedOn: string | null;
  reportedOn: string | null;
  /** Code or words of the specimen's type. */
  specimenType: string | null;
  /** About an animal: it decides no person's case. */
  isOfAnimal: boolean;
}

export interface Interpretation {
  results: ObservedResult[];
  unknown: UnknownCode[];
  /** Results that a person has to check: the fault of each, and its place. */
  doubts: ImportFault[];
  /** Disease families of everything in the report; includes `untold` if part of it has no known family. */
  families: string[];
}

const textLimit = 10_000;
const loincsOf = (value: CodedValue): string[] =>
  value.codes
    .filter(
      (code) =>
        code.code !== undefined && !code.checkDigitWrong && (code.system === 'LN' || code.inferred === 'LN'),
    )
    .map((code) => code.code!);

type TestReading =
  /** `loinc` is null for a routine test without a LOINC code from its sender. */
  { loinc: string | null; test: LaboratoryTest } | { ignored: true } | { unknown: UnknownCode } | Doubt;

/** A test of everyday laboratory work, by the name from its sender. */
const routineOf = (loinc: string | null, { text }: CodedValue): TestReading => ({
  loinc,
  test: {
    loinc: loinc ?? '',
    component: text,
    method: loinc !== null && routineKindOf(loinc) === 'susceptibility' ? 'susceptibility' : 'routine',
    scale: '-',
  },
});

/** Whether the name with a LOINC code is about other diseases than the code's test. */
function isNamedOtherwise({ codes }: CodedValue, { loinc, family }: LaboratoryTest): boolean {
  if (family === undefined) return false;
  const named = codes
    .filter(({ code }) => code === loinc)
    .flatMap(({ text }) => (text === undefined ? [] : familiesInText(text)));
  return named.length > 0 && !named.includes(family);
}

/**
 * Which test an observation is: by a LOINC code that the catalog knows or declares to be routine, or else by the
 * mapping of the sender's code, or else by its exact name. An unclassified LOINC code is asked about like a local
 * code. `others` are the LOINC codes of the same report.
 */
function readTest(
  value: CodedValue,
  sender: string,
  mapped: MappedCodes,
  others: ReadonlySet<string>,
): TestReading {
  const loincs = loincsOf(value);
  for (const loinc of loincs) {
    const test = testAmong(loinc, others);
    if (test && isNamedOtherwise(value, test))
      return { doubt: 'test-code-against-name', place: 3, family: test.family ?? null };
    if (test) return { loinc, test };
  }
  for (const loinc of loincs) if (routineKindOf(loinc)) return routineOf(loinc, value);
  const local = value.codes.find((code) => code.code !== undefined && !loincs.includes(code.code));
  // A LOINC code is asked about first, because it says more than a local number beside it.
  const asked = senderCode(
    loincs[0] === undefined && local
      ? { codes: [local], text: value.text }
      : withLoincFirst(value, loincs[0]),
  );
  for (const code of [asked, ...(local ? [senderCode({ codes: [local], text: value.text })] : [])]) {
    const decided = mapped.get(mappingKey({ kind: 'test', sender, ...code }));
    if (decided?.target === null) return { ignored: true };
    if (decided?.target === routineTarget) return routineOf(loincs[0] ?? null, value);
    const test = decided && testAmong(decided.target, others);
    if (test) return { loinc: test.loinc, test };
  }
  if (value.codes.every(({ code }) => code === undefined)) {
    const test = testNamed(value.text);
    if (test) return { loinc: test.loinc, test };
  }
  return { unknown: { kind: 'test', sender, ...asked, family: familyOf(saidBy(value)) } };
}

/** The value with its LOINC code first; the system is named even if only the code's form shows it. */
const withLoincFirst = (value: CodedValue, loinc: string | undefined): CodedValue => {
  const code = value.codes.find((candidate) => candidate.code === loinc);
  return loinc === undefined || !code
    ? value
    : { ...value, codes: [{ ...code, system: 'LN' }, ...value.codes.filter((other) => other !== code)] };
};

/** A table row may name the test in words and the order by its code. */
const askedFor = (order: Order, { source, test }: Observation): CodedValue =>
  source === 'row' && order.test && test.codes.every(({ code }) => code === undefined) ? order.test : test;

/**
 * The contents of a report, as far as they are understood; the rest is asked about. `keys` are the keys of its
 * results.
 */
export function interpret(
  report: LabReport,
  sender: string,
  mapped: MappedCodes,
  keys: readonly ResultKey[][],
): Interpretation {
  const results: ObservedResult[] = [];
  const unknown = new Map<string, UnknownCode>();
  const doubts: ImportFault[] = [];
  const families = new Set<string>();
  /** A part that is not understood may be about a family that its words name, so it is not shown to everyone. */
  const guess = (value: CodedValue | undefined) => {
    if (value) for (const family of familiesInText(saidBy(value))) families.add(family);
  };
  const about = (value: CodedValue | undefined) => {
    for (const loinc of value ? loincsOf(value) : []) {
      const family = testByLoinc(loinc)?.family;
      if (family) families.add(family);
    }
  };
  for (const { code } of report.answers) about(code);

  const others = new Set(
    report.orders.flatMap(({ observations }) => observations.flatMap(({ test }) => loincsOf(test))),
  );
  const isAnimal = speciesIsAnimal(report.patient.species);
  report.orders.forEach((order, at) => {
    // A laboratory's control sample belongs to no patient.
    if (order.specimens.length > 0 && order.specimens.every(({ role }) => role && controlSpecimen.test(role)))
      return;
    about(order.test);
    for (const { code } of order.answers) about(code);
    order.observations.forEach((observation, place) => {
      const read = readTest(askedFor(order, observation), sender, mapped, others);
      if ('ignored' in read) {
        guess(observation.test);
        return;
      }
      if ('unknown' in read) {
        unknown.set(mappingKey(read.unknown), read.unknown);
        families.add(untold);
        guess(observation.test);
        guess(order.test);
        return;
      }
      const doubtful = ({ doubt, place, family }: Doubt) => {
        const at = observation.source === 'observation' ? `OBX[${observation.position}]-${place}` : 'row';
        doubts.push(importFault('waits', doubt, at, observation.line));
        families.add(family ?? untold);
        guess(observation.test);
      };
      if ('doubt' in read) {
        doubtful(read);
        return;
      }
      const { loinc, test } = read;
      // An answer to a question, and a control of the assay, say nothing about the patient's state.
      if (test.method === 'question' || test.method === 'control') {
        if (test.family) families.add(test.family);
        return;
      }
      const effect = statusEffect(observation.status);
      const value = readValue(order, observation, test, sender, mapped);
      let category: ResultCategory;
      let reading: ResultReading | undefined;
      if (effect === 'pending') category = 'pending';
      else if (effect === 'withdrawal') category = 'not-done';
      else if (effect === 'cancelled')
        category =
          'category' in value &&
          (value.category === 'unsatisfactory' || value.category === 'invalid') &&
          observation.values.length > 0
            ? value.category
            : 'not-done';
      else if ('unknown' in value) {
        unknown.set(mappingKey(value.unknown), value.unknown);
        families.add(test.family ?? untold);
        if (value.unknown.family) families.add(value.unknown.family);
        guess(observation.test);
        for (const each of observation.values) guess(valueWords(each));
        return;
      } else if ('doubt' in value) {
        doubtful(value);
        return;
      } else ({ category, reading } = effect === 'preliminary' ? preliminary(value) : value);

      // A test that the catalog does not know, or knows for no family, is hidden if its words name a restricted one.
      const family = reading?.organism?.family ?? test.family ?? restrictedFamilyIn(saidBy(observation.test));
      if (family) families.add(family);
      const key = keys[at]![place]!;
      const result = resultOf(report, order, observation, key, loinc, test, family, category, reading);
      results.push({ ...result, isOfAnimal: isAnimal });
    });
  });
  return { results, unknown: [...unknown.values()], doubts, families: [...families].sort() };
}

/** Whether the subject is an animal: its findings are not a person's case. */
const speciesIsAnimal = (species: CodedValue | undefined): boolean =>
  species !== undefined &&
  !/\b(human|homo sapiens)\b/i.test(species.text) &&
  // SNOMED CT: Homo sapiens.
  !species.codes.some(({ code }) => code === '337915000');

const instantOf = (time: Time | undefined) => time?.instant ?? null;
const dayOf = (time: Time | undefined) => time?.day ?? null;

function resultOf(
  report: LabReport,
  order: Order,
  observation: Observation,
  key: ResultKey,
  loinc: string | null,
  test: LaboratoryTest,
  family: string | null,
  category: ResultCategory,
  reading: ResultReading | undefined,
): ObservedResult {
  const specimen = order.specimens[0];
  const collected = specimen?.collected ?? order.collected ?? observation.observed;
  const received = specimen?.received ?? order.received;
  const reported = order.reported ?? report.header.sent;
  const resulted = observation.analysed ?? order.reported;
  const value = observation.values[0];
  const coded = value?.kind === 'coded' ? value.coded : undefined;
  const numeric = value?.kind === 'numeric' || value?.kind === 'text' ? value.numeric : undefined;
  const code = coded?.codes.find((candidate) => candidate.code !== undefined);
  const local = observation.test.codes.find(
    (candidate) => candidate.code !== undefined && candidate.code !== loinc,
  );
  const words = observation.values.flatMap((each) =>
    each.kind === 'coded'
      ? [each.coded.text]
      : each.kind === 'numeric' || each.kind === 'text'
        ? [each.text]
        : each.kind === 'time'
          ? [each.time.raw]
          : [],
  );
  const text = words.join('; ').slice(0, textLimit);
  const specimenType =
    specimen?.type?.codes.find((candidate) => candidate.code !== undefined)?.code ?? specimen?.type?.text;
  const status = resultStatusOf(observation.status, 'HL70085')?.code ?? 'final';
  const conditionCode = reading?.organismConditionCode ?? test.condition ?? null;
  const valueText = valueTextOf(text, family);
  const valueNumber = numeric?.number ?? null;
  const filed = () =>
    family === null
      ? null
      : filedUnder(
          findingOf({
            id: '',
            family,
            testLoinc: loinc,
            testName: test.component,
            method: test.method,
            conditionCode,
            category,
            status,
            valueText,
            valueNumber,
            collectedOn: dayOf(collected),
            reportedOn: dayOf(reported),
            specimenType: specimenType ?? null,
          }),
        );
  const facts = {
    testLoinc: loinc,
    testLocalCode: local?.code ?? null,
    testName: test.component,
    method: test.method,
    assay: observation.device?.name ?? observation.methods[0]?.text ?? observation.device?.id ?? null,
    conditionCode: conditionCode ?? filed(),
    diseaseFamily: family,
    category,
    status,
    valueCode: code?.code ?? null,
    valueSystem: code ? (systemOf(code) ?? null) : null,
    valueText,
    valueNumber,
    valueComparator: numeric?.comparator ?? null,
    units: observation.units?.code ?? observation.units?.text ?? null,
    referenceRange: observation.referenceRange ?? null,
    abnormalFlag: observation.flags[0]?.code ?? observation.flags[0]?.text ?? null,
    accession:
      specimen?.filler?.value ??
      specimen?.placer?.value ??
      order.filler?.value ??
      order.placer?.value ??
      null,
    specimenSite: specimen?.sourceSite?.text ?? test.site ?? null,
    ...providerOf(order),
    notes: notesOf([...report.notes, ...order.notes, ...observation.notes], family),
    collectedAt: instantOf(collected),
    receivedAt: instantOf(received),
    resultedAt: instantOf(resulted),
    collectedOn: dayOf(collected),
    receivedOn: dayOf(received),
    resultedOn: dayOf(resulted),
  };
  return {
    key,
    // The report time is left out, even if it serves as the time of the result: the same result sent again is the
    // same result.
    contentHash: shortHash(
      JSON.stringify({
        ...facts,
        resultedAt: instantOf(observation.analysed),
        resultedOn: dayOf(observation.analysed),
      }),
    ),
    order,
    specimen,
    performer: observation.performer,
    ...facts,
    hl7Status: observation.status,
    reportedAt: instantOf(reported),
    reportedOn: dayOf(reported),
    specimenType: specimenType ?? null,
    isOfAnimal: false,
  };
}

/** The person who ordered a test: OBR-16 or ORC-12, with the telephone of OBR-17 or ORC-14. */
function providerOf({ provider, providerPhones }: Order) {
  const { prefix, given, middle, family, suffix } = provider?.name ?? {};
  const name = [prefix, given, middle, family, suffix].filter(Boolean).join(' ');
  const phone = providerPhones.find(({ equipment }) => equipment !== 'FX');
  const number = phone?.e164 ?? phone?.raw;
  return {
    providerName: name === '' ? null : name,
    providerNpi: provider?.npi ?? null,
    providerPhone: number === undefined ? null : phone?.extension ? `${number} x${phone.extension}` : number,
  };
}

/** The text of a value, without statements that name another family that is hidden everywhere. [P18] */
function valueTextOf(text: string, family: string | null): string | null {
  const isShown = (said: string) => [null, family].includes(restrictedFamilyIn(said));
  const shown = isShown(text)
    ? text
    : text
        .split(/(?<=[.;\n])\s*/)
        .filter(isShown)
        .join(' ');
  return shown.trim() === '' ? null : shown;
}

/**
 * The notes, one line each, without repetitions. A note that names another disease family stays only in the message,
 * because people who read this result may not be allowed to see that family. [P18]
 */
export function notesOf(notes: readonly string[], family: string | null): string | null {
  const readable = [...new Set(notes)].filter((note) => familiesInText(note).every((one) => one === family));
  const text = readable.join('\n').slice(0, textLimit);
  return text === '' ? null : text;
}
