import { csvFields, csvKinds, csvMapping, csvOptions } from '@caseway/contract/csv-mapping';
import { importFaults } from '@caseway/contract/import-fault';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounds } from '../../../../test/load.ts';
import type { ImportFault } from '../../reported/report.ts';
import { resultKeys } from '../../results/result-key.ts';
import { inspectCsv, mappingFrom, undecided } from './csv-map.ts';
import { readCsv } from './csv-read.ts';
import { RowReader } from './csv-rows.ts';

/** Cells that fields expect, and others. */
const cell = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '',
      'NA',
      'Reed',
      'F',
      '2',
      '0',
      '99',
      '12',
      'twenty',
      'Y',
      '2106-3',
      '43304-5',
      '94558-5',
      '260373001',
      'Detected',
      'confirmed',
      'cinfirmed',
      'died',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '2024-01-31',
      '31/01/2024',
      '01/31/2024',
      '03/05/2024',
      '20240131',
      '45322',
      '99/99/9999',
      '1/2/24 9:00 PST',
      'x/y/z',
      '2024-02-30',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'a@example.test',
      'not mail',
      '970-555-0144',
      '+0',
      '80631',
      '=1+1',
      'a;b|c',
      '"q"',
      'x'.repeat(5000),
      '\0',
      '\x19',
      '😀'.repeat(2100),
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function sound(fault: ImportFault): void {
  expect(Object.hasOwn(importFaults, fault.code)).toBe(true);
  expect(fault.place.length).toBeGreaterThan(0);
  expect(fault.line).toBeGreaterThan(0);
  expect(fault.message).not.toMatch(/\{\w+\}|undefined/);
}

it('accepts or refuses every row of any table, every fault with its place, and never throws [P8]', async () => {
  const table = fc.constantFrom(...csvKinds).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      columns: fc.uniqueArray(fc.constantFrom(...Object.keys(csvFields[kind])), {
        minLength: 2,
        maxLength: 12,
      }),
      rows: fc.array(fc.array(cell, { minLength: 12, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
      order: fc.constantFrom('dmy', 'mdy', undefined),
    }),
  );
  await fc.assert(
    fc.asyncProperty(table, async ({ kind, columns, rows, order }) => {
      const text = [columns, ...rows.map((row) => row.slice(0, columns.length))]
        .map((line) => line.map(quoted).join(','))
        .join('\n');
      const open = async function* () {
        yield Buffer.from(text);
      };
      const inspection = await inspectCsv(open);
      if ('code' in inspection) {
        sound(inspection);
        return;
      }
      for (const note of inspection.notes) sound(note);
      expect(csvMapping.parse(mappingFrom(inspection.suggestion, 0))).toBeDefined();
      const mapping = csvMapping.parse({
        kind,
        columns: columns.map((field, column) => ({ column, field })),
        constants: {},
      });
      const options = csvOptions.parse({
        condition: 'Measles',
        dateOrders:
          order === undefined ? {} : Object.fromEntries(columns.map((_, column) => [column, order])),
      });
      for (const fault of undecided(inspection, mapping, options)) sound(fault);
      const reader = new RowReader({
        mapping,
        options,
        inspection,
        timeZone: 'America/Denver',
        sender: 'upload',
      });
      let pieces = 0;
      for await (const item of readCsv(open, inspection.dialect)) {
        if (item.kind === 'refused' || item.kind === 'note') sound(item.fault);
        if (item.kind === 'row' || item.kind === 'refused') pieces++;
        if (item.kind !== 'row') continue;
        const read = reader.read(item.cells, item.line);
        for (const fault of read.faults) sound(fault);
        expect(read.outcome === 'refused').toBe(read.faults.some((fault) => fault.severity === 'error'));
        if (read.outcome !== 'usable') continue;
        const stored = JSON.stringify(
          'report' in read ? read.report : 'caseRow' in read ? read.caseRow : read.treatment,
        );
        expect(stored.isWellFormed() && !stored.includes('\\u0000')).toBe(true);
        if ('report' in read) expect(resultKeys(read.report).flat()).toHaveLength(1);
      }
      expect(pieces).toBe(inspection.rows + inspection.refused);
    }),
    rounds(400, 2000),
  );
});
