import type { ColumnsCheck, ImportDetail, TableColumns } from '@caseway/contract/imports';
import { expect, test } from 'vitest';
import { appForUploads } from './test-uploads.ts';

const { ok, uploaded } = await appForUploads();

interface Sample {
  header: string;
  query?: Record<string, string>;
  /** Each row with the reason why it is not accepted; null if it is. */
  rows: [reason: string | null, row: string][];
}

/** A table with a row of each kind that is accepted, waits or is refused. */
const samples: Record<string, Sample> = {
  results: {
    header:
      'Patient ID,Last Name,First Name,Date of Birth,Test Code,Test Name,Result,Units,Collection Date,Lab Name',
    rows: [
      [null, 'C1,Okafor,Ada,1990-05-01,21613-5,Chlamydia trachomatis DNA,Not detected,,2026-03-02,North Lab'],
      ['test-unknown', 'C2,Quist,Bo,1991-05-01,X1,A test of our own,Not detected,,2026-03-02,North Lab'],
      ['test-unknown', 'C3,Reed,Cy,1992-05-01,X2,Another of our own,Not detected,,2026-03-02,North Lab'],
      ['value-unknown', 'C4,Holt,Di,1993-05-01,21613-5,,odd words,,2026-03-02,North Lab'],
      [
        'test-code-against-name',
        'C5,Park,Ed,1994-05-01,43304-5,Neisseria gonorrhoeae rRNA,Detected,,2026-03-02,North Lab',
      ],
      ['number-for-answer', 'C6,Lund,Flo,1995-05-01,16128-1,,12.3,s/co,2026-03-02,North Lab'],
      ['unit-unknown', 'C7,Moss,Gil,1996-05-01,77307-7,,12,umol/L,2026-03-02,North Lab'],
      ['date-in-future', 'C8,Nash,Hal,1997-05-01,21613-5,,Not detected,,2097-03-02,North Lab'],
      ['date-before-birth', 'C9,Orr,Ida,2020-05-01,21613-5,,Not detected,,2019-03-02,North Lab'],
      ['value-required', ',,,1990-05-01,21613-5,,Not detected,,2026-03-02,North Lab'],
    ],
  },
  'a line list': {
    header: 'case_id,last_name,first_name,date_of_birth,onset_date,report_date,ill,case_status',
    query: { condition: 'measles' },
    rows: [
      [null, 'K1,Okafor,Ada,1990-05-01,2026-03-01,2026-03-02,yes,confirmed'],
      [null, 'K2,Quist,Bo,1991-05-01,,2026-03-02,no,'],
      ['case-untold', 'K3,Reed,Cy,1992-05-01,2026-03-01,2026-03-02,,'],
      ['case-contradicted', 'K4,Holt,Di,1993-05-01,2026-03-01,2026-03-02,no,confirmed'],
      ['date-in-future', 'K5,Park,Ed,1994-05-01,2097-03-01,2026-03-02,yes,'],
      ['date-before-birth', 'K6,Lund,Flo,2020-05-01,2019-03-01,2026-03-02,yes,'],
      ['case-date-missing', 'K7,Moss,Gil,1996-05-01,,,yes,'],
    ],
  },
};

// A code waits under the name of the question, and a person decides which of the two it is.
const asFault = (reason: string) => (reason === 'value-unknown' ? 'result-unknown' : reason);
const tallied = (reasons: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
};

test.each(Object.entries(samples))(
  'the check of the first rows of %s says about each kind of row what the dry run and the import do',
  async (_, { header, query, rows }) => {
    const text = [header, ...rows.map(([, row]) => row), ''].join('\n');
    const kept = rows.flatMap(([reason]) => reason ?? []);
    const taken = rows.length - kept.length;

    const dry = await uploaded(text, { fileName: 'try.csv', dryRun: 'true', ...query });
    const run = await uploaded(text, { fileName: 'run.csv', dryRun: 'false', ...query });
    for (const done of [dry, run]) {
      expect(done).toMatchObject({ state: 'done', messages: rows.length, taken, duplicates: 0 });
      expect(Object.fromEntries((done as ImportDetail).reasons.map(({ reason, n }) => [reason, n]))).toEqual(
        tallied(kept),
      );
    }

    const { mapping, options } = await ok<TableColumns>('GET', `/api/web/imports/${run.id}/columns`);
    const check = await ok<ColumnsCheck>('POST', `/api/web/imports/${run.id}/columns/check`, {
      mapping,
      options,
    });
    expect(check).toMatchObject({ undecided: [], rows: rows.length, readable: taken });
    const said: Record<string, number> = {};
    for (const { code, severity, n } of check.faults)
      if (severity !== 'warning') said[code] = (said[code] ?? 0) + n;
    expect(said).toEqual(tallied(kept.map(asFault)));
  },
);
