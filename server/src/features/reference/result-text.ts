import { withoutAccents } from '../../platform/text/fold.ts';
import type { ResultCategory, ResultWords } from './schema.ts';

/** The meaning of a free text: one category, none, or two that exclude each other. */
export type TextReading = ResultCategory | 'unknown' | 'contradictory';

/** One statement of a text: its reading, and the names in it as indexes in the list of names. */
export interface Statement {
  reading: TextReading;
  names: readonly number[];
}

/** The reading of a text: the whole, and each statement that counts. */
export interface ReadText {
  reading: TextReading;
  /** The text calls its own finding preliminary, presumptive or probable. */
  presumptive: boolean;
  /** It only says that nothing else was found: "no other growth". */
  nothingElse: boolean;
  statements: readonly Statement[];
}

const unread: ReadText = { reading: 'unknown', presumptive: false, nothingElse: false, statements: [] };

/** A phrase as a pattern: `…` is up to ten words that do not change the meaning of the sentence, `*` any ending. */
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

/** Short answers that are only read as a whole. */
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
  ['ind', 'indeterminate'],
  ['eqv', 'equivocal'],
  ['equiv', 'equivocal'],
  ['inv', 'invalid'],
]);

const positives: readonly TextReading[] = ['weak-positive', 'presumptive-positive', 'positive'];

/** "-positive" and "-negative" after these words are the answer; after any other words they are part of a name. */
const answered =
  'presumptive|presumptively|presumed|preliminary|weak|weakly|low|high|strong|strongly|borderline|confirmed|repeat|repeatedly|test|tests|result|pcr|naat|screen|culture|antigen|antibody|not|false|true';
const hyphenated = new RegExp(
  `(?<![a-z0-9-])(?!(?:${answered})-)[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:negative|positive|neg|pos)(?![a-z])`,
  'g',
);
/** Traits of a bacterium, and the rhesus factor, with their values. */
const traits =
  /(?<![a-z])(?:gram|coagulase|lactose|oxidase|catalase|indole|urease|dnase|nitrate|citrate|sorbitol|optochin|bacitracin|(?:beta|b)[\s-]*lactamase|rh(?:[\s-]*\(?d\)?)?|rhesus)[\s-]*(?:is\s+|was\s+)?(?:negative|positive|neg|pos|variable)(?![a-z])/g;
const bloodGroup = /^\s*(?:a|b|ab|o)\s+(?:rh\s*(?:\(?d\)?)?\s*)?(?:negative|positive|neg|pos)\s*$/i;
/** A question mark, other than in "Questions? Call …". */
const asked = /(?<!questions)\?/i;

/** The replacement for a trait. */
const trait = 'traitofname';

/**
 * Lower case without accents. The ends of statements become `|`; every other character except letters and digits
 * becomes a blank. Names with "positive" or "negative", such as "gram-negative", lose it; a series of plus signs
 * becomes a word.
 */
export function foldText(text: string): string {
  return withoutAccents(text)
    .replace(/\b([A-Za-z]|spp?|ssp|subsp|var|no)\.(?=[\s-]*[a-z])/g, '$1 ')
    .toLowerCase()
    .replace(traits, ` ${trait} `)
    .replace(hyphenated, ` ${trait} `)
    .replace(/\b([1-4])\+/g, '$1plus')
    .replace(/\(([^()]*:[^()]*)\)/g, ' | $1 | ')
    .replace(/(?<=[a-z0-9]):(?=[a-z0-9])/g, ' ')
    .replace(/:/g, ' : | ')
    .replace(/[.;!\n\r/]+/g, ' | ')
    .replace(/[^a-z0-9|:]+/g, ' ')
    .trim();
}

