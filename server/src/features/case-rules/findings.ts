import { specimenTypeOf, testByLoinc } from '../reference/catalog.ts';
import type { ResultCategory } from '../reference/schema.ts';
import { kindsOf, type TestKind } from './lab-tests.ts';

/** The columns of a result that a rule uses. */
export interface ResultFacts {
  id: string;
  family: string;
  testLoinc: string | null;
  testName: string;
  method: string | null;
  conditionCode: string | null;
  category: ResultCategory;
  /** A code of the list of result statuses. */
  status: string;
  valueText: string | null;
  valueNumber: number | null;
  collectedOn: string | null;
  reportedOn: string | null;
  /** Code or words of the specimen's type. */
  specimenType: string | null;
}

/** A result as the rules see it. */
export interface Finding {
  id: string;
  family: string;
  loinc: string | null;
  method: string | null;
  condition: string | null;
  kinds: ReadonlySet<TestKind>;
  category: ResultCategory;
  isPreliminary: boolean;
  /** The titer 1:2^n as n; null for none, and for one that is not a doubling. */
  dilution: number | null;
  /**
   * The day that it counts for: when the specimen was taken, or else when it was reported; null if neither is known.
   */
  day: string | null;
  collectedOn: string | null;
  reportedOn: string | null;
  /** From a normally sterile site. */
  sterile: boolean;
}

export function findingOf(result: ResultFacts): Finding {
  const test = result.testLoinc === null ? undefined : testByLoinc(result.testLoinc);
  const specimen = result.specimenType === null ? undefined : specimenTypeOf(result.specimenType);
  const site = test?.site ?? specimen?.site ?? null;
  const by = {
    family: result.family,
    method: result.method,
    condition: result.conditionCode,
    component: test?.component ?? result.testName,
    site,
    specimen: specimen?.code ?? null,
  };
  return {
    id: result.id,
    family: result.family,
    loinc: result.testLoinc,
    method: result.method,
    condition: result.conditionCode,
    kinds: kindsOf(by, test !== undefined),
    category: result.category,
    isPreliminary: result.status === 'preliminary',
    dilution: dilutionOf(result.valueText, test?.titer ? result.valueNumber : null),
    day: result.collectedOn ?? result.reportedOn,
    collectedOn: result.collectedOn,
    reportedOn: result.reportedOn,
    sterile: specimen ? specimen.sterile : test?.site === 'blood' || test?.site === 'cerebrospinal',
  };
}

/** A titer as the number of its dilution: 1:8 is 3. A titer that is not a power of two, such as 1:6, is refused. */
export function dilutionOf(text: string | null, number: number | null): number | null {
  const written = /(?:^|[^\d.])1\s*:\s*(\d+)(?![\d.])/.exec(text ?? '');
  const titer = written ? Number(written[1]) : number;
  if (titer === null || titer < 1) return null;
  const dilution = Math.log2(titer);
  return Number.isInteger(dilution) ? dilution : null;
}
