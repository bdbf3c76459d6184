import { addDays } from '@caseway/contract/date-range';
import {
  caseRuleFor,
  conditionByCode,
  familyByCode,
  testByLoinc,
} from '../../src/features/reference/catalog.ts';
import {
  countyWeights,
  type DemoTest,
  type Encounter,
  encounters,
  otherCountyWeight,
  outbreaks,
} from './epidemiology.ts';
import { communities, nameIn, raceCodes } from './names.ts';
import { Random, Weighted } from './random.ts';
import type {
  CaseEventRow,
  CaseResultRow,
  CaseRow,
  IdentifierRow,
  PatientRow,
  ResultRow,
  SpecimenRow,
} from './rows.ts';
import type { DemoPatient } from './tenants.ts';

/** What the generator needs to know of the tenant it fills. */
export interface DemoTenant {
  tenantId: string;
  timeZone: string;
  /** Places where people are tested. */
  facilities: readonly {
    id: string;
    organizationId: string | null;
    countyFips: string;
    city: string;
    postalCode: string;
  }[];
  laboratories: readonly { id: string }[];
  programs: readonly {
    id: string;
    programTypeId: string;
    organizationId: string | null;
    families: readonly string[];
    testingTaskId: string | null;
    investigationTaskId: string | null;
  }[];
  investigators: readonly string[];
  jurisdictionOfCounty: ReadonlyMap<string, string>;
  /** The first person made is this one: who signs in as a patient. */
  patient?: Omit<DemoPatient, 'tenantId'>;
}

export interface DemoSize {
  patients: number;
  results: number;
  cases: number;
}

/** A share of the whole: patients with all their specimens and results. Cases come at the end, in order of creation. */
export interface DemoChunk {
  patients: PatientRow[];
  identifiers: IdentifierRow[];
  specimens: SpecimenRow[];
  results: ResultRow[];
}

const hour = 3_600_000;
const day = 24 * hour;
const historyDays = 1095;

const snomed = {
  positive: { detected: '260373001', reactive: '11214006', positive: '10828004' },
  negative: { detected: '260415000', reactive: '131194007', positive: '260385009' },
  other: {
    inconclusive: '419984006',
    indeterminate: '82334004',
    equivocal: '42425007',
    invalid: '455371000124106',
    unsatisfactory: '125154007',
  } as Record<string, string>,
} as const;
const wordOf = {
  positive: { detected: 'Detected', reactive: 'Reactive', positive: 'Positive' },
  negative: { detected: 'Not detected', reactive: 'Non-reactive', positive: 'Negative' },
} as const;

/** Calendar days of a time zone from instants, with the offset looked up once per hour. */
function localDays(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsets = new Map<number, number>();
  const offsetAt = (instant: number): number => {
    const key = Math.floor(instant / hour);
    let offset = offsets.get(key);
    if (offset === undefined) {
      const name = format.formatToParts(key * hour).find((part) => part.type === 'timeZoneName')!.value;
      const match = /([+-])(\d\d):(\d\d)/.exec(name);
      offset = match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000 : 0;
      offsets.set(key, offset);
    }
    return offset;
  };
  return {
    dayOf: (instant: number): string => new Date(instant + offsetAt(instant)).toISOString().slice(0, 10),
    /** The instant of a local day at an hour of its clock. */
    at: (localDay: string, clockHour: number): number => {
      const utc = Date.parse(`${localDay}T00:00:00Z`) + clockHour * hour;
      return utc - offsetAt(utc - offsetAt(utc));
    },
  };
}

const dayOfYear = (value: string): number =>
  (Date.parse(value) - Date.parse(`${value.slice(0, 4)}-01-01`)) / day;

interface Positive {
  result: ResultRow;
  patient: PatientRow;
}

/**
 * Makes the records of a demo tenant: deterministic for a seed and a day. Yields patients with their specimens
 * and results in chunks; returns the case reports, which follow the same rule table as imports do, filled up with
 * reports from providers (cases without a laboratory result) to the number asked for.
 */
