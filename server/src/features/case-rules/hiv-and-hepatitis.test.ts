import { describe } from 'vitest';
import { holds, type Row, type Tests } from './test-cases.ts';

/* The field's guide, conditions 6 and 10 to 12, each worked by hand from its definition. */

const tests: Tests = {
  screen: '56888-1', other: '7918-6', blot: '5221-7', rna: '5018-7', load: '20447-9',
  hcvAb: '13955-0', hcvRna: '11259-9', hcvAntigen: '79189-7',
  hbsag: '5196-1', hbeag: '13954-3', igm: '24113-3', total: '13952-7', dna: '29610-3', antiHbs: '10900-9',
  havIgm: '13950-1', havRna: '7904-6', havTotal: '13951-9',
}; // biome-ignore format: a table

const infant = { born: '2026-01-01' } as const;
const hiv: Row[] = [
  ['positive', 'a screen and a supplemental test', 'screen +, blot +', 'hiv confirmed'],
  ['positive', 'the virus alone', 'rna +', 'hiv confirmed'],
  ['positive', 'two screens of another kind', 'screen +, other +', 'hiv confirmed'],
  ['positive', 'documented by a physician', 'screen +', 'hiv confirmed', { facts: { 'hiv-documented': true } }],
  ['positive', 'a screen, a negative supplemental test, the virus: acute', 'screen +, blot -, rna +', 'hiv confirmed hiv-stage-0'],
  ['positive', 'a screen, an indeterminate supplemental test, the virus: acute', 'screen +, blot ?, rna +', 'hiv confirmed hiv-stage-0'],
  ['negative', 'a screen', 'screen -', 'none'],
  ['negative', 'a screen, and both others negative', 'screen +, blot -, rna -', 'hiv not_a_case confirmatory-negative'],
  ['negative', 'the same screen twice is one test', 'screen + 2026-02-01, screen +', 'hiv suspect'],
  ['missing', 'a screen alone', 'screen +', 'hiv suspect'],
  ['missing', 'a supplemental test alone', 'blot +', 'hiv suspect'],
  ['missing', 'a screen and a negative supplemental test', 'screen +, blot -', 'hiv suspect confirmatory-negative'],
  ['missing', 'a preliminary virus does not confirm', 'rna preliminary', 'hiv suspect'],
  ['window', 'negative 180 days before: acute', 'screen - 2025-09-03, screen +, blot +', 'hiv confirmed hiv-stage-0'],
  ['window', 'indeterminate 180 days before: acute', 'blot ? 2025-09-03, screen +, blot +', 'hiv confirmed hiv-stage-0'],
  ['window', 'negative 181 days before', 'screen - 2025-09-02, screen +, blot +', 'hiv confirmed'],
  ['window', 'no virus under treatment, and some again: not acute', 'screen + 2019-05-01, blot + 2019-05-01, load - 2026-01-10, load +', 'hiv confirmed'],
  ['window', 'an infection stays', 'rna + 2036-03-02', 'the same case', { known: ['hiv', '2026-03-02'] }],
  ['age', 'antibodies in a child of 17 months', 'screen +, blot +', 'none', { born: '2024-09-03' }],
  ['age', 'antibodies in a child of 18 months', 'screen +, blot +', 'hiv confirmed', { born: '2024-09-02' }],
  ['age', 'the virus once in an infant', 'rna +', 'hiv suspect', infant],
  ['age', 'the virus twice in an infant', 'rna + 2026-02-01, rna +', 'hiv confirmed', infant],
  ['age', 'the virus twice on one day in an infant is one specimen', 'rna +, load +', 'hiv suspect', infant],
  ['age', 'no birth date: counted as an adult', 'screen +, blot +', 'hiv confirmed', { born: '' }],
  ['override', 'ruled out by a person, then the virus', 'screen +, rna +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'confirmed by a person, then a negative supplemental test', 'screen +, blot -', 'stays confirmed, rule suspect, rule-differs, confirmatory-negative', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('6 HIV', () => holds(tests, hiv));

const ill = { 'hepatitis-signs': true, 'other-diagnosis-excluded': true } as const;
const hepatitisC: Row[] = [
  ['positive', 'the virus', 'hcvAb +, hcvRna +', 'hepatitis-c-undetermined confirmed'],
  ['positive', 'the antigen', 'hcvAntigen +', 'hepatitis-c-undetermined confirmed'],
  ['positive', 'ill, and the virus', 'hcvRna +', 'hepatitis-c-acute confirmed', { facts: ill }],
  ['positive', 'ill, and antibody', 'hcvAb +', 'hepatitis-c-acute probable', { facts: ill }],
  ['positive', 'no virus once, and then there is', 'hcvAb + 2026-01-02, hcvRna - 2026-01-05, hcvRna +', 'hepatitis-c-acute confirmed'],
  ['negative', 'antibody', 'hcvAb -', 'none'],
  ['negative', 'antibody, and no virus', 'hcvAb +, hcvRna -', 'hepatitis-c-undetermined not_a_case confirmatory-negative'],
  ['negative', 'ill, antibody, and no virus', 'hcvAb +, hcvRna -', 'hepatitis-c-undetermined not_a_case confirmatory-negative', { facts: ill }],
  ['missing', 'antibody alone', 'hcvAb +', 'hepatitis-c-undetermined probable'],
  ['missing', 'ill, but another illness may be the cause', 'hcvRna +', 'hepatitis-c-undetermined confirmed', { facts: { 'hepatitis-signs': true } }],
  ['window', 'antibody new in 365 days', 'hcvAb - 2025-03-02, hcvAb +', 'hepatitis-c-acute confirmed'],
  ['window', 'antibody new in 366 days', 'hcvAb - 2025-03-01, hcvAb +', 'hepatitis-c-undetermined probable'],
  ['window', 'before 2020 a virus that is new did not tell', 'hcvRna - 2019-01-05, hcvRna + 2019-03-02', 'hepatitis-c-undetermined confirmed'],
  ['window', 'an infection stays', 'hcvRna + 2036-03-02', 'the same case', { known: ['hepatitis-c-chronic', '2026-03-02'] }],
  ['age', 'the virus at 2 months', 'hcvRna +', 'hepatitis-c-perinatal confirmed', { born: '2026-01-02' }],
  ['age', 'the virus a day before 2 months', 'hcvRna +', 'hepatitis-c-undetermined suspect', { born: '2026-01-03' }],
  ['age', 'the virus at 8 months', 'hcvRna +', 'hepatitis-c-perinatal confirmed', { born: '2025-07-01' }],
  ['age', 'the virus a day before 36 months', 'hcvRna +', 'hepatitis-c-perinatal confirmed', { born: '2023-03-03' }],
  ['age', 'the virus at 36 months', 'hcvRna +', 'hepatitis-c-undetermined confirmed', { born: '2023-03-02' }],
  ['age', 'antibody at 8 months', 'hcvAb +', 'none', { born: '2025-07-01' }],
  ['override', 'ruled out by a person, then the virus', 'hcvAb +, hcvRna +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'confirmed by a person, and no virus', 'hcvAb +, hcvRna -', 'stays confirmed, rule not_a_case, rule-differs, confirmatory-negative', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('10 hepatitis C', () => holds(tests, hepatitisC));

const hepatitisB: Row[] = [
  ['positive', 'HBsAg and IgM to the core', 'hbsag +, igm +', 'hepatitis-b-acute confirmed'],
  ['positive', 'ill with HBsAg, and IgM not done', 'hbsag +', 'hepatitis-b-acute confirmed', { facts: ill }],
  ['positive', 'ill with IgM, and no marker', 'igm +, hbsag -', 'hepatitis-b-acute probable', { facts: ill }],
  ['positive', 'HBsAg and total core antibody', 'hbsag +, total +', 'hepatitis-b-chronic confirmed'],
  ['positive', 'HBsAg and HBeAg', 'hbsag +, hbeag +', 'hepatitis-b-chronic confirmed'],
  ['positive', 'DNA', 'dna +', 'hepatitis-b-chronic confirmed'],
  ['negative', 'core antibody alone', 'total +', 'none'],
  ['negative', 'surface antibody is immunity', 'antiHbs +', 'none'],
  ['negative', 'HBsAg', 'hbsag -', 'none'],
  ['negative', 'HBsAg, and no IgM', 'hbsag +, igm -', 'hepatitis-b-chronic probable'],
  ['missing', 'HBsAg alone', 'hbsag +', 'hepatitis-b-undetermined probable'],
  ['missing', 'IgM alone', 'igm +', 'hepatitis-b-undetermined suspect'],
  ['missing', 'ill with HBsAg, but another illness may be the cause', 'hbsag +', 'hepatitis-b-undetermined probable', { facts: { 'hepatitis-signs': true } }],
  ['window', 'HBsAg twice six months apart', 'hbsag + 2025-09-01, hbsag +', 'hepatitis-b-chronic confirmed'],
  ['window', 'HBsAg twice a day short of six months', 'hbsag + 2025-09-02, hbsag +', 'hepatitis-b-undetermined probable'],
  ['window', 'HBsAg new in 365 days', 'hbsag - 2025-03-02, hbsag +', 'hepatitis-b-acute confirmed'],
  ['window', 'HBsAg new in 366 days', 'hbsag - 2025-03-01, hbsag +', 'hepatitis-b-undetermined probable'],
  ['window', 'before 2024 DNA alone was probable', 'dna + 2023-12-31', 'hepatitis-b-chronic probable'],
  ['window', 'from 2024 it is confirmed', 'dna + 2024-01-01', 'hepatitis-b-chronic confirmed'],
  ['window', 'an infection stays', 'hbsag + 2036-03-02', 'the same case', { known: ['hepatitis-b-chronic', '2026-03-02'] }],
  ['age', 'at 6 months of age', 'hbsag +', 'hepatitis-b-perinatal probable', { born: '2025-09-01' }],
  ['age', 'at 6 months, the mother positive', 'hbsag +', 'hepatitis-b-perinatal confirmed', { born: '2025-09-01', facts: { 'mother-hbv': true } }],
  ['age', 'a day before 24 months', 'hbsag +', 'hepatitis-b-perinatal probable', { born: '2024-03-03' }],
  ['age', 'at 24 months', 'hbsag +', 'hepatitis-b-undetermined probable', { born: '2024-03-02' }],
  ['age', 'in the first month the vaccine is found too', 'hbsag +', 'none', { born: '2026-02-10' }],
  ['override', 'ruled out by a person, then IgM', 'hbsag +, igm +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'acute by a person, then no IgM', 'hbsag +, igm -', 'stays confirmed, rule probable, rule-differs', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('11 hepatitis B', () => holds(tests, hepatitisB));

const hepatitisA: Row[] = [
  ['positive', 'RNA', 'havRna +', 'hepatitis-a-acute confirmed'],
  ['positive', 'IgM in a person who is ill', 'havIgm +', 'hepatitis-a-acute confirmed', { facts: ill }],
  ['positive', 'ill, and linked to a case', 'havIgm +', 'hepatitis-a-acute confirmed', { facts: { 'hepatitis-signs': true, 'link-confirmed-case': true } }],
  ['negative', 'IgM', 'havIgm -', 'none'],
  ['negative', 'total antibody is immunity', 'havTotal +', 'none'],
  ['negative', 'IgM in a person who is not ill', 'havIgm +', 'hepatitis-a-acute unknown', { facts: { 'hepatitis-signs': false } }],
  ['missing', 'IgM, illness unknown', 'havIgm +', 'hepatitis-a-acute unknown'],
  ['missing', 'IgM in a person who is ill, perhaps with another illness', 'havIgm +', 'hepatitis-a-acute unknown', { facts: { 'hepatitis-signs': true } }],
  ['window', 'after a year', 'havIgm + 2027-03-02', 'the same case', { known: ['hepatitis-a-acute', '2026-03-02'] }],
  ['window', 'a day later', 'havIgm + 2027-03-03', 'another case', { known: ['hepatitis-a-acute', '2026-03-02'] }],
  ['age', 'a small child, who is seldom ill with it', 'havRna +', 'hepatitis-a-acute confirmed', { born: '2024-06-01' }],
  ['override', 'ruled out by a person, then RNA', 'havIgm +, havRna +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'confirmed by a person, then a negative RNA', 'havIgm +, havRna -', 'stays confirmed, rule unknown', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('12 hepatitis A', () => holds(tests, hepatitisA));
