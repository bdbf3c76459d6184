import { describe, expect, test } from 'vitest';
import { type Answer, caseOf, caseRuleFor, resultCategoryOf } from './catalog.ts';

describe('the case that a result opens', () => {
  const opens = (loinc: string, answer: Answer, specimen?: string) => {
    const reading = resultCategoryOf({ loinc, ...answer });
    const decision = reading && caseOf(loinc, reading, specimen);
    return decision && `${decision.condition.code} ${decision.classification}`;
  };

  test.each([
    ['24111-7', 'gonorrhea confirmed'],
    ['21613-5', 'chlamydia confirmed'],
    ['13955-0', 'hepatitis-c-undetermined probable'],
    ['11259-9', 'hepatitis-c-undetermined confirmed'],
    ['20507-0', 'syphilis-unknown-stage probable'],
    ['24110-9', 'syphilis-unknown-stage probable'],
    ['94500-6', 'covid-19 confirmed'],
    ['94558-4', 'covid-19 probable'],
    ['56888-1', 'hiv suspect'],
    ['62469-2', 'hiv confirmed'],
    ['82301-3', 'salmonellosis confirmed'],
    ['49612-5', 'salmonellosis probable'],
    ['79386-9', 'stec suspect'],
    ['21503-8', 'measles suspect'],
    ['48508-6', 'measles confirmed'],
    ['100383-9', 'mpox confirmed'],
    ['100434-0', 'orthopoxvirus-undetermined probable'],
    ['38379-4', 'tuberculosis confirmed'],
    ['11545-1', 'tuberculosis suspect'],
    ['38272-1', 'influenza-novel-a confirmed'],
    ['41636-2', 'ebola confirmed'],
    ['31703-2', 'west-nile-neuroinvasive confirmed'],
  ])('positive %s: %s', (loinc, expected) => {
    expect(opens(loinc, { text: 'Positive' })).toBe(expected);
  });

  test.each([
    ['a negative', '24111-7', 'Negative'],
    ['immunity to measles', '20479-2', 'Positive'],
    ['antibody to the hepatitis B core', '16933-4', 'Positive'],
    ['antibody to SARS-CoV-2', '94563-4', 'Positive'],
    ['a virus that is not reportable', '76070-2', 'Detected'],
    ['a culture that names nothing', '11475-1', 'Positive'],
  ])('%s opens none', (_, loinc, text) => {
    expect(opens(loinc, { text })).toBeUndefined();
  });

  test('the organism decides, not what the test looked for', () => {
    expect(opens('543-9', { code: '83723009', system: 'SCT' })).toBeUndefined();
    expect(opens('543-9', { code: '113861009', system: 'SCT' })).toBe('tuberculosis confirmed');
    expect(opens('625-4', { code: '27268008', system: 'SCT' })).toBe('salmonellosis confirmed');
    expect(opens('95423-0', { code: '840533007', system: 'SCT' })).toBe('covid-19 confirmed');
  });

  test('pneumococci are a case from blood, not from a throat', () => {
    const grown: Answer = { code: '9861002', system: 'SCT' };
    expect(opens('11475-1', grown, '119297000')).toBe('pneumococcal-invasive confirmed');
    expect(opens('600-7', grown)).toBe('pneumococcal-invasive confirmed');
    expect(opens('11475-1', grown, '258529004')).toBeUndefined();
    expect(opens('11475-1', grown)).toBeUndefined();
  });

  test('a rule by condition, by family, by method', () => {
    expect(caseRuleFor('gonorrhea', 'culture', 'positive')).toMatchObject({
      classification: 'confirmed',
      basis: 'CSTE',
    });
    expect(caseRuleFor('syphilis', 'treponemal', 'weak-positive')?.condition.code).toBe(
      'syphilis-unknown-stage',
    );
    expect(caseRuleFor('syphilis-primary', 'treponemal', 'positive')?.condition.code).toBe(
      'syphilis-unknown-stage',
    );
    expect(caseRuleFor('gonorrhea', 'naat', 'indeterminate')).toBeUndefined();
    expect(caseRuleFor('no-such', 'naat', 'positive')).toBeUndefined();
    expect(caseRuleFor('pertussis', 'naat', 'positive')?.clinicalCriteria).toBe(true);
  });
});
