import { all, any, type CaseDefinition, type Criterion, fact, none, positive } from '../criteria.ts';

const notInfant: Criterion = { is: 'age-from', months: 18, assumed: true };
const infant: Criterion = { is: 'age-below', months: 18 };
const screen = positive('hiv-screen');
const virologic = positive('hiv-virologic');
const supplementalNegative: Criterion = {
  is: 'negative',
  tests: ['hiv-supplemental'],
  after: ['hiv-screen'],
  withinDays: 180,
  orIndeterminate: true,
};
const virologicNegative: Criterion = {
  is: 'negative',
  tests: ['hiv-virologic'],
  after: ['hiv-screen'],
  withinDays: 180,
};
/** A first test, and a second one that works differently. */
const twoScreens: Criterion = { is: 'different', tests: ['hiv-screen'] };
const algorithm = any(all(screen, positive('hiv-supplemental')), twoScreens);
const recentNegative: Criterion = {
  is: 'converted',
  tests: ['hiv-screen', 'hiv-supplemental', 'hiv-virologic'],
  withinDays: 180,
  orIndeterminate: true,
  // Under treatment the virus is not found: a person with an earlier positive has no new infection.
  first: true,
};

export const hiv: readonly CaseDefinition[] = [
  {
    id: 'hiv-2014',
    family: 'hiv',
    conditions: ['hiv'],
    files: 'hiv',
    statement: null,
    source: 'CDC, Revised surveillance case definition for HIV infection, MMWR 2014;63(RR-3)',
    validFrom: 2014,
    evidenceDays: null,
    classes: [
      {
        classification: 'confirmed',
        variant: 'hiv-stage-0',
        when: all(
          notInfant,
          any(algorithm, virologic),
          any(recentNegative, all(screen, supplementalNegative, virologic)),
        ),
      },
      {
        classification: 'confirmed',
        when: all(notInfant, any(algorithm, virologic, fact('hiv-documented'))),
      },
      {
        classification: 'confirmed',
        when: all(infant, { is: 'twice', tests: ['hiv-virologic'] }),
      },
      {
        classification: 'not_a_case',
        when: all(notInfant, screen, supplementalNegative, virologicNegative),
      },
      // Also with a negative second test: an acute infection looks like this, and the nucleic acid test decides.
      { classification: 'suspect', when: all(notInfant, any(screen, positive('hiv-supplemental'))) },
      // A mother's antibodies last in a child until about 18 months, so only the virus itself counts.
      { classification: 'suspect', when: all(infant, virologic) },
      { classification: 'not_a_case', when: all(infant, screen, none(virologic)) },
    ],
    contradicted: any(
      all(
        notInfant,
        screen,
        none(positive('hiv-supplemental'), virologic),
        // Under treatment the virus is not found, which does not contradict two positive tests.
        any(supplementalNegative, all(virologicNegative, none(twoScreens))),
      ),
      all(
        infant,
        virologic,
        {
          is: 'negative',
          tests: ['hiv-virologic'],
          after: ['hiv-virologic'],
          beforeDays: 0,
          withinDays: 180,
        },
        none({ is: 'twice', tests: ['hiv-virologic'] }),
      ),
    ),
  },
];
