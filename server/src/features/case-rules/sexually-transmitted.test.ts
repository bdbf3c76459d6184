import { describe } from 'vitest';
import { holds, type Row, type Tests } from './test-cases.ts';

/* The field guide's conditions 1 to 5 and 7 to 9, each worked out by hand from its definition. */

const tests: Tests = {
  rpr: '20507-0', titer: '31147-2', treponemal: '24110-9', second: '24312-1', organism: '41163-7', csf: '5290-2', cord: '43813-5',
  gcNaat: '24111-7', gcCulture: '698-1',
  urethra: ['664-3', { family: 'gonorrhea', method: 'microscopy', specimen: '258530009' }],
  cervix: ['664-3', { family: 'gonorrhea', method: 'microscopy', specimen: '119395005' }],
  throat: ['664-3', { family: 'gonorrhea', method: 'microscopy', specimen: '258529004' }],
  ctNaat: '21613-5', ctCulture: '6349-5', ctAntigen: '31777-6', ducreyi: '29559-2', ducreyi2: '76076-9',
}; // biome-ignore format: a table

const lesion = { facts: { 'primary-lesion': true } } as const;
const signs = { facts: { 'secondary-signs': true } } as const;
const noSigns = { 'primary-lesion': false, 'secondary-signs': false } as const;
const noHistory = {
  ...noSigns,
  'syphilis-symptoms-year': false,
  'syphilis-partner-early': false,
  'sexual-debut-year': false,
};

