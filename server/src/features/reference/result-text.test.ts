import { describe, expect, test } from 'vitest';
import { resultCategoryOf } from './catalog.ts';
import { answeredTexts } from './result-texts-answered.ts';
import { cultureTexts, waitingTexts } from './result-texts-waiting.ts';

const lines = (text: string) => text.split('\n').filter(Boolean);

/** A test for one virus, which answers detected or not detected. */
const detection = '94500-6';
/** Microorganism identified, by culture. */
const identification = '11475-1';

describe('result texts of laboratories, each read like a person reads it [P8]', () => {
  const says = (text: string) => resultCategoryOf({ loinc: detection, text })?.category ?? 'waits';

  test('there are at least 400 texts', () => {
    const all = [...Object.values(answeredTexts), waitingTexts, cultureTexts].flatMap(lines);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(400);
  });

  test.each(
    Object.entries(answeredTexts).flatMap(([answer, texts]) => lines(texts).map((text) => [answer, text])),
  )('%s: %s', (answer, text) => {
    expect(says(text!)).toBe(answer);
  });

  test.each(lines(waitingTexts))('waits: %s', (text) => {
    expect(says(text)).toBe('waits');
  });

  test.each(lines(cultureTexts).map((line) => line.split(' | ') as [string, string]))(
    'a culture, %s: %s',
    (answer, text) => {
      const reading = resultCategoryOf({ loinc: identification, text });
      const condition = reading?.organismConditionCode ?? '-';
      const read = !reading
        ? 'waits'
        : reading.category === 'positive'
          ? condition
          : reading.category === 'presumptive-positive'
            ? `? ${condition}`
            : reading.category;
      expect(read).toBe(answer);
    },
  );

  test('a text that is too long for an answer waits, whatever its first words are', () => {
    expect(says(`Not detected. ${'Salmonella was grown in a second specimen. '.repeat(60)}`)).toBe('waits');
  });
});

describe('an identification names what it found', () => {
  test.each([
    ['95423-0', 'Detected', '260373001'],
    ['625-4', 'Positive', '10828004'],
    ['11475-1', 'Presumptive positive', '720735008'],
  ])('%s answered "%s" without an organism waits', (loinc, text, code) => {
    expect(resultCategoryOf({ loinc, text })).toBeUndefined();
    expect(resultCategoryOf({ loinc, code, system: 'SCT', text })).toBeUndefined();
  });

  test('with the organism in the text beside the code, it is that organism', () => {
    expect(
      resultCategoryOf({ loinc: '625-4', code: '10828004', system: 'SCT', text: 'Salmonella Newport' }),
    ).toMatchObject({ category: 'positive', organismConditionCode: 'salmonellosis' });
  });

  test('an identification of a known condition needs no organism', () => {
    expect(resultCategoryOf({ loinc: '43185-8', text: 'Positive' })?.category).toBe('positive');
  });
});
