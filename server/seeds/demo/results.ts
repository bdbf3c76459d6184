import { testByLoinc } from '../../src/features/reference/catalog.ts';
import { day, dayOfYear, historyDays, hour, type LocalDays } from './days.ts';
import type { DemoTest, Encounter } from './epidemiology.ts';
import type { Random } from './random.ts';
import type { PatientRow, ResultRow, SpecimenRow } from './rows.ts';
import type { TenantToFill } from './tenant-to-fill.ts';

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

/** A person's visit to a place where people are tested. */
export interface Visit {
  encounter: Encounter;
  patient: PatientRow;
  facility: TenantToFill['facilities'][number];
  /** When the specimens were collected. */
  collected: number;
  ageYears: number | null;
}

/** Makes the results of tests ordered at a visit. */
export function resultMaker(
  tenant: TenantToFill,
  { random, clock, seed, now }: { random: Random; clock: LocalDays; seed: string; now: number },
) {
  const iso = (instant: number) => new Date(instant).toISOString();
  const programOf = new Map(
    tenant.programs.flatMap((program) => program.families.map((family) => [family, program] as const)),
  );

  /**
   * Undefined if the result is not reported yet. `number` is its index among all results; `positivity` is given if
   * an outbreak decides.
   */
  return (
    order: DemoTest,
    { encounter, patient, facility, collected, ageYears }: Visit,
    specimen: SpecimenRow,
    number: number,
    positivity: number | undefined,
  ): ResultRow | undefined => {
    const received = random.chance(0.06)
      ? null
      : collected + Math.max(0.5, random.logNormal(17, 0.55)) * hour;
    const resulted =
      (received ?? collected + 20 * hour) + Math.max(1, random.logNormal(order.hoursToResult, 0.5)) * hour;
    const reported = resulted + random.logNormal(5, 0.9) * hour;
    // Results that are not reported yet are unknown: the most recent days are incomplete, as in real data.
    if (reported > now) return undefined;
    const at = {
      yearDay: dayOfYear(clock.dayOf(collected)),
      recency: 1 - (now - collected) / (historyDays * day),
    };
    const chanceOfPositive =
      positivity ??
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
    return {
      tenant_id: tenant.tenantId,
      id: random.uuid(),
      patient_id: patient.id,
      specimen_id: specimen.id,
      source_key: `demo:${seed}:${number}`,
      content_hash: `demo:${number}`,
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
  };
}

/** The first report of a result that was corrected later: it stays, superseded. */
export const firstReportOf = (result: ResultRow, id: string): ResultRow => ({
  ...result,
  id,
  result_category: 'inconclusive',
  value_code: '419984006',
  value_text: 'Inconclusive',
  content_hash: `${result.content_hash}:first`,
  superseded_by: result.id,
});

/** How much likelier than average a person of this age and sex is positive; invented, in the known direction. */
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
