import type { ResultCategory, ResultWords } from './schema.ts';

/** What a free text says: one category, nothing that is known, or two things that exclude each other. */
export type TextReading = ResultCategory | 'unknown' | 'contradictory';

/** Lower case without accents; the ends of sentences become `|`, every other sign that is no letter or digit a blank. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\b([a-z]|spp?|ssp|subsp|var|no)\./g, '$1 ')
    .replace(/[.;:!?\n\r/]+/g, ' | ')
    .replace(/[^a-z0-9|]+/g, ' ')
    .trim();
}

/** A phrase as a pattern: `…` is up to ten words that do not turn the sentence round, `*` any ending. */
function pattern(phrase: string): RegExp {
  const body = phrase
    .split(' ')
    .map((word) =>
      word === '…'
        ? '(?:(?!but |except |however |only |pero |mais )[a-z0-9]+ ){0,10}?'
        : `${word.replace('*', '[a-z]*')} `,
    )
    .join('')
    .trimEnd();
  return new RegExp(`(?<![a-z])${body}(?![a-z])`, 'g');
}

/** Answers of one or two signs, which are read whole or not at all. */
const signs: ReadonlyMap<string, ResultCategory> = new Map([
  ['+', 'positive'],
  ['(+)', 'positive'],
  ['1+', 'positive'],
  ['2+', 'positive'],
  ['3+', 'positive'],
  ['4+', 'positive'],
  ['++', 'positive'],
  ['+++', 'positive'],
  ['++++', 'positive'],
  ['-', 'negative'],
  ['(-)', 'negative'],
  ['+/-', 'equivocal'],
  ['±', 'equivocal'],
]);

/** Reads texts by the ordered words; a reading is kept, since laboratories write the same few texts. */
export function textReader(words: readonly ResultWords[], kept = 5000): (text: string) => TextReading {
  const phrases = words.flatMap((entry) =>
    entry.phrases.map((phrase) => ({ category: entry.category, pattern: pattern(phrase) })),
  );
  const readings = new Map<string, TextReading>();

  function read(text: string): TextReading {
    const sign = signs.get(text.trim());
    if (sign) return sign;
    let rest = foldText(text);
    const found: ResultCategory[] = [];
    for (const phrase of phrases) {
      const without = rest.replace(phrase.pattern, '#');
      if (without !== rest && !found.includes(phrase.category)) found.push(phrase.category);
      rest = without;
    }
    return together(found);
  }

  return (text) => {
    if (text.length > 2000) return read(text.slice(0, 2000));
    const known = readings.get(text);
    if (known) return known;
    const reading = read(text);
    if (readings.size >= kept) readings.delete(readings.keys().next().value!);
    readings.set(text, reading);
    return reading;
  };
}

/** What several findings of one text come to. A result that is both positive and negative is for a person to read. */
function together(found: readonly ResultCategory[]): TextReading {
  const [first, ...others] = found;
  if (!first) return 'unknown';
  if (others.length === 0) return first;
  const positives: readonly ResultCategory[] = ['weak-positive', 'presumptive-positive', 'positive'];
  if (found.every((category) => positives.includes(category))) {
    return found.includes('presumptive-positive') ? 'presumptive-positive' : 'weak-positive';
  }
  // Neither positive nor negative: the words come in order of weight.
  return found.some((category) => category === 'negative' || positives.includes(category))
    ? 'contradictory'
    : first;
}