const susceptibilities = [
  /\b(?:no|not any)(?: [a-z0-9]+){0,4} resistance(?: [a-z]+){0,4} (?:detected|present|found|identified|seen)\b/g,
  /\b(?:no|not any)(?: [a-z0-9]+){0,4} resistance\b/g,
  /(?:\b[a-z]+ )?\bresistance(?: (?:genes?|mutations?|markers?|associated))*(?: (?:was|were|is))?(?: not| non)? (?:detected|present|found|identified|indeterminate)\b/g,
  /\b(?:not |non )?(?:susceptible|resistant|sensitive|nonsusceptible)\b(?: to(?: [a-z0-9]+){1,6})?/g,
];

/**
 * "No other growth", "no further organisms", "nothing else isolated": it completes another answer, and does not say
 * whether something was found. It does not include "No further testing".
 */
const others =
  '(?:others?|further|additional|otr[oa]s?|autres?|lot)(?! (?:test|work|follow|action|report|result|information|comment|charge|treatment|than)[a-z]*)';
const sought =
  'organisms?|pathogens?|virus(?:es)?|bacteria|targets?|agents?|species|analytes|germenes|patogenos|bacterias|organismos|germes';
const nothingElse = new RegExp(
  `(?<![a-z])(?:${[
    `(?:no|not any|without|sin|ningun[oa]?|pas d|aucune?|pa gen|pa jwenn|pa te jwenn|no se [a-z]+|no hubo|no hay) (?:any |okenn )?${others}`,
    `(?:no|sin|no hubo|pas de) [a-z]+ (?:of|de|d) (?:any )?${others}`,
    '(?:nothing|nada|rien d|anyen) (?:else|mas|autre|lot)',
    `(?:all )?(?:other|additional|otr[oa]s|autres)(?: [a-z0-9]+){0,3}? (?:${sought})(?: [a-z]+){0,2}? (?:not|negative|no)`,
  ].join('|')})(?![a-z])(?:(?! (?:but|except|however|only|pero|salvo|excepto|mais|sauf|men) )[ a-z0-9])*`,
  'g',
);
/** Words that may accompany it and add nothing. */
const filler =
  /\b(?:final|finales?|report|reporte|informe|result|resultado|culture|cultivo|comment|note|after|at|in|days?|dias?|hours?|horas?|x|[0-9]+)\b|[|: ]/g;

/** Statements about tests and their use in general, about controls, and about expectations are not answers. */
const general =
  /\b(?:may|might|should|would|could|can|cannot|must|will|shall|does not|do not|interpreted|developed|validated|cleared|approved|authori[sz]ed|performance|intended|detects|distinguish|differentiate|predictive|correlat(?:e|ion)|cut ?off|controls?|(?<!below (?:the )?)(?:detection limit|limits? of)|expected|ref(?:erence)? (?:range|interval|value)s?|normal range|puede[n]?|podria[n]?|debe[n]?|deberia[n]?|peut|peuvent|pourrait|doit|doivent|kapab|dwe)\b/;
/** Before a colon: the statement after it is not an answer either. */
const label =
  /\b(?:reference|expected|normal|range|previous|prior|controls?|comments?|notes?|method|limits?|history|indication|abo|rh|rhesus|blood (?:group|type))\b/;
/** Words that begin a condition or advice. */
const conditional =
  /\b(?:if|si|cuando|lorsque|quand|recomend\w*|recommand\w*|unless|whether|when|until|recommend\w*|advise\w*|suggest repeat\w*)\b.*$/;
/** The text also speaks of an earlier answer. */
const history =
  /\b(?:previo|previa|previamente|anterior(?:mente)?|antecedentes?|historial|precedent(?:e|emment)?|anterieur(?:e|ement)?|auparavant|anvan|previous(?:ly)?|prior|former(?:ly)?|history|historical(?:ly)?|originally|changed from|reported as|in the past|(?:in|since) (?:19|20)\d\d|was (?:positive|negative|reactive|detected) (?:on|in) \d+|elsewhere|outside (?:facility|lab|laboratory|test)|home test|patient (?:states|says|reports)|(?:if|when|unless) (?:confirmed|tested|repeated))\b/;
