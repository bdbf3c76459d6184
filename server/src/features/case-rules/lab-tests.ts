import type { TestMethod } from '../reference/schema.ts';

/** The properties that decide which kind of test a finding is from. */
export interface TestedBy {
  family: string;
  method: string | null;
  /** The condition that the organism or the test names. */
  condition: string | null;
  /** The target, in the words of the catalog or of the person who classified the test. */
  component: string;
  /** The specimen's site; a code of the list `specimenSite`. */
  site: string | null;
  /** A code of the list of specimen types. */
  specimen: string | null;
}

type Matches = (by: TestedBy) => boolean;

const of =
  (family: string, methods: readonly TestMethod[], more: Matches = () => true): Matches =>
  (by) =>
    by.family === family && methods.includes(by.method as TestMethod) && more(by);
const named =
  (pattern: RegExp): Matches =>
  ({ component }) =>
    pattern.test(component);
const about =
  (...conditions: (string | null)[]): Matches =>
  ({ condition }) =>
    conditions.includes(condition);
const inCsf: Matches = ({ site }) => site === 'cerebrospinal';
const both =
  (...matches: Matches[]): Matches =>
  (by) =>
    matches.every((match) => match(by));
const not =
  (match: Matches): Matches =>
  (by) =>
    !match(by);
const byMethod =
  (method: TestMethod): Matches =>
  (by) =>
    by.method === method;

const detection: readonly TestMethod[] = ['naat', 'viral-load', 'genotype', 'culture'];
const cidt: readonly TestMethod[] = ['naat', 'antigen'];
const immunoglobulins: readonly TestMethod[] = ['antibody', 'antibody-igm', 'antibody-igg'];
const salmonella = about(null, 'salmonellosis');
const cord = both(named(/cord blood/i));

