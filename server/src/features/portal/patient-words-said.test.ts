import { expect, test } from 'vitest';
import { wordsIn } from '../../platform/words.ts';
import { patientWords } from '../reference/catalog.ts';

/**
 * What guidance says patients must be told, by key, in each language. Sources: CDC, STI Treatment Guidelines 2021 (test
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
  // A second test that finds no antibodies after a first that did may be an infection of the last days.
  ['hiv.confirmatory.negative', /too early.*use condoms/, /demasiado pronto.*use condón/, /twò bonè.*kapòt/],
  // Lyme disease, brucellosis and tularemia are found by antibodies, which do not mean that someone is well.
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
  // Most people have less than CDC's limit, and no amount is safe: never "normal".
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

/** Words that tell someone to act, of each kind; an explanation says the same in every language. */
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
