import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CsvDateOrder } from '@caseway/contract/csv-mapping';
import { csvOptions } from '@caseway/contract/csv-mapping';
import { describe, expect, it } from 'vitest';
import { load } from '../../../../test/load.ts';
import { sharedData } from '../../../../test/shared-data.ts';
import type { CaseReportRow, ImportFault, LabReport } from '../../reported/report.ts';
import { resultKeys } from '../../results/result-key.ts';
import { inspectCsv, mappingFrom, undecided } from './csv-map.ts';
import { readCsv } from './csv-read.ts';
import { RowReader } from './csv-rows.ts';
import { readHl7Report } from './elr.ts';
import { splitHl7Queue } from './hl7-queue.ts';
import { splitHl7 } from './hl7-split.ts';
import { detectFormat } from './import-format.ts';

/*
 * Files from public test suites, if they are beside the checkout: every message and row is accounted for, and each
 * refusal has the reason that its file was made for. The expectations were worked out by reading the files.
 */

interface Tally {
  usable: number;
  waiting: number;
  refused: number;
  /** `code place` of the first error of each refused piece, and of the reasons to wait. */
  reasons: string[];
  notes: string[];
  reports: LabReport[];
  cases: CaseReportRow[];
  warnings: ImportFault[];
}

const clock = { timeZone: 'America/New_York' };
const reasonOf = (fault: ImportFault) => `${fault.code} ${fault.place}`;

async function read(
  path: string,
  given: { condition?: string; dateOrder?: CsvDateOrder } = {},
): Promise<Tally> {
  const open = () => createReadStream(join(sharedData!, path));
  const tally: Tally = {
    usable: 0,
    waiting: 0,
    refused: 0,
    reasons: [],
    notes: [],
    reports: [],
    cases: [],
    warnings: [],
  };
  const refuse = (fault: ImportFault) => {
    tally.refused++;
    tally.reasons.push(reasonOf(fault));
  };
  const message = (raw: Buffer, line: number) => {
    const result = readHl7Report(raw, line, clock);
    if (result.outcome === 'refused') refuse(result.faults[0]!);
    else {
      tally.warnings.push(...result.faults);
      if (result.outcome === 'waiting') tally.waiting++;
      else {
        tally.usable++;
        tally.reports.push(result.report);
      }
    }
  };
  const found = await detectFormat(open);
  if ('code' in found) refuse(found);
  else if (found.format === 'hl7' || found.format === 'hl7-queue') {
    const items = found.format === 'hl7' ? splitHl7(open()) : splitHl7Queue(open, found.dialect);
    for await (const item of items) {
      if (item.kind === 'message') message(item.raw, item.line);
      else if (item.kind === 'refused') refuse(item.fault);
      else tally.notes.push(reasonOf(item.fault));
    }
  } else {
    const inspection = await inspectCsv(open);
    if ('code' in inspection) {
      refuse(inspection);
      return tally;
    }
    const mapping = mappingFrom(inspection.suggestion);
    const dateOrders: Record<string, CsvDateOrder> = {};
    for (const fault of undecided(inspection, mapping, csvOptions.parse({}))) {
      if (fault.code === 'date-order-unchosen' && given.dateOrder)
        dateOrders[inspection.header.indexOf(fault.place)] = given.dateOrder;
    }
    const options = csvOptions.parse({ condition: given.condition, dateOrders });
    const waits = undecided(inspection, mapping, options);
    tally.reasons.push(...waits.map(reasonOf));
    const reader = new RowReader({ ...clock, mapping, options, inspection, sender: 'test' });
    for await (const item of readCsv(open, inspection.dialect)) {
      if (item.kind === 'refused') refuse(item.fault);
      if (item.kind !== 'row') continue;
      if (waits.length > 0) {
        tally.waiting++;
        continue;
      }
      const row = reader.read(item.cells, item.line);
      if (row.outcome === 'refused') refuse(row.faults.find((fault) => fault.severity === 'error')!);
      else if (row.outcome === 'waiting') tally.waiting++;
      else {
        tally.usable++;
        tally.warnings.push(...row.faults);
        if ('report' in row) tally.reports.push(row.report);
        else if ('caseRow' in row) tally.cases.push(row.caseRow);
      }
    }
  }
  return tally;
}

/** Every file under a folder, by its path under the data folder. */
const filesUnder = (folder: string): string[] =>
  readdirSync(join(sharedData!, folder))
    .sort()
    .flatMap((name) => {
      const path = `${folder}/${name}`;
      return statSync(join(sharedData!, path)).isDirectory() ? filesUnder(path) : [path];
    });

