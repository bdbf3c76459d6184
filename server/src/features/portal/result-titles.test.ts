import { expect, test } from 'vitest';
import { conditions, laboratoryTests } from '../reference/catalog.ts';
import { titleOf } from './own-results.ts';

/**
 * The title of a result for patients, by hand: the disease as people call it, for each condition that a result can
 * be about. Stages and forms are not in the title, because a test does not show them.
 */
const titles: Readonly<Record<string, string>> = {
  Syphilis:
    'syphilis-primary syphilis-secondary syphilis-early-latent syphilis-late syphilis-congenital syphilis-unknown-stage',
  Gonorrhea: 'gonorrhea',
  Chlamydia: 'chlamydia',
  Chancroid: 'chancroid',
  'Genital herpes': 'genital-herpes',
  Trichomoniasis: 'trichomoniasis',
  'Mycoplasma genitalium': 'mycoplasma-genitalium',
  HIV: 'hiv',
  'Hepatitis A': 'hepatitis-a-acute',
  'Hepatitis B': 'hepatitis-b-acute hepatitis-b-chronic hepatitis-b-perinatal hepatitis-b-undetermined',
  'Hepatitis C': 'hepatitis-c-acute hepatitis-c-chronic hepatitis-c-perinatal hepatitis-c-undetermined',
  'Hepatitis D': 'hepatitis-d',
  'Hepatitis E': 'hepatitis-e-acute',
  Tuberculosis: 'tuberculosis',
  'Latent tuberculosis infection': 'latent-tuberculosis',
  'Nontuberculous mycobacteria':
    'nontuberculous-mycobacteria-pulmonary nontuberculous-mycobacteria-extrapulmonary',
  "Hansen's disease": 'leprosy',
  Salmonellosis: 'salmonellosis',
  'Salmonella Typhi infection': 'typhoid-fever',
  'Salmonella Paratyphi infection': 'paratyphoid-fever',
  Shigellosis: 'shigellosis',
  Campylobacteriosis: 'campylobacteriosis',
  'Shiga toxin-producing E. coli': 'stec hus-postdiarrheal',
  Cholera: 'cholera',
  'Vibriosis (not cholera)': 'vibriosis',
  Yersiniosis: 'yersiniosis',
  Listeriosis: 'listeriosis',
  Cryptosporidiosis: 'cryptosporidiosis',
  Cyclosporiasis: 'cyclosporiasis',
  Giardiasis: 'giardiasis',
  Norovirus: 'norovirus',
  Botulism: 'botulism-foodborne botulism-infant botulism-wound botulism-other',
  'COVID-19': 'covid-19',
  'Multisystem inflammatory syndrome in children': 'mis-c',
  'Severe acute respiratory syndrome (SARS-CoV)': 'sars',
  'Middle East respiratory syndrome': 'mers',
  Influenza: 'influenza influenza-pediatric-death',
  'Novel influenza A infection': 'influenza-novel-a',
  'Respiratory syncytial virus': 'rsv rsv-death',
  Legionellosis: 'legionellosis',
  Psittacosis: 'psittacosis',
  Pertussis: 'pertussis',
  Measles: 'measles',
  Mumps: 'mumps',
  Rubella: 'rubella rubella-congenital',
  Varicella: 'varicella',
  Polio: 'polio-paralytic polio-nonparalytic',
  Diphtheria: 'diphtheria',
  Tetanus: 'tetanus',
  'Meningococcal disease': 'meningococcal-disease',
  'Haemophilus influenzae, invasive': 'haemophilus-influenzae-invasive',
  'Pneumococcal disease, invasive': 'pneumococcal-invasive',
  'Streptococcal disease, invasive': 'streptococcal-group-a-invasive streptococcal-group-b-invasive',
  'Toxic shock syndrome': 'streptococcal-toxic-shock toxic-shock-non-streptococcal',
  Dengue: 'dengue dengue-severe dengue-like-illness',
  Chikungunya: 'chikungunya',
  Zika: 'zika zika-congenital zika-infection',
  'West Nile virus': 'west-nile-neuroinvasive west-nile-non-neuroinvasive west-nile-undetermined',
  'St. Louis encephalitis virus disease, neuroinvasive': 'st-louis-encephalitis-neuroinvasive',
  'St. Louis encephalitis virus disease, non-neuroinvasive': 'st-louis-encephalitis-non-neuroinvasive',
  'Eastern equine encephalitis virus disease, neuroinvasive': 'eastern-equine-encephalitis-neuroinvasive',
  'Eastern equine encephalitis virus disease, non-neuroinvasive':
    'eastern-equine-encephalitis-non-neuroinvasive',
  'Western equine encephalitis virus disease, neuroinvasive': 'western-equine-encephalitis-neuroinvasive',
  'La Crosse virus disease, neuroinvasive': 'la-crosse-neuroinvasive',
  'La Crosse virus disease, non-neuroinvasive': 'la-crosse-non-neuroinvasive',
  'Jamestown Canyon virus disease, neuroinvasive': 'jamestown-canyon-neuroinvasive',
  'Jamestown Canyon virus disease, non-neuroinvasive': 'jamestown-canyon-non-neuroinvasive',
  'Powassan virus disease, neuroinvasive': 'powassan-neuroinvasive',
  'Powassan virus disease, non-neuroinvasive': 'powassan-non-neuroinvasive',
  'Japanese encephalitis virus disease, neuroinvasive': 'japanese-encephalitis-neuroinvasive',
  'Other arboviral disease': 'arboviral-other',
  'Yellow fever': 'yellow-fever',
  Malaria: 'malaria',
  'Lyme disease': 'lyme-disease',
  'Spotted fever rickettsiosis': 'spotted-fever-rickettsiosis',
  'Anaplasma phagocytophilum infection': 'anaplasmosis',
  'Ehrlichia chaffeensis infection': 'ehrlichia-chaffeensis',
  'Ehrlichia ewingii infection': 'ehrlichia-ewingii',
  'Ehrlichiosis or anaplasmosis, undetermined': 'ehrlichiosis-anaplasmosis-undetermined',
  Babesiosis: 'babesiosis',
  'Chagas disease': 'chagas-disease',
  'Alpha-gal syndrome': 'alpha-gal-syndrome',
  Anthrax: 'anthrax',
  Brucellosis: 'brucellosis',
  Leptospirosis: 'leptospirosis',
  Plague: 'plague',
  Tularemia: 'tularemia',
  'Q fever': 'q-fever-acute q-fever-chronic q-fever-undetermined',
  Rabies: 'rabies-human rabies-animal',
  Hantavirus: 'hantavirus-pulmonary hantavirus-non-pulmonary',
  Mpox: 'mpox',
  Smallpox: 'smallpox',
  'Orthopoxvirus infection, species not yet determined': 'orthopoxvirus-undetermined',
  Melioidosis: 'melioidosis',
  Glanders: 'glanders',
  Trichinellosis: 'trichinellosis',
  Strongyloidiasis: 'strongyloidiasis',
  'Primary amebic meningoencephalitis (Naegleria fowleri)': 'naegleria-fowleri',
  'Acanthamoeba disease, not keratitis': 'acanthamoeba',
  'Balamuthia mandrillaris disease': 'balamuthia',
  'Candida auris': 'candida-auris-clinical candida-auris-screening',
  Coccidioidomycosis: 'coccidioidomycosis',
  Histoplasmosis: 'histoplasmosis',
  Blastomycosis: 'blastomycosis',
  'Carbapenemase-producing organisms': 'cpo-clinical cpo-screening',
  'Resistant Staphylococcus aureus': 'visa vrsa',
  'Clostridioides difficile': 'clostridioides-difficile',
  'Ebola virus disease': 'ebola',
  'Marburg virus disease': 'marburg',
  'Lassa fever': 'lassa',
  'Crimean-Congo hemorrhagic fever': 'crimean-congo',
  'Acute flaccid myelitis': 'acute-flaccid-myelitis',
  'Lead in blood': 'lead-elevated',
  'Cadmium in blood': 'cadmium-elevated',
  'Carbon monoxide poisoning': 'carbon-monoxide-poisoning',
};