/** The finding is another person's, uncertain, not available yet, or declared wrong. */
const doubtful =
  /\b(?:posible(?:mente)?|sugestiv\w*|sugiere|sospech\w*|descartar|descarta|fals[oa]s?|faux|fausse?s?|fo|madre|matern[oa]|contacto|pareja|mere|manman|patne|dout\w*|possible|possibly|suggest(?:s|ive|ing)?|suspicio\w*|suspect\w*|consistent|compatible|questionable|likely|unlikely|rule out|exclude|excluded|false|falsely|mother|maternal|father|contact|partner|spouse|sibling|donor|household|blood (?:group|type)|abo|rh|rhesus)\b/;
const presumptiveWords = /\b(?:presumptive(?:ly)?|presumed|preliminar(?:y|ily)|prelim|probable|probably)\b/;
const confirmationOpen =
  /\b(?:(?:pending|awaiting) confirm\w*(?: testing)?|confirm\w*(?: testing| test)? (?:is |are )?(?:pending|to follow|in progress))\b/g;
/**
 * Words that negate their neighbours, in the languages of the laboratories and in similar ones. One that no phrase
 * explains makes the statement unreadable.
 */
const turning = new RegExp(
  `\\b(?:${[
    'not|nor|neither|never|cannot|unable|fail(?:s|ed|ure)?|without|non|none|nothing|nil|zero|lack(?:s|ed|ing)?|free of',
    'sin|ningun[oa]?s?|nunca|tampoco|nada',
    'pas|aucune?s?|sans|jamais|rien',
    '(?<!tp )pa(?! (?:doh|dept|department|state|health|lab[a-z]*)\\b)|pat|poko|okenn|anyen|janm',
    'nao|sem|nenhuma?|nicht|keine?[a-z]?',
  ].join('|')})\\b`,
);
const bareNo = /\bno\b(?! (?:further|additional|other|more|need))/;
const grown =
  /\b(?:seen|observed|found|identified|recovered|grown|grew|growth|isolated|cultured|detected|present)\b/;
/** If phrases leave more words than this unexplained, the text is a report for a person, not an answer. */
const most = 40;

/**
 * Reads texts by the ordered words, statement by statement. `names` are the folded names of organisms, the longest
 * first. A text that is not understood as a whole is `unknown` or `contradictory`, so that a person reads it.
 * Readings are cached, because laboratories write the same few texts.
 */
