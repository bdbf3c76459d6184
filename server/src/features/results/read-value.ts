import {
  answersInWords,
  expectsCategory,
  factorTo,
  nothingElseFound,
  type ResultReading,
  resultCategoryOf,
} from '../reference/catalog.ts';
import type { LaboratoryTest, ResultCategory } from '../reference/schema.ts';
import { measureIn } from '../reported/coding.ts';
import type { Code, CodedValue, Observation, ObservationValue, Order } from '../reported/report.ts';
import {
  type Doubt,
  familyOf,
  type MappedCodes,
  mappingKey,
  saidBy,
  senderCode,
  type UnknownCode,
} from './code-asked.ts';
import { confirmsEarlier } from './result-status.ts';

/** The reading of an observation's values. */
export interface ReadValue {
  category: ResultCategory;
  reading: ResultReading | undefined;
}

export const systemOf = (code: Code) => code.system ?? (code.inferred === 'SCT' ? 'SCT' : undefined);

/** The category of an observation's values, or the value that a person has to map. */
export function readValue(
  order: Order,
  observation: Observation,
  test: LaboratoryTest,
  sender: string,
  mapped: MappedCodes,
): ReadValue | { unknown: UnknownCode } | Doubt {
  if (test.method === 'routine' || test.method === 'susceptibility')
    return { category: 'quantitative', reading: undefined };
  const family = test.family ?? null;
  // "No other growth" beside an organism completes that answer, and is not an answer itself.
  if (observation.values.some(saysNothingElse) && observation.values.every(saysNothingElse)) {
    if (sameTest(order, observation).some(({ values }) => !values.every(saysNothingElse)))
      return { category: 'quantitative', reading: undefined };
  } else if (expectsCategory(test)) {
    if (observation.values.length > 0 && observation.values.every((value) => isDate(observation, value)))
      return { doubt: 'date-for-answer', place: 5, family };
    if (
      observation.values.length === 0 &&
      observation.flags.length === 0 &&
      confirmsEarlier(observation.status)
    )
      return { doubt: 'value-not-sent-again', place: 11, family };
  }
  const codings: { code?: string; system?: string; text?: string }[] = [];
  const texts: string[] = [];
  let number: number | undefined;
  let comparator: string | undefined;
  for (const value of observation.values) {
    if (value.kind === 'coded') {
      for (const code of value.coded.codes)
        codings.push({ code: code.code, system: systemOf(code) ?? 'unknown', text: code.text });
      if (value.coded.originalText) texts.push(value.coded.originalText);
      else if (value.coded.codes.every((code) => code.text === undefined)) texts.push(value.coded.text);
    } else if (value.kind === 'numeric' || value.kind === 'text') {
      texts.push(value.text);
      const numeric = value.numeric;
      if (
        numeric &&
        number === undefined &&
        (!numeric.separator || numeric.separator === '.' || isTitre(numeric))
      ) {
        number = isTitre(numeric) ? numeric.second : numeric.number;
        comparator = numeric.comparator;
      }
    }
  }
  const measure = number === undefined ? measureIn(texts[0] ?? '') : undefined;
  if (measure) ({ number, comparator } = measure);
  // A number is judged by the catalog's limits; as words it says nothing.
  const words = number === undefined || texts.some((text) => /[a-z:]/i.test(text)) ? texts : [];
  const unit = observation.units?.code ?? observation.units?.text ?? measure?.unit;
  const reading = resultCategoryOf({
    loinc: test.loinc,
    text: words[0],
    codings: [...codings, ...words.slice(1).map((text) => ({ text }))],
    abnormalFlag: observation.flags.map(({ code }) => code).filter((code) => code !== undefined),
    number,
    comparator,
    unit,
    range: observation.referenceRange,
  });
  if (reading?.textDisagrees) return { doubt: 'code-against-text', place: 5, family };
  if (reading) return { category: reading.category, reading };

  const first = observation.values.find(
    ({ kind }) => kind === 'coded' || kind === 'text' || kind === 'numeric',
  );
  const said = first && valueWords(first);
  // A laboratory may write 1 for yes. A measured value is not a code, because nobody can map every number.
  const isCode = number !== undefined && /^\d$/.test(texts[0]?.trim() ?? '') && !unit && answersInWords(test);
  if (said && (number === undefined || isCode)) {
    const asked = { kind: 'value' as const, sender, ...senderCode(said) };
    const decided = mapped.get(mappingKey(asked));
    if (decided?.target) {
      const category = decided.target as ResultCategory;
      return { category, reading: { category, by: 'code' } };
    }
    const ignored = decided !== undefined;
    if (!ignored && expectsCategory(test))
      return { unknown: { ...asked, family: familyOf(saidBy(said), test.family) } };
  } else if (number !== undefined && answersInWords(test))
    return { doubt: 'number-for-answer', place: 5, family };
  // A picture or a PDF may say "positive": a person has to read it.
  if (!isAttachment(order, observation) && observation.values.some(isDocument) && expectsCategory(test))
    return { doubt: 'result-in-document', place: 5, family };
  if (number !== undefined && test.positiveFrom && factorTo(test.positiveFrom.unit, unit) === undefined)
    return { doubt: 'unit-unknown', place: 6, family };
  // Abnormal without saying how, so a person has to ask the laboratory.
  if (
    observation.values.length === 0 &&
    expectsCategory(test) &&
    observation.flags.some(({ code }) => code !== undefined && abnormal.has(code.toUpperCase()))
  )
    return { doubt: 'value-missing', place: 5, family };
  // A final result without a value is a test without a result.
  if (observation.values.length === 0 && expectsCategory(test))
    return { category: 'invalid', reading: undefined };
  return { category: 'quantitative', reading: undefined };
}

