import type { ContactStatus } from '@caseway/contract/contact-flow';
import { endedContacts } from '@caseway/contract/contact-flow';
import { contactRecord } from '@caseway/contract/contacts';
import { addDays } from '@caseway/contract/date-range';
import { type FollowUpFinding, followUpKept, lastDayOf } from '@caseway/contract/follow-up';
import { anyRecord } from '@caseway/contract/record';
import { conditionByCode } from '../../src/features/reference/catalog.ts';
import { passOn } from '../../src/platform/carried/carried.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { checkSign } from '../../src/platform/records/record-number.ts';
import { keepFirstVersions } from '../../src/platform/records/record-versions.ts';
import { loadRows } from './load.ts';
import { demoId } from './tenant-parts.ts';

/** A finding, this many days before today. */
type Found = readonly [ago: number, outcome: FollowUpFinding, symptoms?: readonly string[], note?: string];

interface Story {
  /** A person of the demo, if the name is known. */
  known?: true;
  description?: string;
  sex?: 'F' | 'M';
  age?: number;
  phone?: string;
  exposure: string;
  relation: string;
  risk: string;
  /** Days before today: the first and last exposure, the start of the follow-up, and its end. */
  exposed: readonly [first: number, last: number];
  started?: number;
  ended?: number;
  status: ContactStatus;
  found?: readonly Found[];
}

const seen = (...ago: readonly number[]): Found[] => ago.map((day) => [day, 'seen']);

/** Whooping cough in a school: people who live with the child or sit beside it, and their state today. */
const stories: readonly Story[] = [
  {
    known: true,
    exposure: 'face-to-face',
    relation: 'household',
    risk: 'high',
    exposed: [9, 4],
    started: 3,
    status: 'under-follow-up',
    found: seen(3, 2, 1),
  },
  {
    description: 'Brother, sleeps in the same room',
    sex: 'M',
    age: 9,
    phone: '+18135550131',
    exposure: 'same-room',
    relation: 'household',
    risk: 'high',
    exposed: [9, 4],
    started: 3,
    status: 'under-follow-up',
    found: [
      [3, 'seen'],
      [2, 'seen', ['cough', 'runny-nose'], 'A cough since last night.'],
      [1, 'not-seen'],
    ],
  },
  {
    description: 'Classmate in the front row, glasses',
    sex: 'F',
    age: 8,
    phone: '+18135550132',
    exposure: 'same-room',
    relation: 'school-or-childcare',
    risk: 'medium',
    exposed: [8, 6],
    started: 4,
    status: 'under-follow-up',
    found: seen(4, 3, 2, 1, 0),
  },
  {
    description: 'Classmate who shares the desk',
    sex: 'M',
    age: 8,
    phone: '+18135550133',
    exposure: 'face-to-face',
    relation: 'school-or-childcare',
    risk: 'high',
    exposed: [8, 6],
    started: 4,
    status: 'under-follow-up',
    found: [...seen(4, 3, 2, 1), [0, 'not-seen', [], 'Nobody at home at 9 in the morning.']],
  },
  {
    description: 'Drives the school bus',
    sex: 'M',
    age: 57,
    phone: '+18135550134',
    exposure: 'same-room',
    relation: 'work',
    risk: 'low',
    exposed: [8, 6],
    started: 4,
    status: 'under-follow-up',
    found: [...seen(4, 3), [2, 'not-attempted'], [1, 'not-attempted']],
  },
  {
    known: true,
    exposure: 'face-to-face',
    relation: 'school-or-childcare',
    risk: 'medium',
    exposed: [9, 5],
    started: 4,
    status: 'under-follow-up',
    found: seen(4, 3, 2, 1),
  },
  {
    description: 'Soccer coach, red cap, moved to another state',
    sex: 'M',
    age: 34,
    exposure: 'face-to-face',
    relation: 'other',
    risk: 'medium',
    exposed: [11, 9],
    started: 7,
    ended: 2,
    status: 'lost',
    found: [
      [7, 'seen'],
      [6, 'not-seen'],
      [5, 'not-seen'],
      [4, 'not-seen'],
    ],
  },
  {
    description: 'Neighbor who looks after the child in the afternoon',
    sex: 'F',
    age: 66,
    phone: '+18135550136',
    exposure: 'face-to-face',
    relation: 'friend',
    risk: 'high',
    exposed: [9, 5],
    ended: 3,
    status: 'refused',
  },
  {
    known: true,
    exposure: 'face-to-face',
    relation: 'family',
    risk: 'high',
    exposed: [13, 10],
    started: 9,
    ended: 1,
    status: 'became-case',
    found: [...seen(9, 8, 7, 6, 5, 4), [3, 'seen', ['cough', 'fever']], [2, 'seen', ['cough', 'vomiting']]],
  },
  {
    description: 'Grandmother, visited for a weekend',
    sex: 'F',
    age: 71,
    phone: '+18135550137',
    exposure: 'same-room',
    relation: 'family',
    risk: 'medium',
    exposed: [24, 23],
    started: 20,
    ended: 2,
    status: 'completed',
    found: seen(20, 18, 16, 14, 12, 10, 8, 6, 4, 2),
  },
  {
    description: 'Child in the next classroom',
    sex: 'F',
    age: 7,
    exposure: 'same-room',
    relation: 'school-or-childcare',
    risk: 'low',
    exposed: [6, 6],
    status: 'identified',
  },
];

