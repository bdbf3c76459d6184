import { createHash } from 'node:crypto';
import { addDays } from '@caseway/contract/date-range';
import { loadJurisdictions } from '../../src/features/case-reports/stored-cases.ts';
import { familyByCode } from '../../src/features/reference/catalog.ts';
import { recordChange } from '../../src/platform/analytics/outbox.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { Random } from './random.ts';
import type { CaseRow } from './rows.ts';
import { numbersOf, storeCases } from './store-cases.ts';

/** Conditions that recur or come every year, with how many cases per hundred there were in that time. */
const recurring: Readonly<Record<string, number>> = {
  chlamydia: 88,
  gonorrhea: 80,
  syphilis: 70,
  salmonellosis: 92,
  shigellosis: 75,
  pertussis: 45,
  dengue: 50,
};

/** Whole weeks, so that weekends stay weekends. */
const threeYears = 156 * 7;
/** As far back as a median of five years reaches, plus the week after. */
const reach = 5 * 365 + 30;
/** One of this many people lives with HIV. */
const perPersonWithHiv = 50;
/** The years since their diagnosis; `below`: how many of a hundred have at most these years. */
const yearsSinceDiagnosis: readonly { from: number; to: number; below: number }[] = [
  { from: 0, to: 1, below: 9 },
  { from: 1, to: 4, below: 35 },
  { from: 4, to: 12, below: 80 },
  { from: 12, to: 28, below: 100 },
];

interface Person {
  id: string;
  birth_date: string | null;
  county_fips: string | null;
  facility_ids: string[];
  organization_ids: string[];
  disease_families: string[];
}

const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/**
 * The cases of the years before the first result, so that a week can be compared with its median of five years, and
 * people who have lived with HIV for longer. Everything follows from the ids of existing records.
 */
export async function seedEarlierYears(tx: Tx, today: string): Promise<void> {
  const people = await tx.rows<Person>(
    `select id, birth_date, county_fips, facility_ids, organization_ids, disease_families from patient
     where tenant_id = $1 order by id`,
    [tx.tenantId],
  );
  const jurisdictionOf = await loadJurisdictions(tx, tx.tenantId);
  const cases = [
    ...(await earlierCases(tx, people, jurisdictionOf, today)),
    ...(await diagnosesOfHiv(tx, people, jurisdictionOf, today)),
    ...(await congenitalSyphilis(tx, people, jurisdictionOf, today)),
  ];
  const numbers = await numbersOf(tx, cases);
  await storeCases(tx, { cases: cases.map((row) => ({ ...row, case_id: numbers.get(row.id)! })), today });
}

/** The cases of three years later, some left out, moved to other people who were tested for the same disease. */
async function earlierCases(
  tx: Tx,
  people: readonly Person[],
  jurisdictionOf: ReadonlyMap<string, string>,
  today: string,
): Promise<CaseRow[]> {
  const later = await tx.rows<CaseRow>(
    `select tenant_id, id, case_id, patient_id, condition_code, disease_family, disease_category, classification, status,
       onset_on, collected_on, reported_on, received_on, created_on, organization_id, facility_id, program_id, task_id,
       jurisdiction_id, county_fips, investigator_id, completed_by_id, outcome, visit_type, pregnant, source
     from case_report where tenant_id = $1 and disease_family = any ($2) and classification in ('confirmed', 'probable')
       and coalesce(onset_on, collected_on, reported_on) > cast($3 as date) order by id`,
    [tx.tenantId, Object.keys(recurring), addDays(today, threeYears - reach)],
  );
  const tested = new Map(
    Object.keys(recurring).map((family) => [
      family,
      people.filter(
        ({ disease_families, facility_ids, birth_date }) =>
          disease_families.includes(family) &&
          facility_ids.length > 0 &&
          (birth_date === null || birth_date < addDays(today, -reach)),
      ),
    ]),
  );
  return later.flatMap((row) => {
    const random = new Random(`earlier than ${row.id}`);
    const others = tested.get(row.disease_family)!;
    if (others.length === 0 || random.between(1, 100) > recurring[row.disease_family]!) return [];
    const person = random.pick(others);
    const back = (day: string | null) => day && addDays(day, -threeYears);
    const created_on = back(row.created_on)!;
    return [
      {
        ...row,
        id: uuidOf(`earlier than ${row.id}`),
        ...placeOf(person, jurisdictionOf),
        onset_on: back(row.onset_on),
        collected_on: back(row.collected_on),
        reported_on: back(row.reported_on)!,
        received_on: back(row.received_on)!,
        created_on,
        ...madeOn(created_on, random.between(10, 40), today),
        outcome: row.outcome ?? 'unknown',
        source: 'csv',
        classified_by: 'report',
      },
    ];
  });
}

