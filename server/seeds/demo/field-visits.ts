import { addDays } from '@caseway/contract/date-range';
import { endedVisits, type VisitStatus } from '@caseway/contract/field-visit-flow';
import { fieldVisitRecord, type fieldVisitTypes } from '@caseway/contract/field-visits';
import { anyRecord } from '@caseway/contract/record';
import {
  type AttemptMade,
  type AttemptOutcomeCode,
  attemptsKept,
  isWeekend,
  proposedStep,
  type VisitMethod,
} from '@caseway/contract/visit-attempts';
import { passOn } from '../../src/platform/carried/carried.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { keepFirstVersions } from '../../src/platform/records/record-versions.ts';
import { loadRows, numberAt } from './load.ts';
import { demoId } from './tenant-parts.ts';

/** The outcome of an attempt, this many days before today. */
type Tried = readonly [
  ago: number,
  time: string,
  outcome: AttemptOutcomeCode,
  more?: { method?: VisitMethod; left?: 'sealed-letter'; note?: string },
];

interface Story {
  type: (typeof fieldVisitTypes)[number];
  status: VisitStatus;
  /** Days from today: the planned day, and the day by which it must be done. */
  planned: number;
  due?: number;
  note?: string;
  address?: string;
  twoWorkers?: true;
  noLetter?: true;
  tried?: readonly Tried[];
  /** Minutes for which a person has set out, and minutes since. */
  out?: readonly [minutes: '60' | '90', since: number];
  result?: string;
  /** Days before today when it was done or cancelled. */
  ended?: number;
}

/** Two weeks of the field team: visits of today, people who are out, and how earlier visits ended. */
const stories: readonly Story[] = [
  {
    type: 'interview',
    status: 'attempted',
    planned: 0,
    due: 3,
    note: 'Ask for partners of the last three months.',
    tried: [
      [4, '10:20', 'nobody', { left: 'sealed-letter' }],
      [1, '14:45', 'other-person-there', { note: 'Roommate: usually back after work.' }],
    ],
  },
  {
    type: 'notification',
    status: 'on-the-way',
    planned: 0,
    due: 1,
    twoWorkers: true,
    noLetter: true,
    note: 'Dog in the yard. Do not speak with the landlord.',
    tried: [[2, '17:40', 'unsafe', { note: 'Argument in front of the house.' }]],
    out: ['90', 25],
  },
  {
    type: 'specimen',
    status: 'on-the-way',
    planned: 0,
    due: 2,
    note: 'Second titer after treatment.',
    out: ['60', 155],
  },
  {
    type: 'treatment',
    status: 'assigned',
    planned: 0,
    due: 1,
    address: 'At work: loading dock, ask at the gate',
  },
  {
    type: 'notification',
    status: 'attempted',
    planned: 0,
    due: 5,
    tried: [
      [3, '09:30', 'nobody'],
      [3, '12:10', 'sent', { method: 'text' }],
    ],
  },
  { type: 'follow-up', status: 'assigned', planned: 1, due: 4 },
  { type: 'interview', status: 'open', planned: 1, due: 6, note: 'Speaks Haitian Creole.' },
  { type: 'outbreak', status: 'open', planned: 2 },
  { type: 'notification', status: 'assigned', planned: -2, due: 0, noLetter: true },
  {
    type: 'notification',
    status: 'attempted',
    planned: -1,
    due: 1,
    tried: [
      [8, '09:15', 'nobody'],
      [6, '13:30', 'nobody', { left: 'sealed-letter' }],
      [2, '18:05', 'other-person-there'],
    ],
  },
  {
    type: 'interview',
    status: 'done',
    planned: -3,
    tried: [
      [5, '10:00', 'nobody'],
      [3, '18:20', 'done', { note: 'Named two partners.' }],
    ],
    result: 'cooperative',
    ended: 3,
  },
  {
    type: 'treatment',
    status: 'done',
    planned: -4,
    tried: [[4, '11:10', 'done']],
    result: 'cooperative',
    ended: 4,
  },
  {
    type: 'specimen',
    status: 'done',
    planned: -6,
    tried: [[6, '15:00', 'refused', { note: 'Wants to see their own doctor.' }]],
    result: 'uncooperative',
    ended: 6,
  },
  {
    type: 'notification',
    status: 'done',
    planned: -5,
    tried: [
      [11, '09:40', 'nobody'],
      [8, '14:00', 'nobody'],
      [5, '18:30', 'moved-unknown', { note: 'New tenants since the spring.' }],
    ],
    result: 'not-found',
    ended: 5,
  },
  {
    type: 'notification',
    status: 'done',
    planned: -8,
    tried: [[8, '16:15', 'done', { method: 'phone' }]],
    result: 'cooperative',
    ended: 8,
  },
  {
    type: 'interview',
    status: 'done',
    planned: -10,
    tried: [
      [12, '10:30', 'in-hospital'],
      [10, '13:00', 'done'],
    ],
    result: 'cooperative',
    ended: 10,
  },
  { type: 'follow-up', status: 'cancelled', planned: -7, ended: 8, note: 'Came to the clinic.' },
  {
    type: 'treatment',
    status: 'done',
    planned: -13,
    tried: [[13, '17:20', 'done']],
    result: 'cooperative',
    ended: 13,
  },
];

