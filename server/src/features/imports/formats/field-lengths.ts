import type { Field } from './csv-row.ts';
import type { Reading } from './elr-reading.ts';
import { components, field, placeOf, repetitions, textOf } from './hl7-message.ts';

/*
 * The maximum length of a value. A PostgreSQL index accepts 2,704 bytes a row, so a longer key would make a whole
 * batch fail. No real identifier, name or code comes near these limits (HL7's own are 20 to 250 characters).
 */

/** Numbers and names; several of them make one key. */
export const keyLimit = 200;
/** Codes and their words. */
export const wordsLimit = 500;
/** Free text. */
export const textLimit = 4000;

/** The fields of each segment that are numbers or names. */
const keyFields: Record<string, readonly number[]> = {
  MSH: [3, 4, 5, 6, 10],
  PID: [2, 3, 4, 5, 6, 9, 18, 19, 20],
  NK1: [2],
  PV1: [7, 19],
  ORC: [2, 3, 4, 12, 21],
  OBR: [2, 3, 16, 26, 29],
  OBX: [15, 18, 23, 25],
  SPM: [2],
};
/** The fields with free text or a result; they are never used whole in a key. */
const texts: Record<string, readonly number[]> = { OBR: [13], OBX: [5] };

/** The maximum length of one part of a field; undefined if it may have any length, or is never read. */
export function hl7Limit(segmentId: string, number: number): number | undefined {
  const keys = keyFields[segmentId];
  if (!keys || texts[segmentId]?.includes(number)) return undefined;
  return keys.includes(number) ? keyLimit : wordsLimit;
}

/** Finds every value that is too long for its field, with its place. [P28] */
export function refuseTooLong(reading: Reading): void {
  const { separators, segments } = reading;
  for (const segment of segments)
    for (let number = 1; number < segment.fields.length; number += 1) {
      const limit = hl7Limit(segment.id, number);
      if (limit === undefined || field(segment, number).length <= limit) continue;
      // The separators in MSH are literal.
      if (segment.id === 'MSH' && number <= 2) continue;
      for (const sent of repetitions(separators, segment, number))
        for (const [index, component] of components(separators, sent).entries()) {
          if (component.length <= limit) continue;
          const isTooLong = component
            .split(separators.subcomponent)
            .some((part) => (textOf(separators, part)?.length ?? 0) > limit);
          if (isTooLong)
            reading.error('value-too-long', placeOf(segment, `${number}.${index + 1}`), segment.line, {
              limit: String(limit),
            });
        }
    }
}

const csvTexts: readonly Field[] = ['notes', 'comment', 'result'];
const csvWords: readonly Field[] = [
  'condition',
  'device',
  'drug',
  'orderedTestCode',
  'orderedTestName',
  'race',
  'referenceRange',
  'specimenSite',
  'specimenType',
  'testCode',
  'testName',
];

/** The maximum length of a table cell. */
export const csvLimit = (name: Field): number =>
  csvTexts.includes(name) ? textLimit : csvWords.includes(name) ? wordsLimit : keyLimit;
