import { csvMapping, csvOptions } from '@caseway/contract/csv-mapping';
import { describe, expect, test } from 'vitest';
import { inspectCsv, mappingFrom } from './csv-map.ts';
import { readCsv } from './csv-read.ts';
import { type ReadRow, RowReader } from './csv-rows.ts';
import { message, report } from './test-elr.ts';

/*
 * Characters that change the writing direction, or are invisible, make one name look like another. Reading removes
 * all of them.
 */

/** Puts a mark into every word of at least three letters. */
const marked = (text: string, mark: string) =>
  text.replaceAll(/[A-Za-z]{3,}/g, (word) => `${word[0]}${mark}${word.slice(1)}`);

describe('[P8] a message with a direction mark in every word reads the same as without', () => {
  // Segment names do not count as words, and the first five fields of the header define how the rest is read.
  const inMessage = (mark: string) =>
    message().replaceAll(/^(MSH\|.{5}|[A-Z]\w\w\|)(.*)$/gm, (_, head, rest) => head + marked(rest, mark));

  test.each([
    ['an override', '\u202e'],
    ['an isolate', '\u2067'],
    ['a space without width', '\u200b'],
    ['an override in an escape', '\\XE280AE\\'],
  ])('%s', (_, mark) => {
    expect(inMessage(mark)).toContain(`V${mark}oss`);
    expect({ ...report(inMessage(mark)), contentHash: '' }).toEqual({
      ...report(message()),
      contentHash: '',
    });
  });
});

describe('[P8] a row with one in every word reads the same as without', () => {
  const row = {
    patient_id: 'P-MARY',
    patient_last_name: 'Fenwick',
    patient_first_name: 'Odalys',
    patient_dob: '2/9/1990',
    patient_gender: 'Female',
    patient_street: '9 Birch Lane',
    patient_city: 'Mobile',
    patient_email: 'odalys@example.test',
    accession_number: 'ACC-ONE',
    test_performed_code: '94558-4',
    test_result: 'Detected',
    order_test_date: '3/1/2024',
    specimen_collection_date: '3/1/2024',
    testing_lab_name: 'Birch Laboratory',
    testing_lab_clia: '01D9999999',
    comment: 'Seen twice',
  };
  const readAs = async (mark: string): Promise<ReadRow[]> => {
    const text = [Object.keys(row), Object.values(row).map((cell) => marked(cell, mark))]
      .map((cells) => cells.join(','))
      .join('\n');
    const open = async function* () {
      yield Buffer.from(text);
    };
    const inspection = await inspectCsv(open);
    if ('code' in inspection) throw new Error(inspection.code);
    const mapping = csvMapping.parse({ ...mappingFrom(inspection.suggestion), constants: {} });
    const reader = new RowReader({
      mapping,
      options: csvOptions.parse({}),
      inspection,
      timeZone: 'America/Chicago',
      sender: 'upload',
    });
    const rows: ReadRow[] = [];
    for await (const item of readCsv(open, inspection.dialect))
      if (item.kind === 'row') rows.push(reader.read(item.cells, item.line));
    return rows;
  };

  /** Without the hash of the received row, which is also its number. */
  const said = (row: ReadRow | undefined) => {
    if (row?.outcome !== 'usable' || !('report' in row)) throw new Error(JSON.stringify(row?.faults));
    const { header, contentHash: _, ...report } = row.report;
    return { ...report, header: { ...header, controlId: '' } };
  };

  test.each(['\u202e', '\u2067', '\u200b'])('%j', async (mark) => {
    const [plain] = await readAs('');
    const [read] = await readAs(mark);
    expect(plain).toMatchObject({
      outcome: 'usable',
      report: { patient: { names: [{ family: 'Fenwick' }] } },
    });
    expect(said(read)).toEqual(said(plain));
    expect(read!.faults).toContainEqual(
      expect.objectContaining({ code: 'control-characters', place: 'patient_last_name' }),
    );
  });
});
