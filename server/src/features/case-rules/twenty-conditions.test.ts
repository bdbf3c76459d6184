import { describe, expect, test } from 'vitest';
import { classify, type Situation, type Told, today } from './test-cases.ts';

/*
 * The conditions of the field's guide, each worked by hand from its definition: positive, negative, missing facts,
 * window, age, and what a definition says of other kinds of tests.
 */

type Row = [name: string, told: Told[], expected: string, situation?: Situation];
const holds = (rows: Row[]) =>
  test.each(rows)('%s', (_, told, expected, situation) => {
    expect(classify(told, situation)).toBe(expected);
  });

const rpr = '20507-0';
const titer = '31147-2';
const treponemal = '24110-9';
const secondTreponemal = '24312-1';
const treponemaPcr = '41163-7';

describe('1 syphilis, primary', () =>
  holds([
    ['a lesion and RPR', [[rpr, '+']], 'syphilis-primary probable', { facts: { 'primary-lesion': true } }],
    [
      'a lesion and a treponemal test',
      [[treponemal, '+']],
      'syphilis-primary probable',
      { facts: { 'primary-lesion': true } },
    ],
    [
      'a lesion and the organism',
      [[treponemaPcr, '+']],
      'syphilis-primary confirmed',
      { facts: { 'primary-lesion': true } },
    ],
    ['no lesion known: RPR alone is no probable case', [[rpr, '+']], 'syphilis-unknown-stage suspect'],
    [
      'no lesion known: a treponemal test alone is none either',
      [[treponemal, '+']],
      'syphilis-unknown-stage suspect',
    ],
    ['negative', [[rpr, '-']], 'none'],
    ['a weakly reactive RPR counts', [[rpr, 'weak']], 'syphilis-unknown-stage suspect'],
  ]));

describe('2 syphilis, secondary', () =>
  holds([
    [
      'signs and both tests',
      [
        [rpr, '+'],
        [treponemal, '+'],
      ],
      'syphilis-secondary probable',
      { facts: { 'secondary-signs': true } },
    ],
    [
      'signs and RPR alone',
      [[rpr, '+']],
      'syphilis-unknown-stage suspect',
      { facts: { 'secondary-signs': true } },
    ],
    [
      'signs and the organism',
      [[treponemaPcr, '+']],
      'syphilis-secondary confirmed',
      { facts: { 'secondary-signs': true, 'primary-lesion': false } },
    ],
    [
      'a low titer counts since 2018',
      [
        [titer, '1:1'],
        [treponemal, '+'],
      ],
      'syphilis-secondary probable',
      { facts: { 'secondary-signs': true } },
    ],
    [
      'signs unknown',
      [
        [rpr, '+'],
        [treponemal, '+'],
      ],
      'syphilis-unknown-stage probable',
    ],
    [
      'signs without a test are for the investigator',
      [[rpr, '-']],
      'none',
      { facts: { 'secondary-signs': true } },
    ],
  ]));

const noSigns = { 'primary-lesion': false, 'secondary-signs': false } as const;
const noHistory = {
  ...noSigns,
  'syphilis-symptoms-year': false,
  'syphilis-partner-early': false,
  'sexual-debut-year': false,
};
describe('3 syphilis, early non-primary non-secondary', () =>
  holds([
    [
      'negative within the year',
      [
        [rpr, '-', '2025-08-01'],
        [rpr, '+'],
        [treponemal, '+'],
      ],
      'syphilis-early-latent probable',
      { facts: noSigns },
    ],
    [
      'negative more than a year ago',
      [
        [rpr, '-', '2025-01-01'],
        [rpr, '+'],
        [treponemal, '+'],
      ],
      'syphilis-late probable',
      { facts: noHistory },
    ],
    [
      'a partner with early syphilis',
      [
        [rpr, '+'],
        [treponemal, '+'],
      ],
      'syphilis-early-latent probable',
      { facts: { ...noSigns, 'syphilis-partner-early': true } },
    ],
    [
      'a fourfold rise after an earlier case',
      [
        [titer, '1:4', '2025-10-01'],
        [titer, '1:16'],
        [treponemal, '+'],
      ],
      'syphilis-early-latent probable',
      { facts: noSigns, earlier: ['2022-01-01'] },
    ],
    [
      'a twofold rise after an earlier case',
      [
        [titer, '1:4', '2025-10-01'],
        [titer, '1:8'],
      ],
      'syphilis-unknown-stage suspect',
      { facts: noSigns, earlier: ['2022-01-01'] },
    ],
    [
      'signs unknown: the stage is not told',
      [
        [rpr, '-', '2025-08-01'],
        [rpr, '+'],
        [treponemal, '+'],
      ],
      'syphilis-unknown-stage probable',
    ],
  ]));

