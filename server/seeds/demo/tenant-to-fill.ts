import type { DemoPatient } from './tenants.ts';

/** The facts about a tenant that the generator needs. */
export interface TenantToFill {
  tenantId: string;
  timeZone: string;
  /** Places where people are tested. */
  facilities: readonly {
    id: string;
    name: string;
    facilityType: string;
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
  /** The first generated person: the one who signs in as a patient. */
  patient?: Omit<DemoPatient, 'tenantId'>;
}

/** How much is generated. */
export interface DemoSize {
  patients: number;
  results: number;
  cases: number;
  /** Also: cases of the five years before, people who have long lived with HIV, and retests. */
  earlierYears?: boolean;
  /** Results per part, which is stored in its own transaction; 4,000 by default. */
  perPart?: number;
}
