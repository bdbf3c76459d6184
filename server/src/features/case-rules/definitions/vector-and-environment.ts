import { all, any, type CaseDefinition, type Criterion, fact, none, positive, refuted } from '../criteria.ts';

/**
 * Jurisdictions in which Lyme disease is common, by FIPS: Connecticut, Delaware, District of Columbia, Maine, Maryland,
 * Massachusetts, Minnesota, New Hampshire, New Jersey, New York, Pennsylvania, Rhode Island, Vermont, West Virginia,
 * Wisconsin.
 */
const lymeStates = ['09', '10', '11', '23', '24', '25', '27', '33', '34', '36', '42', '44', '50', '54', '55'];
const common: Criterion = { is: 'place', states: lymeStates, name: 'lyme-high-incidence' };
const elsewhere = none(common);

/** An equivocal first tier counts if a positive second one follows. */
const screened = ['positive', 'weak-positive', 'equivocal'] as const;
const firstTier: Criterion = { is: 'positive', tests: ['lyme-first-tier'], answers: screened };
const twoFirstTiers: Criterion = { is: 'different', tests: ['lyme-first-tier'], answers: screened };
/**
 * Two tiers, or an IgG blot, which counts without a first tier. An IgM blot counts in a specimen from the first
 * thirty days of the illness. If only the laboratory classifies, the onset is not required: then only a blot that is
 * known to be later does not count.
 */
const lymeConfirmatory = (onset: { assumed?: true }) =>
  any(
    positive('lyme-direct'),
    all(
      firstTier,
      any(positive('lyme-blot-igg'), { is: 'near-onset', tests: ['lyme-blot-igm'], days: 30, ...onset }),
    ),
    twoFirstTiers,
  );
const lymeOfLaboratory = lymeConfirmatory({ assumed: true });
const lymeOfInvestigation = lymeConfirmatory({});
/** Until 2021 an IgG blot alone counted as much as two tiers; from 2022 on it is presumptive. */
const iggAlone = positive('lyme-blot-igg');
const lymeAny = any(lymeOfInvestigation, iggAlone);
const lymeRefuted = all(refuted(['lyme-first-tier'], ['lyme-blot'], 60), none(positive('lyme-direct')));
const manifestation = any(fact('lyme-manifestation'), all(fact('erythema-migrans'), fact('tick-exposure')));
/** From 2022 on exposure is not required. */
const compatible = any(fact('lyme-manifestation'), fact('erythema-migrans'));

const lyme = {
  family: 'lyme',
  conditions: ['lyme-disease'],
  files: 'lyme-disease',
  evidenceDays: 90,
  newCase: 'calendar-year',
  contradicted: any(
    all(lymeRefuted, none(twoFirstTiers)),
    // If there are two first tiers, the second decides. A single negative IgM or IgG does not contradict the other.
    all(
      positive('lyme-first-tier'),
      { is: 'negative', tests: ['antibody'], after: ['lyme-first-tier'], beforeDays: 0, withinDays: 60 },
      none(positive('lyme-blot', 'lyme-direct'), twoFirstTiers),
    ),
  ),
} as const;
const lymeOpen: CaseDefinition['classes'] = [
  { classification: 'not_a_case', when: lymeRefuted },
  // The second tier is still missing.
  { classification: 'suspect', when: positive('lyme-first-tier', 'lyme-blot') },
];

export const vectorAndEnvironment: readonly CaseDefinition[] = [
  {
    ...lyme,
    id: 'lyme-disease-2017',
    statement: '16-ID-10',
    source: 'CDC NNDSS case definition, Lyme disease 2017 (16-ID-10)',
    validFrom: 2017,
    classes: [
      { classification: 'confirmed', when: all(manifestation, lymeAny) },
      { classification: 'confirmed', when: all(fact('erythema-migrans'), fact('tick-exposure')) },
      { classification: 'probable', when: all(fact('lyme-likely-sign'), lymeAny) },
      { classification: 'suspect', when: any(lymeAny, fact('erythema-migrans')) },
      ...lymeOpen,
    ],
  },
  {
    ...lyme,
    id: 'lyme-disease-2022',
    statement: '21-ID-05',
    source: 'CDC NNDSS case definition, Lyme disease 2022 (21-ID-05)',
    validFrom: 2022,
    classes: [
      { classification: 'confirmed', when: all(elsewhere, compatible, lymeOfInvestigation) },
      // Where the disease is common, only the laboratory classifies.
      { classification: 'probable', when: all(common, lymeOfLaboratory) },
      { classification: 'probable', when: all(elsewhere, compatible, iggAlone) },
      { classification: 'suspect', when: any(lymeAny, fact('erythema-migrans')) },
      ...lymeOpen,
    ],
  },
  {
    id: 'lead-elevated-2021',
    family: 'lead',
    conditions: ['lead-elevated'],
    files: 'lead-elevated',
    statement: null,
    source: 'CDC, blood lead reference value 3.5 µg/dL (2021); confirmation by a venous specimen',
    validFrom: 2021,
    evidenceDays: 84,
    classes: [
      { classification: 'confirmed', when: positive('lead-venous') },
      {
        classification: 'confirmed',
        // Two finger sticks within twelve weeks count as much as one venous specimen.
        when: { is: 'twice', tests: ['lead-capillary'], withinDays: 84 },
      },
      { classification: 'suspect', when: positive('lead-blood') },
    ],
    // Lead on the skin raises a finger stick: a venous specimen decides.
    contradicted: refuted(['lead-blood'], ['lead-venous'], 84),
  },
];
