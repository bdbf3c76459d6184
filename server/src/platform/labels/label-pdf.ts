import { fileURLToPath } from 'node:url';
import { type LabelSizeName, labelSizes } from '@caseway/contract/labels';
import PDFDocument from 'pdfkit';
import { dotsPerMm, type Label } from './label.ts';

const font = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/public-sans/600SemiBold/PublicSans_600SemiBold.ttf'),
);
/** Points per millimetre. */
const pointsPerMm = 72 / 25.4;
const pointsPerDot = pointsPerMm / dotsPerMm;

/** Labels at their true size: each on a page of its own, or on sheets of Letter. */
export async function labelsPdf(
  labels: readonly Label[],
  name: LabelSizeName,
  { title, language }: { title: string; language: string },
): Promise<Buffer> {
  const size = labelSizes[name];
  const sheet = 'sheet' in size ? size.sheet : undefined;
  const page = new PDFDocument({
    size: sheet ? 'LETTER' : [size.width * pointsPerMm, size.height * pointsPerMm],
    margin: 0,
    autoFirstPage: false,
    lang: language,
    info: { Title: title, Producer: 'Caseway', Creator: 'Caseway' },
  });
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const written = new Promise<void>((resolve, reject) => page.on('end', resolve).on('error', reject));
  page.registerFont('label', font);
  const onPage = sheet ? sheet.columns * sheet.rows : 1;
  for (const [index, label] of labels.entries()) {
    const place = index % onPage;
    if (place === 0) page.addPage();
    page.save();
    if (sheet)
      page.translate(
        (sheet.left + (place % sheet.columns) * sheet.across) * pointsPerMm,
        (sheet.top + Math.floor(place / sheet.columns) * sheet.down) * pointsPerMm,
      );
    page.scale(pointsPerDot);
    for (const { x, y, width, height } of label.bars) page.rect(x, y, width, height);
    page.fill('#000');
    page.font('label');
    for (const { x, y, height, text } of label.lines)
      page.fontSize(height).text(text, x, y, { lineBreak: false });
    page.restore();
  }
  page.end();
  await written;
  return Buffer.concat(chunks);
}
