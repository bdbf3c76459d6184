import { fileURLToPath } from 'node:url';
import { labelIn } from '@caseway/contract/label';
import { explanationKeys, type OwnRecordAnswer, type OwnResult } from '@caseway/contract/portal';
import { format } from 'date-fns/format';
import type { Locale } from 'date-fns/locale';
import { enGB } from 'date-fns/locale/en-GB';
import { es } from 'date-fns/locale/es';
import { ht } from 'date-fns/locale/ht';
import { parseISO } from 'date-fns/parseISO';
import PDFDocument from 'pdfkit';
import type { LabelOverrides } from '../../platform/label-overrides.ts';
import { wordsIn } from '../../platform/words.ts';

// Embedded: the fonts that every reader has do not know every accent of a name.
const fonts = {
  regular: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/public-sans/400Regular/PublicSans_400Regular.ttf'),
  ),
  bold: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/public-sans/600SemiBold/PublicSans_600SemiBold.ttf'),
  ),
};
const dateLocales: Record<string, Locale> = { 'en-GB': enGB, es, ht };
const ink = { text: '#16202E', quiet: '#475467', line: '#E1E5EB', primary: '#0F6A73' };

/** One result with its explanation, on one page for the patient to keep or to show; see `ownResultFile`. */
export async function resultFile(
  result: OwnResult,
  own: Pick<OwnRecordAnswer, 'tenant' | 'firstName' | 'lastName'>,
  language: string,
  overrides: LabelOverrides,
): Promise<Buffer> {
  const words = wordsIn('portal', language, 'PUBLIC_HEALTH', overrides);
  const t = (key: string) => words(key) ?? key;
  const locale = dateLocales[language] ?? dateLocales[language.split('-')[0]!];
  const day = (value: string | null) =>
    value === null ? null : format(parseISO(value), 'PPP', locale ? { locale } : {});
  const explained = explanationKeys(result).find((key) => words(`explain.${key}.meaning`) !== undefined)!;
  const title = result.about ? labelIn(result.about, language) : result.testName;

  const page = new PDFDocument({
    size: 'LETTER',
    margins: { top: 56, bottom: 56, left: 64, right: 64 },
    lang: language,
    tagged: true,
    displayTitle: true,
    // A title that says what was tested would stand in lists of files.
    info: { Title: t('file.title'), Author: own.tenant, Producer: 'Caseway', Creator: 'Caseway' },
  });
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const written = new Promise<void>((resolve, reject) => page.on('end', resolve).on('error', reject));

  page.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
  const width = page.page.width - 128;
  page.font('bold').fontSize(10).fillColor(ink.primary).text(own.tenant);
  page.moveDown(1.2).fontSize(20).fillColor(ink.text).text(t('file.title'));
  page.moveDown(0.3).font('regular').fontSize(11).fillColor(ink.quiet);
  page.text([own.firstName, own.lastName].filter(Boolean).join(' '));
  const rule = () => {
    page.moveDown(0.8);
    page
      .moveTo(64, page.y)
      .lineTo(64 + width, page.y)
      .strokeColor(ink.line)
      .stroke();
    page.moveDown(0.8);
  };
  rule();
  page.font('bold').fontSize(15).fillColor(ink.text).text(title);
  page.fontSize(13).text(labelIn(result.answer, language));
  page.moveDown(0.6);
  const facts: [string, string | null][] = [
    [t('result.value'), result.value],
    [t('result.usual'), result.value === null ? null : result.usual],
    [t('result.test'), result.testName],
    [t('result.collectedOn'), day(result.collectedOn)],
    [t('result.resultedOn'), day(result.resultedOn)],
    [t('result.specimen'), result.specimen && labelIn(result.specimen, language)],
    [t('result.facility'), result.facility],
  ];
  for (const [name, value] of facts)
    if (value) {
      page.font('bold').fontSize(10.5).fillColor(ink.quiet).text(`${name}: `, { continued: true });
      page.font('regular').fillColor(ink.text).text(value);
    }
  if (result.preliminary) page.moveDown(0.5).text(t('result.preliminary'));
  if (result.corrected) page.moveDown(0.5).text(t('result.corrected'));
  rule();
  for (const part of ['meaning', 'next'] as const) {
    page
      .font('bold')
      .fontSize(12)
      .fillColor(ink.text)
      .text(t(`result.${part}`));
    page
      .moveDown(0.3)
      .font('regular')
      .fontSize(11)
      .text(t(`explain.${explained}.${part}`), { lineGap: 3 });
    page.moveDown(0.8);
  }
  page.fontSize(9.5).fillColor(ink.quiet).text(t('result.noDiagnosis'), { lineGap: 2 });
  page.end();
  await written;
  return Buffer.concat(chunks);
}
