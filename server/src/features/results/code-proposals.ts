import { type CodeMapping, type proposalBases, routineTarget } from '@caseway/contract/imports';
import { foldWords } from '../../platform/text/fold.ts';
import {
  laboratoryTests,
  resultCategories,
  resultCategoryOf,
  routineTests,
  testByLoinc,
} from '../reference/catalog.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import type { LaboratoryTest } from '../reference/schema.ts';
import { familiesInText } from './families-in-text.ts';
import { testNamed } from './laboratory-tests.ts';

type ProposalBasis = (typeof proposalBases)[number];

/** Short forms of laboratories and LOINC for words that the catalog writes in full. */
const spelledOut: Readonly<Record<string, string>> = {
  ab: 'antibody',
  abs: 'antibody',
  antibodies: 'antibody',
  ag: 'antigen',
  ags: 'antigen',
  antigens: 'antigen',
  hbsag: 'hepatitis b virus surface antigen',
  hbv: 'hepatitis b virus',
  hcv: 'hepatitis c virus',
  hav: 'hepatitis a virus',
  denv: 'dengue virus',
  wnv: 'west nile virus',
  rpr: 'rpr reagin antibody',
  vdrl: 'vdrl reagin antibody',
  ct: 'chlamydia trachomatis',
  gc: 'neisseria gonorrhoeae',
  ng: 'neisseria gonorrhoeae',
  covid: 'sars cov 2',
  mtb: 'mycobacterium tuberculosis',
  cult: 'culture',
  bldc: 'capillary blood',
  bldv: 'venous blood',
};
/** Words for place and method, not for the target. */
const circumstance = new Set(
  'the of in by and or on with for from to serum plasma blood specimen unspecified presence units volume mass moles naa probe amplification detection detected method rapid quantitative quantity'.split(
    ' ',
  ),
);
/** Names that laboratories write in several words, or in their own words; for a folded text. */
const phrases: readonly [RegExp, string][] = [
  [/\b(?:sars coronavirus 2|sars ?cov ?2|covid 19|covid19|2019 ncov)\b/g, 'sars cov 2'],
  [/\bflu\b/g, 'influenza'],
  [/\bfluav\b/g, 'influenza a virus'],
  [/\bflubv\b/g, 'influenza b virus'],
  [/\binfluenza a(h\d)/g, 'influenza a $1'],
  [/\brsv\b|\brespiratory synctial\b/g, 'respiratory syncytial virus'],
  [/\bhmpv\b/g, 'metapneumovirus'],
  [/\bpara ?influenzae?\b/g, 'parainfluenza'],
  [/\brubeola\b/g, 'measles virus'],
  [/\bmuv\b/g, 'mumps virus'],
  [/\baptima\b/g, 'aptima rrna'],
  [/\bn gonorrh(?:o?ea|oeae)\b/g, 'neisseria gonorrhoeae'],
  [/\bb pert\b/g, 'bordetella pertussis'],
  [/\bhep ([abcde])\b/g, 'hepatitis $1'],
  [/\banti hb(?:v ?)?c\b/g, 'hepatitis b virus core antibody'],
  [/\bo p\b|\bova and parasite\b/g, 'ova and parasites'],
];
const spelled = (text: string): string =>
  phrases.reduce((written, [phrase, meant]) => written.replace(phrase, meant), foldWords(text));
const wordsOf = (text: string): Set<string> =>
  new Set(
    spelled(text)
      .split(' ')
      .flatMap((word) => (spelledOut[word] ?? word).split(' '))
      .filter(Boolean),
  );

/** Words for a method, and the methods of the catalog that they mean. */
const ways = {
  nucleicAcid: new Set(
    'rna dna rrna nat naa naat pcr probe amp amplification tma aptima xpert gene'.split(' '),
  ),
  antigen: new Set(['antigen', 'veritor', 'binaxnow', 'sofia']),
  antibody: new Set(['antibody', 'igm', 'igg', 'reagin']),
  culture: new Set(['culture', 'isolate']),
} as const;
type Way = keyof typeof ways;
const wayOf: Partial<Record<LaboratoryTest['method'], Way>> = {
  naat: 'nucleicAcid',
  'viral-load': 'nucleicAcid',
  genotype: 'nucleicAcid',
  antigen: 'antigen',
  antibody: 'antibody',
  'antibody-igm': 'antibody',
  'antibody-igg': 'antibody',
  'confirmatory-antibody': 'antibody',
  nontreponemal: 'antibody',
  treponemal: 'antibody',
  culture: 'culture',
};
/** Words that every test of an organism may have or lack. */
const unsaid = new Set([...ways.nucleicAcid, ...ways.antigen, ...ways.culture, 'antibody', 'virus', 'human']);
/** The common cold's coronaviruses, not the family that the word "coronavirus" alone means. */
const commonCold = /coronavirus (?:229e|hku1|nl63|oc43)/g;

