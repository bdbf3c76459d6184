import type { AvailabilityPlan } from '@caseway/contract/availability';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { anyRecord } from '@caseway/contract/record';
import { slotsOf, telemedicineRecord } from '@caseway/contract/telemedicine';
import {
  endedVisits,
  type TelemedicineStatus,
  takingVisits,
  telemedicineFlow,
} from '@caseway/contract/telemedicine-flow';
import { clockIn, instantsAt } from '@caseway/contract/zoned-time';
import { writePlan } from '../../src/features/telemedicine/availability-rows.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { checkSign } from '../../src/platform/records/record-number.ts';
import { keepFirstVersions } from '../../src/platform/records/record-versions.ts';
import { loadRows } from './load.ts';
import { demoId } from './tenant-parts.ts';

const timeZone = 'America/New_York';
const minuteMs = 60_000;

interface Story {
  status: TelemedicineStatus;
  /** The start, as an instant; null without a time. */
  startsAt: number | null;
  minutes: number;
  visitType: string;
  taskCategory: string;
  language: string;
  interpreter?: true;
  wantedBy?: string;
  note?: string;
  /** Minutes after the start. */
  arrived?: number;
  joined?: number;
  ended?: number;
  connection?: string;
  cancelledBy?: string;
  cancelledWhy?: string;
  /** Hours before the start. */
  cancelled?: number;
}

type Kind = Pick<Story, 'visitType' | 'taskCategory' | 'language' | 'interpreter' | 'minutes'>;
const kinds: readonly Kind[] = [
  { visitType: 'results', taskCategory: 'testing', language: 'en', minutes: 15 },
  { visitType: 'first-visit', taskCategory: 'treatment', language: 'es', interpreter: true, minutes: 30 },
  { visitType: 'follow-up', taskCategory: 'treatment', language: 'en', minutes: 20 },
  { visitType: 'interview', taskCategory: 'case-investigation', language: 'en', minutes: 30 },
  { visitType: 'counseling', taskCategory: 'telemedicine', language: 'ht', interpreter: true, minutes: 30 },
  { visitType: 'follow-up', taskCategory: 'telemedicine', language: 'es', minutes: 20 },
  { visitType: 'treatment', taskCategory: 'treatment', language: 'en', minutes: 20 },
];
const times = ['09:00', '10:00', '11:15', '13:30', '14:30'] as const;

/** Outcomes of the visits of past days, in turn: most were held, one in nine was missed, some were cancelled. */
const outcomes: readonly Partial<Story>[] = [
  { status: 'fulfilled', arrived: -4, joined: 1, ended: 16, connection: 'good' },
  { status: 'fulfilled', arrived: -2, joined: 6, ended: 29, connection: 'good' },
  { status: 'fulfilled', arrived: 3, joined: 5, ended: 21, connection: 'poor' },
  { status: 'no-show' },
  { status: 'fulfilled', arrived: -8, joined: 0, ended: 14, connection: 'good' },
  { status: 'cancelled', cancelledBy: 'patient', cancelledWhy: 'Has to work.', cancelled: 30 },
  { status: 'fulfilled', arrived: -1, joined: 19, ended: 40, connection: 'good' },
  { status: 'fulfilled', arrived: 4, joined: 6, ended: 24, connection: 'phone-instead' },
  { status: 'cancelled', cancelledBy: 'clinic', cancelledWhy: 'The provider is ill.', cancelled: 5 },
];

/** The current visits: one is being held, two people wait, one has not come, and the next one is about to begin. */
const goingOn = (now: number): Story[] => {
  const at = (minutes: number) => now + minutes * minuteMs;
  const [results, spanish, followUp, interview, creole] = kinds as [Kind, Kind, Kind, Kind, Kind];
  return [
    { ...interview, status: 'in-progress', startsAt: at(-75), arrived: -5, joined: 35 },
    { ...spanish, minutes: 15, status: 'arrived', startsAt: at(-45), arrived: 24 },
    { ...followUp, minutes: 15, status: 'booked', startsAt: at(-25) },
    { ...results, minutes: 10, status: 'arrived', startsAt: at(-10), arrived: -3 },
    { ...creole, status: 'booked', startsAt: at(20) },
  ];
};

/** Visits of the six weeks before today and the two after it, the current ones, and two people who wait for a time. */
function storiesOf(today: string, now: number): Story[] {
  const step = 5 * minuteMs;
  const running = goingOn(Math.floor(now / step) * step);
  const [first, last] = [running[0]!.startsAt!, running.at(-1)!.startsAt! + 45 * minuteMs];
  let count = 0;
  const regular = Array.from({ length: 57 }, (_, place) => addDays(today, place - 42)).flatMap((day) => {
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
    if (weekday === 0 || weekday === 6) return [];
    return times.slice(0, 3 + (weekday % 3)).flatMap((time): Story[] => {
      const startsAt = Date.parse(instantsAt(timeZone, day, time)[0]!);
      const kind = kinds[count % kinds.length]!;
      const became = outcomes[count % outcomes.length]!;
      count += 1;
      if (startsAt + 45 * minuteMs > first && startsAt < last) return [];
      if (startsAt > now) return [{ ...kind, startsAt, status: 'booked' }];
      return [{ ...kind, startsAt, status: 'fulfilled', ...became }];
    });
  });
  const waiting: Story[] = [
    {
      ...kinds[1]!,
      status: 'waitlisted',
      startsAt: null,
      wantedBy: addDays(today, 5),
      note: 'Only after 3 in the afternoon.',
    },
    { ...kinds[2]!, status: 'proposed', startsAt: null, wantedBy: addDays(today, 9) },
  ];
  return [...running, ...regular, ...waiting];
}

