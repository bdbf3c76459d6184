import { z } from 'zod';

/** A label with variants by language tag: `es`, `ht`, `en-GB` … [S3.9] */
export const labelled = z.object({
  label: z.string(),
  labelI18N: z.record(z.string(), z.string()).optional(),
});
export type Labelled = z.infer<typeof labelled>;

/**
 * The key of a missing value (no county, no race …), and the filter value for exactly those rows. No code or
 * id equals it.
 */
export const missingKey = 'missing';

/** The label in a language: by the full tag, then the base language, then the plain label. [S3.9] */
export function labelIn(item: Labelled, language: string): string {
  const base = language.split('-')[0]!;
  return item.labelI18N?.[language] ?? item.labelI18N?.[base] ?? item.label;
}

/** A test's name as stored, in English, with its translations if the catalog has the test. */
export const testNamed = { testName: z.string(), testNameI18N: labelled.shape.labelI18N };
type TestNamed = { testName: string; testNameI18N?: Labelled['labelI18N'] };

export const testNameIn = ({ testName, testNameI18N }: TestNamed, language: string): string =>
  labelIn({ label: testName, labelI18N: testNameI18N }, language);

/** For staff: the translated name, followed by the English one that laboratories use. */
export function testNameForStaff(test: TestNamed, language: string): string {
  const shown = testNameIn(test, language);
  return shown === test.testName ? shown : `${shown} (${test.testName})`;
}

/** A storage location's display name: the name, then `:Shelf:`, `:Bay` and `:Box:`, each with its code. [S3.8] */
export function locationDisplayName(location: {
  name: string;
  shelfCode?: string | null;
  bayCode?: string | null;
  boxCode?: string | null;
}): string {
  const shelf = location.shelfCode ? `:Shelf:${location.shelfCode}` : '';
  const bay = location.bayCode ? `:Bay${location.bayCode}` : '';
  const box = location.boxCode ? `:Box:${location.boxCode}` : '';
  return `${location.name}${shelf}${bay}${box}`;
}

/** Labels listed within a sentence: “last name, NPI”. */
export const labelsInSentence = (labels: readonly string[]): string =>
  labels.map((label) => label.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase())).join(', ');
