const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic';

/** Values that are no place name: days, times, registration and machine numbers. */
const noNames: readonly RegExp[] = [
  // An HL7 or ISO time with its zone; the next pattern matches one without a letter in it.
  /^\d{4}-?\d{2}-?\d{2}[T ]?[\d:.,]*\s?(?:Z|[+-]\d{2}:?\d{2})?$/i,
  /^[^\p{L}]*$/u,
  new RegExp(`^\\d{1,2}[-/. ](?:${months})[a-z]*[-/., ]+\\d{2,4}$`, 'i'),
  new RegExp(`^(?:${months})[a-z]*[-/. ]+\\d{1,2}[-/., ]+\\d{2,4}$`, 'i'),
  /^[\d/.-]*\s?\d{1,2}:\d{2}(?::\d{2})?\s?[ap]\.?m\.?$/i,
  // A CLIA number, a UUID, and one word of a few letters and a long number, such as MRN0012345.
  /^\d{2}D\d{7}$/i,
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^[a-z]{0,4}[-_#]?\d{6,}[a-z]?$/i,
];

/** Whether a text can name a place. `PS 118` and `1199 Health Center` can; a day, a time or an identifier cannot. */
export const isPlaceName = (text: string): boolean => noNames.every((pattern) => !pattern.test(text.trim()));
