import { addDays } from '@caseway/contract/date-range';
import { incidentFlow } from '@caseway/contract/incident-flow';
import { incidentRecord } from '@caseway/contract/incident-reports';
import { anyRecord } from '@caseway/contract/record';
import type { Tx } from '../../src/platform/db/database.ts';
import { checkSign } from '../../src/platform/records/record-number.ts';
import { keepFirstVersions } from '../../src/platform/records/record-versions.ts';
import { loadRows } from './load.ts';
import { demoId } from './tenant-parts.ts';

const signs = 'BCDFGHJKMNPQRSTVWXZ';

interface Story {
  /** Days before today when it was received, and when it happened. */
  received: number;
  happened: number;
  /** Absent: on the day on which it happened. */
  vaccinated?: number;
  stage: 'received' | 'in-review' | 'first' | 'final';
  vaccine?: [vaccine: string, brand: string, manufacturer: string, lot: string, route: string, site: string];
  reactions?: string[];
  seriousness?: string[];
  outcome?: string;
  classification?: string;
  category?: string;
  event?: string;
  harm?: string;
  narrative: string;
  role: string;
}

const flu = ['influenza', 'Fluzone', 'Sanofi Pasteur', 'UT8007AB', 'intramuscular', 'left-arm'] as const;
/** A lot after which hives were reported six times in nine days, and reports of other days. */
const stories: readonly Story[] = [
  ...[1, 2, 2, 4, 6, 9].map(
    (received, place): Story => ({
      received,
      happened: received + 1,
      stage: place < 3 ? 'received' : 'in-review',
      vaccine: [...flu],
      reactions: place === 1 ? ['hives', 'difficulty-breathing'] : ['hives', 'itching'],
      seriousness: place === 1 ? ['hospitalization'] : [],
      outcome: place === 1 ? 'recovering' : 'recovered',
      narrative: `Hives on the trunk and the arms ${place + 1} ${place === 0 ? 'hour' : 'hours'} after the influenza vaccine. Given an antihistamine.`,
      role: 'health-professional',
    }),
  ),
  {
    received: 3,
    happened: 4,
    vaccinated: 13,
    stage: 'first',
    vaccine: ['mmr', 'M-M-R II', 'Merck', 'W021873', 'subcutaneous', 'right-arm'],
    reactions: ['fever', 'seizure'],
    seriousness: ['hospitalization'],
    outcome: 'recovered',
    narrative: 'A seizure with fever nine days after the vaccine. One night in the hospital, then home.',
    role: 'health-professional',
  },
  {
    received: 12,
    happened: 13,
    stage: 'final',
    vaccine: ['covid-19', 'Comirnaty', 'Pfizer', 'LN2214', 'intramuscular', 'left-arm'],
    reactions: ['injection-site-pain', 'fatigue'],
    outcome: 'recovered',
    classification: 'related',
    narrative: 'A sore arm and tiredness for two days.',
    role: 'patient',
  },
  {
    received: 5,
    happened: 5,
    stage: 'received',
    vaccine: ['hepatitis-b', 'Engerix-B', 'GSK', '9K4TY', 'intramuscular', 'right-arm'],
    reactions: ['fainting'],
    outcome: 'recovered',
    narrative:
      'Fainted in the waiting area five minutes after the vaccine. Sat up after a minute; no injury.',
    role: 'staff',
  },
  {
    received: 1,
    happened: 1,
    stage: 'received',
    category: 'specimen',
    event: 'incident',
    harm: 'none',
    narrative: 'A tube broke in the centrifuge. Nobody was touched by it; the person is asked to come again.',
    role: 'staff',
  },
  {
    received: 7,
    happened: 8,
    stage: 'in-review',
    category: 'privacy-breach',
    event: 'near-miss',
    harm: 'none',
    narrative: 'A letter with results was put into the wrong envelope, and found before it was sent.',
    role: 'staff',
  },
  {
    received: 10,
    happened: 10,
    stage: 'final',
    category: 'medication',
    event: 'incident',
    harm: 'mild',
    narrative: 'Ceftriaxone was given although a penicillin allergy was on record. A rash for one day.',
    role: 'health-professional',
  },
];

const brands: Readonly<Record<string, Story['vaccine'] & object>> = {
  'covid-19': ['covid-19', 'Comirnaty', 'Pfizer', 'LN2307', 'intramuscular', 'left-arm'],
  influenza: ['influenza', 'Flucelvax', 'Seqirus', 'AU5512C', 'intramuscular', 'right-arm'],
  zoster: ['zoster', 'Shingrix', 'GSK', '4K9MB', 'intramuscular', 'left-arm'],
  tdap: ['tdap', 'Boostrix', 'GSK', '7D2PL', 'intramuscular', 'left-arm'],
  hpv: ['hpv', 'Gardasil 9', 'Merck', 'W034481', 'intramuscular', 'left-arm'],
  mmr: ['mmr', 'M-M-R II', 'Merck', 'W029917', 'subcutaneous', 'right-arm'],
};
/** Usual reactions: sore arms, fever after live vaccines, fainting of young people. */
const usual: readonly [vaccine: string, reactions: string[], days: number][] = [
  ['zoster', ['injection-site-pain', 'fatigue', 'muscle-pain'], 1],
  ['covid-19', ['fever', 'chills', 'headache'], 1],
  ['influenza', ['injection-site-pain'], 0],
  ['hpv', ['fainting'], 0],
  ['tdap', ['injection-site-swelling', 'injection-site-redness'], 2],
  ['mmr', ['fever', 'rash'], 8],
  ['zoster', ['fever', 'injection-site-redness'], 1],
  ['covid-19', ['injection-site-pain', 'swollen-lymph-nodes'], 2],
  ['hpv', ['dizziness', 'nausea'], 0],
  ['influenza', ['fatigue', 'headache'], 1],
];