describe('4 syphilis, unknown duration or late', () =>
  holds([
    [
      'no evidence of a year',
      [
        [rpr, '+'],
        [treponemal, '+'],
      ],
      'syphilis-late probable',
      { facts: noHistory },
    ],
    [
      'evidence unknown',
      [
        [rpr, '+'],
        [treponemal, '+'],
      ],
      'syphilis-unknown-stage probable',
      { facts: noSigns },
    ],
    [
      'RPR refuted by a treponemal test',
      [
        [rpr, '+'],
        [treponemal, '-'],
      ],
      'syphilis-unknown-stage not_a_case confirmatory-negative',
    ],
    [
      'refuted a week before, as laboratories date it',
      [
        [rpr, '+'],
        [treponemal, '-', '2026-02-25'],
      ],
      'syphilis-unknown-stage not_a_case confirmatory-negative',
    ],
    [
      'a treponemal test half a year later refutes nothing',
      [
        [rpr, '+', '2025-09-01'],
        [treponemal, '-', today],
      ],
      'syphilis-unknown-stage suspect',
      { day: '2025-09-01' },
    ],
    [
      'reverse order, refuted by the second treponemal test',
      [
        [treponemal, '+'],
        [rpr, '-'],
        [secondTreponemal, '-'],
      ],
      'syphilis-unknown-stage not_a_case confirmatory-negative',
    ],
    [
      'reverse order, RPR alone negative decides nothing',
      [
        [treponemal, '+'],
        [rpr, '-'],
      ],
      'syphilis-unknown-stage suspect',
    ],
  ]));

describe('5 syphilis, congenital', () =>
  holds([
    [
      'the organism in the child',
      [[treponemaPcr, '+']],
      'syphilis-congenital confirmed',
      { born: '2026-02-20' },
    ],
    [
      'a mother who was not treated',
      [[rpr, '+']],
      'syphilis-congenital probable',
      { born: '2026-02-20', facts: { 'mother-untreated': true } },
    ],
    [
      'signs in the child',
      [[rpr, '+']],
      'syphilis-congenital probable',
      { born: '2026-02-20', facts: { 'congenital-signs': true } },
    ],
    [
      'RPR and CSF VDRL',
      [
        [rpr, '+'],
        ['5290-2', '+'],
      ],
      'syphilis-congenital probable',
      { born: '2026-02-20' },
    ],
    ['the mother unknown', [[rpr, '+']], 'syphilis-congenital unknown', { born: '2026-02-20' }],
    ['a treponemal test tells of the mother only', [[treponemal, '+']], 'none', { born: '2026-02-20' }],
    [
      'on the first birthday the child is no infant',
      [[rpr, '+']],
      'syphilis-unknown-stage suspect',
      { born: '2025-03-02' },
    ],
  ]));