/** HL7 table 0078. */
const abnormal: ReadonlySet<string> = new Set(['A', 'AA', 'H', 'HH', '>']);

const isDocument = ({ kind }: ObservationValue) => kind === 'document';

/** The other observations of an order by the same test. */
const sameTest = (order: Order, observation: Observation): Observation[] =>
  order.observations.filter(
    (other) =>
      other !== observation &&
      other.test.codes.some(({ code }) => code !== undefined && code === observation.test.codes[0]?.code),
  );

/** Whether it is a document attached to an answer of the same test. */
const isAttachment = (order: Order, observation: Observation): boolean =>
  sameTest(order, observation).some(({ values }) => values.some((value) => !isDocument(value)));

/** Whether a value only says that nothing else was found. */
const saysNothingElse = (value: ObservationValue): boolean => {
  const words = valueWords(value);
  return words !== undefined && nothingElseFound(words.text);
};

/** Types whose values are dates or times of day. */
const dateTypes: ReadonlySet<string> = new Set(['DT', 'TM', 'TS', 'DTM']);
const dateText =
  /^\s*(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2}))(?:[ T]+\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?)?\s*$/i;
/** A date is not an answer, under any value type. */
const isDate = ({ valueType }: Observation, value: ObservationValue): boolean =>
  value.kind === 'time' ||
  (valueType !== undefined && dateTypes.has(valueType)) ||
  (value.kind === 'text' && dateText.test(value.text));

const isTitre = (numeric: { separator?: string; number: number }) =>
  numeric.separator === ':' && numeric.number === 1;

/** A value in words; undefined for a date or a document. */
export const valueWords = (value: ObservationValue): CodedValue | undefined =>
  value.kind === 'coded'
    ? value.coded
    : (value.kind === 'text' || value.kind === 'numeric') && value.text
      ? { codes: [], text: value.text }
      : undefined;

/** Results that a laboratory has not finished: an unconfirmed positive, and a negative that may still change. */
export function preliminary({ category, reading }: ReadValue): ReadValue {
  if (category === 'positive' || category === 'weak-positive')
    return {
      category: 'presumptive-positive',
      reading: reading && { ...reading, category: 'presumptive-positive' },
    };
  return category === 'negative' ? { category: 'pending', reading: undefined } : { category, reading };
}