/** Outcomes of earlier visits, in turn. Attempts are this many days before the planned day. */
const became: readonly Pick<Story, 'type' | 'result' | 'tried'>[] = [
  { type: 'interview', result: 'cooperative', tried: [[0, '17:40', 'done']] },
  {
    type: 'notification',
    result: 'cooperative',
    tried: [
      [2, '09:20', 'nobody'],
      [0, '18:10', 'done'],
    ],
  },
  { type: 'treatment', result: 'cooperative', tried: [[0, '10:45', 'done']] },
  {
    type: 'notification',
    result: 'not-found',
    tried: [
      [6, '10:10', 'nobody'],
      [3, '15:30', 'other-person-there'],
      [0, '18:30', 'moved-unknown'],
    ],
  },
  { type: 'specimen', result: 'cooperative', tried: [[0, '14:20', 'done']] },
  {
    type: 'interview',
    result: 'uncooperative',
    tried: [
      [1, '11:00', 'other-person-there'],
      [0, '17:15', 'refused'],
    ],
  },
  { type: 'follow-up', result: 'cooperative', tried: [[0, '13:10', 'done', { method: 'phone' }]] },
  {
    type: 'notification',
    result: 'unavailable',
    tried: [
      [8, '09:40', 'nobody'],
      [4, '13:50', 'in-hospital'],
      [0, '17:50', 'nobody'],
    ],
  },
  { type: 'outbreak', result: 'cooperative', tried: [[0, '10:30', 'done']] },
  {
    type: 'interview',
    result: 'cooperative',
    tried: [
      [3, '12:20', 'sent', { method: 'text' }],
      [1, '16:40', 'rescheduled', { method: 'phone' }],
      [0, '18:00', 'done'],
    ],
  },
  { type: 'follow-up' },
];

/** Two visits for each working day of two months, all of them over. */
const earlier = (today: string): Story[] =>
  Array.from({ length: 58 }, (_, place) => 60 - place)
    .filter((ago) => !isWeekend(addDays(today, -ago)))
    .flatMap((ago, day) =>
      [0, 1].map((which): Story => {
        const { tried, ...how } = became[(day * 2 + which) % became.length]!;
        const place = day * 2 + which;
        return {
          ...how,
          status: how.result ? 'done' : 'cancelled',
          planned: -ago,
          ...(place % 3 && { due: (place % 5) - 2 - ago }),
          ended: ago,
          ...(tried && { tried: tried.map(([before, ...rest]): Tried => [before + ago, ...rest]) }),
        };
      }),
    );

