import { describe } from 'vitest';
import { holds, type Row, type Tests } from './test-cases.ts';

/*
 * The field guide's conditions 18 and 19, with lead, West Nile virus, and two conditions of the table, each worked
 * out by hand from its definition.
 */

const tests: Tests = {
  salmonella: '82301-3', typhi: ['82301-3', { condition: 'typhoid-fever' }], salmonellaPcr: '49612-5',
  campylobacter: '97513-6', campylobacterPcr: '105640-7', campylobacterAntigen: ['105640-7', { method: 'antigen' }], shigella: '17576-0', shigellaPcr: '70242-3',
  coli: ['17576-0', { family: 'stec', condition: 'stec' }], stx: '79386-9', toxin: '21262-1', o157: ['17576-0', { family: 'stec', condition: 'escherichia-coli' }],
  eia: '20449-5', secondEia: '16480-6', igg: '6320-6', igm: '6321-4', borrelia: '32667-8',
  venous: '77307-7', stick: '10368-9', blood: '5671-3', bloodVenous: ['5671-3', { specimen: '122555007' }],
  wnvCsf: '31703-2', wnvCsfRna: '34461-4', wnvBlood: '33331-0',
}; // biome-ignore format: a table

const diarrhea = { facts: { 'diarrheal-illness': true } } as const;
const linked = { facts: { 'diarrheal-illness': true, 'link-confirmed-case': true } } as const;