export function* demoRecords(
  tenant: DemoTenant,
  size: DemoSize,
  today: string,
  now: number,
  seed: string,
): Generator<DemoChunk, { cases: CaseRow[]; caseResults: CaseResultRow[]; events: CaseEventRow[] }> {
  const random = new Random(seed);
  const clock = localDays(tenant.timeZone);
  const iso = (instant: number) => new Date(instant).toISOString();

  const history = Array.from({ length: historyDays }, (_, index) => {
    const value = addDays(today, index - historyDays + 1);
    const weekday = new Date(`${value}T12:00:00Z`).getUTCDay();
    const open = weekday === 0 ? 0.22 : weekday === 6 ? 0.4 : 1;
    return { value, yearDay: dayOfYear(value), recency: index / (historyDays - 1), open };
  });
  const daysFor = new Map(
    encounters.map((encounter) => [
      encounter.id,
      new Weighted(history, (at) => at.open * encounter.volume(at.yearDay, at.recency)),
    ]),
  );
  const dayByAge = (daysAgo: number) => history[Math.max(0, historyDays - 1 - daysAgo)]!;

  const counties = [...new Set(tenant.facilities.map((facility) => facility.countyFips))];
  const countyPick = new Weighted(counties, (fips) => countyWeights[fips] ?? otherCountyWeight);
  const facilitiesOf = Map.groupBy(tenant.facilities, (facility) => facility.countyFips);
  const encounterPick = new Weighted(encounters, (encounter) => encounter.share);
  const communityPick = new Weighted(communities, (community) => community.share);
  const agePick = new Map(
    encounters.map((encounter) => [
      encounter.id,
      new Weighted(
        Array.from({ length: 95 }, (_, years) => years),
        (years) => encounter.age(years) * (years > 70 ? (95 - years) / 25 : 1),
      ),
    ]),
  );
  const programOf = new Map(
    tenant.programs.flatMap((program) => program.families.map((family) => [family, program] as const)),
  );
  const racePick = new Map(
    communities.map((community) => [community, new Weighted(community.races, ([, weight]) => weight)]),
  );
  const outbreakShare = outbreaks.reduce((sum, outbreak) => sum + outbreak.per10000, 0) / 10_000;
  const outbreakPick = new Weighted(outbreaks, (outbreak) => outbreak.per10000);

  const positives: Positive[] = [];
  const reporters: { patient: PatientRow; family: string; at: number }[] = [];
  let results = 0;
  let accession = 0;

  const makePatient = (encounter: Encounter, countyFips: string | null, firstDay: string): PatientRow => {
    const community = communityPick.pick(random);
    const sex = random.chance(0.01) ? 'U' : random.chance(encounter.female) ? 'F' : 'M';
    const name = nameIn(community, sex, random);
    const years = agePick.get(encounter.id)!.pick(random);
    const birth = addDays(firstDay, -Math.floor(years * 365.25 + random.next() * 365));
    const race = racePick.get(community)!.pick(random)[0];
    const races = random.chance(0.18)
      ? []
      : random.chance(0.03)
        ? [race, raceCodes.white === race ? raceCodes.other : raceCodes.white]
        : [race];
    const residence = countyFips ?? countyPick.pick(random);
    const near = facilitiesOf.get(residence) ?? tenant.facilities;
    const home = random.pick(near);
    const genderKnown = !random.chance(0.45);
    const created = Date.parse(`${firstDay}T12:00:00Z`);
    return {
      tenant_id: tenant.tenantId,
      id: random.uuid(),
      last_name: name.last,
      first_name: name.first,
      middle_name: name.middle,
      birth_date: random.chance(0.005) ? null : birth,
      birth_date_precision: 'day',
      sex_at_birth: sex,
      gender_identity: !genderKnown
        ? null
        : random.chance(0.012)
          ? sex === 'F'
            ? 'transgender-male'
            : 'transgender-female'
          : sex === 'F'
            ? 'female'
            : 'male',
      races,
      race: races.length === 0 ? 'UNK' : races.length > 1 ? 'multiple' : races[0]!,
      ethnicity: random.chance(0.22) ? 'UNK' : random.chance(community.hispanic) ? '2135-2' : '2186-5',
      language_code: random.chance(community.prefers) ? community.language : 'en',
      street: `${random.between(1, 9899)} ${random.pick(['Orange', 'Palm', 'Lake', 'Pine', 'Cypress', 'Magnolia', 'Bay', 'Harbor', 'Oak', 'Mangrove'])} ${random.pick(['St', 'Ave', 'Rd', 'Dr', 'Ln', 'Blvd'])}`,
      city: home.city,
      state_fips: '12',
      postal_code: home.postalCode,
      county_fips: random.chance(0.02) ? null : residence,
      country_code: 'US',
      // 555-0100 to 555-0199 are kept for fiction.
      phones: random.chance(0.12)
        ? []
        : [
            `+1${random.pick(['305', '407', '813', '850', '904', '941', '561'])}55501${String(random.between(0, 99)).padStart(2, '0')}`,
          ],
      emails: random.chance(0.6) ? [] : [`person.${random.integer().toString(36)}@example.test`],
      organization_ids: [],
      facility_ids: [],
      disease_families: [],
      created_at: iso(created),
      updated_at: iso(created),
    };
  };

  const test = (
    order: DemoTest,
    encounter: Encounter,
    patient: PatientRow,
    specimen: SpecimenRow,
    facility: DemoTenant['facilities'][number],
    collected: number,
    positivityOverride: number | undefined,
    ageYears: number | null,
    chunk: DemoChunk,
  ): void => {
    const received = random.chance(0.06)
      ? null
      : collected + Math.max(0.5, random.logNormal(17, 0.55)) * hour;
    const resulted =
      (received ?? collected + 20 * hour) + Math.max(1, random.logNormal(order.hoursToResult, 0.5)) * hour;
    const reported = resulted + random.logNormal(5, 0.9) * hour;
    // What is not reported yet is not known yet: the most recent days are incomplete, as they are in life.
    if (reported > now) return;
    const at = {
      yearDay: dayOfYear(clock.dayOf(collected)),
      recency: 1 - (now - collected) / (historyDays * day),
    };
    const chanceOfPositive =
      positivityOverride ??
      Math.min(
        0.9,
        order.positivity *
          encounter.risk(at.yearDay, at.recency) *
          personalRisk(order.family, patient, ageYears),
      );
    const category = random.chance(chanceOfPositive)
      ? 'positive'
      : random.chance(order.unclear)
        ? random.pick(order.unclearCategories)
        : 'negative';
    const known = testByLoinc(order.loinc)!;
    const program = programOf.get(order.family);
    const result: ResultRow = {
      tenant_id: tenant.tenantId,
      id: random.uuid(),
      patient_id: patient.id,
      specimen_id: specimen.id,
      source_key: `demo:${seed}:${results}`,
      content_hash: `demo:${results}`,
      organization_id: program?.organizationId ?? facility.organizationId,
      facility_id: facility.id,
      performing_facility_id: random.pick(tenant.laboratories).id,
      program_type_id: program?.programTypeId ?? null,
      program_id: program?.id ?? null,
      task_id: program?.testingTaskId ?? null,
      test_loinc: order.loinc,
      test_name: known.component,
      method: known.method,
      assay: random.pick(order.assays),
      condition_code: known.condition ?? null,
      disease_family: order.family,
      result_category: category,
      status: 'final',
      value_code:
        category === 'positive' || category === 'negative'
          ? snomed[category][order.wording]
          : snomed.other[category]!,
      value_system: 'SCT',
      value_text:
        category === 'positive' || category === 'negative'
          ? wordOf[category][order.wording]
          : category[0]!.toUpperCase() + category.slice(1),
      accession: specimen.accession,
      specimen_site: specimen.site_text,
      age_years: ageYears,
      county_fips: patient.county_fips,
      collected_at: iso(collected),
      received_at: received === null ? null : iso(received),
      resulted_at: iso(resulted),
      reported_at: iso(reported),
      collected_on: clock.dayOf(collected),
      received_on: received === null ? null : clock.dayOf(received),
      resulted_on: clock.dayOf(resulted),
      reported_on: clock.dayOf(reported),
      created_on: clock.dayOf(reported),
      superseded_by: null,
      created_at: iso(reported),
    };
    results++;
    // A few are corrected: the first report stays, superseded.
    if (random.chance(0.004)) {
      const first: ResultRow = {
        ...result,
        id: random.uuid(),
        result_category: 'inconclusive',
        value_code: '419984006',
        value_text: 'Inconclusive',
        content_hash: `${result.content_hash}:first`,
        superseded_by: result.id,
      };
      result.status = 'corrected';
      chunk.results.push(first);
    }
    chunk.results.push(result);
    if (category === 'positive') positives.push({ result, patient });
    else if (reporters.length < size.cases && random.chance(0.08))
      reporters.push({ patient, family: order.family, at: collected });
  };

  let made = 0;
  let chunk: DemoChunk = { patients: [], identifiers: [], specimens: [], results: [] };
  let returning: { patient: PatientRow; encounter: Encounter }[] = [];
  while (results < size.results) {
    // New people until there are enough, spread evenly over the results; otherwise somebody comes back.
    // A little ahead, because the last encounter may bring several results.
    const fresh =
      made < size.patients &&
      (returning.length === 0 || made / size.patients <= (results + 12) / size.results);
    const outbreak = fresh && random.chance(outbreakShare * 2) ? outbreakPick.pick(random) : undefined;
    const earlier = fresh ? undefined : random.pick(returning);
    const encounter = outbreak
      ? encounters.find((each) => each.id === outbreak.encounter)!
      : earlier && random.chance(0.75)
        ? earlier.encounter
        : encounterPick.pick(random);
    const on = outbreak
      ? dayByAge(random.between(outbreak.toDaysAgo, outbreak.fromDaysAgo)).value
      : daysFor.get(encounter.id)!.pick(random).value;
    const patient = earlier?.patient ?? makePatient(encounter, outbreak?.countyFips ?? null, on);
    if (fresh && made === 0 && tenant.patient) {
      const { patientId, firstName, lastName, email, birthDate } = tenant.patient;
      Object.assign(patient, {
        id: patientId,
        first_name: firstName,
        last_name: lastName,
        birth_date: birthDate,
        emails: [email],
        phones: ['+18135550142'],
        language_code: 'es',
      });
    }
    if (patient.birth_date !== null && patient.birth_date > on) continue;
    const ageYears =
      patient.birth_date === null
        ? null
        : Math.floor((Date.parse(on) - Date.parse(patient.birth_date)) / (365.2425 * day));
    const facility = random.pick(facilitiesOf.get(patient.county_fips ?? '') ?? tenant.facilities);
    const collected = clock.at(on, 8 + random.next() * 9.5);
    if (collected > now) continue;

    if (fresh) {
      chunk.patients.push(patient);
      made++;
      if (random.chance(0.7))
        chunk.identifiers.push({
          tenant_id: tenant.tenantId,
          patient_id: patient.id,
          kind: 'MR',
          assigner: facility.id.slice(0, 8),
          value: `M${random.between(1_000_000, 9_999_999)}`,
        });
      returning.push({ patient, encounter });
    }
    if (!patient.facility_ids.includes(facility.id)) patient.facility_ids.push(facility.id);
    const sites =
      encounter.id !== 'sti' || random.chance(0.78)
        ? [random.pick(sitesFor(encounter, patient))]
        : [...new Set([random.pick(sitesFor(encounter, patient)), 'pharyngeal', 'rectal'])];
    for (const [index, site] of sites.entries()) {
      const specimen: SpecimenRow = {
        tenant_id: tenant.tenantId,
        id: random.uuid(),
        patient_id: patient.id,
        accession: `${on.slice(2, 4)}-${String(++accession).padStart(7, '0')}`,
        type_code: encounter.specimenType,
        site_text: site,
        collected_at: iso(collected),
        received_at: null,
        created_at: iso(collected),
      };
      const before = chunk.results.length;
      for (const order of encounter.tests) {
        // Blood tests of a panel are drawn once, whatever the number of swabs.
        if (index > 0 && order.wording === 'reactive') continue;
        const forced = outbreak && order.family === outbreak.family ? outbreak.positivity : undefined;
        if (results < size.results && (forced !== undefined || random.chance(order.ordered)))
          test(order, encounter, patient, specimen, facility, collected, forced, ageYears, chunk);
      }
      if (chunk.results.length > before) {
        specimen.received_at = chunk.results[before]!.received_at;
        chunk.specimens.push(specimen);
        for (const { organization_id: organization, disease_family: family } of chunk.results.slice(before)) {
          if (organization && !patient.organization_ids.includes(organization))
            patient.organization_ids.push(organization);
          if (!patient.disease_families.includes(family)) patient.disease_families.push(family);
        }
      }
    }
    // People come back only within their chunk, because its rows are final once it is yielded.
    if (chunk.results.length >= 4000 && made < size.patients) {
      yield chunk;
      chunk = { patients: [], identifiers: [], specimens: [], results: [] };
      returning = [];
    }
  }
  if (chunk.results.length > 0 || chunk.patients.length > 0) yield chunk;

  return makeCases({ tenant, size, today, now, random, positives, reporters, dayOf: clock.dayOf, iso });
}