/** Messages in a file, counted without the code under test: lines that begin with MSH. */
const headersIn = (path: string): number =>
  readFileSync(join(sharedData!, path), 'latin1')
    .split(/\r\n|\r|\n/)
    .filter((line) => /^(\xef\xbb\xbf)?MSH\W/.test(line)).length;

const counts = ({ usable, waiting, refused }: Tally) => ({ usable, waiting, refused });

describe.runIf(sharedData)('messages of public test suites', () => {
  it.each([
    ['hl7-elr/aims-staging', 2],
    ['hl7-elr/cdc-elims', 6],
    ['hl7-elr/nist-cerner-realm', 9],
    ['hl7-elr/nist-elr-1.9.2', 17],
    ['hl7-elr/other-labs', 6],
    ['hl7-elr/phlip-flu', 2],
    ['hl7-elr/reportstream', 25],
    ['hl7-elr/reportstream-otc-selftest', 2],
  ])('%s: all %i are laboratory reports', async (folder, expected) => {
    let usable = 0;
    for (const path of filesUnder(folder)) {
      const tally = await read(path);
      expect(counts(tally), path).toEqual({ usable: headersIn(path), waiting: 0, refused: 0 });
      usable += tally.usable;
      for (const report of tally.reports) {
        const keys = resultKeys(report).flat();
        expect(new Set(keys.map((key) => key.key)).size, path).toBe(keys.length);
      }
    }
    expect(usable).toBe(expected);
  });

  it('hl7-case-notification: all 25 wait', async () => {
    let waiting = 0;
    for (const path of filesUnder('hl7-case-notification')) {
      const tally = await read(path);
      expect(counts(tally), path).toEqual({ usable: 0, waiting: 1, refused: 0 });
      waiting += tally.waiting;
    }
    expect(waiting).toBe(25);
  });

  it.each([
    ['BatchTest_GenV2_2msgs.txt', { usable: 0, waiting: 3, refused: 0 }, [], []],
    // The fourth message ends at an empty line, followed by a patient without a header; the last has only `MSH|`.
    [
      'BatchTest_SomeErrors.txt',
      { usable: 0, waiting: 4, refused: 2 },
      ['header-missing MSH', 'field-missing MSH-2'],
      ['batch-count-wrong BTS-1'],
    ],
    ['BatchTest_bad_FTS.txt', { usable: 0, waiting: 3, refused: 0 }, [], ['file-trailer-unreadable FTS-1']],
    ['BatchTest_no_BHS.txt', { usable: 0, waiting: 3, refused: 0 }, [], ['batch-header-missing BHS']],
    ['batch_message.hl7', { usable: 2, waiting: 0, refused: 0 }, [], []],
    // The table has the columns of a queue, and nonsense in every payload.
    [
      'phinms-queue-export-with-embedded-hl7-small.csv',
      { usable: 0, waiting: 0, refused: 22 },
      Array(22).fill('no-message-in-row row'),
      [],
    ],
    ['reportstream-20-covid.hl7', { usable: 20, waiting: 0, refused: 0 }, [], ['batch-count-wrong BTS-1']],
  ])('hl7-batch/%s', async (file, expected, reasons, notes) => {
    const tally = await read(`hl7-batch/${file}`);
    expect(counts(tally)).toEqual(expected);
    expect(tally.reasons).toEqual(reasons);
    expect(tally.notes).toEqual(notes);
  });

  it.each([
    ['headers/empty.hl7', 'file-empty file'],
    ['headers/msh-12_has_value_2_3.hl7', 'not-elr MSH-9'],
    ['headers/msh_present_but_missing_all_fields.hl7', 'field-missing MSH-2'],
    ['headers/msh_present_but_missing_msh-10.hl7', 'field-missing MSH-10'],
    ['headers/msh_present_but_missing_msh-2.hl7', 'field-missing MSH-2'],
    ['phlip-flu/PHLIP_FLU_2.5.1_NO_MSH10.txt', 'field-missing MSH-10'],
    ['phlip-flu/PHLIP_FLU_2.5.1_NO_MSH9.txt', 'field-missing MSH-9'],
  ])('hl7-invalid/%s is refused: %s', async (file, reason) => {
    const tally = await read(`hl7-invalid/${file}`);
    expect(counts(tally)).toEqual({ usable: 0, waiting: 0, refused: 1 });
    expect(tally.reasons).toEqual([reason]);
  });

  it.each([
    ['DUPLICATE_OBX1', 'observation-repeated OBX[2]', 3],
    ['NO_MSH11', 'field-missing MSH-11', 3],
    ['NO_MSH3', 'field-missing MSH-3', 3],
    // Besides the name of the sending facility, only the type of its missing number is given.
    ['NO_MSH4', 'field-missing MSH-4.2', 28],
    ['NO_MSH6', 'field-missing MSH-6', 3],
    ['OBX2CWE_OBX5ST', 'value-not-of-type OBX[1]-5', 3],
    ['PID5_ERROR', 'name-incomplete PID[1]-5', 3],
    ['TWO_OBX_WITH_SAME_OBX3_AND_OBX4', 'observation-repeated OBX[4]', 3],
    ['TWO_OBX_WITH_SAME_OBX3_NULL_OBX4', 'check-digit-wrong OBX[2]-5.1', 3],
  ])(
    'hl7-invalid/phlip-flu/…%s is accepted with the warning %s and %i results',
    async (file, warning, results) => {
      const tally = await read(`hl7-invalid/phlip-flu/PHLIP_FLU_2.5.1_${file}.txt`);
      expect(counts(tally)).toEqual({ usable: 1, waiting: 0, refused: 0 });
      expect(tally.warnings.map(reasonOf)).toContain(warning);
      expect(
        tally.reports.flatMap((report) => report.orders.flatMap((order) => order.observations)),
      ).toHaveLength(results);
    },
  );

  it('hl7-invalid/nndss-*: case notifications wait, valid or not', async () => {
    for (const path of [...filesUnder('hl7-invalid/nndss-genv1'), ...filesUnder('hl7-invalid/nndss-lyme')]) {
      expect(counts(await read(path)), path).toEqual({ usable: 0, waiting: 1, refused: 0 });
    }
  });

  it('hl7-fragments: all 24 are refused; their header names no sender, or they have no result', async () => {
    const reasons: Record<string, number> = {};
    const files = filesUnder('hl7-fragments');
    for (const path of files) {
      const tally = await read(path);
      expect(counts(tally), path).toEqual({ usable: 0, waiting: 0, refused: 1 });
      reasons[tally.reasons[0]!] = (reasons[tally.reasons[0]!] ?? 0) + 1;
    }
    // One fragment names its sender; its only OBX has no code.
    expect([files.length, reasons]).toEqual([24, { 'sender-missing MSH-4': 23, 'results-missing OBX': 1 }]);
  });

  it.each([
    ['IZ_1_1.1_Admin_Child_Max_Message.hl7', 'VXU^V04', 'vaccination record'],
    ['VXU.hl7', 'VXU^V04', 'vaccination record'],
    ['adt-a01-v23.hl7', 'ADT^A01', 'patient administration'],
    ['hl7_2.6.hl7', 'ORM^O01', 'an order'],
    ['hl7_with_birth_time.hl7', 'ORM^O01', 'an order'],
    ['orm-o01-v23.hl7', 'ORM^O01', 'an order'],
  ])('hl7-not-elr/%s is refused as %s', async (file, type, name) => {
    const raw = readFileSync(join(sharedData!, 'hl7-not-elr', file));
    const item = (await splitHl7(once(raw)).next()).value;
    if (item?.kind !== 'message') throw new Error('no message');
    const result = readHl7Report(item.raw, item.line, clock);
    expect(result).toMatchObject({ outcome: 'refused', type });
    expect(result.faults[0]).toMatchObject({ code: 'not-elr', place: 'MSH-9' });
    expect(result.faults[0]!.message).toContain(name);
  });

  it('hl7-not-elr/OUL-R22-01.hl7 is read, and waits: its patient was born after the specimen was examined', async () => {
    const raw = readFileSync(join(sharedData!, 'hl7-not-elr/OUL-R22-01.hl7'));
    const item = (await splitHl7(once(raw)).next()).value;
    if (item?.kind !== 'message') throw new Error('no message');
    expect(readHl7Report(item.raw, item.line, clock)).toMatchObject({
      outcome: 'waiting',
      type: 'OUL^R22',
      reason: 'date-before-birth',
    });
  });

  it('reads their contents', async () => {
    const [lead] = (await read('hl7-elr/nist-elr-1.9.2/ELR_1_1.1_Message.txt')).reports;
    expect(lead).toMatchObject({
      age: { value: 3, unit: 'a' },
      orders: [
        {
          collected: { day: '2012-06-15' },
          specimens: [{ type: { codes: [{ code: '440500007', system: 'SCT' }, { system: 'L' }] } }],
          observations: [
            {
              values: [{ kind: 'numeric', numeric: { comparator: '=', number: 9.2 } }],
              flags: [{ code: 'H' }],
              performer: { clia: '01D1111111' },
            },
          ],
        },
      ],
    });
    const [stool] = (await read('hl7-elr/nist-elr-1.9.2/ELR_4_1.1_Message.txt')).reports;
    expect(stool!.orders.map((order) => [order.observations.length, order.specimensFrom])).toEqual([
      [1, 'own'],
      [3, 'parent'],
    ]);
    const [panel] = (await read('hl7-elr/reportstream/hci-hepb-hepc-hiv-a1c-panel.hl7')).reports;
    expect(
      panel!.orders.flatMap((order) => order.observations.map((observation) => observation.values)),
    ).toMatchObject([
      [{ kind: 'numeric', numeric: { number: 5.8 } }],
      [{ text: 'Reactive' }],
      [{ text: 'Reactive' }],
      [{ text: 'Non-Reactive' }],
    ]);
    const [cancelled] = (await read('hl7-elr/cdc-elims/elims_29_5065302_35227_NoPII_CANCELED.hl7')).reports;
    expect(
      cancelled!.orders.flatMap((order) => order.observations.map((observation) => observation.status)),
    ).toEqual(Array(16).fill('X'));
    const [self] = (await read('hl7-elr/reportstream-otc-selftest/valid.hl7')).reports;
    expect(self).toMatchObject({
      age: { value: 24, unit: 'a' },
      patient: { names: [], addresses: [{ zip: '02139' }] },
    });
    const [micro] = (await read('hl7-elr/other-labs/008_ORU_R01_micro_character_encoding.hl7')).reports;
    expect(micro!.orders[0]!.observations[0]!.units).toMatchObject({ code: 'µmol/L' });
  });

  it('are accepted or refused however they are damaged, every fault with its place [P8]', async () => {
    const messages: Buffer[] = [];
    for (const path of ['hl7-elr', 'hl7-batch', 'hl7-not-elr', 'hl7-invalid'].flatMap(filesUnder)) {
      for await (const item of splitHl7(createReadStream(join(sharedData!, path))))
        if (item.kind === 'message') messages.push(item.raw);
    }
    // A fixed sequence, so that a failure can be reproduced.
    let state = 20_240_305;
    const random = (limit: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * limit);
    };
    const scraps = [
      '|',
      '^',
      '~',
      '\\',
      '&',
      '\r',
      '\n',
      '"',
      '\0',
      'é',
      '99999999',
      'OBX|',
      'PID|',
      'MSH|',
      '',
    ];
    for (let round = 0; round < load(2500, 10_000); round++) {
      let text = messages[round % messages.length]!.toString('latin1');
      for (let times = 1 + random(6); times > 0; times--) {
        const at = random(text.length);
        text = text.slice(0, at) + scraps[random(scraps.length)]! + text.slice(at + random(40));
      }
      const result = readHl7Report(Buffer.from(text, 'latin1'), 1, clock);
      const errors = result.faults.filter((fault) => fault.severity === 'error');
      if ((result.outcome === 'refused') !== errors.length > 0)
        throw new Error(`round ${round}: ${result.outcome}`);
      for (const fault of result.faults) {
        if (!/^[A-Z][A-Z0-9]{2}(\[\d+\])?(-\d+(\.\d+)?)?$/.test(fault.place) || !fault.line)
          throw new Error(`round ${round}: ${fault.place}`);
      }
      if (result.outcome === 'usable') {
        const stored = JSON.stringify(result.report);
        if (stored.includes('\\u0000') || !stored.isWellFormed())
          throw new Error(`round ${round}: not storable`);
      }
    }
  });
});