/** Contacts of the newest case of whooping cough, with the findings of each day. */
export async function seedContacts(
  tx: Tx,
  today: string,
  investigator: string,
  /** The person with portal access, where they are asked how they are. */
  inPortal: string | undefined,
): Promise<void> {
  const { tenantId } = tx;
  const ago = (days: number) => addDays(today, -days);
  const [exposing, became] = await tx.rows<{ id: string; patient: string; county: string | null }>(
    `select c.id, c.patient_id as patient, c.county_fips as county from case_report c
     where c.tenant_id = $1 and c.condition_code = 'pertussis' and c.classification in ('confirmed', 'probable')
     order by c.status in ('closed', 'approved', 'complete', 'no_follow_up'), c.created_on desc, c.id limit 2`,
    [tenantId],
  );
  if (!exposing || !became) return;
  const people = await tx.rows<{ id: string }>(
    `select p.id from patient p where p.tenant_id = $1 and p.merged_into is null and p.id <> all ($2)
       and (p.id = $4 or not 'hiv' = any (p.disease_families) and p.county_fips is not distinct from $3)
     order by p.id is distinct from $4, p.id limit 2`,
    [tenantId, [exposing.patient, became.patient], exposing.county, inPortal ?? null],
  );
  const known = people.map(({ id }) => id).values();
  const days = conditionByCode('pertussis')!.followUpDays;
  const signs = 'BCDFGHJKMNPQRSTVWXZ';
  const rows = stories.map((story, place) => {
    const { status, exposed, found = [], started, ended } = story;
    const isCase = status === 'became-case';
    const random = [...'245678'].map((_, at) => signs[(place * 5 + at * 7) % signs.length]).join('');
    const lastExposedOn = ago(exposed[1]);
    const kept = followUpKept(
      found
        .toSorted((a, b) => a[0] - b[0])
        .map(([day, outcome, symptoms = []]) => ({ day: ago(day), outcome, symptoms: [...symptoms] })),
    );
    return {
      tenant_id: tenantId,
      id: demoId(`contact/${tenantId}/${place}`),
      number: `CT-${today.slice(2, 4)}-${random}${checkSign(random)}`,
      case_report_id: exposing.id,
      status,
      patient_id: isCase ? became.patient : story.known ? (known.next().value ?? null) : null,
      description: story.description ?? null,
      sex: story.sex ?? null,
      age: story.age ?? null,
      phone: story.phone ?? null,
      exposure: story.exposure,
      relation: story.relation,
      first_exposed_on: ago(exposed[0]),
      last_exposed_on: lastExposedOn,
      risk: story.risk,
      investigator_id: started === undefined ? null : investigator,
      started_on: started === undefined ? null : ago(started),
      ended_on: ended === undefined ? null : ago(ended),
      ended_at: (endedContacts as readonly string[]).includes(status) ? `${ago(ended!)}T15:00:00Z` : null,
      became_case_id: isCase ? became.id : null,
      told_by: null,
      follow_until: lastDayOf({ lastExposedOn, otherUntil: null }, days),
      last_entry_on: kept.lastEntryOn,
      last_outcome: kept.lastOutcome,
      last_seen_on: kept.lastSeenOn,
      created_on: ago(Math.min(exposed[1], started ?? exposed[1])),
    };
  });
  await loadRows(tx, 'contact', rows, 'case_report');
  const persons = rows.flatMap(({ patient_id }) => patient_id ?? []);
  await passOn(tx, tenantId, 'patient', persons, ['contact']);
  const ids = rows.map(({ id }) => id);
  await keepFirstVersions(tx, anyRecord(contactRecord), tenantId, ids, null);
  await loadRows(
    tx,
    'follow_up_entry',
    stories.flatMap(({ found = [] }, place) =>
      found.map(([day, outcome, symptoms = [], note = null]) => ({
        tenant_id: tenantId,
        record_kind: 'contact',
        record_id: ids[place]!,
        id: demoId(`follow-up/${tenantId}/${place}/${day}`),
        day: ago(day),
        outcome,
        symptoms,
        note,
        added_at: `${ago(day)}T15:00:00Z`,
        account_id: investigator,
      })),
    ),
    'contact',
  );
}
