import type { LaboratoryTest, TestMethod } from './schema.ts';

/**
 * The target of a test, as far as the words for its answer depend on it. LOINC gives it as component, property and
 * method. Our catalogue has the component's name and the method, from which only this file derives the kind.
 */
export const analyteKinds = [
  'antigen',
  'antigen-antibody',
  'nucleic-acid',
  'viral-load',
  'culture',
  /** A culture of blood or of another normally sterile fluid. */
  'sterile-culture',
  'microscopy',
  'toxin',
  /** IgG and IgM together, IgA, or not stated. */
  'antibody',
  'antibody-igg',
  'antibody-igm',
  /** A second antibody test: immunoblot, immunofluorescence. */
  'antibody-confirmatory',
  /** The antigens and antibodies of hepatitis B, each with a different meaning. */
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
  /** Which medicines work against a germ that was found. */
  'susceptibility',
  /** Whether a germ has a gene or enzyme that makes it resistant to many medicines. */
  'resistance',
  /** Not meaningful alone: a band, a genotype, a panel's header. */
  'part',
  'newborn-screening',
  /** A screening test of no other kind. */
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
  resistance: 'resistance',
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

const sterileSite =
  /\b(blood|bone marrow|sterile body fluid|body fluid|pleural fluid|peritoneal fluid|synovial fluid|pericardial fluid)\b/i;

/** The kind of a test of the catalogue; `unknown` for none. */
export function analyteKindOf(test: LaboratoryTest | undefined): AnalyteKind {
  if (!test) return 'unknown';
  const { method, scale, component, family } = test;
  // A panel's header has no answer of its own, and T-cell receptors are neither antibody nor virus.
  if (scale === '-' || /\bpanel\b|T-cell receptor/i.test(component)) return 'part';
  if (/positive blood culture/i.test(component)) return 'sterile-culture';
  // With a family, the culture looks for one germ, and the words are about that germ.
  if (method === 'culture' && !family && sterileSite.test(component)) return 'sterile-culture';
  if (method === 'screening' && /\bnewborn\b/i.test(component)) return 'newborn-screening';
  // An immunoblot for IgM is about a new infection, like every test for IgM.
  if (method === 'confirmatory-antibody' && /\bIgM\b/.test(component) && !/\bIgG\b/.test(component))
    return 'antibody-igm';
  if (family === 'lead' || family === 'cadmium') return 'metal';
  if (method === 'quantity') {
    if (/surface antibody/i.test(component)) return 'surface-antibody';
    if (/\bIgG\b/.test(component)) return 'antibody-igg';
    return /antibody/i.test(component) && !/signal to cutoff/i.test(component) ? 'antibody' : 'measure';
  }
  if (family === 'hepatitis-b' && byMethod[method] !== 'part') {
    // The e antigen and its antibody monitor a known infection.
    if (/\be (antigen|antibody|IgG)\b/i.test(component)) return 'part';
    if (/surface antigen/i.test(component)) return 'surface-antigen';
    if (/surface antibody/i.test(component)) return 'surface-antibody';
    if (/core (antibody|IgG)\b/i.test(component)) return 'core-antibody';
  }
  return byMethod[method];
}