/** Confirmed cases of people who live with HIV: diagnosed years ago, a few in the last weeks. */
async function diagnosesOfHiv(
  tx: Tx,
  people: readonly Person[],
  jurisdictionOf: ReadonlyMap<string, string>,
  today: string,
): Promise<CaseRow[]> {
  const known = new Set(
    (
      await tx.rows<{ id: string }>(
        `select patient_id as id from case_report where tenant_id = $1 and disease_family = 'hiv' union
         select patient_id from result where tenant_id = $1 and disease_family = 'hiv'`,
        [tx.tenantId],
      )
    ).map(({ id }) => id),
  );
  const family = familyByCode('hiv')!;
  const program = await programOf(tx, 'hiv');
  const adult = addDays(today, -20 * 365);
  const rows = people.flatMap((person): CaseRow[] => {
    const random = new Random(`hiv of ${person.id}`);
    const { birth_date: birth, facility_ids: facilities } = person;
    if (!birth || birth > adult || facilities.length === 0 || known.has(person.id)) return [];
    // Of the remaining people, three quarters are adults.
    if (!random.chance(1 / (perPersonWithHiv * 0.75))) return [];
    const drawn = random.between(1, 100);
    const { from, to } = yearsSinceDiagnosis.find(({ below }) => drawn <= below)!;
    const diagnosed = addDays(today, -random.between(from * 365 + 2, to * 365));
    const collected_on = diagnosed < addDays(birth, 18 * 365) ? addDays(birth, 18 * 365) : diagnosed;
    if (collected_on >= today) return [];
    const byToday = (day: string) => (day > today ? today : day);
    const reported_on = byToday(addDays(collected_on, random.between(1, 4)));
    const created_on = byToday(addDays(reported_on, random.between(0, 3)));
    return [
      {
        tenant_id: tx.tenantId,
        id: uuidOf(`hiv of ${person.id}`),
        case_id: '',
        ...placeOf(person, jurisdictionOf),
        ...program,
        condition_code: 'hiv',
        disease_family: family.code,
        disease_category: family.category,
        classification: 'confirmed',
        collected_on,
        reported_on,
        received_on: created_on,
        created_on,
        ...reported,
        ...madeOn(created_on, 20, today),
      },
    ];
  });
  await addFamily(tx, family.code, rows);
  return rows;
}

/** Two infants who were born in the last year and live where someone follows up on them. */
async function congenitalSyphilis(
  tx: Tx,
  people: readonly Person[],
  jurisdictionOf: ReadonlyMap<string, string>,
  today: string,
): Promise<CaseRow[]> {
  const family = familyByCode('syphilis')!;
  const program = await programOf(tx, family.code);
  const infants = people.filter(
    ({ birth_date, facility_ids }) =>
      birth_date !== null &&
      birth_date > addDays(today, -365) &&
      birth_date < addDays(today, -7) &&
      facility_ids[0],
  );
  const rows = infants.slice(0, 2).map((infant): CaseRow => {
    const born = infant.birth_date!;
    return {
      tenant_id: tx.tenantId,
      id: uuidOf(`congenital syphilis of ${infant.id}`),
      case_id: '',
      ...placeOf(infant, jurisdictionOf),
      ...program,
      condition_code: 'syphilis-congenital',
      disease_family: family.code,
      disease_category: family.category,
      classification: 'probable',
      collected_on: addDays(born, 1),
      reported_on: addDays(born, 3),
      received_on: addDays(born, 4),
      created_on: addDays(born, 4),
      ...reported,
      ...madeOn(addDays(born, 4), 30, today),
    };
  });
  await addFamily(tx, family.code, rows);
  return rows;
}

/** The program for a disease family, and its task of case investigation. */
async function programOf(tx: Tx, family: string): Promise<Pick<CaseRow, 'program_id' | 'task_id'>> {
  const [program] = await tx.rows<{ id: string; task: string | null }>(
    `select p.id, (select t.id from task t where t.tenant_id = p.tenant_id and t.program_id = p.id
       and t.task_category = 'case-investigation' order by t.id limit 1) as task
     from program p where p.tenant_id = $1 and $2 = any (p.disease_families) order by p.id limit 1`,
    [tx.tenantId, family],
  );
  return { program_id: program?.id ?? null, task_id: program?.task ?? null };
}

/** Adds the family to the people of these cases. */
async function addFamily(tx: Tx, family: string, cases: readonly CaseRow[]): Promise<void> {
  const ids = cases.map(({ patient_id }) => patient_id);
  await tx.run(
    `update patient set disease_families = disease_families || array[$3]
     where tenant_id = $1 and id = any ($2) and not $3 = any (disease_families)`,
    [tx.tenantId, ids, family],
  );
  await recordChange(tx, tx.tenantId, 'patient', ids);
}

/** A case from a table, with its classification, that nobody here has investigated. */
const reported = {
  onset_on: null,
  investigator_id: null,
  completed_by_id: null,
  outcome: null,
  visit_type: 'clinic',
  pregnant: null,
  source: 'csv',
  classified_by: 'report',
} as const;

const placeOf = (
  { id, county_fips, facility_ids, organization_ids }: Person,
  jurisdictionOf: ReadonlyMap<string, string>,
) => ({
  patient_id: id,
  county_fips,
  facility_id: facility_ids[0]!,
  organization_id: organization_ids[0] ?? null,
  jurisdiction_id: county_fips === null ? null : (jurisdictionOf.get(county_fips) ?? null),
});
/** When it was entered, and whether it is closed today. */
const madeOn = (day: string, daysOpen: number, today: string) => {
  const ends = addDays(day, daysOpen);
  const isClosed = ends < today;
  const at = (on: string) => `${on}T15:00:00.000Z`;
  return {
    created_at: at(day),
    updated_at: at(isClosed ? ends : day),
    closed_at: isClosed ? at(ends) : null,
    status: isClosed ? 'closed' : 'new',
    review_reason: null,
    explanation: null,
  };
};