const primary: Row[] = [
  ['positive', 'a lesion and RPR', 'rpr +', 'syphilis-primary probable', lesion],
  ['positive', 'a lesion and a treponemal test', 'treponemal +', 'syphilis-primary probable', lesion],
  ['positive', 'a lesion and the organism', 'organism +', 'syphilis-primary confirmed', lesion],
  ['negative', 'RPR', 'rpr -', 'none'],
  ['negative', 'a lesion, and both tests negative', 'rpr -, treponemal -', 'none', lesion],
  ['missing', 'no lesion known: RPR alone is no probable case', 'rpr +', 'syphilis-unknown-stage suspect'],
  ['missing', 'no lesion known: a treponemal test alone is none either', 'treponemal +', 'syphilis-unknown-stage suspect'],
  ['missing', 'a weakly reactive RPR counts', 'rpr weak', 'syphilis-unknown-stage suspect'],
  ['window', 'the thirtieth day', 'rpr + 2026-04-01', 'the same case', { known: ['syphilis-primary', '2026-03-02'] }],
  ['window', 'later, as antibodies stay', 'rpr + 2027-04-01', 'the same case', { known: ['syphilis-primary', '2026-03-02'] }],
  ['window', 'later, and the titer has risen fourfold', 'titer 1:2 2026-09-01, titer 1:8 2027-04-01', 'another case', { known: ['syphilis-primary', '2026-03-02'] }],
  ['window', 'the organism itself, on the thirtieth day', 'organism + 2026-04-01', 'the same case', { known: ['syphilis-primary', '2026-03-02'] }],
  ['window', 'the organism itself, a day later: it does not stay as antibodies do', 'organism + 2026-04-02', 'another case', { known: ['syphilis-primary', '2026-03-02'] }],
  ['age', 'on the first birthday', 'rpr +', 'syphilis-primary probable', { ...lesion, born: '2025-03-02' }],
  ['age', 'a day before it', 'rpr +', 'syphilis-congenital unknown', { ...lesion, born: '2025-03-03' }],
  ['override', 'ruled out by a person, then the organism', 'rpr +, organism +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { ...lesion, decided: 'not_a_case' }],
  ['override', 'confirmed by a person, then a negative test', 'rpr +, treponemal -', 'stays confirmed, rule not_a_case, rule-differs, confirmatory-negative', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('1 syphilis, primary', () => holds(tests, primary));

const secondary: Row[] = [
  ['positive', 'signs and both tests', 'rpr +, treponemal +', 'syphilis-secondary probable', signs],
  ['positive', 'signs and the organism', 'organism +', 'syphilis-secondary confirmed', { facts: { ...signs.facts, 'primary-lesion': false } }],
  ['positive', 'a low titer counts since 2018', 'titer 1:1, treponemal +', 'syphilis-secondary probable', signs],
  ['negative', 'signs without a positive test are for the investigator', 'rpr -', 'none', signs],
  ['missing', 'signs and RPR alone', 'rpr +', 'syphilis-unknown-stage suspect', signs],
  ['missing', 'signs unknown', 'rpr +, treponemal +', 'syphilis-unknown-stage probable'],
  ['window', 'the thirtieth day', 'rpr + 2026-04-01', 'the same case', { known: ['syphilis-secondary', '2026-03-02'] }],
  ['window', 'negative after treatment, and positive again', 'rpr - 2026-12-01, rpr + 2027-06-01', 'another case', { known: ['syphilis-secondary', '2026-03-02'] }],
  ['window', 'the titer has risen twofold', 'titer 1:4 2026-12-01, titer 1:8 2027-06-01', 'the same case', { known: ['syphilis-secondary', '2026-03-02'] }],
  ['age', 'on the first birthday', 'rpr +, treponemal +', 'syphilis-secondary probable', { ...signs, born: '2025-03-02' }],
  ['age', 'no birth date: counted as an adult', 'rpr +, treponemal +', 'syphilis-secondary probable', { ...signs, born: '' }],
  ['override', 'suspect by a person, then the second test', 'rpr +, treponemal +', 'stays suspect, rule probable, rule-differs', { ...signs, decided: 'suspect' }],
]; // biome-ignore format: a table
describe('2 syphilis, secondary', () => holds(tests, secondary));

const early: Row[] = [
  ['positive', 'negative within the year', 'rpr - 2025-08-01, rpr +, treponemal +', 'syphilis-early-latent probable', { facts: noSigns }],
  ['positive', 'a treponemal test negative within the year', 'treponemal - 2025-08-01, rpr +, treponemal +', 'syphilis-early-latent probable', { facts: noHistory }],
  ['positive', 'a partner with early syphilis', 'rpr +, treponemal +', 'syphilis-early-latent probable', { facts: { ...noSigns, 'syphilis-partner-early': true } }],
  ['positive', 'a fourfold rise after an earlier case', 'titer 1:4 2025-10-01, titer 1:16, treponemal +', 'syphilis-early-latent probable', { facts: noSigns, earlier: ['2022-01-01'] }],
  ['negative', 'a twofold rise after an earlier case', 'titer 1:4 2025-10-01, titer 1:8', 'syphilis-unknown-stage suspect', { facts: noSigns, earlier: ['2022-01-01'] }],
  ['negative', 'both tests', 'rpr -, treponemal -', 'none', { facts: noHistory }],
  ['missing', 'signs unknown: the stage is not told', 'rpr - 2025-08-01, rpr +, treponemal +', 'syphilis-unknown-stage probable'],
  ['missing', 'a titer that is no doubling tells no rise', 'titer 1:4 2025-10-01, titer 1:24', 'syphilis-unknown-stage suspect', { facts: noSigns, earlier: ['2022-01-01'] }],
  ['window', 'twelve months of a leap year', 'rpr - 2023-12-15, rpr + 2024-12-15, treponemal + 2024-12-15', 'syphilis-early-latent probable', { facts: noHistory }],
  ['window', 'a treponemal test positive once, negative once, and positive again tells nothing', 'treponemal + 2019-05-01, treponemal - 2025-08-01, rpr +, treponemal +', 'syphilis-late probable', { facts: noHistory }],
  ['window', 'negative 365 days before', 'rpr - 2025-03-02, rpr +, treponemal +', 'syphilis-early-latent probable', { facts: noHistory }],
  ['window', 'negative 366 days before', 'rpr - 2025-03-01, rpr +, treponemal +', 'syphilis-late probable', { facts: noHistory }],
  ['window', 'a fourfold rise after the window is a new infection', 'titer 1:4 2025-10-01, titer 1:16', 'another case', { known: ['syphilis-early-latent', '2025-10-01'] }],
  ['age', 'on the first birthday', 'rpr - 2025-12-01, rpr +, treponemal +', 'syphilis-early-latent probable', { facts: noSigns, born: '2025-03-02' }],
  ['age', 'a day before it', 'rpr - 2025-12-01, rpr +, treponemal +', 'syphilis-congenital unknown', { facts: noSigns, born: '2025-03-03' }],
  ['override', 'ruled out by a person, then a rise', 'titer 1:4 2025-10-01, treponemal + 2025-10-01, titer 1:16', 'stays not_a_case, rule probable, positive-after-ruled-out', { facts: noSigns, decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('3 syphilis, early non-primary non-secondary', () => holds(tests, early));

const late: Row[] = [
  ['positive', 'no evidence of a year', 'rpr +, treponemal +', 'syphilis-late probable', { facts: noHistory }],
  ['negative', 'RPR refuted by a treponemal test', 'rpr +, treponemal -', 'syphilis-unknown-stage not_a_case confirmatory-negative'],
  ['negative', 'reverse order, refuted by the second treponemal test', 'treponemal +, rpr -, second -', 'syphilis-unknown-stage not_a_case confirmatory-negative'],
  ['missing', 'evidence unknown', 'rpr +, treponemal +', 'syphilis-unknown-stage probable', { facts: noSigns }],
  ['negative', 'RPR refuted, in a person with an earlier case: somebody decides', 'rpr +, treponemal -', 'syphilis-unknown-stage suspect confirmatory-negative', { earlier: ['2015-01-01'] }],
  ['negative', 'a lesion and RPR, refuted: somebody decides', 'rpr +, treponemal -', 'syphilis-primary probable confirmatory-negative', lesion],
  ['missing', 'reverse order, RPR alone negative decides nothing', 'treponemal +, rpr -', 'syphilis-unknown-stage suspect'],
  ['missing', 'reverse order, two treponemal tests and no RPR', 'treponemal +, rpr -, second +', 'syphilis-unknown-stage suspect'],
  ['window', 'refuted a week before, as laboratories date it', 'rpr +, treponemal - 2026-02-23', 'syphilis-unknown-stage not_a_case confirmatory-negative'],
  ['window', 'eight days before refutes nothing', 'rpr +, treponemal - 2026-02-22', 'syphilis-unknown-stage suspect'],
  ['window', 'refuted on the ninetieth day', 'rpr + 2025-12-02, treponemal -', 'syphilis-unknown-stage not_a_case confirmatory-negative', { day: '2025-12-02' }],
  ['window', 'a treponemal test a day later refutes nothing', 'rpr + 2025-12-01, treponemal -', 'syphilis-unknown-stage suspect', { day: '2025-12-01' }],
  ['window', 'years later, as antibodies stay', 'titer 1:4 2029-03-02', 'the same case', { known: ['syphilis-late', '2026-03-02', 'probable'] }],
  ['age', 'on the first birthday', 'rpr +, treponemal +', 'syphilis-late probable', { facts: noHistory, born: '2025-03-02' }],
  ['override', 'confirmed as a case by a person, then refuted', 'rpr +, treponemal -', 'stays probable, rule not_a_case, rule-differs, confirmatory-negative', { decided: 'probable' }],
]; // biome-ignore format: a table
describe('4 syphilis, unknown duration or late', () => holds(tests, late));

const newborn = { born: '2026-02-20' } as const;
const congenital: Row[] = [
  ['positive', 'the organism in the child', 'organism +', 'syphilis-congenital confirmed', newborn],
  ['positive', 'a mother who was not treated', 'rpr +', 'syphilis-congenital probable', { ...newborn, facts: { 'mother-untreated': true } }],
  ['positive', 'signs in the child', 'rpr +', 'syphilis-congenital probable', { ...newborn, facts: { 'congenital-signs': true } }],
  ['positive', 'RPR and VDRL of the spinal fluid', 'rpr +, csf +', 'syphilis-congenital probable', newborn],
  ['negative', 'RPR', 'rpr -', 'none', newborn],
  ['negative', 'a treponemal test tells of the mother only', 'treponemal +', 'none', newborn],
  ['negative', 'blood of the cord tells of the mother only', 'cord +', 'none', newborn],
  ['negative', 'RPR, and a treponemal test that is negative', 'rpr +, treponemal -', 'syphilis-congenital unknown confirmatory-negative', newborn],
  ['missing', 'the mother unknown', 'rpr +', 'syphilis-congenital unknown', newborn],
  ['missing', 'a mother who was treated', 'rpr +', 'syphilis-congenital unknown', { ...newborn, facts: { 'mother-untreated': false } }],
  ['window', 'a child has it once', 'titer 1:8 2027-02-01', 'the same case', { known: ['syphilis-congenital', '2026-02-20', 'probable'] }],
  ['age', 'a day before the first birthday', 'rpr +', 'syphilis-congenital unknown', { born: '2025-03-03' }],
  ['age', 'on the first birthday the child is no infant', 'rpr +', 'syphilis-unknown-stage suspect', { born: '2025-03-02' }],
  ['override', 'ruled out by a person, then spinal fluid', 'rpr +, csf +', 'stays not_a_case, rule probable, positive-after-ruled-out', { ...newborn, decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('5 syphilis, congenital', () => holds(tests, congenital));

const gonorrhea: Row[] = [
  ['positive', 'nucleic acid', 'gcNaat +', 'gonorrhea confirmed'],
  ['positive', 'culture', 'gcCulture +', 'gonorrhea confirmed'],
  ['positive', 'the version of 2014', 'gcNaat + 2022-12-31', 'gonorrhea confirmed'],
  ['positive', 'a smear of a man’s urethra', 'urethra +', 'gonorrhea probable', { sex: 'M' }],
  ['positive', 'a smear of the cervix', 'cervix +', 'gonorrhea probable'],
  ['negative', 'nucleic acid', 'gcNaat -', 'none'],
  ['negative', 'a smear of a woman’s urethra', 'urethra +', 'gonorrhea unknown'],
  ['negative', 'a smear of the throat', 'throat +', 'gonorrhea unknown'],
  ['negative', 'a smear of a man’s urethra, and no nucleic acid', 'urethra +, gcNaat -', 'gonorrhea probable confirmatory-negative', { sex: 'M' }],
  ['window', 'no nucleic acid eight days later, after treatment', 'urethra + 2026-02-22, gcNaat -', 'gonorrhea probable', { sex: 'M', day: '2026-02-22' }],
  ['missing', 'equivocal', 'gcNaat ?', 'none'],
  ['missing', 'preliminary', 'gcNaat preliminary', 'gonorrhea unknown'],
  ['window', 'the thirtieth day', 'gcNaat + 2026-04-01', 'the same case', { known: ['gonorrhea', '2026-03-02'] }],
  ['window', 'a day later', 'gcNaat + 2026-04-02', 'another case', { known: ['gonorrhea', '2026-03-02'] }],
  ['age', 'a newborn', 'gcCulture +', 'gonorrhea confirmed', { born: '2026-02-27' }],
  ['override', 'ruled out by a person, then culture', 'gcNaat +, gcCulture +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'probable by a person, then nucleic acid', 'gcNaat preliminary, gcNaat +', 'stays probable, rule confirmed, rule-differs', { decided: 'probable' }],
]; // biome-ignore format: a table
describe('7 gonorrhea', () => holds(tests, gonorrhea));

const chlamydia: Row[] = [
  ['positive', 'nucleic acid', 'ctNaat +', 'chlamydia confirmed'],
  ['positive', 'culture', 'ctCulture +', 'chlamydia confirmed'],
  ['positive', 'antigen', 'ctAntigen +', 'chlamydia confirmed'],
  ['negative', 'nucleic acid', 'ctNaat -', 'none'],
  ['negative', 'an antigen that nucleic acid does not find', 'ctAntigen +, ctNaat -', 'chlamydia confirmed confirmatory-negative'],
  ['window', 'no nucleic acid eight days later, after treatment', 'ctAntigen + 2026-02-22, ctNaat -', 'chlamydia confirmed', { day: '2026-02-22' }],
  ['missing', 'presumptive: there is no probable case', 'ctNaat presumptive', 'chlamydia unknown'],
  ['window', 'the thirtieth day', 'ctNaat + 2026-04-01', 'the same case', { known: ['chlamydia', '2026-03-02'] }],
  ['window', 'a day later', 'ctNaat + 2026-04-02', 'another case', { known: ['chlamydia', '2026-03-02'] }],
  ['age', 'a child', 'ctNaat +', 'chlamydia confirmed', { born: '2026-02-01' }],
  ['override', 'ruled out by a person, then culture', 'ctNaat presumptive, ctCulture +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('8 chlamydia', () => holds(tests, chlamydia));

const chancroid: Row[] = [
  ['positive', 'a painful ulcer that is nothing else', 'ducreyi +', 'chancroid probable', { facts: { 'painful-ulcer': true, 'herpes-excluded': true } }],
  ['negative', 'nucleic acid', 'ducreyi -', 'none'],
  ['negative', 'herpes', 'ducreyi +', 'chancroid unknown', { facts: { 'painful-ulcer': true, 'herpes-excluded': false } }],
  ['missing', 'nucleic acid, which the definition does not know', 'ducreyi +', 'chancroid unknown'],
  ['missing', 'a painful ulcer that may be herpes', 'ducreyi +', 'chancroid unknown', { facts: { 'painful-ulcer': true } }],
  ['missing', 'indeterminate', 'ducreyi2 ?', 'none'],
  ['window', 'the thirtieth day', 'ducreyi + 2026-04-01', 'the same case', { known: ['chancroid', '2026-03-02', 'probable'] }],
  ['window', 'a day later', 'ducreyi + 2026-04-02', 'another case', { known: ['chancroid', '2026-03-02', 'probable'] }],
  ['age', 'a child', 'ducreyi +', 'chancroid unknown', { born: '2020-03-02' }],
  ['override', 'confirmed by a person, then another test', 'ducreyi +, ducreyi2 +', 'stays confirmed, rule unknown', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('9 chancroid', () => holds(tests, chancroid));