const hivScreen = '56888-1';
const hivBlot = '5221-7';
const hivRna = '5018-7';
describe('6 HIV', () =>
  holds([
    ['a screen alone', [[hivScreen, '+']], 'hiv suspect'],
    [
      'a screen and a supplemental test',
      [
        [hivScreen, '+'],
        [hivBlot, '+'],
      ],
      'hiv confirmed',
    ],
    ['the virus alone', [[hivRna, '+']], 'hiv confirmed'],
    [
      'two screens of another kind',
      [
        [hivScreen, '+'],
        ['7918-6', '+'],
      ],
      'hiv confirmed',
    ],
    [
      'the same screen twice is one test',
      [
        [hivScreen, '+', '2026-02-01'],
        [hivScreen, '+'],
      ],
      'hiv suspect',
    ],
    [
      'a screen, a negative supplemental test, the virus: acute',
      [
        [hivScreen, '+'],
        [hivBlot, '-'],
        [hivRna, '+'],
      ],
      'hiv confirmed hiv-stage-0',
    ],
    [
      'negative 180 days before: acute',
      [
        [hivScreen, '-', '2025-09-03'],
        [hivScreen, '+'],
        [hivBlot, '+'],
      ],
      'hiv confirmed hiv-stage-0',
    ],
    [
      'negative 181 days before',
      [
        [hivScreen, '-', '2025-09-02'],
        [hivScreen, '+'],
        [hivBlot, '+'],
      ],
      'hiv confirmed',
    ],
    [
      'a screen and a negative supplemental test',
      [
        [hivScreen, '+'],
        [hivBlot, '-'],
      ],
      'hiv suspect confirmatory-negative',
    ],
    [
      'a screen, and both others negative',
      [
        [hivScreen, '+'],
        [hivBlot, '-'],
        [hivRna, '-'],
      ],
      'hiv not_a_case confirmatory-negative',
    ],
    [
      'antibodies in a child of 17 months',
      [
        [hivScreen, '+'],
        [hivBlot, '+'],
      ],
      'none',
      { born: '2024-09-03' },
    ],
    [
      'antibodies in a child of 18 months',
      [
        [hivScreen, '+'],
        [hivBlot, '+'],
      ],
      'hiv confirmed',
      { born: '2024-09-02' },
    ],
    ['the virus once in an infant', [[hivRna, '+']], 'hiv suspect', { born: '2026-01-01' }],
    [
      'the virus twice in an infant',
      [
        [hivRna, '+', '2026-02-01'],
        [hivRna, '+'],
      ],
      'hiv confirmed',
      { born: '2026-01-01' },
    ],
    [
      'no birth date: counted as an adult',
      [
        [hivScreen, '+'],
        [hivBlot, '+'],
      ],
      'hiv confirmed',
      { born: '' },
    ],
    ['a preliminary virus does not confirm', [[hivRna, 'preliminary']], 'hiv suspect'],
  ]));

const gcNaat = '24111-7';
describe('7 gonorrhea', () =>
  holds([
    ['nucleic acid', [[gcNaat, '+']], 'gonorrhea confirmed'],
    ['culture', [['698-1', '+']], 'gonorrhea confirmed'],
    ['negative', [[gcNaat, '-']], 'none'],
    ['equivocal', [[gcNaat, '?']], 'none'],
    ['preliminary', [[gcNaat, 'preliminary']], 'gonorrhea unknown'],
    ['the version of 2014', [[gcNaat, '+', '2022-12-31']], 'gonorrhea confirmed'],
  ]));

describe('8 chlamydia', () =>
  holds([
    ['nucleic acid', [['21613-5', '+']], 'chlamydia confirmed'],
    ['culture', [['6349-5', '+']], 'chlamydia confirmed'],
    ['antigen', [['31777-6', '+']], 'chlamydia confirmed'],
    ['negative', [['21613-5', '-']], 'none'],
    ['presumptive', [['21613-5', 'presumptive']], 'chlamydia unknown'],
    ['a child', [['21613-5', '+']], 'chlamydia confirmed', { born: '2026-02-01' }],
  ]));