/** Where a specimen of this encounter can come from, for this person. */
function sitesFor(encounter: Encounter, patient: PatientRow): readonly string[] {
  if (encounter.id !== 'sti') return encounter.sites;
  return patient.sex_at_birth === 'M'
    ? ['urine', 'urine', 'urine', 'urethral', 'pharyngeal', 'rectal']
    : ['vaginal', 'vaginal', 'urine', 'cervical', 'pharyngeal'];
}

/** How much likelier than average somebody of this age and sex is positive; invented, in the known direction. */
function personalRisk(family: string, patient: PatientRow, age: number | null): number {
  const years = age ?? 35;
  const male = patient.sex_at_birth === 'M';
  switch (family) {
    case 'chlamydia':
      return years < 25 ? 1.7 : years < 35 ? 0.9 : 0.45;
    case 'gonorrhea':
      return (male ? 1.5 : 0.7) * (years < 30 ? 1.3 : 0.7);
    case 'syphilis':
    case 'hiv':
      return (male ? 1.5 : 0.45) * (years >= 22 && years < 40 ? 1.3 : 0.7);
    case 'hepatitis-c':
      return years >= 30 && years < 65 ? 1.2 : 0.6;
    default:
      return years < 5 || years >= 70 ? 1.2 : 1;
  }
}

