import { describe, expect, test } from 'vitest';
import { laboratoryTests, testByLoinc } from '../reference/catalog.ts';
import { mappedBefore, proposalFor } from './code-proposals.ts';

const nobody = { before: undefined, elsewhere: null };
const proposed = (text: string) => proposalFor({ kind: 'test', code: 'X1', system: 'L', text }, nobody);
/** Component and method of the test that a name suggests. */
const testOf = (text: string) => {
  const found = testByLoinc(proposed(text)?.target ?? '');
  return found && [found.component.split(',')[0], found.method];
};

const mappable = laboratoryTests.filter(
  ({ method }) => !['question', 'control', 'panel', 'susceptibility'].includes(method),
);

test(`each of Caseway's own names of its tests, to the letter, proposes itself`, () => {
  expect(mappable.length).toBeGreaterThan(800);
  const others = mappable.filter(({ component }) => proposed(component)?.targetLabel !== component);
  expect(others.map(({ loinc, component }) => `${loinc} ${component}`)).toEqual([]);
});

/* As laboratories write them in messages of public test suites; the meaning of each was worked out by hand. */
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

  // They do not say which of several tests is meant, and a proposal would look like knowledge.
  test.each([
    ['COVID-19'],
    ['Flu A'],
    ['BD Veritor System for Rapid Detection of SARS-CoV-2 & Flu A+B'],
    ['SARS-CoV-2 IgG/IgM Rapid Test Cassette'],
    ['BORDETELLA PERTUSSIS'],
    ['EEE MIA Result'],
    ['result1'],
    [''],
  ])('and no test if they name none, or more than one: %s', (text) => {
    expect(proposed(text)).toBeNull();
  });

  test('a word of everyday laboratory work proposes a routine test', () => {
    expect(proposed('Neutrophils/100 leukocytes')?.target).toBe('routine');
  });

  test.each(['Comment', 'COMMENTS:', 'Specimen comment', 'Lab notes', 'Remark', 'Observaciones', 'Kòmantè'])(
    'a text that is only the name of a comment proposes to leave it out: %s',
    (text) => {
      expect(proposed(text)).toMatchObject({ target: null, targetLabel: null, basis: 'comment' });
    },
  );

  // Either may contain the result.
  test.each(['Interpretation', 'HIV comment'])('but not one that may say more: %s', (text) => {
    expect(proposed(text)?.basis).not.toBe('comment');
  });
});

test.each([
  ['260415007', 'SCT', 'detected', 'positive'],
  ['P1', 'L', 'Reactive', 'positive'],
  ['N1', 'L', 'Not detected', 'negative'],
  ['X1', 'L', 'QNS', 'unsatisfactory'],
  ['840539006', 'SCT', '840539006', undefined],
])('a code of a result, %s of %s with the words %s, proposes %s', (code, system, text, category) => {
  expect(proposalFor({ kind: 'value', code, system, text }, nobody)?.target).toBe(category);
});

test('the mapping of the same words for another sender comes before the words themselves', () => {
  const code = { kind: 'test', code: 'X1', system: 'L', text: 'Influenza A (NAT)' } as const;
  expect(proposalFor(code, { before: undefined, elsewhere: '94500-6' })).toMatchObject({
    target: '94500-6',
    basis: 'mapped-elsewhere',
    mappedBy: null,
  });
});

describe('a decision for the same sender comes first', () => {
  const sender = 'East Laboratory';
  const decided = (
    [
      ['FA', 'Flu A', '92142-9'],
      ['CT-1', 'Chlam rectal swab', '57287-5'],
      ['BP', 'BORDETELLA PERTUSSIS', '23826-1'],
      ['COV', 'COVID-19', '94558-4'],
      ['HIVR', 'HIV rapid', '80387-4'],
      ['MG', 'Rubeola (Measles) Ab, IgG, S', '20479-2'],
      ['HCV', 'Hepatitis C virus RNA', '11259-9'],
      ['', 'COVID antibody panel', '94762-2'],
    ] as const
  ).map(
    ([code, text, target]) => ({ kind: 'test', sender, code, text, target, mappedBy: 'Ana Ruiz' }) as const,
  );
  const proposal = (code: string, text: string, from = sender) => {
    const sent = { kind: 'test', sender: from, code, system: '99EAST', text } as const;
    return proposalFor(sent, { before: mappedBefore(sent, decided), elsewhere: null });
  };
  /** What the laboratory sends later, under other numbers or in other words, and its meaning. */
  const later = [
    // The same number in another system.
    ['FA', 'Influenza A', '92142-9'],
    ['CT-1', 'Chlam', '57287-5'],
    // Nearly the same name.
    ['201', 'A, Flu', '92142-9'],
    ['202', 'Swab, rectal: CHLAM', '57287-5'],
    ['203', 'Bordetella pertussis (specimen unspecified)', '23826-1'],
    ['204', 'SARS-CoV-2', '94558-4'],
    ['205', 'HIV - RAPID', '80387-4'],
    ['206', 'Bordetella pertussis DNA', '23826-1'],
  ] as const;

  test('of eight codes, one is proposed correctly from its own words, and all eight once decisions were made', () => {
    expect(later.filter(([, text, target]) => proposed(text)?.target === target)).toHaveLength(1);
    expect(later.filter(([code, text, target]) => proposal(code, text)?.target === target)).toHaveLength(8);
    expect(proposal('FA', 'Influenza A')).toMatchObject({ basis: 'mapped-before', mappedBy: 'Ana Ruiz' });
    expect(proposal('206', 'Bordetella pertussis DNA')).toMatchObject({ basis: 'own-name', mappedBy: null });
  });

  test.each([
    ['the number of something else', 'FA', 'Ferritin'],
    ['the number of something that shares a word', 'FA', 'Flu B'],
    ['the number of something of the same kind', 'BP', 'Bordetella parapertussis'],
    ['the number of an amount of it', 'HCV', 'Hepatitis C virus RNA [Units/volume]'],
    ['no number', '', 'Panel'],
    ['another antibody', '207', 'Rubeola (Measles) Ab, IgM, S'],
    ['an amount of it', '208', 'Hepatitis C virus RNA [Units/volume]'],
    ['another type of it', '209', 'Flu B'],
  ])('but not for %s', (_, code, text) => {
    expect(proposal(code, text)?.basis).not.toBe('mapped-before');
  });

  test('not for another sender, and not if the sender is unknown', () => {
    expect(proposal('FA', 'Flu A', 'West Laboratory')).toBeNull();
    const [one] = decided;
    expect(mappedBefore({ ...one!, sender: '' }, [{ ...one!, sender: '' }])).toBeUndefined();
  });
});