/** LOINC writes the analyte before its scale: "Dengue virus NS1 Ag [Presence] in Serum". */
const analyteOf = (text: string): string => text.split(/[[:^]/, 1)[0]!;
const isAmount = (text: string): boolean =>
  /\[(?:mass|moles|#|units|titer|entitic|volume|enzymatic|ratio)[^\]]*\]|:(?:mcnc|scnc|ncnc|acnc|ccnc|titr|mfr|nfr):/i.test(
    text,
  );

const catalog = laboratoryTests
  .filter(({ method }) => !['question', 'control', 'panel', 'susceptibility'].includes(method))
  .map((test) => ({
    test,
    words: [...wordsOf(test.component)].filter((word) => !circumstance.has(word)),
    /** Only the words for its target, without those for the method. */
    target: [...wordsOf(test.component)].filter((word) => !circumstance.has(word) && !unsaid.has(word)),
    way: wayOf[test.method],
    amounts: test.scale === 'Qn',
  }));
const routine = routineTests.map(({ component }) =>
  [...wordsOf(component)].filter(
    (word) => !circumstance.has(word) && word !== 'automated' && word !== 'total',
  ),
);

/**
 * The test that a name means: the name has every word for the target of a catalog test (of several such tests, the
 * one with the most matching words), and no other word before its scale names another disease.
 */
function testSpokenFor(text: string): LaboratoryTest | undefined {
  const said = wordsOf(text);
  const analyte = wordsOf(analyteOf(text));
  const amounts = isAmount(text);
  const families = familiesInText(text);
  const fitting = catalog
    .filter(
      ({ test, words }) =>
        words.length > 0 &&
        words.every((word) => said.has(word)) &&
        // A name with both means neither.
        !(said.has('igm') && said.has('igg') && words.includes('igm') !== words.includes('igg')) &&
        // "Chlamydia trachomatis and Neisseria gonorrhoeae" means neither.
        families.every((family) => family === test.family),
    )
    .map((entry) => ({
      ...entry,
      told: entry.words.length,
      left: [...analyte].filter((word) => !circumstance.has(word) && !entry.words.includes(word)).length,
    }))
    .sort(
      (a, b) =>
        b.told - a.told ||
        a.left - b.left ||
        Number(a.amounts !== amounts) - Number(b.amounts !== amounts) ||
        Number(a.test.site !== undefined) - Number(b.test.site !== undefined) ||
        a.test.loinc.length - b.test.loinc.length ||
        (a.test.loinc < b.test.loinc ? -1 : 1),
    );
  const [best] = fitting;
  return best && best.told * 2 >= best.told + best.left ? best.test : organismSpokenFor(text);
}

/**
 * The test for the target of a name that does not give the method in the words of the catalog: "Influenza A (NAT)",
 * "Coronavirus HKU1". Only if all possible tests find the same thing in the same way.
 */
function organismSpokenFor(text: string): LaboratoryTest | undefined {
  const said = wordsOf(text);
  const analyte = [...wordsOf(analyteOf(text))].filter(
    (word) => !circumstance.has(word) && !unsaid.has(word),
  );
  const told = (Object.keys(ways) as Way[]).filter((way) => [...ways[way]].some((word) => said.has(word)));
  const families = familiesInText(spelled(text).replace(commonCold, ''));
  const amounts = isAmount(text);
  const fitting = catalog
    .filter(
      ({ test, words, target, way, amounts: counts }) =>
        way !== undefined &&
        target.length > 0 &&
        target.every((word) => said.has(word)) &&
        (told.length === 0 || (told.length === 1 && told[0] === way)) &&
        // IgM and IgG differ if one of them is named.
        (['igm', 'igg'] as const).every((word) => said.has(word) === words.includes(word)) &&
        counts === amounts &&
        families.every((family) => family === test.family),
    )
    .map((entry) => ({ ...entry, left: analyte.filter((word) => !entry.target.includes(word)).length }))
    .sort(
      (a, b) =>
        b.target.length - a.target.length ||
        a.left - b.left ||
        Number(a.test.site !== undefined) - Number(b.test.site !== undefined) ||
        a.test.loinc.length - b.test.loinc.length ||
        (a.test.loinc < b.test.loinc ? -1 : 1),
    );
  const [best] = fitting;
  if (!best || best.left > best.target.length) return undefined;
  const alike = fitting.filter(({ target }) => target.length === best.target.length);
  const kinds = new Set(
    alike.map(({ test: { condition, family, method } }) => `${condition} ${family} ${method}`),
  );
  return kinds.size === 1 ? best.test : undefined;
}

/** Whether a name means everyday laboratory work: its words are those of a declared routine test, or a cell count. */
function soundsRoutine(text: string): boolean {
  if (familiesInText(text).length > 0) return false;
  const said = [...wordsOf(analyteOf(text))].filter((word) => !circumstance.has(word));
  return (
    said.length > 0 &&
    (/\/100 (?:leukocytes|erythrocytes)/i.test(text) ||
      routine.some(
        (words) =>
          words.length > 0 && words.length === said.length && words.every((word) => said.includes(word)),
      ))
  );
}

/**
 * Whether a name is only that of a comment, which is not a result. An interpretation is not one: it may contain the
 * result.
 */
const isComment = (text: string): boolean =>
  /^(?:(?:specimen|sample|lab|laboratory|test|result|service|report|clinical|general|additional|order|ordering) )?(?:comment|note|remark)s?$|^(?:comentario|nota|observacion|observaciones|komante|remak)s?$/.test(
    foldWords(text),
  );

/** The name of a test's target, with its translations. */
export const labelOfTarget = (kind: CodeMapping['kind'], target: string) =>
  kind === 'test'
    ? { targetLabel: testByLoinc(target)?.component ?? null, targetLabelI18N: testNameI18N(target) }
    : { targetLabel: null };

/** A person's mapping of a sender's code, with its author. */
export interface MappedCode extends Pick<CodeMapping, 'kind' | 'sender' | 'code' | 'text'> {
  target: string;
  mappedBy: string | null;
}

/** Words that say nothing about the target, the amount or the place. */
const filler = new Set('the of in by and or on with for from to presence unspecified specimen'.split(' '));
/** Different words for one way to find nucleic acids. */
const amplifies = new Set('pcr naa nat naat tma amp amplification probe'.split(' '));
const telling = (text: string): Set<string> =>
  new Set(
    [...wordsOf(text)]
      .filter((word) => !filler.has(word))
      .map((word) => (amplifies.has(word) ? 'naat' : word)),
  );

/** Whether two names are the same except for order, spelling or short forms. */
function soundsAlike(a: string, b: string): boolean {
  const [mine, other] = [telling(a), telling(b)];
  return mine.size > 0 && mine.symmetricDifference(other).size === 0 && isAmount(a) === isAmount(b);
}

/**
 * Whether two names of one code can mean the same thing. A sender's systems count separately, and the "2" of one is
 * another test than the "2" of the next. One name may have more words than the other, but not different ones: "Flu
 * A" and "Flu B".
 */
function canMeanTheSame(a: string, b: string): boolean {
  if (a === '' || b === '') return true;
  const [mine, other] = [telling(a), telling(b)];
  return (mine.isSubsetOf(other) || other.isSubsetOf(mine)) && isAmount(a) === isAmount(b);
}

/**
 * A mapping for the same sender that fits a code: the same code under another system, or else nearly the same name.
 * `mapped` is in order of preference, newest first.
 */
export function mappedBefore(
  { kind, sender, code, text }: Pick<CodeMapping, 'kind' | 'sender' | 'code' | 'text'>,
  mapped: readonly MappedCode[],
): MappedCode | undefined {
  // The sender is unknown.
  if (sender === '') return undefined;
  const own = mapped.filter((one) => one.kind === kind && one.sender === sender);
  return (
    own.find((one) => code !== '' && one.code === code && canMeanTheSame(one.text, text)) ??
    own.find((one) => soundsAlike(one.text || one.code, text || code))
  );
}

/**
 * The probable meaning of a waiting code: what a person has mapped it to for its sender, or else what the same words
 * were mapped to for another sender, or else what its own words say, by Caseway's names of tests or by the parts of
 * LOINC's. Only a proposal: a person decides.
 */
export function proposalFor(
  { kind, code, text, system }: Pick<CodeMapping, 'kind' | 'code' | 'text' | 'system'>,
  { before, elsewhere }: { before: MappedCode | undefined; elsewhere: string | null },
): CodeMapping['proposal'] {
  const proposed = (target: string | null, basis: ProposalBasis, mappedBy: string | null = null) => ({
    target,
    ...(target === null ? { targetLabel: null } : labelOfTarget(kind, target)),
    basis,
    mappedBy,
  });
  if (before) return proposed(before.target, 'mapped-before', before.mappedBy);
  if (elsewhere !== null) return proposed(elsewhere, 'mapped-elsewhere');
  const words = text || code;
  if (kind === 'value') {
    const category = saidBy(words, code, system);
    return category === undefined ? null : proposed(category, 'words');
  }
  if (isComment(words)) return proposed(null, 'comment');
  const named = testNamed(words);
  if (named) return proposed(named.loinc, 'own-name');
  const spoken = testSpokenFor(words);
  if (spoken) return proposed(spoken.loinc, 'loinc-parts');
  return soundsRoutine(words) ? proposed(routineTarget, 'words') : null;
}

/** The category that a result's words or code have for any test. */
function saidBy(text: string, code: string, system: string): string | undefined {
  const category = resultCategoryOf({ code, system, text })?.category;
  return resultCategories.find((entry) => entry.code === category)?.code;
}
