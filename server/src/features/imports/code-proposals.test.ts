import { describe, expect, test } from 'vitest';
import { laboratoryTests, testByLoinc } from '../reference/catalog.ts';
import { proposalFor } from './code-proposals.ts';

const proposed = (text: string) => proposalFor({ kind: 'test', code: 'X1', system: 'L', text }, null);
/** Component and method of the test that a name speaks for. */
const testOf = (text: string) => {
  const found = testByLoinc(proposed(text)?.target ?? '');
  return found && [found.component.split(',')[0], found.method];
};

const mappable = laboratoryTests.filter(
  ({ method }) => !['question', 'control', 'panel', 'susceptibility'].includes(method),
);

test(`[D3] each of Caseway's own names of its tests, to the letter, proposes itself`, () => {
  expect(mappable.length).toBeGreaterThan(800);
  const others = mappable.filter(({ component }) => proposed(component)?.targetLabel !== component);
  expect(others.map(({ loinc, component }) => `${loinc} ${component}`)).toEqual([]);
});

/* As laboratories write them in messages of public test suites; what each means was worked out by hand. */
describe("a sender's own words propose the test they name", () => {
  test.each([
    ['N gonorrhea XXX QI Cult', 'Neisseria gonorrhoeae', 'culture'],
    ['B pert DNA XXX Ql PCR', 'Bordetella pertussis DNA', 'naat'],
    ['Hepatitis C Antibody QL', 'Hepatitis C virus antibody', 'antibody'],
    ['APTIMA GC', 'Neisseria gonorrhoeae rRNA', 'naat'],
    ['APTIMA CT', 'Chlamydia trachomatis rRNA', 'naat'],
    ['Influenza A (NAT)', 'Influenza A virus RNA', 'naat'],
    ['Influenza A/H3 (NAT)', 'Influenza A H3 RNA', 'naat'],
    ['Influenza B (NAT)', 'Influenza B virus RNA', 'naat'],
    ['FLUAV RNA Resp Ql NAA+probe', 'Influenza A virus RNA', 'naat'],
    ['FLUBV RNA Resp Ql NAA+probe', 'Influenza B virus RNA', 'naat'],
    ['Para Influenza Virus 2 (NAT)', 'Parainfluenza virus 2 RNA', 'naat'],
    ['RSV A (NAT)', 'Respiratory syncytial virus A RNA', 'naat'],
    ['Metapneumovirus (NAT)', 'Human metapneumovirus RNA', 'naat'],
    ['MuV RNA XXX Ql PCR', 'Mumps virus RNA', 'naat'],
    ['CORONAVIRUS HKU1', 'Coronavirus HKU1 RNA', 'naat'],
    ['Human coronavirus 229E RNA:PrThr:Pt:Nph:Ord:Non-probe.amp.tar', 'Coronavirus 229E RNA', 'naat'],
    ['SARS coronavirus 2 RNA:PrThr:Pt:Nph:Ord:Non-probe.amp.tar', 'SARS-CoV-2 RNA', 'naat'],
    ['SARS-CoV-2 (COVID-19) Ag [Presence] in Respiratory specimen', 'SARS-CoV-2 antigen', 'antigen'],
    ['BinaxNOW COVID-19 Ag Card', 'SARS-CoV-2 antigen', 'antigen'],
    ['Rubeola (Measles) Ab, IgG, S', 'Measles virus IgG', 'antibody-igg'],
    ['Rubeola (Measles) Ab, IgM, S', 'Measles virus IgM', 'antibody-igm'],
    ['Hepatitis B core antibodies (anti-HBVc)', 'Hepatitis B virus core antibody', 'antibody'],
  ])('%s', (text, component, method) => {
    expect(testOf(text)).toEqual([component, method]);
  });

  // Which of several tests is meant, they do not say; a proposal would be taken for knowledge.
  test.each([
    ['COVID-19'],
    ['Flu A'],
    ['BD Veritor System for Rapid Detection of SARS-CoV-2 & Flu A+B'],
    ['SARS-CoV-2 IgG/IgM Rapid Test Cassette'],
    ['BORDETELLA PERTUSSIS'],
    ['EEE MIA Result'],
    ['result1'],
    [''],
  ])('and none where they name none, or more than one: %s', (text) => {
    expect(proposed(text)).toBeNull();
  });

  test('a word of everyday laboratory work proposes a routine test', () => {
    expect(proposed('Neutrophils/100 leukocytes')?.target).toBe('routine');
  });
});

test.each([
  ['260415007', 'SCT', 'detected', 'positive'],
  ['P1', 'L', 'Reactive', 'positive'],
  ['N1', 'L', 'Not detected', 'negative'],
  ['X1', 'L', 'QNS', 'unsatisfactory'],
  ['840539006', 'SCT', '840539006', undefined],
])('a code of a result, %s of %s with the words %s, proposes %s', (code, system, text, category) => {
  expect(proposalFor({ kind: 'value', code, system, text }, null)?.target).toBe(category);
});

test('what the same words were mapped to for another sender comes first', () => {
  const code = { kind: 'test', code: 'X1', system: 'L', text: 'Influenza A (NAT)' } as const;
  expect(proposalFor(code, '94500-6')).toMatchObject({ target: '94500-6', basis: 'mapped-elsewhere' });
});