export function textReader(words: readonly ResultWords[], names: readonly string[] = [], kept = 5000) {
  const phrases = words.flatMap((entry) =>
    entry.phrases.map((phrase) => ({ category: entry.category, pattern: pattern(phrase) })),
  );
  const named = names.map((name) => new RegExp(`(?<![a-z0-9])${name}(?![a-z0-9])`, 'g'));
  const readings = new Map<string, ReadText>();

  /** The findings of the phrases, and the rest of the text. */
  function find(statement: string): { found: ResultCategory[]; rest: string } {
    const found: ResultCategory[] = [];
    let rest = statement;
    for (const phrase of phrases) {
      const without = rest.replace(phrase.pattern, '#');
      if (without !== rest && !found.includes(phrase.category)) found.push(phrase.category);
      rest = without;
    }
    return { found, rest };
  }

  /** One statement; undefined if it is not about this result. */
  function readStatement(sent: string): (Statement & { words: number }) | undefined {
    const raw = find(sent).found.filter((category) => failures.includes(category));
    if (general.test(sent))
      return raw.length > 0 ? { reading: together(raw), names: [], words: 0 } : undefined;
    const statement = sent.replace(conditional, '').trim();
    const found: number[] = [];
    let rest = statement;
    named.forEach((name, at) => {
      const without = rest.replace(name, `name${at}`);
      if (without !== rest) found.push(at);
      rest = without;
    });
    const all = find(rest);
    rest = all.rest;
    let reading = together(all.found);
    const says = reading !== 'unknown' || found.length > 0;
    const size = rest.split(/[^a-z]+/).filter((word) => word.length > 2).length;
    if (!says) return { reading, names: found, words: size };
    if (doubtful.test(rest) || /\bnot yet\b/.test(statement) || turning.test(rest))
      return { reading: 'contradictory', names: found, words: size };
    if (bareNo.test(rest)) {
      // "No negativo".
      if (/\bno #/.test(rest)) reading = 'contradictory';
      else if (reading === 'unknown' && /^no\b/.test(statement) && !grown.test(rest)) reading = 'negative';
      else if (reading !== 'negative') reading = 'contradictory';
    }
    // A description of bacteria is not an answer, unless there were none.
    if (rest.includes(trait) && found.length === 0 && positives.includes(reading)) reading = 'unknown';
    return { reading, names: found, words: size };
  }

  function read(text: string, resistance: boolean): ReadText {
    const nothing = (reading: TextReading): ReadText => ({ ...unread, reading });
    const sign = signs.get(text.trim().toLowerCase());
    if (sign) return { ...unread, reading: sign, statements: [{ reading: sign, names: [] }] };
    if (bloodGroup.test(text) || asked.test(text)) return nothing('unknown');
    let folded = foldText(text);
    if (!resistance) for (const each of susceptibilities) folded = folded.replace(each, ' ');
    const complete = folded.replace(nothingElse, ' ');
    const open = complete.replace(confirmationOpen, ' ');
    const pieces = open.split('|').map((piece) => piece.replace(/\s+/g, ' ').trim());
    const statements: (Statement & { words: number })[] = [];
    let presumptive = open !== complete;
    for (let at = 0; at < pieces.length; at += 1) {
      const piece = pieces[at]!;
      if (piece.endsWith(':') && label.test(piece)) {
        at += 1;
        continue;
      }
      const statement = readStatement(piece.replace(/ ?:$/, ''));
      if (!statement) continue;
      if (history.test(piece)) return nothing('contradictory');
      if (presumptiveWords.test(piece)) presumptive = true;
      statements.push(statement);
    }
    if (statements.reduce((sum, { words: count }) => sum + count, 0) > most) return nothing('unknown');
    const readingsOfAll = statements.map(({ reading }) => reading);
    let reading: TextReading = readingsOfAll.includes('contradictory')
      ? 'contradictory'
      : together(readingsOfAll.filter((each) => each !== 'unknown') as ResultCategory[]);
    if (open !== complete && reading === 'negative') reading = 'contradictory';
    if (presumptive && positives.includes(reading)) reading = 'presumptive-positive';
    return {
      reading,
      presumptive,
      nothingElse: complete !== folded && complete.replace(filler, '') === '',
      statements,
    };
  }

  return (text: string, { resistance = false } = {}): ReadText => {
    // A text of this length is a report, and its first part may say the opposite of the whole.
    if (text.length > 2000) return unread;
    const key = resistance ? `\u0000${text}` : text;
    const known = readings.get(key);
    if (known) return known;
    const reading = read(text, resistance);
    if (readings.size >= kept) readings.delete(readings.keys().next().value!);
    readings.set(key, reading);
    return reading;
  };
}

const failures: readonly ResultCategory[] = ['not-done', 'unsatisfactory', 'invalid'];

/** The category of several findings. If they are both positive and negative, a person has to read the result. */
export function together(found: readonly ResultCategory[]): TextReading {
  const [first, ...others] = new Set(found);
  if (!first) return 'unknown';
  if (others.length === 0) return first;
  if (found.every((category) => positives.includes(category))) {
    return found.includes('presumptive-positive') ? 'presumptive-positive' : 'weak-positive';
  }
  // Neither positive nor negative: the strongest comes first.
  return found.some((category) => category === 'negative' || positives.includes(category))
    ? 'contradictory'
    : first;
}