/** Telemedicine visits of the clinic, with its clinician. */
export async function seedTelemedicine(tx: Tx, today: string, provider: string): Promise<void> {
  const { tenantId } = tx;
  const now = Date.now();
  const stories = storiesOf(today, now);
  const people = await tx.rows<{ id: string }>(
    `select p.id from patient p where p.tenant_id = $1 and p.merged_into is null
       and not 'hiv' = any (p.disease_families) and p.first_name is not null order by p.id desc limit $2`,
    [tenantId, stories.length],
  );
  if (people.length < stories.length) return;
  const [clinic] = await tx.rows<{ id: string; organization: string | null }>(
    'select id, organization_id as organization from facility where tenant_id = $1 and name = $2',
    [tenantId, 'Mangrove Community Clinic Ybor City'],
  );
  const signs = 'BCDFGHJKMNPQRSTVWXZ23456789';
  const rows = stories.map((story, place) => {
    const { startsAt, status } = story;
    const after = (minutes: number | undefined) =>
      startsAt === null || minutes === undefined
        ? null
        : new Date(startsAt + minutes * minuteMs).toISOString();
    // Each place has its own six characters, which look random.
    const drawn = 31_415_926 + place * 7_919_001;
    const random = Array.from(
      { length: 6 },
      (_, at) => signs[Math.floor(drawn / signs.length ** at) % signs.length],
    ).join('');
    const madeOn = addDays(
      startsAt === null ? today : todayIn(timeZone, new Date(startsAt)),
      -(place % 9) - 1,
    );
    const made = madeOn < today ? madeOn : addDays(today, -1 - (place % 9));
    const begun = startsAt === null ? null : new Date(startsAt).toISOString();
    return {
      tenant_id: tenantId,
      id: demoId(`telemedicine/${tenantId}/${place}`),
      number: `TV-${today.slice(2, 4)}-${random}${checkSign(random)}`,
      status,
      flow_version: telemedicineFlow.version,
      patient_id: people[place]!.id,
      visit_type: story.visitType,
      task_category: story.taskCategory,
      language: story.language,
      interpreter: story.interpreter ? 'yes' : 'no',
      wanted_by: story.wantedBy ?? null,
      note: story.note ?? null,
      provider_id: startsAt === null ? null : provider,
      starts_at: begun,
      start_hour: startsAt === null ? null : clockIn(timeZone, startsAt).time.slice(0, 2),
      minutes: startsAt === null ? null : story.minutes,
      consent_version: story.arrived === undefined ? null : '2026-01',
      consent_at: after(story.arrived),
      arrived_at: after(story.arrived),
      joined_at: after(story.joined),
      ended_at: after(story.ended),
      measured: story.ended === undefined ? null : 'by-hand',
      connection: story.connection ?? null,
      cancelled_by: story.cancelledBy ?? null,
      cancelled_why: story.cancelledWhy ?? null,
      cancelled_at: after(story.cancelled === undefined ? undefined : -story.cancelled * 60),
      planned_on: startsAt === null ? story.wantedBy! : todayIn(timeZone, new Date(startsAt)),
      created_on: made,
      created_at: `${made}T15:00:00Z`,
      closed_at: (endedVisits as readonly string[]).includes(status) ? (begun ?? null) : null,
      organization_id: clinic?.organization ?? null,
      facility_id: clinic?.id ?? null,
    };
  });
  await loadRows(tx, 'telemedicine_visit', rows, 'patient');
  const ids = rows.map(({ id }) => id);
  await keepFirstVersions(tx, anyRecord(telemedicineRecord), tenantId, ids, null);
  await loadRows(
    tx,
    'provider_time',
    rows.flatMap(({ id, status, starts_at, minutes }) =>
      starts_at && minutes && (takingVisits as readonly string[]).includes(status)
        ? slotsOf({ startsAt: starts_at, minutes }).map((step, place, all) => ({
            tenant_id: tenantId,
            account_id: provider,
            step,
            visit_id: id,
            steps: place === 0 ? all.length : null,
          }))
        : [],
    ),
  );
}

/**
 * When visits of the demo can be booked: the clinician's mornings and afternoons, also by patients, except one week;
 * and two afternoons of an administrator in Spanish, only by staff.
 */
export async function seedAvailability(
  tx: Tx,
  today: string,
  { clinician, other }: { clinician: string; other: string },
): Promise<void> {
  const { tenantId } = tx;
  const [clinic] = await tx.rows<{ id: string }>(
    'select id from facility where tenant_id = $1 and name = $2',
    [tenantId, 'Mangrove Community Clinic Ybor City'],
  );
  const always = { visitTypes: [], validFrom: null, validTo: null };
  const workdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
  const plan: AvailabilityPlan = {
    facility: clinic?.id ?? null,
    timeZone,
    languages: [],
    bufferMinutes: 5,
    leadHours: 2,
    horizonDays: 60,
    dailyLimit: 12,
    patients: true,
    rules: [
      { ...always, weekdays: [...workdays], from: '09:00', to: '12:00', minutes: 25 },
      { ...always, weekdays: ['mon', 'wed', 'thu'], from: '13:00', to: '16:00', minutes: 25 },
    ],
    exceptions: [
      {
        kind: 'shut',
        firstDay: addDays(today, 15),
        lastDay: addDays(today, 21),
        from: null,
        to: null,
        minutes: null,
      },
    ],
  };
  await writePlan(tx, tenantId, clinician, 0, plan);
  await writePlan(tx, tenantId, other, 0, {
    ...plan,
    languages: ['es'],
    patients: false,
    rules: [{ ...always, weekdays: ['tue', 'fri'], from: '13:00', to: '17:00', minutes: 30 }],
    exceptions: [],
  });
}
