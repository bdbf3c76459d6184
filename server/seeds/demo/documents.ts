import { createHash } from 'node:crypto';
import { addDays } from '@caseway/contract/date-range';
import { documentRecord } from '@caseway/contract/documents';
import { anyRecord } from '@caseway/contract/record';
import PDFDocument from 'pdfkit';
import { passOn } from '../../src/platform/carried/carried.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { filePieces } from '../../src/platform/db/file-pieces.ts';
import { keepFirstVersions } from '../../src/platform/records/record-versions.ts';
import { loadRows } from './load.ts';
import { demoId } from './tenant-parts.ts';

interface Filed {
  category: string;
  title: string;
  /** How many days before the demo was made it was written. */
  days: number;
  lines: readonly string[];
  note?: string;
  isText?: true;
}
const usual: readonly Filed[] = [
  {
    category: 'laboratory-report',
    title: 'Laboratory report, faxed copy',
    days: 12,
    lines: ['Specimen received in good condition.', 'Result: see the electronic report.', 'Final.'],
  },
  {
    category: 'letter',
    title: 'Discharge letter',
    days: 20,
    lines: ['Discharged home in good health.', 'Follow-up with the family doctor in two weeks.'],
    note: 'Sent by the hospital after our call.',
  },
  {
    category: 'consent',
    title: 'Consent to be interviewed',
    days: 9,
    lines: ['I agree to be interviewed by the department.', 'Signed: the person named above.'],
  },
  {
    category: 'correspondence',
    title: 'Notes of a call with the clinic nurse',
    days: 6,
    lines: ['The nurse called back at 10:40.', 'No other children are ill.', 'She calls again on Friday.'],
    isText: true,
  },
  {
    category: 'identification',
    title: 'Copy of a driver license',
    days: 15,
    lines: ['Shown at the visit. Demonstration only: not a real document.'],
  },
];

/** A page with a title and lines, the same bytes each time. */
async function pageOf({ title, lines, isText }: Filed, about: string): Promise<Buffer> {
  if (isText) return Buffer.from([title, about, '', ...lines, ''].join('\n'));
  const page = new PDFDocument({
    size: 'LETTER',
    margin: 64,
    info: { Title: title, Creator: 'Caseway', Producer: 'Caseway', CreationDate: new Date(0) },
  });
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const written = new Promise<void>((resolve, reject) => page.on('end', resolve).on('error', reject));
  page.fontSize(18).text(title).moveDown().fontSize(11).text(about).moveDown();
  for (const line of lines) page.text(line);
  page.end();
  await written;
  return Buffer.concat(chunks);
}

/** Documents of some people, every other one of a case of theirs; each was added by `by`. */
export async function seedDocuments(tx: Tx, today: string, by: string): Promise<void> {
  const { tenantId } = tx;
  const found = await tx.rows<{ id: string; patient: string; caseId: string; name: string }>(
    `select distinct on (p.id) c.id, c.case_id as "caseId", p.id as patient,
       concat_ws(' ', p.first_name, p.last_name) as name
     from case_report c join patient p on p.tenant_id = $1 and p.id = c.patient_id
     where c.tenant_id = $1 and c.disease_family <> 'hiv' and p.merged_into is null
       and not 'hiv' = any (p.disease_families)
     order by p.id, c.id`,
    [tenantId],
  );
  const pieces = filePieces('document_piece', 'file_id');
  const rows = await Promise.all(
    found.slice(0, 30).map(async ({ id: caseRecord, patient, caseId, name }, place) => {
      const one = usual[place % usual.length]!;
      const isOfCase = place % 2 === 0;
      const bytes = await pageOf(one, isOfCase ? `${name}, case ${caseId}` : name);
      const id = demoId(`document/${tenantId}/${place}`);
      const file = {
        file_type: one.isText ? 'text' : 'pdf',
        byte_size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      };
      const on = addDays(today, -one.days - (place % 20));
      return {
        bytes,
        file: { tenant_id: tenantId, id, account_id: by, document_id: id, ...file },
        document: {
          tenant_id: tenantId,
          id,
          patient_id: patient,
          case_report_id: isOfCase ? caseRecord : null,
          file_id: id,
          category: one.category,
          title: one.title,
          documented_on: on,
          note: one.note ?? null,
          created_on: addDays(on, 1),
          ...file,
        },
      };
    }),
  );
  await loadRows(
    tx,
    'document_file',
    rows.map(({ file }) => file),
  );
  for (const { file, bytes } of rows) await pieces.add(tx, tenantId, file.id, bytes);
  await loadRows(
    tx,
    'document',
    rows.map(({ document }) => document),
    'patient',
  );
  await passOn(
    tx,
    tenantId,
    'case_report',
    rows.flatMap(({ document }) => document.case_report_id ?? []),
    ['document'],
  );
  await keepFirstVersions(
    tx,
    anyRecord(documentRecord),
    tenantId,
    rows.map(({ document }) => document.id),
    by,
  );
}
