import { expect, test } from 'vitest';
import { wordsIn } from '../../platform/words/words.ts';
import { laboratoryTests, patientWords } from '../reference/catalog.ts';
import { explanationOf } from './patient-words.ts';

/**
 * What guidance says patients must hear, by key, in each language. Sources: CDC, STI Treatment Guidelines 2021 (test
 * of cure of the throat after 7 to 14 days, in pregnancy after about 4 weeks, all again after 3 months; titers), HIV
 * and hepatitis pages.
 */
const asked: readonly [key: string, en: RegExp, es: RegExp, ht: RegExp][] = [
  ['gonorrhea.positive', /throat.*7 to 14 days/, /garganta.*7 a 14 días/, /gòj.*7 a 14 jou/],
  ['gonorrhea.positive', /again in 3 months/, /en 3 meses/, /nan 3 mwa/],
  ['chlamydia.positive', /again in 3 months/, /en 3 meses/, /nan 3 mwa/],
  ['chlamydia.positive', /pregnant.*4 weeks/, /embarazada.*4 semanas/, /ansent.*4 semèn/],
  [
    'syphilis.nontreponemal.positive',
    /1:32 to 1:8.*low number stays/,
    /1:32 a 1:8.*número bajo/,
    /1:32 rive 1:8.*ba/,
  ],
  ['syphilis.antibody.negative', /6 weeks and in 3 months/, /6 semanas y en 3 meses/, /6 semèn ak nan 3 mwa/],
  // Nontreponemal tests miss early and late syphilis, and very high amounts (prozone): signs count more.
  ['syphilis.antibody.negative', /sore or a rash/, /llaga o sarpullido/, /maleng oswa bouton/],
  ['syphilis.nontreponemal.positive', /your baby's result/, /resultado es de su bebé/, /rezilta tibebe ou/],
  // A second test without antibodies after a first test with antibodies may be an infection of the last days.
  ['hiv.confirmatory.negative', /too early.*use condoms/, /demasiado pronto.*use condón/, /twò bonè.*kapòt/],
  // Lyme disease, brucellosis and tularemia are found by antibodies, which do not mean that the illness is over.
  [
    'antibody.positive',
    /does not say if that is over.*feel sick/,
    /no dice si eso ya pasó.*se siente mal/,
    /pa di si sa fini.*santi ou malad/,
  ],
  ['contagious.negative', /told you to stay home/, /se quedara en casa/, /rete lakay ou/],
  ['malaria.negative', /fever.*another test/, /fiebre.*otra prueba/, /lafyèv.*lòt tès/],
  ['resistant.positive', /every clinic, hospital/, /toda clínica, hospital/, /tout klinik, lopital/],
  ['newborn.positive', /doctor or clinic today/, /Llame hoy al médico/, /Rele doktè.*jodi a/],
  ['sterile-culture.positive', /today, even if/, /hoy a su clínica, aunque/, /jodi a, menm si/],
  // Most people are below CDC's limit, and no amount is safe: never "normal".
  [
    'lead.usual',
    /than in most people.*No amount/,
    /que en la mayoría.*cantidad segura/,
    /pase kay pifò moun.*san danje/,
  ],
  [
    'influenza.negative',
    /feel sick and are 65.*under 5/,
    /mal y tiene 65.*de 5 años/,
    /malad epi ou gen 65.*gen 5 an/,
  ],
  ['hepatitis-b.surface-antibody.positive', /protect you/, /le protegen/, /pwoteje ou/],
  ['hepatitis-c.antibody.positive', /second test/, /segunda prueba/, /dezyèm tès/],
  [
    'hiv.screening.positive',
    /second test to be sure/,
    /segunda prueba para confirmarlo/,
    /dezyèm tès pou konfime/,
  ],
  [
    'hiv.viral-load.negative',
    /does not mean that HIV is gone/,
    /No quiere decir que el VIH se haya ido/,
    /pa vle di VIH la ale/,
  ],
  [
    'tuberculosis.blood-test.positive',
    /not sick and cannot pass/,
    /no están enfermas ni contagian/,
    /pa malad epi yo pa ka bay/,
  ],
  ['covid-19.antigen.negative', /48 hours/, /48 horas/, /48 èdtan/],
];

test('[P26] each language says what the guidance requires', () => {
  for (const [key, ...patterns] of asked)
    for (const [index, language] of (['en', 'es', 'ht'] as const).entries()) {
      const words = wordsIn('explanations', language, 'PUBLIC_HEALTH');
      const text = ['meaning', 'next'].map((part) => words(`explained.${key}.${part}`)).join(' ');
      expect(text, `${language} ${key}`).toMatch(patterns[index]!);
    }
});

/** A sentence that must be present, in each language. */
type Said = readonly [en: RegExp, es: RegExp, ht: RegExp];
const pep: Said = [
  /last 72 hours, go to a clinic or emergency room now and ask for PEP/,
  /últimas 72 horas, vaya ahora a una clínica o sala de emergencias y pida PEP/,
  /dènye 72 èdtan yo, ale kounye a nan yon klinik oswa nan ijans epi mande PEP/,
];
const contactsAreTreated: Said = [
  /somebody you had sex with has .*you may need treatment (or another test )?although this (test|one) is negative/,
  /alguien con quien tuvo sexo .*quizás necesite tratamiento (u otra prueba )?aunque esta (prueba )?sea negativa/,
  /yon moun ou te fè sèks avè l .*ou ka bezwen tretman (oswa yon lòt tès )?menm si (tès )?sa a negatif/,
];
const careAtBirth: Said = [
  /pregnant, say so: care at birth protects your baby/,
  /embarazada, dígalo: los cuidados al nacer protegen a su bebé/,
  /ansent, di sa: swen lè tibebe a fèt pwoteje l/,
];
const babyNeedsTest: Said = [
  /pregnant, say so: your baby needs a test/,
  /embarazada, dígalo: su bebé necesita una prueba/,
  /ansent, di sa: tibebe ou bezwen yon tès/,
];
const sayPregnant: Said = [/pregnant, say so/, /embarazada, dígalo/, /ansent, di sa/];
const pregnantToday: Said = [
  /If you are pregnant.*, call today/,
  /Si está embarazada.*, llame hoy/,
  /Si ou ansent.*, rele jodi a/,
];
const from65: Said = [/\b65 (or|and) older/, /\b65 años o más/, /\b65 an oswa plis/];

/**
 * Every sentence of published guidance that must be present, by the kind of test, as LOINC names it, and its answer.
 * Sources: CDC, "HIV testing" (windows: 18 to 45 days by antigen and antibody from a vein, to 90 from a finger or by
 * antibodies alone, 10 to 33 by nucleic acid), nPEP guidelines 2025 (72 hours), STI Treatment Guidelines 2021
 * (contacts are treated whatever the test says; pregnancy), hepatitis B and C in pregnancy, and the pages on
 * COVID-19 and flu (65 and older).
 */
const published: readonly { of: RegExp; not?: RegExp; answer: string; say: readonly Said[] }[] = [
  {
    of: /^HIV .*antigen and antibody/,
    answer: 'negative',
    say: [
      [
        /last 45 days, or of the last 90 days if the blood came from a finger/,
        /últimos 45 días, o de los últimos 90 días si la sangre fue del dedo/,
        /dènye 45 jou yo, oswa nan dènye 90 jou yo si yo te pran san an nan dwèt/,
      ],
      pep,
    ],
  },
  {
    of: /^HIV (1|2|1 and 2) antibody(,|$)/,
    not: /immunoblot|immunofluorescence/,
    answer: 'negative',
    say: [
      [
        /infection of the last 3 months \(90 days\)/,
        /infección de los últimos 3 meses \(90 días\)/,
        /enfeksyon ki rive nan dènye 3 mwa yo \(90 jou\)/,
      ],
      pep,
    ],
  },
  {
    of: /^HIV .*(RNA|DNA)/,
    not: /viral load/,
    answer: 'negative',
    say: [[/infection of the last 33 days/, /infección de los últimos 33 días/, /nan dènye 33 jou yo/], pep],
  },
  {
    of: /^HIV .*(immunoblot|immunofluorescence|antibody identified)/,
    not: /antibody band|\bband$|gp\d|p\d\d/,
    answer: 'negative',
    say: [pep, pregnantToday],
  },
  {
    of: /^HIV (1|2|1 and 2) (antibody|RNA|antigen and antibody)(,|$)/,
    answer: 'indeterminate',
    say: [pep, pregnantToday],
  },
  {
    of: /^HIV (1|2|1 and 2) (antibody|RNA|antigen and antibody)(,|$)/,
    answer: 'positive',
    say: [pregnantToday],
  },
  {
    of: /^(Chlamydia trachomatis|Neisseria gonorrhoeae|Trichomonas vaginalis)( DNA| rRNA| antigen|, culture)/,
    answer: 'negative',
    say: [contactsAreTreated],
  },
  {
    of: /^(Chlamydia trachomatis|Neisseria gonorrhoeae|Trichomonas vaginalis)( DNA| rRNA| antigen|, culture)/,
    answer: 'positive',
    say: [sayPregnant],
  },
  {
    of: /^(Reagin antibody|Treponema pallidum (antibody|IgG|IgM))/,
    not: /panel/,
    answer: 'negative',
    say: [contactsAreTreated],
  },
  {
    of: /^(Reagin antibody|Treponema pallidum)/,
    not: /panel/,
    answer: 'positive',
    say: [pregnantToday],
  },
  {
    of: /^Hepatitis B virus (surface antigen|(polymerase )?DNA|core IgM)/,
    not: /viral load|DNA, quantitative/,
    answer: 'positive',
    say: [careAtBirth],
  },
  { of: /^Hepatitis B virus core (antibody|IgG)/, answer: 'positive', say: [sayPregnant] },
  {
    of: /^Hepatitis C virus (RNA|core antigen)/,
    not: /viral load|RNA, quantitative/,
    answer: 'positive',
    say: [babyNeedsTest],
  },
  {
    of: /^Hepatitis C virus (antibody|IgG)/,
    not: /band pattern|signal to cutoff/,
    answer: 'positive',
    say: [sayPregnant],
  },
  {
    of: /^Hepatitis C virus (antibody|IgG)(,|$)/,
    not: /immunoblot/,
    answer: 'negative',
    say: [[/last 6 months/, /últimos 6 meses/, /dènye 6 mwa yo/]],
  },
  {
    of: /^(SARS-CoV-2 (RNA|N gene|antigen)|Influenza [AB] (virus RNA|antigen))(,|$)/,
    not: /sequencing/,
    answer: 'positive',
    say: [from65],
  },
];

test('[P26] no published sentence is lost, for any test of its kind', () => {
  const lacking = new Set<string>();
  for (const { of, not, answer, say } of published) {
    const tests = laboratoryTests.filter(
      ({ component, method }) =>
        of.test(component) &&
        !not?.test(component) &&
        !['panel', 'question', 'genotype', 'antibody-band'].includes(method),
    );
    expect(tests.length, String(of)).toBeGreaterThan(0);
    for (const { loinc, component, family, condition } of tests) {
      const { key } = explanationOf({
        testLoinc: loinc,
        diseaseFamily: family ?? null,
        conditionCode: condition ?? null,
        resultCategory: answer,
        valueText: null,
        valueNumber: null,
        valueComparator: null,
        units: null,
        referenceRange: null,
        abnormalFlag: null,
      });
      for (const [index, language] of (['en', 'es', 'ht'] as const).entries()) {
        const words = wordsIn('explanations', language, 'PUBLIC_HEALTH');
        const text = ['meaning', 'next'].map((part) => words(`explained.${key}.${part}`)).join(' ');
        for (const patterns of say)
          if (!patterns[index]!.test(text))
            lacking.add(`${language} ${component}, ${answer}: ${key} lacks ${patterns[index]}`);
      }
    }
  }
  expect([...lacking]).toEqual([]);
});

/** Words that tell a person to act, of each kind. An explanation says the same in every language. */
const acts: readonly [act: string, en: RegExp, es: RegExp, ht: RegExp][] = [
  ['calls 911', /911/, /911/, /911/],
  ['acts today', /\btoday\b/, /\bhoy\b/, /\bjodi a\b/],
  ['acts this week', /\bthis week\b/, /\besta semana\b/, /\bsemèn sa a\b/],
  ['tells that she is pregnant', /\bpregnant\b/, /embarazada/, /ansent/],
  [
    'asks the clinic',
    /\b(clinic|doctor|nurse|health department)\b/,
    /clínica|cita médica|departamento de salud/,
    /klinik|doktè|depatman sante/,
  ],
  ['has no sex for a time', /not have sex/, /No tenga sexo/, /Pa fè sèks/],
  [
    'thinks of partners',
    /you had sex with|\bpartners\b/,
    /con quien(es)? tuvo sexo|\bparejas\b/,
    /ou te fè sèks|[Pp]atnè/,
  ],
];
const numbersIn = (text: string) => (text.match(/\d+(?::\d+)?/g) ?? []).sort();

test('[P26] every explanation says the same in each language, names a way to act, and no dose', () => {
  const keys = [...new Set(patientWords.rows.map(({ key }) => key))];
  for (const key of keys) {
    const texts = (['en', 'es', 'ht'] as const).map((language) => {
      const words = wordsIn('explanations', language, 'PUBLIC_HEALTH');
      return ['meaning', 'next'].map((part) => words(`explained.${key}.${part}`)).join(' ');
    });
    for (const [act, ...patterns] of acts) {
      const said = texts.map((text, index) => patterns[index]!.test(text));
      expect(said, `${key} ${act}`).toEqual([said[0], said[0], said[0]]);
    }
    const numbers = texts.map(numbersIn);
    expect(numbers[1], `${key} es`).toEqual(numbers[0]);
    expect(numbers[2], `${key} ht`).toEqual(numbers[0]);
    expect(texts.join(' '), key).not.toMatch(
      /\d\s*(mg|g|ml|gram|unit)\b|million units|penicillin|doxycycline/i,
    );
    if (key !== 'any.pending' && key !== 'any.not-done')
      expect(texts[0], key).toMatch(/clinic|doctor|health department/);
    if (/^(urgent|contagious)|very-high/.test(key)) expect(texts[0], key).toMatch(/today/);
  }
});
