import { labelIn, testNameForStaff } from '@caseway/contract/label';
import { expect, test } from 'vitest';
import { laboratoryTests, routineTests } from './catalog.ts';
import { testNameI18N, testTerms, translatedTestName } from './names-of-tests.ts';
import { specimenSiteLabel, specimenTypeLabel } from './specimen-labels.ts';

/** Worked out by hand: the English name, Spanish, Haitian Creole. */
const byHand: [string, string, string][] = [
  ['HIV 1 and 2 antibody', 'Anticuerpos contra el VIH 1 y 2', 'Antikò kont VIH 1 ak 2'],
  [
    'HIV 1 and 2 antigen and antibody',
    'Antígeno y anticuerpos del VIH 1 y 2',
    'Antijèn ak antikò VIH 1 ak 2',
  ],
  [
    'HIV 1 and 2 antibody, rapid',
    'Anticuerpos contra el VIH 1 y 2, prueba rápida',
    'Antikò kont VIH 1 ak 2, tès rapid',
  ],
  ['HIV 1 RNA', 'ARN del VIH 1', 'ARN VIH 1'],
  ['HIV 1 RNA viral load', 'Carga viral del VIH 1 (ARN)', 'Chaj viral VIH 1 (ARN)'],
  [
    'HIV 1 RNA viral load, limit 20',
    'Carga viral del VIH 1 (ARN), límite 20',
    'Chaj viral VIH 1 (ARN), limit 20',
  ],
  [
    'HIV 1 gp120 and gp160 antibody, immunoblot band',
    'Anticuerpos contra gp120 y gp160 del VIH 1, banda de inmunoblot',
    'Antikò kont gp120 ak gp160 VIH 1, bann iminoblòt',
  ],
  [
    'Hepatitis A virus antibody',
    'Anticuerpos contra el virus de la hepatitis A',
    'Antikò kont viris epatit A',
  ],
  [
    'Hepatitis A virus IgM antibody',
    'Anticuerpos IgM contra el virus de la hepatitis A',
    'Antikò IgM kont viris epatit A',
  ],
  [
    'Hepatitis B virus surface antigen',
    'Antígeno de superficie del virus de la hepatitis B',
    'Antijèn sifas viris epatit B',
  ],
  [
    'Hepatitis B virus surface antibody',
    'Anticuerpos contra el antígeno de superficie del virus de la hepatitis B',
    'Antikò kont antijèn sifas viris epatit B',
  ],
  [
    'Hepatitis B virus core IgM antibody',
    'Anticuerpos IgM contra el antígeno central del virus de la hepatitis B',
    'Antikò IgM kont antijèn nwayo viris epatit B',
  ],
  ['Hepatitis B virus e antigen', 'Antígeno e del virus de la hepatitis B', 'Antijèn e viris epatit B'],
  ['Hepatitis C virus RNA', 'ARN del virus de la hepatitis C', 'ARN viris epatit C'],
  ['Hepatitis C virus genotype', 'Genotipo del virus de la hepatitis C', 'Jenotip viris epatit C'],
  [
    'Hepatitis C virus c22p antibody, immunoblot band',
    'Anticuerpos contra c22p del virus de la hepatitis C, banda de inmunoblot',
    'Antikò kont c22p viris epatit C, bann iminoblòt',
  ],
  ['Chlamydia trachomatis DNA', 'ADN de Chlamydia trachomatis', 'ADN Chlamydia trachomatis'],
  [
    'Chlamydia trachomatis rRNA',
    'ARN ribosómico de Chlamydia trachomatis',
    'ARN ribozòm Chlamydia trachomatis',
  ],
  ['Neisseria gonorrhoeae, culture', 'Cultivo de Neisseria gonorrhoeae', 'Kilti Neisseria gonorrhoeae'],
  [
    'Chlamydia trachomatis and Neisseria gonorrhoeae DNA panel',
    'Panel de ADN de Chlamydia trachomatis y Neisseria gonorrhoeae',
    'Seri tès ADN Chlamydia trachomatis ak Neisseria gonorrhoeae',
  ],
  ['Reagin antibody, RPR', 'Anticuerpos reagínicos, RPR', 'Antikò reyajin, RPR'],
  ['Reagin antibody titer, VDRL', 'Título de anticuerpos reagínicos, VDRL', 'Tit antikò reyajin, VDRL'],
  ['Treponema pallidum antibody', 'Anticuerpos contra Treponema pallidum', 'Antikò kont Treponema pallidum'],
  [
    'Treponema pallidum IgG and IgM',
    'Anticuerpos IgG e IgM contra Treponema pallidum',
    'Antikò IgG ak IgM kont Treponema pallidum',
  ],
  ['Treponema pallidum polA gene', 'Gen polA de Treponema pallidum', 'Jèn polA Treponema pallidum'],
  [
    'Bacteria identified, blood culture',
    'Bacterias identificadas, hemocultivo',
    'Bakteri yo jwenn, kilti san',
  ],
  [
    'Bacteria identified, urine culture',
    'Bacterias identificadas, urocultivo',
    'Bakteri yo jwenn, kilti pipi',
  ],
  ['Salmonella, stool culture', 'Coprocultivo de Salmonella', 'Kilti poupou pou Salmonella'],
  [
    'Salmonella identified, culture',
    'Especie de Salmonella identificada en cultivo',
    'Espès Salmonella yo jwenn nan kilti',
  ],
  ['Measles virus IgM', 'Anticuerpos IgM contra el virus del sarampión', 'Antikò IgM kont viris lawoujòl'],
  ['Measles virus, culture', 'Cultivo del virus del sarampión', 'Kilti viris lawoujòl'],
  ['Mumps virus RNA', 'ARN del virus de las paperas', 'ARN viris malmouton'],
  ['SARS-CoV-2 RNA', 'ARN del SARS-CoV-2', 'ARN SARS-CoV-2'],
  ['SARS-CoV-2 N gene, saliva', 'Gen N del SARS-CoV-2, saliva', 'Jèn N SARS-CoV-2, saliv'],
  ['SARS-CoV-2 ORF1ab region', 'Región ORF1ab del SARS-CoV-2', 'Rejyon ORF1ab SARS-CoV-2'],
  [
    'SARS-CoV and SARS-CoV-2 antigen, rapid',
    'Antígeno del SARS-CoV y del SARS-CoV-2, prueba rápida',
    'Antijèn SARS-CoV ak SARS-CoV-2, tès rapid',
  ],
  [
    'Influenza A virus RNA, upper respiratory',
    'ARN del virus de la influenza A, vías respiratorias superiores',
    'ARN viris grip A, pati anwo aparèy respiratwa',
  ],
  ['Ceftriaxone susceptibility', 'Sensibilidad a la ceftriaxona', 'Sansiblite pou seftriyaksòn'],
  ['Meropenem susceptibility', 'Sensibilidad al meropenem', 'Sansiblite pou mewopenèm'],
  [
    'Rifampin 1 µg/mL susceptibility, mycobacteria',
    'Sensibilidad a la rifampina (1 µg/mL), micobacterias',
    'Sansiblite pou rifanpin (1 µg/mL), mikobakteri',
  ],
  [
    'Mycobacterium tuberculosis complex DNA',
    'ADN del complejo Mycobacterium tuberculosis',
    'ADN konplèks Mycobacterium tuberculosis',
  ],
  ['Dengue virus NS1 antigen', 'Antígeno NS1 del virus del dengue', 'Antijèn NS1 viris deng'],
  ['Lead, venous blood', 'Plomo, sangre venosa', 'Plon, san venn'],
  ['Pregnancy status', 'Estado de embarazo', 'Estati gwosès'],
  ['mecA gene', 'Gen mecA', 'Jèn mecA'],
];

