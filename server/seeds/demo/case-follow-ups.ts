import { caseFollowUpRecord } from '@caseway/contract/case-follow-ups';
import { openCaseStatuses } from '@caseway/contract/case-reports';
import { addDays } from '@caseway/contract/date-range';
import { type FollowUpFinding, followUpKept } from '@caseway/contract/follow-up';
import { anyRecord } from '@caseway/contract/record';
import { passOn } from '../../src/platform/carried/carried.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { checkSign } from '../../src/platform/records/record-number.ts';
import { keepFirstVersions } from '../../src/platform/records/record-versions.ts';
import { loadRows } from './load.ts';
import { demoId } from './tenant-parts.ts';

/** A finding, this many days before today. */
type Found = readonly [ago: number, outcome: FollowUpFinding, symptoms?: readonly string[], note?: string];

interface Story {
  purpose: 'isolation' | 'monitoring';
  /** Days before today of the start and of the end; days after today of the last day. */
  started: number;
  ended?: number;
  last: number;
  status: 'under-follow-up' | 'completed';
  note?: string;
  found: readonly Found[];
}

const seen = (...ago: readonly number[]): Found[] => ago.map((day) => [day, 'seen']);

const stories: readonly Story[] = [
  {
    purpose: 'isolation',
    started: 3,
    last: 4,
    status: 'under-follow-up',
    note: 'Stays with an aunt; call after 5 in the afternoon.',
    found: [[3, 'seen', ['fever', 'cough']], ...seen(2, 1)],
  },
  {
    purpose: 'monitoring',
    started: 5,
    last: 6,
    status: 'under-follow-up',
    found: [
      ...seen(5, 4),
      [3, 'seen', ['shortness-of-breath'], 'Short of breath on the stairs; sent to the clinic.'],
      [2, 'not-seen'],
      [1, 'not-attempted'],
    ],
  },
  {
    purpose: 'isolation',
    started: 2,
    last: 5,
    status: 'under-follow-up',
    found: seen(2, 1, 0),
  },
  {
    purpose: 'isolation',
    started: 8,
    ended: 1,
    last: -1,
    status: 'completed',
    found: seen(8, 7, 6, 5, 4, 3, 2, 1),
  },
];

/** The newest open cases of contagious diseases, with the findings of each day. */
export async function seedCaseFollowUps(tx: Tx, today: string, investigator: string): Promise<void> {
  const { tenantId } = tx;
  const ago = (days: number) => addDays(today, -days);
  const cases = await tx.rows<{ id: string; patient: string }>(
    `select c.id, c.patient_id as patient from case_report c
     where c.tenant_id = $1 and c.status = any ($2)
       and c.condition_code in ('pertussis', 'measles', 'mumps', 'varicella', 'hepatitis-a-acute', 'covid-19')
     order by c.created_on desc, c.id limit ${stories.length}`,
    [tenantId, [...openCaseStatuses]],
  );
  if (cases.length === 0) return;
  const signs = 'BCDFGHJKMNPQRSTVWXZ';
  const told = stories.slice(0, cases.length);
  const rows = told.map((story, place) => {
    const { status, purpose, started, ended, last, note, found } = story;
    const random = [...'356784'].map((_, at) => signs[(place * 7 + at * 5) % signs.length]).join('');
    const kept = followUpKept(
      found
        .toSorted((a, b) => a[0] - b[0])
        .map(([day, outcome, symptoms = []]) => ({ day: ago(day), outcome, symptoms: [...symptoms] })),
    );
    return {
      tenant_id: tenantId,
      id: demoId(`case-follow-up/${tenantId}/${place}`),
      number: `FU-${today.slice(2, 4)}-${random}${checkSign(random)}`,
      case_report_id: cases[place]!.id,
      status,
      patient_id: cases[place]!.patient,
      purpose,
      first_on: ago(started),
      last_on: addDays(today, last),
      note: note ?? null,
      started_by_id: investigator,
      ended_on: ended === undefined ? null : ago(ended),
      ended_at: ended === undefined ? null : `${ago(ended)}T15:00:00Z`,
      told_by: null,
      last_entry_on: kept.lastEntryOn,
      last_outcome: kept.lastOutcome,
      last_seen_on: kept.lastSeenOn,
      created_on: ago(started),
    };
  });
  await loadRows(tx, 'case_follow_up', rows, 'case_report');
  const persons = rows.map(({ patient_id }) => patient_id);
  await passOn(tx, tenantId, 'patient', persons, ['case_follow_up']);
  const ids = rows.map(({ id }) => id);
  await keepFirstVersions(tx, anyRecord(caseFollowUpRecord), tenantId, ids, null);
  await loadRows(
    tx,
    'follow_up_entry',
    told.flatMap(({ found }, place) =>
      found.map(([day, outcome, symptoms = [], note = null]) => ({
        tenant_id: tenantId,
        record_kind: 'case-follow-up',
        record_id: ids[place]!,
        id: demoId(`case-follow-up/${tenantId}/${place}/${day}`),
        day: ago(day),
        outcome,
        symptoms,
        note,
        added_at: `${ago(day)}T15:00:00Z`,
        account_id: investigator,
      })),
    ),
    'case_follow_up',
  );
}