test('[S4.1] a result of each condition is titled by its disease, as people call it', () => {
  const expected = Object.entries(titles).flatMap(([title, codes]) =>
    codes.split(' ').map((code) => [code, title]),
  );
  const shown = conditions.map(({ code, family }) => [
    code,
    titleOf({ diseaseFamily: family, conditionCode: code })?.label,
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  expect(shown).toHaveLength(expected.length);
});

test('[S4.1, S1.4] the diseases of one family of viruses have different titles in every language', () => {
  const said = (family: string, code: string) => {
    const { label, labelI18N } = titleOf({ diseaseFamily: family, conditionCode: code })!;
    return [label, labelI18N?.es, labelI18N?.ht];
  };
  expect(said('coronavirus', 'covid-19')).toEqual(['COVID-19', 'COVID-19', 'COVID-19']);
  expect(said('orthopoxvirus', 'mpox')).toEqual(['Mpox', 'Mpox', 'Mpox']);
  expect(said('vibriosis', 'cholera')).toEqual(['Cholera', 'Cólera', 'Kolera']);
  expect(said('tuberculosis', 'latent-tuberculosis')).toEqual([
    'Latent tuberculosis infection',
    'Infección tuberculosa latente',
    'Enfeksyon tibèkiloz latan',
  ]);
  for (const { code, family } of conditions) {
    const { labelI18N } = titleOf({ diseaseFamily: family, conditionCode: code })!;
    expect([code, labelI18N?.es, labelI18N?.ht]).toEqual([
      code,
      expect.stringMatching(/\p{L}{3}/u),
      expect.stringMatching(/\p{L}{3}/u),
    ]);
  }
});

test('[S4.1] every test for the virus of COVID-19 has that title', () => {
  const own = laboratoryTests.filter(
    ({ component, family }) => family === 'coronavirus' && /SARS-CoV-2/.test(component),
  );
  expect(own.length).toBeGreaterThan(40);
  for (const { loinc, family, condition } of own)
    expect([loinc, titleOf({ diseaseFamily: family!, conditionCode: condition ?? null })?.label]).toEqual([
      loinc,
      'COVID-19',
    ]);
});
