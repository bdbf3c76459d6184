import type { LaboratoryTest, TestMethod } from './schema.ts';

/**
 * What a test looks for, as far as the words for its answer depend on it. LOINC says it by component, property and
 * method; our catalogue keeps the component's name and the method, from which the kind is derived here and nowhere else.
 */
export const analyteKinds = [
  'antigen',
  'antigen-antibody',
  'nucleic-acid',
  'viral-load',
  'culture',
  'microscopy',
  'toxin',
  /** IgG and IgM together, IgA, or not said which. */
  'antibody',
  'antibody-igg',
  'antibody-igm',
  /** A second antibody test: immunoblot, immunofluorescence. */
  'antibody-confirmatory',
  /** The antigens and antibodies of hepatitis B, each of which says something else. */
  'surface-antigen',
  'surface-antibody',
  'core-antibody',
  'nontreponemal',
  'treponemal',
  /** The interferon gamma release assay for latent tuberculosis. */
  'interferon-gamma',
  'metal',
  /** Another measured amount: a blood count, a vital sign, a signal-to-cutoff ratio. */
  'measure',
  /** Which medicines work against a germ that was found, by growing it or by a gene. */
  'susceptibility',
  /** Says nothing by itself: a band, a genotype, a panel's header. */
  'part',
  /** Newborn screening and tests of no other kind. */
  'screening',
  /** A test that the catalogue does not know. */
  'unknown',
] as const;
export type AnalyteKind = (typeof analyteKinds)[number];

const byMethod: Readonly<Record<TestMethod, AnalyteKind>> = {
  naat: 'nucleic-acid',
  culture: 'culture',
  antigen: 'antigen',
  'antigen-antibody': 'antigen-antibody',
  antibody: 'antibody',
  'antibody-igm': 'antibody-igm',
  'antibody-igg': 'antibody-igg',
  'confirmatory-antibody': 'antibody-confirmatory',
  'antibody-band': 'part',
  nontreponemal: 'nontreponemal',
  treponemal: 'treponemal',
  'viral-load': 'viral-load',
  genotype: 'part',
  microscopy: 'microscopy',
  toxin: 'toxin',
  resistance: 'susceptibility',
  igra: 'interferon-gamma',
  screening: 'screening',
  quantity: 'measure',
  susceptibility: 'susceptibility',
  panel: 'part',
  question: 'part',
  narrative: 'part',
  control: 'part',
  routine: 'measure',
};

/** The kind of a test of the catalogue; `unknown` for none. */
export function analyteKindOf(test: LaboratoryTest | undefined): AnalyteKind {
  if (!test) return 'unknown';
  const { method, scale, component, family } = test;
  // A panel's header has no answer of its own, and T-cell receptors are neither antibody nor virus.
  if (scale === '-' || /\bpanel\b|T-cell receptor/i.test(component)) return 'part';
  if (family === 'lead' || family === 'cadmium') return 'metal';
  if (method === 'quantity') {
    if (/surface antibody/i.test(component)) return 'surface-antibody';
    if (/\bIgG\b/.test(component)) return 'antibody-igg';
    return /antibody/i.test(component) && !/signal to cutoff/i.test(component) ? 'antibody' : 'measure';
  }
  if (family === 'hepatitis-b' && byMethod[method] !== 'part') {
    // The e antigen and its antibody follow an infection that is known.
    if (/\be (antigen|antibody|IgG)\b/i.test(component)) return 'part';
    if (/surface antigen/i.test(component)) return 'surface-antigen';
    if (/surface antibody/i.test(component)) return 'surface-antibody';
    if (/core (antibody|IgG)\b/i.test(component)) return 'core-antibody';
  }
  return byMethod[method];
}