describe('9 chancroid', () =>
  holds([
    ['nucleic acid, which the definition does not know', [['29559-2', '+']], 'chancroid unknown'],
    [
      'a painful ulcer that is nothing else',
      [['29559-2', '+']],
      'chancroid probable',
      { facts: { 'painful-ulcer': true, 'herpes-excluded': true } },
    ],
    [
      'a painful ulcer that may be herpes',
      [['29559-2', '+']],
      'chancroid unknown',
      { facts: { 'painful-ulcer': true } },
    ],
    [
      'herpes',
      [['29559-2', '+']],
      'chancroid unknown',
      { facts: { 'painful-ulcer': true, 'herpes-excluded': false } },
    ],
    ['negative', [['29559-2', '-']], 'none'],
    ['indeterminate', [['76076-9', '?']], 'none'],
  ]));

const hcvAb = '13955-0';
const hcvRna = '11259-9';
const ill = { 'hepatitis-signs': true, 'other-diagnosis-excluded': true } as const;
describe('10 hepatitis C', () =>
  holds([
    ['antibody alone', [[hcvAb, '+']], 'hepatitis-c-undetermined probable'],
    [
      'the virus',
      [
        [hcvAb, '+'],
        [hcvRna, '+'],
      ],
      'hepatitis-c-undetermined confirmed',
    ],
    [
      'antibody, and no virus',
      [
        [hcvAb, '+'],
        [hcvRna, '-'],
      ],
      'hepatitis-c-undetermined not_a_case confirmatory-negative',
    ],
    [
      'no virus once, and then there is',
      [
        [hcvAb, '+', '2026-01-02'],
        [hcvRna, '-', '2026-01-05'],
        [hcvRna, '+'],
      ],
      'hepatitis-c-acute confirmed',
    ],
    [
      'antibody new within the year',
      [
        [hcvAb, '-', '2025-03-02'],
        [hcvAb, '+'],
      ],
      'hepatitis-c-acute confirmed',
    ],
    [
      'antibody new in more than a year',
      [
        [hcvAb, '-', '2025-03-01'],
        [hcvAb, '+'],
      ],
      'hepatitis-c-undetermined probable',
    ],
    ['ill, and the virus', [[hcvRna, '+']], 'hepatitis-c-acute confirmed', { facts: ill }],
    ['ill, and antibody', [[hcvAb, '+']], 'hepatitis-c-acute probable', { facts: ill }],
    ['the virus at 8 months', [[hcvRna, '+']], 'hepatitis-c-perinatal confirmed', { born: '2025-07-01' }],
    ['the virus at 2 months', [[hcvRna, '+']], 'hepatitis-c-perinatal confirmed', { born: '2026-01-02' }],
    [
      'the virus a day before 2 months',
      [[hcvRna, '+']],
      'hepatitis-c-undetermined suspect',
      { born: '2026-01-03' },
    ],
    ['the virus at 36 months', [[hcvRna, '+']], 'hepatitis-c-undetermined confirmed', { born: '2023-03-02' }],
    ['antibody at 8 months', [[hcvAb, '+']], 'none', { born: '2025-07-01' }],
  ]));

