import { fileURLToPath } from 'node:url';
import { phoneShown } from '@caseway/contract/codes';
import { todayIn } from '@caseway/contract/date-range';
import { labelIn, testNameIn } from '@caseway/contract/label';
import type { OwnRecordAnswer, OwnResult } from '@caseway/contract/portal';
import { resultValue } from '@caseway/contract/result-value';
import { format } from 'date-fns/format';
import type { Locale } from 'date-fns/locale';
import { enGB } from 'date-fns/locale/en-GB';
import { es } from 'date-fns/locale/es';
import { ht } from 'date-fns/locale/ht';
import { parseISO } from 'date-fns/parseISO';
import PDFDocument from 'pdfkit';
import type { LabelOverrides } from '../../platform/words/label-overrides.ts';
import { wordsIn } from '../../platform/words/words.ts';

// Embedded, because the fonts that every PDF reader has lack some accents of names.
const fonts = {
  regular: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/public-sans/400Regular/PublicSans_400Regular.ttf'),
  ),
  bold: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/public-sans/600SemiBold/PublicSans_600SemiBold.ttf'),
  ),
};
const dateLocales: Record<string, Locale> = { 'en-GB': enGB, es, ht };
const ink = { text: '#16202E', quiet: '#475467', line: '#E1E5EB', raised: '#F1F3F6', primary: '#0F6A73' };
const boxPadding = 16;
/** The largest that a logo is printed, in points; it is next to the headings. */
const logoRoom = { width: 132, height: 60 };