/** Earlier reports, one or two a day: closed by now, or in review. */
const earlier = Array.from({ length: 80 }, (_, n): Story => {
  const [vaccine, reactions, days] = usual[(n * 7) % usual.length]!;
  const received = 14 + Math.floor(n * 0.9);
  const isSerious = n % 19 === 4;
  return {
    received,
    happened: received + (n % 4),
    vaccinated: received + (n % 4) + days,
    stage: n % 13 === 0 ? 'in-review' : 'final',
    vaccine: brands[vaccine]!,
    reactions: isSerious ? [...reactions, 'difficulty-breathing'] : reactions,
    seriousness: isSerious ? ['hospitalization'] : [],
    outcome: n % 6 === 5 ? 'recovering' : 'recovered',
    ...(n % 13 !== 0 && { classification: n % 5 === 2 ? 'undetermined' : 'related' }),
    narrative: 'Told by telephone; advice was given, and nothing else was needed.',
    role: n % 3 === 0 ? 'patient' : 'health-professional',
  };
});

/** Reports of the last three months, about people of clinics and about nobody, with their clocks. */
export async function seedIncidents(tx: Tx, today: string, investigator: string): Promise<void> {
  const { tenantId } = tx;
  const all = [...stories, ...earlier];
  const people = await tx.rows<{ id: string; facility: string; organization: string | null }>(
    `select p.id, f.id as facility, f.organization_id as organization from patient p
     join facility f on f.tenant_id = p.tenant_id and f.id = p.facility_ids[1]
     where p.tenant_id = $1 and p.merged_into is null and not 'hiv' = any (p.disease_families)
     order by md5(cast(p.id as text)) limit $2`,
    [tenantId, all.length],
  );
  const programs = await tx.rows<{ id: string }>(
    'select id from program where tenant_id = $1 and deactivated_at is null order by id limit 3',
    [tenantId],
  );
  const rows = all.slice(0, people.length).map((story, place) => {
    const id = demoId(`incident/${tenantId}/${place}`);
    const { id: patient, facility, organization } = people[place]!;
    // Each place differs: the step shares no factor with the total number.
    const drawn = (place * 7_654_321 + 1_234_567) % signs.length ** 6;
    const random = Array.from(
      { length: 6 },
      (_, at) => signs[Math.floor(drawn / signs.length ** at) % signs.length],
    ).join('');
    const { vaccine, stage } = story;
    const about = {
      id,
      number: `IR-${today.slice(2, 4)}-${random}${checkSign(random)}`,
      kind: vaccine ? 'vaccine-adverse-event' : 'other-incident',
      stage,
      patient_id: vaccine || story.category === 'medication' ? patient : null,
      received_on: addDays(today, -story.received),
      occurred_on: addDays(today, -story.happened),
      created_on: addDays(today, -story.received),
      investigator_id: stage === 'received' ? null : investigator,
      reporter_role: story.role,
      narrative: story.narrative,
      facility_id: facility,
      organization_id: organization,
      program_id: vaccine ? (programs[place % (programs.length + 1)]?.id ?? null) : null,
      visit_type: vaccine ? 'clinic' : null,
      vaccinated_on: vaccine ? addDays(today, -(story.vaccinated ?? story.happened)) : null,
      vaccines: JSON.stringify(
        vaccine
          ? [
              {
                vaccine: vaccine[0],
                brand: vaccine[1],
                manufacturer: vaccine[2],
                lot: vaccine[3],
                dose: '1',
                route: vaccine[4],
                site: vaccine[5],
              },
            ]
          : [],
      ),
      reactions: story.reactions ?? [],
      seriousness: story.seriousness ?? [],
      outcome: story.outcome ?? null,
      classification: story.classification ?? null,
      category: story.category ?? null,
      event: story.event ?? null,
      harm: story.harm ?? null,
      ended_at: stage === 'final' ? `${addDays(today, -1)}T15:00:00Z` : null,
    };
    return { tenant_id: tenantId, ...about };
  });
  await loadRows(tx, 'incident', rows, 'patient');
  const ids = rows.map(({ id }) => id);
  await keepFirstVersions(tx, anyRecord(incidentRecord), tenantId, ids, null);
  const running: Record<Story['stage'], readonly string[]> = {
    received: ['review', 'first', 'final'],
    'in-review': ['first', 'final'],
    first: ['final'],
    final: [],
  };
  await loadRows(
    tx,
    'record_clock',
    rows.flatMap(({ id, stage, created_on }) =>
      incidentFlow
        .clocks!.filter(({ id: clock }) => running[stage].includes(clock))
        .map(({ id: clock, days }) => ({
          tenant_id: tenantId,
          id: demoId(`clock/${id}/${clock}`),
          record_kind: 'incident',
          record_id: id,
          clock,
          started_on: created_on,
          due_on: addDays(created_on, days),
          due_at: `${addDays(created_on, days + 1)}T05:00:00Z`,
          flow_version: incidentFlow.version,
          made_version: 1,
        })),
    ),
    'incident',
  );
}