const hbsag = '5196-1';
const hbeag = '13954-3';
const hbcIgm = '24113-3';
const hbcTotal = '13952-7';
const hbvDna = '29610-3';
describe('11 hepatitis B', () =>
  holds([
    ['HBsAg alone', [[hbsag, '+']], 'hepatitis-b-undetermined probable'],
    [
      'HBsAg and IgM to the core',
      [
        [hbsag, '+'],
        [hbcIgm, '+'],
      ],
      'hepatitis-b-acute confirmed',
    ],
    [
      'HBsAg, and no IgM',
      [
        [hbsag, '+'],
        [hbcIgm, '-'],
      ],
      'hepatitis-b-chronic probable',
    ],
    [
      'HBsAg twice six months apart',
      [
        [hbsag, '+', '2025-09-01'],
        [hbsag, '+'],
      ],
      'hepatitis-b-chronic confirmed',
    ],
    [
      'HBsAg twice a day short of six months',
      [
        [hbsag, '+', '2025-09-02'],
        [hbsag, '+'],
      ],
      'hepatitis-b-undetermined probable',
    ],
    [
      'HBsAg and total core antibody',
      [
        [hbsag, '+'],
        [hbcTotal, '+'],
      ],
      'hepatitis-b-chronic confirmed',
    ],
    [
      'HBsAg and HBeAg',
      [
        [hbsag, '+'],
        [hbeag, '+'],
      ],
      'hepatitis-b-chronic confirmed',
    ],
    ['DNA', [[hbvDna, '+']], 'hepatitis-b-chronic confirmed'],
    [
      'HBsAg new within the year',
      [
        [hbsag, '-', '2025-06-01'],
        [hbsag, '+'],
      ],
      'hepatitis-b-acute confirmed',
    ],
    ['ill with HBsAg, and IgM not done', [[hbsag, '+']], 'hepatitis-b-acute confirmed', { facts: ill }],
    ['core antibody alone', [[hbcTotal, '+']], 'none'],
    ['IgM alone', [[hbcIgm, '+']], 'hepatitis-b-undetermined suspect'],
    ['before 2024 DNA alone was probable', [[hbvDna, '+', '2023-05-01']], 'hepatitis-b-chronic probable'],
    ['at 6 months of age', [[hbsag, '+']], 'hepatitis-b-perinatal probable', { born: '2025-09-01' }],
    [
      'at 6 months, the mother positive',
      [[hbsag, '+']],
      'hepatitis-b-perinatal confirmed',
      { born: '2025-09-01', facts: { 'mother-hbv': true } },
    ],
  ]));

const havIgm = '13950-1';
describe('12 hepatitis A', () =>
  holds([
    ['RNA', [['7904-6', '+']], 'hepatitis-a-acute confirmed'],
    ['IgM in somebody ill', [[havIgm, '+']], 'hepatitis-a-acute confirmed', { facts: ill }],
    ['IgM, illness unknown', [[havIgm, '+']], 'hepatitis-a-acute unknown'],
    [
      'IgM in somebody who is not ill',
      [[havIgm, '+']],
      'hepatitis-a-acute unknown',
      { facts: { 'hepatitis-signs': false } },
    ],
    ['total antibody is immunity', [['13951-9', '+']], 'none'],
    ['negative', [[havIgm, '-']], 'none'],
  ]));

const mtb = { condition: 'tuberculosis' };
describe('13 tuberculosis', () =>
  holds([
    ['culture', [['543-9', '+', today, mtb]], 'tuberculosis confirmed'],
    ['nucleic acid', [['38379-4', '+']], 'tuberculosis confirmed'],
    ['smear alone', [['11545-1', '+']], 'tuberculosis suspect'],
    [
      'smear where no culture is possible',
      [['11545-1', '+']],
      'tuberculosis confirmed',
      { facts: { 'culture-not-possible': true } },
    ],
    ['another mycobacterium', [['543-9', '+']], 'none'],
    ['culture preliminary', [['543-9', 'preliminary', today, mtb]], 'tuberculosis suspect'],
    ['negative', [['38379-4', '-']], 'none'],
  ]));

describe('14 COVID-19', () =>
  holds([
    ['molecular', [['94500-6', '+']], 'covid-19 confirmed'],
    ['antigen', [['94558-4', '+']], 'covid-19 probable'],
    [
      'both',
      [
        ['94558-4', '+'],
        ['94500-6', '+'],
      ],
      'covid-19 confirmed',
    ],
    ['antibody', [['94563-4', '+']], 'none'],
    ['molecular, presumptive', [['94500-6', 'presumptive']], 'covid-19 suspect'],
    ['negative', [['94500-6', '-']], 'none'],
  ]));