/** Field visits about the newest cases of syphilis and gonorrhea, with every attempt. */
export async function seedFieldVisits(
  tx: Tx,
  today: string,
  workers: readonly [string, ...string[]],
): Promise<void> {
  // Today's visits are about the newest cases; there are as many earlier visits as cases.
  const all = [...stories, ...earlier(today)];
  const { tenantId } = tx;
  const on = (days: number) => addDays(today, days);
  const cases = await tx.rows<{
    id: string;
    patient: string;
    program: string | null;
    facility: string | null;
    organization: string | null;
  }>(
    `select c.id, c.patient, c.program, c.facility, c.organization from (
       select distinct on (c.patient_id) c.id, c.patient_id as patient, c.created_on, c.program_id as program,
         c.facility_id as facility, c.organization_id as organization from case_report c
       join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
       where c.tenant_id = $1 and c.disease_family in ('syphilis', 'gonorrhea') and p.merged_into is null
         and p.street is not null and not 'hiv' = any (p.disease_families)
       order by c.patient_id, c.created_on desc, c.id) c
     order by c.created_on desc, c.id limit $2`,
    [tenantId, all.length],
  );
  if (cases.length < stories.length) return;
  const [clock] = await tx.rows<{ now: string }>('select now()::text as now');
  const at = (minutes: number) => new Date(Date.parse(clock!.now) + minutes * 60_000).toISOString();
  const told = all.slice(0, cases.length).map((story, place) => {
    const { id, patient, program, facility, organization } = cases[place]!;
    const worker = workers[place % 3 === 2 ? workers.length - 1 : 0]!;
    // Every fourth is recorded where the person was tested.
    const isOfPlace = place % 4 === 3;
    const tried = (story.tried ?? [])
      .map(
        ([ago, time, outcome, more]): AttemptMade => ({
          day: on(-ago),
          time,
          outcome,
          method: more?.method ?? 'visit',
          left: more?.left ?? 'nothing',
          note: more?.note ?? null,
          nextStep: null,
        }),
      )
      .toSorted((a, b) => (`${a.day} ${a.time}` < `${b.day} ${b.time}` ? 1 : -1));
    const kept = attemptsKept(tried);
    const isEnded = (endedVisits as readonly string[]).includes(story.status);
    const row = {
      tenant_id: tenantId,
      id: demoId(`field-visit/${tenantId}/${place}`),
      number: numberAt('FV', today, place),
      patient_id: patient,
      case_report_id: id,
      program_id: program,
      facility_id: isOfPlace ? facility : null,
      organization_id: isOfPlace ? organization : null,
      status: story.status,
      visit_type: story.type,
      planned_for: on(story.planned),
      due_on: story.due === undefined ? null : on(story.due),
      address: story.address ?? null,
      two_workers: story.twoWorkers ?? false,
      no_letter: story.noLetter ?? false,
      note: story.note ?? null,
      worker_id: story.status === 'open' || story.status === 'cancelled' ? null : worker,
      minutes_out: story.out?.[0] ?? null,
      out_since: story.out ? at(-story.out[1]) : null,
      expected_back: story.out ? at(Number(story.out[0]) - story.out[1]) : null,
      result: story.result ?? null,
      done_on: story.status === 'done' ? on(-story.ended!) : null,
      cancelled_on: story.status === 'cancelled' ? on(-story.ended!) : null,
      attempt_count: kept.attemptCount,
      attempt_days: kept.attemptDays,
      last_attempt_on: kept.lastAttemptOn,
      last_outcome: kept.lastOutcome,
      try_in: kept.tryIn,
      created_on: on(Math.min(-1, story.planned - 2, -(story.tried?.[0]?.[0] ?? 0) - 1)),
      ended_at: isEnded ? `${on(-story.ended!)}T22:00:00Z` : null,
    };
    return { row, tried, worker };
  });
  const rows = told.map(({ row }) => row);
  await loadRows(tx, 'field_visit', rows, 'patient');
  await passOn(
    tx,
    tenantId,
    'case_report',
    cases.map(({ id }) => id),
    ['field_visit'],
  );
  await keepFirstVersions(
    tx,
    anyRecord(fieldVisitRecord),
    tenantId,
    rows.map(({ id }) => id),
    null,
  );
  await loadRows(
    tx,
    'field_visit_attempt',
    told.flatMap(({ row, tried, worker }) =>
      tried.map((made, place) => ({
        tenant_id: tenantId,
        record_id: row.id,
        id: demoId(`field-visit-attempt/${row.id}/${made.day}/${made.time}`),
        day: made.day,
        at_time: made.time,
        method: made.method,
        outcome: made.outcome,
        next_step: proposedStep(tried.slice(place + 1), made),
        left_behind: made.left,
        note: made.note,
        added_at: `${made.day}T23:00:00Z`,
        account_id: worker,
      })),
    ),
    'field_visit',
  );
}
