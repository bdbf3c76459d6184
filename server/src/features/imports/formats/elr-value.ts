import { comparatorOf, numberOf, numericOf } from '../../reported/coding.ts';
import type { CodedValue, ObservationValue } from '../../reported/report.ts';
import type { Reading } from './elr-reading.ts';
import {
  components,
  field,
  firstOf,
  placeOf,
  repetitionLimit,
  repetitions,
  type Segment,
  textOf,
} from './hl7-message.ts';
import { readCoded } from './hl7-types.ts';

export function readValues(
  reading: Reading,
  obx: Segment,
  valueType: string | undefined,
): ObservationValue[] {
  const separators = reading.separators;
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
  if (reading.repeatsTooOften(obx, 5)) {
    reading.warn('too-many-repetitions', placeOf(obx, 5), obx.line, { limit: String(repetitionLimit) });
  }
  const values: ObservationValue[] = [];
  for (const part of sent) {
    const value = readValue(reading, obx, valueType, part);
    if (value !== undefined) values.push(value);
  }
  return values;
}

function readValue(
  reading: Reading,
  obx: Segment,
  valueType: string | undefined,
  sent: string,
): ObservationValue | undefined {
  const separators = reading.separators;
  switch (valueType) {
    case 'CE':
    case 'CWE':
    case 'CNE':
    case 'CF':
    case 'IS':
    case 'ID': {
      const coded = readCoded(separators, sent);
      if (coded === undefined) return undefined;
      reading.checkDigits(coded, placeOf(obx, 5), obx.line);
      if (isMisplacedText(coded, valueType)) reading.warn('value-not-of-type', placeOf(obx, 5), obx.line);
      return { kind: 'coded', coded };
    }
    case 'NM': {
      const text = textOf(separators, sent);
      if (text === undefined) return undefined;
      const numeric = numericOf(text);
      if (numeric === undefined) {
        reading.warn('value-not-of-type', placeOf(obx, 5), obx.line);
        return { kind: 'text', text, numeric: undefined };
      }
      return { kind: 'numeric', numeric, text };
    }
    case 'SN':
      return readStructured(reading, obx, sent);
    case 'DT':
    case 'TS':
    case 'DTM': {
      const text = textOf(separators, sent.split(separators.component, 1)[0]);
      if (text === undefined) return undefined;
      const time = reading.timeOf(obx, '5', text);
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
      reading.warn('value-type-unknown', placeOf(obx, 2), obx.line);
      const coded = sent.includes(separators.component) ? readCoded(separators, sent) : undefined;
      if (coded?.codes.some((code) => code.system !== undefined)) return { kind: 'coded', coded };
      return textValues(textOf(separators, sent))[0];
    }
    default: {
      if (!otherTypes.has(valueType)) reading.warn('value-type-unknown', placeOf(obx, 2), obx.line);
      const text = components(separators, sent)
        .map((part) => firstOf(separators, part))
        .filter((part) => part !== undefined)
        .join(' ');
      return text === '' ? undefined : { kind: 'text', text, numeric: undefined };
    }
  }
}

/** SN: comparator, number, separator, number. */
function readStructured(reading: Reading, obx: Segment, sent: string): ObservationValue | undefined {
  const separators = reading.separators;
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
    reading.warn('value-not-of-type', placeOf(obx, 5), obx.line);
    return { kind: 'text', text, numeric: undefined };
  }
  return { kind: 'numeric', numeric: { comparator, number, separator, second }, text };
}

const textValues = (text: string | undefined): ObservationValue[] =>
  text === undefined ? [] : [{ kind: 'text', text, numeric: numericOf(text) }];

/** Words instead of a code: blanks, no digit, no other words. */
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

/** Value types that are read as their words; the rest of table 0125 is handled above. */
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