describe('15 mpox', () =>
  holds([
    ['mpox virus', [['100383-9', '+']], 'mpox confirmed'],
    ['an orthopoxvirus', [['100434-0', '+']], 'orthopoxvirus-undetermined probable'],
    [
      'an orthopoxvirus, then mpox',
      [
        ['100434-0', '+'],
        ['100383-9', '+'],
      ],
      'mpox confirmed',
    ],
    ['clade', [['100889-5', '+']], 'mpox confirmed'],
    ['negative', [['100383-9', '-']], 'none'],
    [
      'an orthopoxvirus and no mpox, with a rash',
      [
        ['100434-0', '+'],
        ['100383-9', '-'],
      ],
      'orthopoxvirus-undetermined probable',
      { facts: { 'mpox-rash': true } },
    ],
  ]));

const pertussisPcr = '23826-1';
describe('16 pertussis', () =>
  holds([
    ['PCR, cough unknown', [[pertussisPcr, '+']], 'pertussis unknown'],
    ['PCR and cough', [[pertussisPcr, '+']], 'pertussis confirmed', { facts: { 'acute-cough': true } }],
    ['culture and cough', [['549-6', '+']], 'pertussis confirmed', { facts: { 'acute-cough': true } }],
    [
      'two weeks of cough with a whoop',
      [[pertussisPcr, '+']],
      'pertussis probable',
      { facts: { 'acute-cough': false, 'cough-two-weeks': true, 'pertussis-sign': true } },
    ],
    ['no cough', [[pertussisPcr, '+']], 'pertussis unknown', { facts: { 'acute-cough': false } }],
    ['negative', [[pertussisPcr, '-']], 'none'],
    ['antibody', [['9363-3', '+']], 'none'],
  ]));

describe('17 measles', () =>
  holds([
    ['RNA and a rash', [['48508-6', '+']], 'measles confirmed', { facts: { 'febrile-rash': true } }],
    ['RNA, rash unknown', [['48508-6', '+']], 'measles suspect'],
    ['IgM, rash unknown', [['21503-8', '+']], 'measles suspect'],
    [
      'IgM and a rash not from the vaccine',
      [['21503-8', '+']],
      'measles confirmed',
      { facts: { 'febrile-rash': true, 'not-vaccine-rash': true } },
    ],
    [
      'IgM and a rash that may be from the vaccine',
      [['21503-8', '+']],
      'measles suspect',
      { facts: { 'febrile-rash': true } },
    ],
    ['IgG is immunity', [['20479-2', '+']], 'none'],
    ['negative', [['48508-6', '-']], 'none'],
  ]));

describe('18 enteric infections', () =>
  holds([
    ['Salmonella by culture', [['82301-3', '+']], 'salmonellosis confirmed'],
    ['Salmonella by nucleic acid', [['49612-5', '+']], 'salmonellosis probable'],
    ['Salmonella presumptive', [['49612-5', 'presumptive']], 'salmonellosis probable'],
    ['Salmonella negative', [['49612-5', '-']], 'none'],
    [
      'Typhi is typhoid fever',
      [['82301-3', '+', today, { condition: 'typhoid-fever' }]],
      'typhoid-fever confirmed',
    ],
    ['a toxin of STEC', [['79386-9', '+']], 'stec suspect'],
    [
      'a toxin of STEC with diarrhea',
      [['79386-9', '+']],
      'stec probable',
      { facts: { 'diarrheal-illness': true } },
    ],
    ['no toxin of STEC', [['79386-9', '-']], 'none'],
  ]));