/** One result with its explanation, on one page for the patient to keep or to show; see `ownResultFile`. */
export async function resultFile(
  result: OwnResult,
  own: Pick<OwnRecordAnswer, 'tenant' | 'firstName' | 'lastName' | 'birthDate' | 'timeZone'>,
  language: string,
  overrides: LabelOverrides,
  logo: Buffer | null,
): Promise<Buffer> {
  const words = wordsIn('portal', language, 'PUBLIC_HEALTH', overrides);
  const t = (key: string) => words(key) ?? key;
  const locale = dateLocales[language] ?? dateLocales[language.split('-')[0]!];
  const day = (value: string | null) =>
    value === null
      ? null
      : format(parseISO(value), language === 'en' ? 'MMMM d, y' : 'PPP', locale ? { locale } : {});
  const explained = wordsIn('explanations', language, 'PUBLIC_HEALTH', overrides);
  // The embedded font lacks the narrow space that groups French numbers.
  const value =
    result.value && resultValue(result.value, language, { sign: true }).text?.replaceAll('\u202f', '\u00a0');
  const title = result.about ? labelIn(result.about, language) : testNameIn(result, language);

  const page = new PDFDocument({
    size: 'LETTER',
    margins: { top: 48, bottom: 48, left: 64, right: 64 },
    lang: language,
    tagged: true,
    displayTitle: true,
    // A title that says what was tested would appear in lists of files.
    info: { Title: t('file.title'), Author: own.tenant, Producer: 'Caseway', Creator: 'Caseway' },
  });
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const written = new Promise<void>((resolve, reject) => page.on('end', resolve).on('error', reject));

  page.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
  const { left, right } = page.page.margins;
  const width = page.page.width - left - right;
  const content = page.struct('Document');
  page.addStructure(content);
  /** Writes a part of the page with its role for screen readers. */
  const part = (kind: 'H1' | 'H2' | 'P', write: () => void) => content.add(page.struct(kind, {}, write));
  /** Draws something without content for screen readers. */
  const decoration = (draw: () => void) => {
    page.save().markContent('Artifact', { type: 'Layout' });
    draw();
    page.endMarkedContent().restore();
  };

  const beside = logo ? { width: width - logoRoom.width - 20 } : {};
  if (logo)
    content.add(
      page.struct('Figure', { alt: own.tenant }, () =>
        page.image(logo, left + width - logoRoom.width, page.page.margins.top, {
          fit: [logoRoom.width, logoRoom.height],
          align: 'right',
        }),
      ),
    );
  part('P', () =>
    page
      .font('bold')
      .fontSize(11)
      .fillColor(ink.primary)
      .text(own.tenant, left, page.page.margins.top, beside),
  );
  page.moveDown(1);
  part('H1', () => page.font('bold').fontSize(24).fillColor(ink.text).text(t('file.title'), beside));
  page.moveDown(0.2);
  const name = [own.firstName, own.lastName].filter(Boolean).join(' ');
  part('P', () => page.font('bold').fontSize(13).fillColor(ink.text).text(name));
  const born = day(own.birthDate);
  if (born)
    part('P', () =>
      page
        .font('regular')
        .fontSize(11.5)
        .fillColor(ink.quiet)
        .text(`${t('file.birthDate')}: ${born}`),
    );
  page.moveDown(1.2);

  // What most people look for first, in a separate box.
  const top = page.y;
  const inner = { width: width - 2 * boxPadding };
  const position = result.position && t(`result.position.${result.position}`);
  const answer = [result.answer && labelIn(result.answer, language), value, position]
    .filter(Boolean)
    .join(' · ');
  const high =
    page.font('bold').fontSize(13).heightOfString(title, inner) +
    page.fontSize(22).heightOfString(answer, inner) +
    2 * boxPadding;
  decoration(() => page.roundedRect(left, top, width, high, 10).fill(ink.raised));
  part('H2', () =>
    page
      .font('bold')
      .fontSize(13)
      .fillColor(ink.quiet)
      .text(title, left + boxPadding, top + boxPadding, inner),
  );
  part('P', () => page.fontSize(22).fillColor(ink.text).text(answer, inner));
  page.x = left;
  page.y = top + high + 20;

  for (const kind of ['preliminary', 'corrected'] as const)
    if (result[kind]) {
      part('P', () =>
        page
          .font('bold')
          .fontSize(12.5)
          .fillColor(ink.text)
          .text(t(`result.${kind}`)),
      );
    }
  for (const kind of ['meaning', 'next'] as const) {
    part('H2', () =>
      page
        .font('bold')
        .fontSize(14)
        .fillColor(ink.text)
        .text(t(`result.${kind}`)),
    );
    page.moveDown(0.3);
    part('P', () =>
      page
        .font('regular')
        .fontSize(12)
        .text(explained(`explained.${result.explanation}.${kind}`) ?? '', { lineGap: 3 }),
    );
    page.moveDown(0.8);
  }

  const rule = () =>
    decoration(() =>
      page
        .moveTo(left, page.y)
        .lineTo(left + width, page.y)
        .strokeColor(ink.line)
        .stroke(),
    );
  rule();
  page.moveDown(0.8);
  const facts: [string, string | null][] = [
    [t('result.value'), value ?? null],
    [t('result.usual'), result.value?.referenceRange ?? null],
    [t('result.range'), position],
    [t('result.test'), testNameIn(result, language)],
    [t('result.collectedOn'), day(result.collectedOn)],
    [t('result.resultedOn'), day(result.resultedOn)],
    [t('result.specimen'), result.specimen && labelIn(result.specimen, language)],
    [t('result.specimenNumber'), result.specimenNumber],
    [t('result.facility'), result.facility],
    [t('result.phone'), result.facilityPhone && phoneShown(result.facilityPhone)],
    [t('result.laboratory'), result.laboratory],
    [t('file.savedOn'), day(todayIn(own.timeZone))],
  ];
  page.fontSize(11);
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
  page.font('regular');
  const names =
    Math.min(width / 2, Math.max(...known.map(([label]) => page.widthOfString(`${label}:`)))) + 20;
  /**
   * Starts another page, with the name on it, if this much no longer fits; otherwise name and value would be separated.
   */
  const makeRoom = (height: number) => {
    if (page.y + height <= page.page.maxY()) return;
    page.addPage();
    part('P', () => page.font('bold').fontSize(11).fillColor(ink.text).text(name));
    page.moveDown(0.8);
  };
  const labelled = { width: names - 20 };
  const valued = { width: width - names };
  for (const [label, value] of known) {
    page.font('regular').fontSize(11);
    const height = Math.max(page.heightOfString(`${label}:`, labelled), page.heightOfString(value, valued));
    makeRoom(height);
    part('P', () => {
      const line = page.y;
      page.font('regular').fontSize(11);
      page.fillColor(ink.quiet).text(`${label}:`, left, line, labelled);
      page.fillColor(ink.text).text(value, left + names, line, valued);
      page.x = left;
      page.y = line + height + 4;
    });
  }
  page.font('regular').fontSize(10.5);
  page.moveDown(0.5);
  const note = { width, lineGap: 2 };
  makeRoom(page.heightOfString(t('result.noDiagnosis'), note) + 16);
  rule();
  page.moveDown(0.8);
  part('P', () =>
    page.font('regular').fontSize(10.5).fillColor(ink.quiet).text(t('result.noDiagnosis'), note),
  );
  content.end();
  page.end();
  await written;
  return Buffer.concat(chunks);
}