interface CaseInput {
  tenant: DemoTenant;
  size: DemoSize;
  today: string;
  now: number;
  random: Random;
  positives: Positive[];
  reporters: { patient: PatientRow; family: string; at: number }[];
  dayOf: (instant: number) => string;
  iso: (instant: number) => string;
}

/** Cases from positives by the rule table, filled up with reports from providers; numbered in order of creation. */
function makeCases(input: CaseInput): {
  cases: CaseRow[];
  caseResults: CaseResultRow[];
  events: CaseEventRow[];
} {
  const { tenant, size, random, iso, dayOf, now } = input;
  const drafts: { row: CaseRow; results: ResultRow[]; createdAt: number }[] = [];
  const open = new Map<string, { row: CaseRow; results: ResultRow[]; createdAt: number }>();
  const programOf = new Map(
    tenant.programs.flatMap((program) => program.families.map((family) => [family, program] as const)),
  );

  const draft = (
    patient: PatientRow,
    condition: string,
    classification: string,
    createdAt: number,
    collectedAt: number,
    source: string,
    facilityId: string | null,
    organizationId: string | null,
  ) => {
    const known = conditionByCode(condition)!;
    const family = familyByCode(known.family)!;
    const program = programOf.get(known.family);
    const daysOld = (now - createdAt) / day;
    const done = random.chance(Math.min(0.97, daysOld / 75));
    const investigator =
      tenant.investigators.length > 0 && (done || random.chance(Math.min(0.9, daysOld / 6)))
        ? random.pick(tenant.investigators)
        : null;
    const status = done
      ? random.pick(['closed', 'closed', 'closed', 'complete', 'approved', 'no_follow_up'])
      : investigator === null
        ? 'new'
        : random.pick(['assigned', 'under_investigation', 'under_investigation', 'awaiting_interview']);
    const onsetKnown = random.chance(0.62);
    const row: CaseRow = {
      tenant_id: tenant.tenantId,
      id: random.uuid(),
      case_id: '',
      patient_id: patient.id,
      condition_code: condition,
      disease_family: known.family,
      disease_category: family.category,
      classification,
      status,
      onset_on: onsetKnown ? dayOf(collectedAt - random.logNormal(3.2, 0.6) * day) : null,
      collected_on: source === 'provider' ? null : dayOf(collectedAt),
      reported_on: dayOf(createdAt - random.next() * 2 * hour),
      received_on: dayOf(createdAt),
      created_on: dayOf(createdAt),
      organization_id: organizationId,
      facility_id: facilityId,
      program_id: program?.id ?? null,
      task_id: program?.investigationTaskId ?? null,
      jurisdiction_id:
        patient.county_fips === null ? null : (tenant.jurisdictionOfCounty.get(patient.county_fips) ?? null),
      county_fips: patient.county_fips,
      investigator_id: investigator,
      outcome: done ? random.pick(['recovered', 'recovered', 'recovered', 'unknown']) : null,
      pregnant: patient.sex_at_birth === 'F' && random.chance(0.04) ? 'yes' : null,
      source,
      created_at: iso(createdAt),
      updated_at: iso(
        Math.min(now, createdAt + (done ? random.logNormal(12, 0.7) * day : random.next() * daysOld * day)),
      ),
      closed_at: null,
    };
    if (status === 'closed') row.closed_at = row.updated_at;
    const made = { row, results: [] as ResultRow[], createdAt };
    drafts.push(made);
    return made;
  };

  for (const { result, patient } of input.positives.sort((a, b) =>
    a.result.created_at < b.result.created_at ? -1 : 1,
  )) {
    const rule = caseRuleFor(
      result.condition_code ?? result.disease_family,
      result.method,
      result.result_category,
    );
    if (!rule) continue;
    const key = `${patient.id}:${rule.condition.code}`;
    const existing = open.get(key);
    const reReportDays = rule.condition.reReportDays;
    const createdAt = Date.parse(result.created_at);
    if (existing && (reReportDays === null || createdAt - existing.createdAt <= reReportDays * day)) {
      existing.results.push(result);
      continue;
    }
    if (drafts.length >= size.cases) continue;
    const made = draft(
      patient,
      rule.condition.code,
      rule.classification,
      createdAt,
      Date.parse(result.collected_at!),
      'elr',
      result.facility_id,
      result.organization_id,
    );
    made.results.push(result);
    open.set(key, made);
  }

  for (let index = 0; drafts.length < size.cases && input.reporters.length > 0; index++) {
    const report = input.reporters[index % input.reporters.length]!;
    const condition = providerReported[report.family];
    if (!condition) {
      if (index > input.reporters.length * 40) break;
      continue;
    }
    const createdAt = report.at + random.logNormal(30, 0.8) * hour;
    if (createdAt > now) continue;
    const lawful = conditionByCode(condition)!.classifications.filter(
      (each) => each === 'suspect' || each === 'probable',
    );
    if (lawful.length === 0) continue;
    draft(
      report.patient,
      condition,
      random.pick(lawful),
      createdAt,
      report.at,
      'provider',
      report.patient.facility_ids[0] ?? null,
      report.patient.organization_ids[0] ?? null,
    );
  }

  drafts.sort((a, b) => a.createdAt - b.createdAt || (a.row.id < b.row.id ? -1 : 1));
  const counters = new Map<string, number>();
  const caseResults: CaseResultRow[] = [];
  const events: CaseEventRow[] = [];
  const event = (row: CaseRow, at: string, kind: string, detail: object, account: string | null = null) =>
    events.push({
      tenant_id: row.tenant_id,
      id: random.uuid(),
      case_report_id: row.id,
      at,
      account_id: account,
      kind,
      detail: JSON.stringify(detail),
    });
  for (const { row, results } of drafts) {
    const year = row.created_on.slice(0, 4);
    const number = (counters.get(year) ?? 0) + 1;
    counters.set(year, number);
    row.case_id = `${year}-${String(number).padStart(7, '0')}`;
    event(row, row.created_at, 'opened', { classification: row.classification, source: row.source });
    for (const result of results) {
      caseResults.push({ tenant_id: row.tenant_id, case_report_id: row.id, result_id: result.id });
      event(row, result.created_at, 'result-received', { resultId: result.id });
    }
    if (row.investigator_id)
      event(row, row.updated_at, 'assigned', { to: row.investigator_id }, row.investigator_id);
    if (row.status !== 'new')
      event(row, row.updated_at, 'status-changed', { from: 'new', to: row.status }, row.investigator_id);
  }
  return { cases: drafts.map((made) => made.row), caseResults, events };
}

/** What providers report on clinical grounds, by the family of the test that came back without a positive. */
const providerReported: Readonly<Record<string, string>> = {
  salmonellosis: 'salmonellosis',
  shigellosis: 'shigellosis',
  pertussis: 'pertussis',
  dengue: 'dengue',
  coronavirus: 'covid-19',
  syphilis: 'syphilis-unknown-stage',
  gonorrhea: 'gonorrhea',
  chlamydia: 'chlamydia',
};