const lymeEia = '20449-5';
const lymeIgg = '6320-6';
const lymeIgm = '6321-4';
describe('19 Lyme disease', () =>
  holds([
    [
      'two tiers where it is rare',
      [
        [lymeEia, '+'],
        [lymeIgm, '+'],
      ],
      'lyme-disease suspect',
    ],
    [
      'two tiers where it is common',
      [
        [lymeEia, '+'],
        [lymeIgm, '+'],
      ],
      'lyme-disease probable',
      { state: '25' },
    ],
    [
      'two tiers where it is common, before 2022',
      [
        [lymeEia, '+', '2021-06-01'],
        [lymeIgm, '+', '2021-06-01'],
      ],
      'lyme-disease suspect',
      { state: '25' },
    ],
    ['an IgG blot counts alone', [[lymeIgg, '+']], 'lyme-disease probable', { state: '25' }],
    ['an IgM blot alone does not', [[lymeIgm, '+']], 'lyme-disease suspect', { state: '25' }],
    [
      'the second tier negative',
      [
        [lymeEia, '+'],
        [lymeIgg, '-'],
      ],
      'lyme-disease not_a_case confirmatory-negative',
      { state: '25' },
    ],
    [
      'one blot negative, the other positive',
      [
        [lymeEia, '+'],
        [lymeIgg, '-'],
        [lymeIgm, '+'],
      ],
      'lyme-disease probable',
      { state: '25' },
    ],
    [
      'with a manifestation where it is rare',
      [
        [lymeEia, '+'],
        [lymeIgm, '+'],
      ],
      'lyme-disease confirmed',
      { facts: { 'lyme-manifestation': true } },
    ],
    [
      'state unknown',
      [
        [lymeEia, '+'],
        [lymeIgm, '+'],
      ],
      'lyme-disease suspect',
      { state: '' },
    ],
    ['negative', [[lymeEia, '-']], 'none'],
  ]));

describe('20 legionellosis, varicella, mumps, meningococcal disease, rabies', () =>
  holds([
    ['Legionella, pneumonia unknown', [['31870-9', '+']], 'legionellosis suspect'],
    [
      'Legionella and pneumonia',
      [['31870-9', '+']],
      'legionellosis confirmed',
      { facts: { pneumonia: true } },
    ],
    ['Legionella negative', [['31870-9', '-']], 'none'],
    ['varicella virus, rash unknown', [['11483-5', '+']], 'varicella unknown'],
    [
      'varicella virus and the rash',
      [['11483-5', '+']],
      'varicella confirmed',
      { facts: { 'varicella-clinical': true } },
    ],
    ['mumps virus, illness unknown', [['47532-7', '+']], 'mumps suspect'],
    [
      'mumps virus and the illness',
      [['47532-7', '+']],
      'mumps confirmed',
      { facts: { 'mumps-clinical': true } },
    ],
    ['meningococci in spinal fluid', [['86581-6', '+']], 'meningococcal-disease confirmed'],
    ['meningococci in a throat', [['16134-9', '+', today, { specimen: '258529004' }]], 'none'],
    ['antigen of meningococci in spinal fluid', [['6508-6', '+']], 'meningococcal-disease probable'],
    [
      'rabies virus in a person who is ill',
      [['51646-8', '+']],
      'rabies-human confirmed',
      { facts: { 'rabies-clinical': true } },
    ],
    ['rabies virus, illness unknown', [['51646-8', '+']], 'rabies-human unknown'],
  ]));

describe('lead and West Nile virus', () =>
  holds([
    ['venous blood', [['77307-7', '+']], 'lead-elevated confirmed'],
    ['a finger stick', [['10368-9', '+']], 'lead-elevated suspect'],
    [
      'two finger sticks within twelve weeks',
      [
        ['10368-9', '+', '2025-12-08'],
        ['10368-9', '+'],
      ],
      'lead-elevated confirmed',
    ],
    [
      'two finger sticks a day more apart',
      [
        ['10368-9', '+', '2025-12-07'],
        ['10368-9', '+'],
      ],
      'lead-elevated suspect',
    ],
    [
      'a venous specimen of a test that does not say',
      [['5671-3', '+', today, { specimen: '122555007' }]],
      'lead-elevated confirmed',
    ],
    ['a specimen nobody names', [['5671-3', '+']], 'lead-elevated suspect'],
    ['IgM in spinal fluid', [['31703-2', '+']], 'west-nile-neuroinvasive probable'],
    ['the virus in spinal fluid', [['34461-4', '+']], 'west-nile-neuroinvasive confirmed'],
    ['IgM in blood', [['33331-0', '+']], 'west-nile-undetermined probable'],
  ]));