const salmonellosis: Row[] = [
  ['positive', 'culture', 'salmonella +', 'salmonellosis confirmed'],
  ['positive', 'nucleic acid', 'salmonellaPcr +', 'salmonellosis probable'],
  ['positive', 'both', 'salmonellaPcr +, salmonella +', 'salmonellosis confirmed'],
  ['positive', 'Typhi is typhoid fever', 'typhi +', 'typhoid-fever confirmed'],
  ['negative', 'culture', 'salmonella -', 'none'],
  ['negative', 'nucleic acid, which a negative culture does not refute', 'salmonellaPcr +, salmonella -', 'salmonellosis probable'],
  ['missing', 'nucleic acid presumptive', 'salmonellaPcr presumptive', 'salmonellosis probable'],
  ['missing', 'culture preliminary', 'salmonella preliminary', 'salmonellosis suspect'],
  ['window', 'after a year', 'salmonella + 2027-03-02', 'the same case', { known: ['salmonellosis', '2026-03-02'] }],
  ['window', 'a day later', 'salmonella + 2027-03-03', 'another case', { known: ['salmonellosis', '2026-03-02'] }],
  ['age', 'an infant', 'salmonella +', 'salmonellosis confirmed', { born: '2026-01-01' }],
  ['override', 'ruled out by a person, then culture', 'salmonellaPcr +, salmonella +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'suspect by a person, then culture', 'salmonellaPcr +, salmonella +', 'stays suspect, rule confirmed, rule-differs', { decided: 'suspect' }],
]; // biome-ignore format: a table
describe('18 salmonellosis', () => holds(tests, salmonellosis));

const campylobacteriosis: Row[] = [
  ['positive', 'culture', 'campylobacter +', 'campylobacteriosis confirmed'],
  ['positive', 'nucleic acid', 'campylobacterPcr +', 'campylobacteriosis probable'],
  ['positive', 'both', 'campylobacterPcr +, campylobacter +', 'campylobacteriosis confirmed'],
  ['positive', 'ill, and linked to a case, whose culture is not final', 'campylobacter preliminary', 'campylobacteriosis probable', linked],
  ['negative', 'culture', 'campylobacter -', 'none'],
  ['missing', 'culture preliminary', 'campylobacter preliminary', 'campylobacteriosis suspect'],
  ['negative', 'nucleic acid, which a negative culture does not refute', 'campylobacterPcr +, campylobacter -', 'campylobacteriosis probable'],
  ['negative', 'an antigen that nucleic acid does not find', 'campylobacterAntigen +, campylobacterPcr -', 'campylobacteriosis probable confirmatory-negative'],
  ['missing', 'nucleic acid indeterminate', 'campylobacterPcr ?', 'none'],
  ['window', 'the thirtieth day', 'campylobacter + 2026-04-01', 'the same case', { known: ['campylobacteriosis', '2026-03-02'] }],
  ['window', 'a day later', 'campylobacter + 2026-04-02', 'another case', { known: ['campylobacteriosis', '2026-03-02'] }],
  ['age', 'a child', 'campylobacterPcr +', 'campylobacteriosis probable', { born: '2024-03-02' }],
  ['override', 'ruled out by a person, then culture', 'campylobacterPcr +, campylobacter +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'confirmed by a person, then a negative culture', 'campylobacterPcr +, campylobacter -', 'stays confirmed, rule probable', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('18 campylobacteriosis', () => holds(tests, campylobacteriosis));

const shigellosis: Row[] = [
  ['positive', 'culture', 'shigella +', 'shigellosis confirmed'],
  ['positive', 'nucleic acid', 'shigellaPcr +', 'shigellosis probable'],
  ['positive', 'both', 'shigellaPcr +, shigella +', 'shigellosis confirmed'],
  ['positive', 'ill, and linked to a case, whose culture is not final', 'shigella preliminary', 'shigellosis probable', linked],
  ['negative', 'culture', 'shigella -', 'none'],
  ['missing', 'culture preliminary: there is no suspect case', 'shigella preliminary', 'shigellosis unknown'],
  ['missing', 'nucleic acid presumptive', 'shigellaPcr presumptive', 'shigellosis probable'],
  ['window', 'the ninetieth day', 'shigella + 2026-05-31', 'the same case', { known: ['shigellosis', '2026-03-02'] }],
  ['window', 'a day later', 'shigella + 2026-06-01', 'another case', { known: ['shigellosis', '2026-03-02'] }],
  ['age', 'a child', 'shigella +', 'shigellosis confirmed', { born: '2022-03-02' }],
  ['override', 'ruled out by a person, then culture', 'shigellaPcr +, shigella +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'confirmed by a person, then a negative culture', 'shigellaPcr +, shigella -', 'stays confirmed, rule probable', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('18 shigellosis', () => holds(tests, shigellosis));

const stec: Row[] = [
  ['positive', 'an isolate with the toxin', 'coli +', 'stec confirmed'],
  ['positive', 'a toxin with diarrhea', 'stx +', 'stec probable', diarrhea],
  ['negative', 'a toxin', 'stx -', 'none'],
  ['negative', 'a toxin in a person who is not ill', 'toxin +', 'stec suspect', { facts: { 'diarrheal-illness': false } }],
  ['negative', 'a toxin whose genes are not found', 'toxin +, stx -', 'stec suspect confirmatory-negative'],
  ['negative', 'O157 that makes no toxin', 'o157 +, toxin -', 'stec suspect confirmatory-negative'],
  ['missing', 'a toxin, illness unknown', 'stx +', 'stec suspect'],
  ['missing', 'a toxin presumptive', 'toxin presumptive', 'stec suspect', diarrhea],
  ['window', 'the hundred and eightieth day', 'stx + 2026-08-29', 'the same case', { known: ['stec', '2026-03-02'] }],
  ['window', 'a day later', 'stx + 2026-08-30', 'another case', { known: ['stec', '2026-03-02'] }],
  ['age', 'a child', 'stx +', 'stec suspect', { born: '2023-03-02' }],
  ['override', 'ruled out by a person, then an isolate', 'stx +, coli +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
  ['override', 'probable by a person, who knows of the diarrhea', 'stx + 2026-03-01, toxin +', 'stays probable, rule suspect', { decided: 'probable' }],
]; // biome-ignore format: a table
describe('18 STEC', () => holds(tests, stec));

const common = { state: '25' } as const;
const lyme: Row[] = [
  ['positive', 'two tiers where it is common', 'eia +, igm +', 'lyme-disease probable', common],
  ['positive', 'two different first tiers where it is common', 'eia +, secondEia +', 'lyme-disease probable', common],
  ['positive', 'an equivocal first tier and an IgG blot where it is common', 'eia equivocal, igg +', 'lyme-disease probable', common],
  ['positive', 'an equivocal first tier and an IgM blot where it is common', 'eia equivocal, igm +', 'lyme-disease probable', common],
  ['positive', 'an equivocal first tier and a positive second one', 'eia equivocal, secondEia +', 'lyme-disease probable', common],
  ['positive', 'an equivocal first tier and an IgG blot with a manifestation where it is rare', 'eia equivocal, igg +', 'lyme-disease confirmed', { facts: { 'lyme-manifestation': true } }],
  ['negative', 'an equivocal first tier alone', 'eia equivocal', 'none', common],
  ['negative', 'an equivocal first tier and a negative blot', 'eia equivocal, igg -', 'none', common],
  ['negative', 'the same equivocal first tier twice is one test', 'eia equivocal 2026-02-20, eia equivocal', 'none', common],
  ['missing', 'an IgG blot alone is presumptive', 'igg +', 'lyme-disease suspect', common],
  ['positive', 'an IgG blot alone with a manifestation where it is rare', 'igg +', 'lyme-disease probable', { facts: { 'lyme-manifestation': true } }],
  ['positive', 'two tiers with erythema migrans where it is rare, exposed or not', 'eia +, igg +', 'lyme-disease confirmed', { facts: { 'erythema-migrans': true, 'tick-exposure': false } }],
  ['missing', 'an IgG blot alone where it is rare', 'igg +', 'lyme-disease suspect'],
  ['missing', 'erythema migrans and only the first tier', 'eia +', 'lyme-disease suspect', { facts: { 'erythema-migrans': true } }],
  ['window', 'before 2022 an IgG blot with a manifestation confirmed', 'igg + 2021-06-01', 'lyme-disease confirmed', { facts: { 'lyme-manifestation': true } }],
  ['window', 'before 2022 erythema migrans counted with exposure alone', 'igg + 2021-06-01', 'lyme-disease suspect', { facts: { 'erythema-migrans': true, 'tick-exposure': false } }],
  ['window', 'before 2022 other signs made it probable', 'igg + 2021-06-01', 'lyme-disease probable', { facts: { 'lyme-likely-sign': true } }],
  ['missing', 'other signs count no longer', 'eia +, igg +', 'lyme-disease suspect', { facts: { 'lyme-likely-sign': true } }],
  ['positive', 'the organism where it is common', 'borrelia +', 'lyme-disease probable', common],
  ['positive', 'with a manifestation where it is rare', 'eia +, igg +', 'lyme-disease confirmed', { facts: { 'lyme-manifestation': true } }],
  ['positive', 'IgM thirty days after the onset', 'eia +, igm +', 'lyme-disease confirmed', { facts: { 'lyme-manifestation': true }, onset: '2026-01-31' }],
  ['negative', 'IgM a day later', 'eia +, igm +', 'lyme-disease suspect', { facts: { 'lyme-manifestation': true }, onset: '2026-01-30' }],
  ['missing', 'IgM, onset unknown', 'eia +, igm +', 'lyme-disease suspect', { facts: { 'lyme-manifestation': true } }],
  ['positive', 'IgM thirty days after the onset where it is common', 'eia +, igm +', 'lyme-disease probable', { ...common, onset: '2026-01-31' }],
  ['negative', 'IgM a day later where it is common', 'eia +, igm +', 'lyme-disease suspect', { ...common, onset: '2026-01-30' }],
  ['positive', 'IgG counts at any time', 'eia +, igg +', 'lyme-disease probable', { ...common, onset: '2025-12-20' }],
  ['positive', 'one blot negative, the other positive', 'eia +, igg -, igm +', 'lyme-disease probable', common],
  ['negative', 'the first tier', 'eia -', 'none'],
  ['negative', 'the second tier', 'eia +, igg -', 'lyme-disease not_a_case confirmatory-negative', common],
  ['negative', 'the second of two first tiers', 'secondEia +, eia -', 'lyme-disease suspect confirmatory-negative', common],
  ['negative', 'two first tiers, and a blot that misses it', 'eia +, secondEia +, igg -', 'lyme-disease probable', common],
  ['missing', 'the second tier not done', 'eia +', 'lyme-disease suspect', common],
  ['missing', 'an IgM blot alone', 'igm +', 'lyme-disease suspect', common],
  ['missing', 'two tiers where it is rare', 'eia +, igm +', 'lyme-disease suspect'],
  ['missing', 'two tiers, state unknown', 'eia +, igm +', 'lyme-disease suspect', { state: '' }],
  ['window', 'two tiers where it is common, before 2022', 'eia + 2021-06-01, igm + 2021-06-01', 'lyme-disease suspect', common],
  ['window', 'later in the calendar year', 'igg + 2026-12-31', 'the same case', { known: ['lyme-disease', '2026-01-01'] }],
  ['window', 'in the next calendar year', 'igg + 2027-01-01', 'another case', { known: ['lyme-disease', '2026-12-31'] }],
  ['window', 'a second tier on the sixtieth day refutes', 'eia + 2026-01-01, igg -', 'lyme-disease not_a_case confirmatory-negative', { ...common, day: '2026-01-01' }],
  ['window', 'a day later it does not', 'eia + 2025-12-31, igg -', 'lyme-disease suspect', { ...common, day: '2025-12-31' }],
  ['age', 'a child', 'eia +, igm +', 'lyme-disease probable', { ...common, born: '2020-01-01' }],
  ['override', 'ruled out by a person, then an IgG blot', 'eia +, igg +', 'stays not_a_case, rule probable, positive-after-ruled-out', { ...common, decided: 'not_a_case' }],
  ['override', 'confirmed by a person, then a negative blot', 'eia +, igg -', 'stays confirmed, rule not_a_case, rule-differs, confirmatory-negative', { ...common, decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('19 Lyme disease', () => holds(tests, lyme));

const lead: Row[] = [
  ['positive', 'venous blood', 'venous +', 'lead-elevated confirmed'],
  ['positive', 'a venous specimen of a test that does not say', 'bloodVenous +', 'lead-elevated confirmed'],
  ['negative', 'venous blood', 'venous -', 'none'],
  ['negative', 'a finger stick, and venous blood that is low', 'stick +, venous -', 'lead-elevated suspect confirmatory-negative'],
  ['negative', 'two finger sticks, and venous blood that is low', 'stick + 2026-02-01, stick +, venous -', 'lead-elevated confirmed confirmatory-negative'],
  ['negative', 'a specimen nobody names, and venous blood that is low', 'blood +, venous -', 'lead-elevated suspect confirmatory-negative'],
  ['negative', 'venous blood that is lower three months later', 'venous + 2026-01-01, venous -', 'lead-elevated confirmed'],
  ['missing', 'a finger stick', 'stick +', 'lead-elevated suspect'],
  ['missing', 'a specimen nobody names', 'blood +', 'lead-elevated suspect'],
  ['window', 'venous blood that is low twelve weeks after the finger stick', 'stick + 2025-12-08, venous -', 'lead-elevated suspect confirmatory-negative', { day: '2025-12-08' }],
  ['window', 'venous blood that is low a day later', 'stick + 2025-12-07, venous -', 'lead-elevated suspect', { day: '2025-12-07' }],
  ['window', 'two finger sticks within twelve weeks', 'stick + 2025-12-08, stick +', 'lead-elevated confirmed'],
  ['window', 'two finger sticks a day more apart', 'stick + 2025-12-07, stick +', 'lead-elevated suspect'],
  ['age', 'an adult', 'venous +', 'lead-elevated confirmed', { born: '1980-01-01' }],
  ['override', 'ruled out by a person, then venous blood', 'stick +, venous +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('lead', () => holds(tests, lead));

const westNile: Row[] = [
  ['positive', 'the virus in spinal fluid', 'wnvCsfRna +', 'west-nile-neuroinvasive confirmed'],
  ['positive', 'IgM in spinal fluid', 'wnvCsf +', 'west-nile-neuroinvasive probable'],
  ['positive', 'IgM in blood', 'wnvBlood +', 'west-nile-undetermined probable'],
  ['negative', 'IgM in blood', 'wnvBlood -', 'none'],
  ['missing', 'IgM in blood, presumptive', 'wnvBlood presumptive', 'west-nile-undetermined unknown'],
  ['window', 'one has it once', 'wnvBlood + 2036-03-02', 'the same case', { known: ['west-nile-undetermined', '2026-03-02', 'probable'] }],
  ['age', 'a child', 'wnvCsf +', 'west-nile-neuroinvasive probable', { born: '2020-01-01' }],
  ['override', 'ruled out by a person, then IgM again', 'wnvBlood + 2026-02-20, wnvBlood +', 'stays not_a_case, rule probable, positive-after-ruled-out', { decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('West Nile virus', () => holds(tests, westNile));

const malariaTests: Tests = { rapid: '76772-3', smear: '51587-4', pcr: '47085-6' };
const malaria: Row[] = [
  ['positive', 'parasites seen', 'smear +', 'malaria confirmed'],
  ['negative', 'a rapid test, and no parasites seen', 'rapid +, smear -', 'malaria suspect confirmatory-negative'],
  ['negative', 'a rapid test, and no nucleic acid', 'rapid +, pcr -', 'malaria suspect confirmatory-negative'],
  ['negative', 'a rapid test, no parasites seen, but nucleic acid', 'rapid +, smear -, pcr +', 'malaria confirmed'],
  ['missing', 'a rapid test alone', 'rapid +', 'malaria suspect'],
  ['window', 'no parasites seen a week later', 'rapid + 2026-02-23, smear -', 'malaria suspect confirmatory-negative', { day: '2026-02-23' }],
  ['window', 'a day more, after treatment', 'rapid + 2026-02-22, smear -', 'malaria suspect', { day: '2026-02-22' }],
  ['age', 'a child', 'rapid +', 'malaria suspect', { born: '2024-01-01' }],
  ['override', 'confirmed by a person, then no parasites seen', 'rapid +, smear -', 'stays confirmed, rule suspect, rule-differs, confirmatory-negative', { decided: 'confirmed' }],
]; // biome-ignore format: a table
describe('malaria', () => holds(malariaTests, malaria));

const influenzaTests: Tests = { antigen: '80382-5', pcr: '34487-9' };
const influenza: Row[] = [
  ['positive', 'nucleic acid', 'pcr +', 'influenza confirmed'],
  ['negative', 'an antigen that nucleic acid does not find', 'antigen +, pcr -', 'influenza probable confirmatory-negative'],
  ['missing', 'an antigen alone', 'antigen +', 'influenza probable'],
  ['window', 'nucleic acid that is negative eight days later', 'antigen + 2026-02-22, pcr -', 'influenza probable', { day: '2026-02-22' }],
  ['age', 'a child', 'antigen +', 'influenza probable', { born: '2024-01-01' }],
  ['override', 'ruled out by a person, then nucleic acid', 'antigen +, pcr +', 'stays not_a_case, rule confirmed, positive-after-ruled-out', { decided: 'not_a_case' }],
]; // biome-ignore format: a table
describe('influenza', () => holds(influenzaTests, influenza));
