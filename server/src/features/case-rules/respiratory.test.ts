import { describe } from 'vitest';
import { holds, type Row, type Tests } from './test-cases.ts';

/* The field guide's conditions 13 to 17 and 20, each worked out by hand from its definition. */

const tests: Tests = {
  culture: ['543-9', { condition: 'tuberculosis' }], avium: '543-9', naat: '38379-4', other: ['543-9', { family: 'nontuberculous-mycobacteria' }], smear: '11545-1', igra: '71773-6',
  pcr: '94500-6', antigen: '94558-4', antibody: '94563-4', mers: '91830-0',
  mpox: '100383-9', clade: '100889-5', orthopox: '100434-0',
  pertussis: '23826-1', pertussisCulture: '549-6', pertussisIgg: '9363-3',
  measles: '48508-6', measlesIgm: '21503-8', measlesIgg: '20479-2', measlesTiter: '22502-9',
  legionella: '31870-9', legionellaCulture: '593-4', varicella: '11483-5', mumps: '47532-7',
  csf: '86581-6', blood: '93388-7', throat: ['16134-9', { specimen: '258529004' }], csfAntigen: '6508-6', rabies: '51646-8',
}; // biome-ignore format: a table

const tuberculosis: Row[] = [
  ['positive', 'culture', 'culture +', 'tuberculosis confirmed'],
  ['positive', 'nucleic acid', 'naat +', 'tuberculosis confirmed'],
  ['positive', 'smear where no culture is possible', 'smear +', 'tuberculosis confirmed', { facts: { 'culture-not-possible': true } }],
  ['positive', 'a clinical case', 'smear +', 'tuberculosis confirmed', { facts: { 'tb-clinical': true } }],
  ['negative', 'nucleic acid', 'naat -', 'none'],
  ['negative', 'another mycobacterium', 'avium +', 'none'],
  ['negative', 'a smear, and no nucleic acid', 'smear +, naat -', 'tuberculosis suspect confirmatory-negative'],
  ['negative', 'a smear, and nothing grows', 'smear +, avium -', 'tuberculosis suspect confirmatory-negative'],
  ['negative', 'a smear, and another mycobacterium grows', 'smear +, other +', 'tuberculosis suspect confirmatory-negative'],
  ['negative', 'a smear, another mycobacterium, and tuberculosis', 'smear +, other +, culture +', 'tuberculosis confirmed'],
  ['negative', 'a clinical case with a smear, and another mycobacterium grows', 'smear +, other +', 'tuberculosis confirmed confirmatory-negative', { facts: { 'tb-clinical': true } }],
  ['window', 'nothing grows in a specimen sixty days later', 'smear + 2026-01-01, avium -', 'tuberculosis suspect confirmatory-negative', { day: '2026-01-01' }],
  ['window', 'nothing grows in a specimen a day later, under treatment', 'smear + 2025-12-31, avium -', 'tuberculosis suspect', { day: '2025-12-31' }],
  ['missing', 'smear alone', 'smear +', 'tuberculosis suspect'],
  ['missing', 'culture preliminary', 'culture preliminary', 'tuberculosis suspect'],
  ['window', 'after a year', 'culture + 2027-03-02', 'the same case', { known: ['tuberculosis', '2026-03-02'] }],
  ['window', 'a day later', 'culture + 2027-03-03', 'another case', { known: ['tuberculosis', '2026-03-02'] }],
  ['age', 'a child', 'naat +', 'tuberculosis confirmed', { born: '2024-01-01' }],
  ['override', 'ruled out by a person, then culture', 'smear +, culture +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'confirmed by a person, then a negative nucleic acid test', 'smear +, naat -', 'stays confirmed, rule suspect, rule-differs, confirmatory-negative', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('13 tuberculosis', () => holds(tests, tuberculosis));

const covid: Row[] = [
  ['positive', 'molecular', 'pcr +', 'covid-19 confirmed'],
  ['positive', 'antigen', 'antigen +', 'covid-19 probable'],
  ['positive', 'both', 'antigen +, pcr +', 'covid-19 confirmed'],
  ['positive', 'an antigen and a negative molecular test', 'antigen +, pcr -', 'covid-19 probable confirmatory-negative'],
  ['window', 'an antigen, and a negative molecular test two days later', 'antigen + 2026-02-28, pcr -', 'covid-19 probable confirmatory-negative', { day: '2026-02-28' }],
  ['window', 'three days later', 'antigen + 2026-02-27, pcr -', 'covid-19 probable', { day: '2026-02-27' }],
  ['window', 'a negative molecular test the day before', 'pcr - 2026-03-01, antigen +', 'covid-19 probable'],
  ['negative', 'molecular', 'pcr -', 'none'],
  ['negative', 'antibody', 'antibody +', 'none'],
  ['missing', 'molecular, presumptive', 'pcr presumptive', 'covid-19 suspect'],
  ['missing', 'molecular, indeterminate', 'pcr ?', 'none'],
  ['window', 'the ninetieth day', 'pcr + 2026-05-31', 'the same case', { known: ['covid-19', '2026-03-02'] }],
  ['window', 'a day later', 'pcr + 2026-06-01', 'another case', { known: ['covid-19', '2026-03-02'] }],
  ['age', 'a newborn', 'pcr +', 'covid-19 confirmed', { born: '2026-03-01' }],
  ['override', 'ruled out by a person, then molecular', 'antigen +, pcr +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'suspect by a person, then molecular', 'antigen +, pcr +', 'stays suspect, rule confirmed, rule-differs', { decided: 'suspect' }],
]; // biome-ignore format: a table
describe('14 COVID-19', () => holds(tests, covid));

const mpox: Row[] = [
  ['positive', 'mpox virus', 'mpox +', 'mpox confirmed'],
  ['positive', 'clade', 'clade +', 'mpox confirmed'],
  ['positive', 'an orthopoxvirus', 'orthopox +', 'orthopoxvirus-undetermined probable'],
  ['positive', 'an orthopoxvirus, then mpox', 'orthopox +, mpox +', 'mpox confirmed'],
  ['negative', 'mpox virus', 'mpox -', 'none'],
  ['missing', 'an orthopoxvirus and no mpox, with a rash', 'orthopox +, mpox -', 'orthopoxvirus-undetermined probable confirmatory-negative', { facts: { 'mpox-rash': true } }],
  ['missing', 'mpox virus, presumptive', 'mpox presumptive', 'mpox suspect'],
  ['window', 'an orthopoxvirus, then mpox: one illness', 'mpox + 2026-03-09', 'the same case', { known: ['orthopoxvirus-undetermined', '2026-03-02', 'probable'] }],
  ['age', 'a child', 'mpox +', 'mpox confirmed', { born: '2022-01-01' }],
  ['override', 'ruled out by a person, then mpox virus', 'orthopox +, mpox +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('15 mpox', () => holds(tests, mpox));

const cough = { facts: { 'acute-cough': true } } as const;
const pertussis: Row[] = [
  ['positive', 'PCR and cough', 'pertussis +', 'pertussis confirmed', cough],
  ['positive', 'culture and cough', 'pertussisCulture +', 'pertussis confirmed', cough],
  ['positive', 'two weeks of cough with a whoop', 'pertussis +', 'pertussis probable', { facts: { 'acute-cough': false, 'cough-two-weeks': true, 'pertussis-sign': true, 'other-diagnosis-excluded': true } }],
  ['missing', 'two weeks of cough with a whoop, perhaps of another cause', 'pertussis +', 'pertussis unknown', { facts: { 'acute-cough': false, 'cough-two-weeks': true, 'pertussis-sign': true } }],
  ['negative', 'PCR', 'pertussis -', 'none'],
  ['negative', 'no cough', 'pertussis +', 'pertussis unknown', { facts: { 'acute-cough': false } }],
  ['negative', 'antibody', 'pertussisIgg +', 'none'],
  ['missing', 'PCR, cough unknown', 'pertussis +', 'pertussis unknown'],
  ['missing', 'PCR preliminary', 'pertussis preliminary', 'pertussis unknown', cough],
  ['window', 'after a year', 'pertussis + 2027-03-02', 'the same case', { known: ['pertussis', '2026-03-02'] }],
  ['window', 'a day later', 'pertussis + 2027-03-03', 'another case', { known: ['pertussis', '2026-03-02'] }],
  ['age', 'an infant with a cough', 'pertussis +', 'pertussis confirmed', { ...cough, born: '2026-01-01' }],
  ['override', 'ruled out by a person, then culture', 'pertussis +, pertussisCulture +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { ...cough, decided: 'not_a_case' }],
  ['override', 'confirmed by a person, who knows of the cough', 'pertussis +, pertussisCulture +', 'stays confirmed, rule unknown', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('16 pertussis', () => holds(tests, pertussis));

const rash = { facts: { 'febrile-rash': true } } as const;
const measles: Row[] = [
  ['positive', 'RNA and a rash', 'measles +', 'measles confirmed', rash],
  ['positive', 'IgM and a rash not from the vaccine', 'measlesIgm +', 'measles confirmed', { facts: { 'febrile-rash': true, 'not-vaccine-rash': true } }],
  ['positive', 'IgG new in sixty days, and a rash', 'measlesIgg - 2026-02-10, measlesIgg +, measlesIgm +', 'measles confirmed', rash],
  ['positive', 'a fourfold rise of IgG, and a rash', 'measlesTiter 1:8 2026-02-10, measlesTiter 1:32, measlesIgm +', 'measles confirmed', rash],
  ['negative', 'RNA', 'measles -', 'none'],
  ['negative', 'IgG is immunity', 'measlesIgg +', 'none'],
  ['negative', 'RNA, and no rash', 'measles +', 'measles suspect', { facts: { 'febrile-rash': false } }],
  ['negative', 'IgM, and no RNA', 'measlesIgm +, measles -', 'measles suspect confirmatory-negative'],
  ['window', 'no RNA fifteen days after IgM', 'measlesIgm + 2026-02-15, measles -', 'measles suspect', { day: '2026-02-15' }],
  ['missing', 'RNA, rash unknown', 'measles +', 'measles suspect'],
  ['missing', 'IgM, rash unknown', 'measlesIgm +', 'measles suspect'],
  ['missing', 'IgM and a rash that may be from the vaccine', 'measlesIgm +', 'measles suspect', rash],
  ['window', 'IgG new in sixty days', 'measlesIgg - 2026-01-01, measlesIgg +, measlesIgm +', 'measles confirmed', rash],
  ['window', 'IgG new in sixty-one days', 'measlesIgg - 2025-12-31, measlesIgg +, measlesIgm +', 'measles suspect', rash],
  ['window', 'one has it once', 'measles + 2036-03-02', 'the same case', { known: ['measles', '2026-03-02'] }],
  ['age', 'a child of one year', 'measlesIgm +', 'measles suspect', { ...rash, born: '2025-03-02' }],
  ['override', 'ruled out by a person as the vaccine, then RNA', 'measlesIgm +, measles +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { ...rash, decided: 'not_a_case' }],
  ['override', 'probable by a person, then RNA', 'measlesIgm +, measles +', 'stays probable, rule confirmed, rule-differs', { ...rash, decided: 'probable' }],
]; // biome-ignore format: a table
describe('17 measles', () => holds(tests, measles));

const pneumonia = { facts: { pneumonia: true } } as const;
const legionellosis: Row[] = [
  ['positive', 'antigen and pneumonia', 'legionella +', 'legionellosis confirmed', pneumonia],
  ['positive', 'pneumonia, and linked to a case', 'legionella preliminary', 'legionellosis probable', { facts: { pneumonia: true, 'link-confirmed-case': true } }],
  ['negative', 'antigen', 'legionella -', 'none'],
  ['missing', 'antigen, pneumonia unknown', 'legionella +', 'legionellosis suspect'],
  ['window', 'after a year', 'legionella + 2027-03-02', 'the same case', { known: ['legionellosis', '2026-03-02'] }],
  ['window', 'a day later', 'legionella + 2027-03-03', 'another case', { known: ['legionellosis', '2026-03-02'] }],
  ['age', 'a child', 'legionella +', 'legionellosis confirmed', { ...pneumonia, born: '2020-01-01' }],
  ['override', 'ruled out by a person, then culture', 'legionella +, legionellaCulture +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { ...pneumonia, decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('20 legionellosis', () => holds(tests, legionellosis));

const varicella: Row[] = [
  ['positive', 'the virus and the rash', 'varicella +', 'varicella confirmed', { facts: { 'varicella-clinical': true } }],
  ['positive', 'the rash, and linked to a case', 'varicella preliminary', 'varicella confirmed', { facts: { 'varicella-clinical': true, 'link-confirmed-case': true } }],
  ['negative', 'the virus', 'varicella -', 'none'],
  ['negative', 'the virus in shingles', 'varicella +', 'varicella unknown', { facts: { 'varicella-clinical': false } }],
  ['missing', 'the virus, rash unknown', 'varicella +', 'varicella unknown'],
  ['missing', 'the virus preliminary, and the rash', 'varicella preliminary', 'varicella probable', { facts: { 'varicella-clinical': true } }],
  ['window', 'one has it once; later it is shingles', 'varicella + 2036-03-02', 'the same case', { known: ['varicella', '2026-03-02'] }],
  ['age', 'an old person', 'varicella +', 'varicella unknown', { born: '1940-01-01' }],
  ['override', 'ruled out by a person as shingles, then the virus again', 'varicella + 2026-02-01, varicella +', 'stays not_a_case, rule unknown, positive-after-ruled-out', { decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('20 varicella', () => holds(tests, varicella));

const mumps: Row[] = [
  ['positive', 'the virus and the illness', 'mumps +', 'mumps confirmed', { facts: { 'mumps-clinical': true } }],
  ['positive', 'the illness, and linked to a case', 'mumps preliminary', 'mumps probable', { facts: { 'mumps-clinical': true, 'link-confirmed-case': true } }],
  ['positive', 'the version of 2012', 'mumps + 2023-12-31', 'mumps confirmed', { facts: { 'mumps-clinical': true } }],
  ['negative', 'the virus', 'mumps -', 'none'],
  ['missing', 'the virus, illness unknown', 'mumps +', 'mumps suspect'],
  ['window', 'after a year', 'mumps + 2027-03-02', 'the same case', { known: ['mumps', '2026-03-02'] }],
  ['window', 'a day later', 'mumps + 2027-03-03', 'another case', { known: ['mumps', '2026-03-02'] }],
  ['age', 'a child', 'mumps +', 'mumps confirmed', { facts: { 'mumps-clinical': true }, born: '2023-01-01' }],
  ['override', 'confirmed by a person, then the virus again', 'mumps + 2026-02-25, mumps +', 'stays confirmed, rule suspect', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('20 mumps', () => holds(tests, mumps));

const meningococcal: Row[] = [
  ['positive', 'culture of spinal fluid', 'csf +', 'meningococcal-disease confirmed'],
  ['positive', 'nucleic acid in blood', 'blood +', 'meningococcal-disease confirmed'],
  ['positive', 'antigen in spinal fluid', 'csfAntigen +', 'meningococcal-disease probable'],
  ['negative', 'culture of spinal fluid', 'csf -', 'none'],
  ['negative', 'a throat, where many carry them', 'throat +', 'none'],
  ['missing', 'culture preliminary', 'csf preliminary', 'meningococcal-disease suspect'],
  ['window', 'the thirtieth day', 'csf + 2026-04-01', 'the same case', { known: ['meningococcal-disease', '2026-03-02'] }],
  ['window', 'a day later', 'csf + 2026-04-02', 'another case', { known: ['meningococcal-disease', '2026-03-02'] }],
  ['age', 'an infant', 'csf +', 'meningococcal-disease confirmed', { born: '2026-01-01' }],
  ['override', 'ruled out by a person, then culture', 'csfAntigen +, csf +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('20 meningococcal disease', () => holds(tests, meningococcal));

const rabid: Row[] = [
  ['positive', 'the virus in a person who is ill', 'rabies +', 'rabies-human confirmed', { facts: { 'rabies-clinical': true } }],
  ['negative', 'the virus', 'rabies -', 'none'],
  ['negative', 'the virus in a person who is not ill', 'rabies +', 'rabies-human unknown', { facts: { 'rabies-clinical': false } }],
  ['missing', 'the virus, illness unknown', 'rabies +', 'rabies-human unknown'],
  ['window', 'later', 'rabies + 2026-08-01', 'the same case', { known: ['rabies-human', '2026-03-02'] }],
  ['age', 'a child', 'rabies +', 'rabies-human confirmed', { facts: { 'rabies-clinical': true }, born: '2019-01-01' }],
  ['override', 'ruled out by a person, then the virus again', 'rabies + 2026-02-25, rabies +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { facts: { 'rabies-clinical': true }, decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('20 rabies', () => holds(tests, rabid));