/** The kinds of tests in the rules, each with its definition; the screens have their names. */
const kinds = {
  // By method only, for conditions whose rules need no more.
  naat: byMethod('naat'),
  culture: byMethod('culture'),
  antigen: byMethod('antigen'),
  antibody: byMethod('antibody'),
  'antibody-igm': byMethod('antibody-igm'),
  'antibody-igg': byMethod('antibody-igg'),
  'viral-load': byMethod('viral-load'),
  genotype: byMethod('genotype'),
  microscopy: byMethod('microscopy'),
  toxin: byMethod('toxin'),
  resistance: byMethod('resistance'),
  igra: byMethod('igra'),
  quantity: byMethod('quantity'),

  nontreponemal: of('syphilis', ['nontreponemal'], both(not(inCsf), not(cord))),
  'csf-vdrl': of('syphilis', ['nontreponemal'], inCsf),
  treponemal: of('syphilis', ['treponemal'], not(inCsf)),
  'treponema-direct': of('syphilis', ['naat', 'microscopy', 'culture']),
  'gonorrhea-direct': of('gonorrhea', ['naat', 'culture', 'antigen']),
  'gonorrhea-smear': of('gonorrhea', ['microscopy'], ({ site }) => site === 'urethra' || site === 'cervix'),
  'gonorrhea-smear-cervix': of('gonorrhea', ['microscopy'], ({ site }) => site === 'cervix'),
  'gonorrhea-smear-elsewhere': of(
    'gonorrhea',
    ['microscopy'],
    ({ site }) => site !== 'urethra' && site !== 'cervix',
  ),
  'chlamydia-direct': of('chlamydia', ['naat', 'culture', 'antigen']),
  'ducreyi-culture': of('chancroid', ['culture']),
  'ducreyi-naat': of('chancroid', ['naat']),

  'hiv-screen': of('hiv', ['antigen-antibody', 'antibody'], not(named(/antibody identified/i))),
  'hiv-supplemental': (by) =>
    of('hiv', ['confirmatory-antibody'])(by) || of('hiv', ['antibody'], named(/antibody identified/i))(by),
  'hiv-virologic': of('hiv', [...detection, 'antigen']),

  'hav-igm': of('hepatitis-a', ['antibody-igm']),
  'hav-rna': of('hepatitis-a', ['naat']),
  hbsag: of('hepatitis-b', ['antigen'], named(/surface antigen/i)),
  hbeag: of('hepatitis-b', ['antigen'], named(/ e antigen/i)),
  'hbv-dna': of('hepatitis-b', detection),
  'hbc-igm': of('hepatitis-b', ['antibody-igm'], named(/core/i)),
  'hbc-total': of('hepatitis-b', ['antibody', 'antibody-igg'], named(/core/i)),
  'hcv-antibody': of('hepatitis-c', ['antibody', 'antibody-igg', 'confirmatory-antibody']),
  'hcv-detection': of('hepatitis-c', [...detection, 'antigen']),

  'mtb-culture': of('tuberculosis', ['culture'], about('tuberculosis')),
  'mtb-naat': of('tuberculosis', ['naat'], about('tuberculosis')),
  'afb-smear': of('tuberculosis', ['microscopy']),
  'other-mycobacterium': of('nontuberculous-mycobacteria', ['culture', 'naat']),

  'sars2-molecular': of('coronavirus', detection, about('covid-19')),
  'sars2-antigen': of('coronavirus', ['antigen'], about('covid-19')),
  'mpox-direct': of('orthopoxvirus', detection, about('mpox')),
  'orthopox-direct': of('orthopoxvirus', ['naat'], about(null, 'orthopoxvirus-undetermined')),
  'orthopox-igm': of('orthopoxvirus', ['antibody-igm']),
  'pertussis-direct': of('pertussis', ['culture', 'naat'], about(null, 'pertussis')),
  'measles-direct': of('measles', ['naat', 'culture']),
  'measles-igm': of('measles', ['antibody-igm']),
  'measles-igg': of('measles', ['antibody-igg']),
  'mumps-direct': of('mumps', ['naat', 'culture']),
  'mumps-igm': of('mumps', ['antibody-igm']),
  'varicella-direct': of('varicella', ['naat', 'culture', 'antigen']),
  'legionella-direct': of('legionellosis', ['culture', 'antigen', 'naat']),
  'meningococcus-direct': of('meningococcal', ['culture', 'naat']),
  'meningococcus-antigen': of('meningococcal', ['antigen']),
  'rabies-direct': of('rabies', ['antigen', 'culture', 'naat']),

  'salmonella-culture': of('salmonellosis', ['culture'], salmonella),
  'salmonella-cidt': of('salmonellosis', cidt, salmonella),
  'shigella-culture': of('shigellosis', ['culture']),
  'shigella-cidt': of('shigellosis', cidt),
  'campylobacter-culture': of('campylobacteriosis', ['culture']),
  'campylobacter-cidt': of('campylobacteriosis', cidt),
  'stec-isolate': of('stec', ['culture'], about('stec')),
  'ecoli-isolate': of('stec', ['culture'], not(about('stec'))),
  'shiga-toxin': of('stec', ['toxin', 'naat', 'antigen']),

  'lyme-direct': of('lyme', ['culture', 'naat']),
  'lyme-first-tier': of('lyme', immunoglobulins),
  'lyme-blot': of('lyme', ['confirmatory-antibody']),
  'lyme-blot-igg': of('lyme', ['confirmatory-antibody'], named(/igg/i)),
  'lyme-blot-igm': of('lyme', ['confirmatory-antibody'], not(named(/igg/i))),

  'lead-venous': (by) =>
    by.family === 'lead' &&
    (named(/venous/i)(by) || (!named(/capillary/i)(by) && by.specimen === 'venous-blood')),
  'lead-capillary': (by) =>
    by.family === 'lead' &&
    (named(/capillary/i)(by) || (!named(/venous/i)(by) && by.specimen === 'capillary-blood')),
  'lead-blood': (by) => by.family === 'lead',
} as const satisfies Record<string, Matches>;

export type TestKind = keyof typeof kinds;
export const testKinds = Object.keys(kinds) as readonly TestKind[];

const kindsFor = (by: TestedBy): ReadonlySet<TestKind> =>
  new Set(testKinds.filter((kind) => kinds[kind](by)));

const known = new Map<string, ReadonlySet<TestKind>>();

/** The kinds of test that a finding is from. Computed once for each test, condition and specimen of the catalog. */
export function kindsOf(by: TestedBy, isInCatalog: boolean): ReadonlySet<TestKind> {
  if (!isInCatalog) return kindsFor(by);
  const key = [by.family, by.method, by.condition, by.component, by.site, by.specimen].join('|');
  let found = known.get(key);
  if (!found) {
    found = kindsFor(by);
    known.set(key, found);
  }
  return found;
}