test.each(byHand)('%s has this name in Spanish and Creole [S1.4]', (english, es, ht) => {
  expect(laboratoryTests.some(({ component }) => component === english)).toBe(true);
  expect(translatedTestName(english)).toEqual({ es, ht });
});

const names = [...new Set(laboratoryTests.map(({ component }) => component))];

test('every test of the catalogue has a name in Spanish and Creole [S1.4]', () => {
  expect(
    laboratoryTests.filter(({ loinc }) => !testNameI18N(loinc)).map(({ component }) => component),
  ).toEqual([]);
  expect(
    names
      .flatMap((name) => Object.values(translatedTestName(name)!))
      .filter((text) => /[{}]|undefined/.test(text)),
  ).toEqual([]);
});

/** Spelled the same in English: Latin names, proper names, and words that the languages share. */
const same: Record<'es' | 'ht', string[]> = {
  es: 'Acidemias Clostridioides Control Enterococcus Fibrosis Galactosemias Genes Gram Lassa Mycobacterium Nsp Panel Poliovirus Serovar Shiga Victoria Virus Yamagata Zika ab adenovirus anal bocavirus coli control coronavirus corpuscular ctx ctxA dengue difficile enterovirus fibrosis galactosemia gamma gp hantavirus hepatitis herpes hospital influenza ipaH jejuni mL mecA meropenem metapneumovirus muscular oral parainfluenza peritoneal pleural polA poliovirus prenatal proviral receptor rectal saliva semen sexual stx total tuberculosis tuf vanA viral virus vital µg'.split(
    ' ',
  ),
  ht: 'Clostridioides Ebola Enterococcus Gram Lassa Marburg Mycobacterium Nsp Shiga Victoria Yamagata Zika ab coli ctx ctxA difficile gp ipaH jejuni limit lipid long mL mecA polA prenatal rapid stx total tuberculosis tuf vanA viral µg'.split(
    ' ',
  ),
};
const wordsOf = (text: string) => text.match(/\p{L}[\p{L}'-]*/gu) ?? [];
/** RPR, HDL, IgG, ORF1ab: words in no language. */
const isAbbreviation = (word: string) => /\p{Lu}.*\p{Lu}|^\p{L}$/u.test(word);

test.each(['es', 'ht'] as const)('no English word is left in a name in %s [S1.4]', (language) => {
  const shared = new Set([...same[language], ...testTerms.latin.flatMap((name) => name.split(' '))]);
  const left = new Set<string>();
  const english = new Set(names.flatMap(wordsOf).map((word) => word.toLowerCase()));
  for (const name of names)
    for (const word of wordsOf(translatedTestName(name)![language]))
      if (
        english.has(word.toLowerCase()) &&
        !isAbbreviation(word) &&
        !shared.has(word) &&
        !shared.has(word.toLowerCase())
      )
        left.add(word);
  expect([...left]).toEqual([]);
});

test.each(['es', 'ht'] as const)('two different tests have two names in %s [S1.4]', (language) => {
  const byName = Map.groupBy(names, (name) => translatedTestName(name)![language].toLowerCase());
  expect([...byName.values()].filter((group) => group.length > 1)).toEqual([]);
});

test('a test outside the catalogue keeps the name from its sender [S1.4]', () => {
  expect(testNameI18N(null)).toBeUndefined();
  expect(testNameI18N('no-such-code')).toBeUndefined();
  expect(testNameI18N(routineTests[0]!.loinc)).toBeUndefined();
  expect(translatedTestName('Moon dust antibody')).toBeUndefined();
  expect(translatedTestName('Reagin antibody, by moonlight')).toBeUndefined();
});

test('staff read the English name next to the translated one [S1.4]', () => {
  const shown = { testName: 'HIV 1 RNA', testNameI18N: translatedTestName('HIV 1 RNA')! };
  expect(testNameForStaff(shown, 'es')).toBe('ARN del VIH 1 (HIV 1 RNA)');
  expect(testNameForStaff(shown, 'ht')).toBe('ARN VIH 1 (HIV 1 RNA)');
  expect(testNameForStaff(shown, 'en-GB')).toBe('HIV 1 RNA');
  expect(testNameForStaff({ testName: 'Zinc, 24 h' }, 'es')).toBe('Zinc, 24 h');
});

test.each([
  ['stool', 'Heces'],
  ['vaginal', 'Vagina'],
  ['nasopharyngeal', 'Nasofaringe'],
  ['blood', 'Sangre'],
])('the site %s is shown as %s in Spanish [S1.4]', (written, es) => {
  expect(labelIn(specimenSiteLabel(written)!, 'es')).toBe(es);
});

test('a specimen is shown by its label, or as the sender wrote it [S1.4]', () => {
  expect(labelIn(specimenTypeLabel('122575003', 'Urine specimen')!, 'ht')).toBe('Pipi');
  expect(labelIn(specimenTypeLabel(null, 'Blood specimen')!, 'es')).toBe('Sangre');
  expect(specimenSiteLabel('Left arm, outer side')).toEqual({ label: 'Left arm, outer side' });
  expect(specimenTypeLabel(null, 'Dust of a lamp')).toEqual({ label: 'Dust of a lamp' });
  expect(specimenSiteLabel(null)).toBeNull();
  expect(specimenTypeLabel(null, null)).toBeNull();
});
