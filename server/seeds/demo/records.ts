import { createHash } from 'node:crypto';
import { addDays } from '@caseway/contract/date-range';
import { makeCases } from './cases.ts';
import { day, dayOfYear, historyDays, localDays } from './days.ts';
import {
  type DemoTest,
  type Encounter,
  encounters,
  isTestedAt,
  outbreaks,
  reflexOf,
  specimenOfSite,
} from './epidemiology.ts';
import { personMaker } from './people.ts';
import { Random, Weighted } from './random.ts';
import { firstReportOf, resultMaker } from './results.ts';
import type {
  CaseEventRow,
  CaseResultRow,
  CaseRow,
  DemoChunk,
  PatientRow,
  ResultRow,
  SpecimenRow,
} from './rows.ts';
import type { DemoSize, TenantToFill } from './tenant-to-fill.ts';

/**
 * Makes the records of a demo tenant: deterministic for a seed and a day. Yields patients with their specimens and
 * results in chunks. Returns the case reports, which follow the same rules as imports, completed with reports from
 * providers (cases without a laboratory result) to the requested number.
 */
export function* demoRecords(
  tenant: TenantToFill,
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

  const facilitiesOf = Map.groupBy(tenant.facilities, (facility) => facility.countyFips);
  const encounterPick = new Weighted(encounters, (encounter) => encounter.share);
  const outbreakShare = outbreaks.reduce((sum, outbreak) => sum + outbreak.per10000, 0) / 10_000;
  const outbreakPick = new Weighted(outbreaks, (outbreak) => outbreak.per10000);

  /** Current results of people with a positive one of the same family. Their cases are decided from these. */
  const evidence: { result: ResultRow; patient: PatientRow }[] = [];
  let positive = new Set<string>();
  const keepEvidence = ({ patients, results }: DemoChunk) => {
    const of = new Map(patients.map((patient) => [patient.id, patient]));
    for (const result of results)
      if (result.superseded_by === null && positive.has(`${result.patient_id} ${result.disease_family}`))
        evidence.push({ result, patient: of.get(result.patient_id)! });
    positive = new Set();
  };
  const reporters: { patient: PatientRow; family: string; at: number }[] = [];
  let results = 0;
  let accession = 0;

  const makePatient = personMaker(tenant, facilitiesOf, random);
  const makeResult = resultMaker(tenant, { random, clock, seed, now });

  let made = 0;
  let chunk: DemoChunk = { patients: [], identifiers: [], specimens: [], results: [] };
  let returning: { patient: PatientRow; encounter: Encounter }[] = [];
  while (results < size.results) {
    // New people until there are enough, spread evenly over the results; otherwise someone comes back. A little
    // ahead, because the last encounter may bring several results.
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
    if (ageYears !== null && encounter.age(ageYears) === 0) continue;
    const suited = (one: (typeof tenant.facilities)[number]) => isTestedAt(one.facilityType, ageYears);
    const near = facilitiesOf.get(patient.county_fips ?? '')?.filter(suited) ?? [];
    const facility = random.pick(near.length > 0 ? near : tenant.facilities.filter(suited));
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
          assigner: facility.name.toLowerCase(),
          value: `M${random.between(1_000_000, 9_999_999)}`,
        });
      returning.push({ patient, encounter });
    }
    if (!patient.facility_ids.includes(facility.id)) patient.facility_ids.push(facility.id);
    const visit = { encounter, patient, facility, collected, ageYears };
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
        type_code: specimenOfSite[site]!,
        site_text: site,
        collected_at: iso(collected),
        received_at: null,
        created_at: iso(collected),
      };
      // A swab cannot be tested for antibodies, so blood is drawn too.
      const blood = site === 'blood' ? specimen : drawnBeside(specimen);
      const before = chunk.results.length;
      const orders: { order: DemoTest; forced?: number }[] = encounter.tests
        // Blood tests of a panel are drawn once, whatever the number of swabs.
        .filter((order) => index === 0 || order.wording !== 'reactive')
        .map((order) => ({
          order,
          forced: outbreak && order.family === outbreak.family ? outbreak.positivity : undefined,
        }));
      for (const { order, forced } of orders) {
        const isReflex = !encounter.tests.includes(order);
        if (results >= size.results || ((forced === undefined || isReflex) && !random.chance(order.ordered)))
          continue;
        const result = makeResult(
          order,
          visit,
          site === 'blood' || order.wording === 'reactive' || isReflex ? blood : specimen,
          results,
          forced,
        );
        if (!result) continue;
        results++;
        if (result.result_category === 'positive' && !isReflex)
          // Whether it agrees with the screen does not depend on the person.
          for (const next of reflexOf(order)) orders.push({ order: next, forced: next.positivity });
        // A few are corrected.
        if (random.chance(0.004)) {
          chunk.results.push(firstReportOf(result, random.uuid()));
          result.status = 'corrected';
        }
        chunk.results.push(result);
        if (result.result_category === 'positive') positive.add(`${patient.id} ${order.family}`);
        // The portal's patient has only the cases of her story.
        else if (
          !isReflex &&
          reporters.length < size.cases &&
          random.chance(0.08) &&
          patient.id !== tenant.patient?.patientId
        )
          reporters.push({ patient, family: order.family, at: collected });
      }
      if (chunk.results.length > before) {
        for (const one of new Set([specimen, blood])) {
          const first = chunk.results.slice(before).find(({ specimen_id }) => specimen_id === one.id);
          if (first) chunk.specimens.push({ ...one, received_at: first.received_at });
        }
        for (const { organization_id: organization, disease_family: family } of chunk.results.slice(before)) {
          if (organization && !patient.organization_ids.includes(organization))
            patient.organization_ids.push(organization);
          if (!patient.disease_families.includes(family)) patient.disease_families.push(family);
        }
      }
    }
    // People come back only within their chunk, because its rows are final once it is yielded.
    if (chunk.results.length >= (size.perPart ?? 4000) && made < size.patients) {
      keepEvidence(chunk);
      yield chunk;
      chunk = { patients: [], identifiers: [], specimens: [], results: [] };
      returning = [];
    }
  }
  keepEvidence(chunk);
  if (chunk.results.length > 0 || chunk.patients.length > 0) yield chunk;

  return makeCases({ tenant, size, now, random, evidence, reporters, dayOf: clock.dayOf });
}

/** Blood drawn at the same visit as a swab or urine. It uses no random numbers. */
function drawnBeside(specimen: SpecimenRow): SpecimenRow {
  const hash = createHash('sha256').update(`blood beside ${specimen.id}`).digest('hex');
  const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return {
    ...specimen,
    id,
    accession: `${specimen.accession}B`,
    type_code: specimenOfSite.blood!,
    site_text: 'blood',
  };
}

/** Possible sites for a specimen of this encounter, for this person. */
function sitesFor(encounter: Encounter, patient: PatientRow): readonly string[] {
  if (encounter.id !== 'sti') return encounter.sites;
  return patient.sex_at_birth === 'M'
    ? ['urine', 'urine', 'urine', 'urethral', 'pharyngeal', 'rectal']
    : ['vaginal', 'vaginal', 'urine', 'cervical', 'pharyngeal'];
}
