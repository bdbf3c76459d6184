import type { OwnResult } from '@caseway/contract/portal';
import { describe, expect, test } from 'vitest';
import { onlyPixels, pngOf } from '../../platform/png.ts';
import { wordsIn } from '../../platform/words/words.ts';
import { patientWords } from '../reference/catalog.ts';
import { resultFile } from './result-file.ts';

const own = {
  tenant: 'Gulfstream Department of Health',
  firstName: 'María Lucía Sofía',
  lastName: 'Demopatient Núñez',
  birthDate: '1984-05-06',
  timeZone: 'America/New_York',
};
const usual: OwnResult = {
  id: '0197b8a0-0000-7000-8000-000000000001',
  testName: 'Chlamydia trachomatis DNA',
  testNameI18N: { es: 'ADN de Chlamydia trachomatis', ht: 'ADN Chlamydia trachomatis' },
  loinc: '21613-5',
  about: { label: 'Chlamydia', labelI18N: { es: 'Clamidia', ht: 'Klamidya' } },
  explanation: 'any.positive',
  mark: 'found',
  answer: { label: 'Positive', labelI18N: { es: 'Positivo', ht: 'Pozitif' } },
  preliminary: false,
  corrected: false,
  value: null,
  position: null,
  collectedOn: '2026-11-14',
  resultedOn: '2026-11-16',
  specimen: { label: 'Urine', labelI18N: { es: 'Orina', ht: 'Pipi' } },
  specimenNumber: '26-0012345',
  facility: 'Mangrove Community Clinic Ybor City',
  facilityPhone: '+18135550110',
  laboratory: 'Gulf Reference Laboratory, 100 Harbor Road, Tampa, FL 33602 · CLIA 10D0123456',
};
/** Every fact, each with two lines. */
const longest: OwnResult = {
  ...usual,
  preliminary: true,
  corrected: true,
  value: {
    valueText: '48000',
    valueNumber: 48000,
    valueComparator: null,
    units: '{copies}/mL',
    referenceRange: 'Less than 20 copies per milliliter in people who are treated; else see the comment',
    abnormalFlag: 'H',
  },
  position: 'high',
  testName:
    'Mycobacterium tuberculosis stimulated gamma interferon, release by mitogen, corrected for background',
};

/** The explanations with the most words; if they fit, the others fit. */
function longestIn(language: string): string[] {
  const words = wordsIn('explanations', language, 'PUBLIC_HEALTH');
  const length = (key: string) =>
    words(`explained.${key}.meaning`)!.length + words(`explained.${key}.next`)!.length;
  const keys = [...new Set(patientWords.rows.map(({ key }) => key))];
  return keys.sort((a, b) => length(b) - length(a)).slice(0, 5);
}
async function pagesOf(result: OwnResult, language: string, logo: Buffer | null = null): Promise<number> {
  const file = await resultFile(result, own, language, {}, logo);
  return file.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
}

// Guards against a former fault: every name and value began its own page, six of them for one result.
describe.each(['en', 'es', 'ht'])('the file of a result in %s [S7.3]', (language) => {
  test('is one page, with any explanation', async () => {
    const more: string[] = [];
    for (const explanation of longestIn(language))
      if ((await pagesOf({ ...usual, explanation }, language)) !== 1) more.push(explanation);
    expect(more).toEqual([]);
  });

  test('is at most two pages, with every possible fact', async () => {
    const more: string[] = [];
    for (const explanation of longestIn(language))
      if (![1, 2].includes(await pagesOf({ ...longest, explanation }, language))) more.push(explanation);
    expect(more).toEqual([]);
    // The name is on the second one, too.
    expect(await pagesOf({ ...longest, explanation: 'syphilis.nontreponemal.positive' }, language)).toBe(2);
  });
});

describe('the logo of the department', () => {
  const rows: [name: string, depth: number, type: number, interlaced: number, bytes: number][] = [
    ['grays', 8, 0, 0, 32 * 33],
    ['two grays', 1, 0, 0, 32 * 5],
    ['fine grays', 16, 0, 0, 32 * 65],
    ['colors', 8, 2, 0, 32 * 97],
    ['grays, partly transparent', 8, 4, 0, 32 * 65],
    ['fine colors, partly transparent', 16, 6, 0, 32 * 257],
    ['colors, partly transparent', 8, 6, 0, 32 * 129],
    // Seven passes over 32 × 32 pixels: 4 and 4 rows of 4, 4 of 8, 8 of 8, 8 of 16, 16 of 16, 16 of 32.
    [
      'interlaced colors, partly transparent',
      8,
      6,
      1,
      8 * 17 + 4 * 33 + 8 * 33 + 8 * 65 + 16 * 65 + 16 * 129,
    ],
    ['interlaced grays', 8, 0, 1, 8 * 5 + 4 * 9 + 8 * 9 + 8 * 17 + 16 * 17 + 16 * 33],
  ];
  test.each(rows)(
    'is on the page in %s, with a text, and takes no room',
    async (_, depth, type, interlaced, bytes) => {
      const header = Buffer.from([0, 0, 0, 32, 0, 0, 0, 32, depth, type, 0, 0, interlaced]);
      const logo = (await onlyPixels(await pngOf(header, Buffer.alloc(bytes))))!;
      const file = (await resultFile(usual, own, 'en', {}, logo)).toString('latin1');
      expect(file.match(/\/Subtype \/Image\b/g)!.length).toBeGreaterThan(0);
      expect(file).toContain('/Alt (Gulfstream Department of Health)');
      expect(await pagesOf(usual, 'en', logo)).toBe(1);
    },
  );

  test('in the colors of a palette, one of them transparent', async () => {
    const header = Buffer.from([0, 0, 0, 32, 0, 0, 0, 32, 8, 3, 0, 0, 0]);
    const logo = await pngOf(header, Buffer.alloc(32 * 33), [
      { type: 'PLTE', data: Buffer.from([255, 0, 0, 0, 0, 255]) },
      { type: 'tRNS', data: Buffer.from([0]) },
    ]);
    const file = (await resultFile(usual, own, 'en', {}, logo)).toString('latin1');
    expect(file.match(/\/Subtype \/Image\b/g)!.length).toBeGreaterThan(0);
  });
});