describe.runIf(sharedData)('tables of public test suites', () => {
  it.each([
    ['202107141914_200_dynamic.csv', 200, 0, 0],
    ['ReportStream-StandardCSV-ExampleData-20220509.csv', 5, 0, 0],
    ['SR-UPLOAD.csv', 5, 0, 0],
    ['bad-character-replacements.csv', 1, 0, 0],
    ['ca_test_file.csv', 5, 0, 0],
    ['duplicate.csv', 2, 0, 0],
    ['fake-pdi-covid-19.csv', 40, 0, 0],
    ['simple_report_example.csv', 14, 0, 0],
    ['simplereport.csv', 50, 0, 0],
    // Their last column has test and result in one, so the test cannot be recognized.
    ['quoted-strings-with-embedded-commas.csv', 0, 4, 0, 'columns-unmapped file'],
    ['weird-dates.csv', 0, 7, 0, 'columns-unmapped file'],
    ['missing-data.csv', 0, 0, 1, 'columns-unmapped file', 'row-too-short row'],
    ['not-a-csv-file.csv', 0, 0, 1, 'file-not-delimited file'],
    ['too-many-columns.csv', 0, 0, 1, 'too-many-columns file'],
  ] as [string, number, number, number, ...string[]][])(
    'csv-lab-results/reportstream/%s: %i usable, %i waiting, %i refused',
    async (file, usable, waiting, refused, ...reasons) => {
      const tally = await read(`csv-lab-results/reportstream/${file}`);
      expect(counts(tally)).toEqual({ usable, waiting, refused });
      expect(tally.reasons.sort()).toEqual(reasons.sort());
    },
  );

  it('csv-lab-results/simplereport: every row is usable except the one whose values are all x', async () => {
    let usable = 0;
    for (const path of filesUnder('csv-lab-results/simplereport')) {
      const tally = await read(path);
      usable += tally.usable;
      if (path.includes('invalid-values')) {
        expect([counts(tally), tally.reasons]).toEqual([
          { usable: 0, waiting: 0, refused: 1 },
          ['date-invalid specimen_collection_date'],
        ]);
      } else expect([tally.waiting, tally.refused], path).toEqual([0, 0]);
    }
    expect(usable).toBe(22);
  });

  const lineLists: [string, number, string[]][] = [
    ['covid_simulist_messy.csv', 315, []],
    ['ebola_line_cases.csv', 15_000, []],
    ['ebola_simulist_messy.csv', 634, []],
    ['linelist-date_of_birth.csv', 13, []],
    // Some sampling dates can only be day first, some only month first.
    ['simulated_ebola.csv', 15_000, ['date-order-unchosen date sample']],
    ['stegen_salmonella_raw.csv', 291, []],
  ];
  it.each(lineLists)('csv-linelist/%s: all %i rows wait for the condition', async (file, rows, orders) => {
    const tally = await read(`csv-linelist/${file}`);
    expect(counts(tally)).toEqual({ usable: 0, waiting: rows, refused: 0 });
    expect(tally.reasons).toEqual(['condition-unchosen file', ...orders]);
  });

  /** Rows without any date of the illness. */
  const undated: Record<string, number> = {
    'covid_simulist_messy.csv': 6,
    'ebola_simulist_messy.csv': 17,
    'stegen_salmonella_raw.csv': 1,
  };
  it.each(lineLists)(
    'csv-linelist/%s: of %i rows those with a date are read once it is chosen',
    async (file, rows) => {
      const tally = await read(`csv-linelist/${file}`, {
        condition: 'Ebola virus disease',
        dateOrder: 'mdy',
      });
      const refused = undated[file] ?? 0;
      expect(counts(tally)).toEqual({ usable: rows - refused, waiting: 0, refused });
      expect(tally.reasons.every((reason) => reason.startsWith('case-date-missing '))).toBe(true);
    },
  );

  it('csv-linelist/stegen_salmonella_raw.csv: 102 of the people who ate together are cases, 188 are not', async () => {
    const { cases } = await read('csv-linelist/stegen_salmonella_raw.csv', { condition: 'salmonellosis' });
    const well = cases.filter(({ classification }) => classification === 'not-a-case').length;
    expect([cases.length - well, well]).toEqual([102, 188]);
  });

  it('reads their contents', async () => {
    const { cases } = await read('csv-linelist/covid_simulist_messy.csv', { condition: 'COVID-19' });
    // Row 4: age in words, day first.
    expect(cases[3]).toMatchObject({
      caseId: '4',
      name: { given: 'Charisha', family: 'Zartman' },
      sex: 'F',
      age: { value: 28, unit: 'a' },
      classification: 'probable',
      onset: { day: '2023-01-02' },
      reported: { day: '2023-01-05' },
      outcome: 'recovered',
    });
    expect(
      cases.every(
        (row) =>
          row.onset === undefined ||
          row.onset.day!.startsWith('2023-0') ||
          row.onset.day!.startsWith('2022-12'),
      ),
    ).toBe(true);
    const born = (await read('csv-linelist/linelist-date_of_birth.csv', { condition: 'x' })).cases;
    // In one table, admission dates are day first and birth dates month first.
    expect(born[1]).toMatchObject({
      hospitalized: { day: '2021-01-28' },
      birth: { day: '1952-02-20' },
      diagnosed: { day: '2021-01-01' },
    });
    const { reports } = await read('csv-lab-results/simplereport/test-results-upload-valid.csv');
    expect(reports[0]).toMatchObject({
      header: { sendingClia: '01D1058442' },
      patient: { birth: { day: '1962-01-20' } },
    });
  });
});

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
