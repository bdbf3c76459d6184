import { healthDepartment } from './health-department.ts';
import { type DemoTenant, demoId } from './tenant-parts.ts';
import { testingVendor } from './testing-vendor.ts';

export interface DemoJurisdiction {
  id: string;
  name: string;
  parentId: string | null;
  countyFips: string[];
  /** Tenants that report to it, the managing tenant first. */
  tenantIds: string[];
}
export interface DemoWorld {
  /** The state health department. */
  demo: DemoTenant;
  /** The testing vendor. */
  vendor: DemoTenant;
  /** The tenant whose one organisation administers the system. */
  system: DemoTenant;
  jurisdictions: DemoJurisdiction[];
  /** The record behind the demo patient's sign-in; filling the tenants creates the patient with this id. */
  patient: DemoPatient;
}

/** A person who signs in as a patient. */
export interface DemoPatient {
  tenantId: string;
  patientId: string;
  firstName: string;
  lastName: string;
  email: string;
  birthDate: string;
}

function systemTenant(): DemoTenant {
  return {
    id: demoId('tenant/system'),
    slug: 'system',
    name: 'Caseway Operations',
    logo: null,
    experience: 'SYSTEM_ADMINISTRATION',
    stateFips: '12',
    timeZone: 'America/New_York',
    languages: ['en', 'en-GB', 'es', 'ht'],
    guideChecked: [],
    organizations: [],
    facilities: [],
    programTypes: [],
    programs: [],
    tasks: [],
  };
}

/** The fixed parts of the demo, without a database. */
export function demoWorld(): DemoWorld {
  const demo = healthDepartment();
  const vendor = testingVendor();
  const jurisdiction = (
    name: string,
    countyFips: string[],
    tenantIds: string[],
    parentId: string | null = null,
  ): DemoJurisdiction => ({
    id: demoId(`jurisdiction/${name}`),
    name,
    parentId,
    countyFips,
    tenantIds,
  });
  const gulf = jurisdiction(
    'West Coast Health Region',
    ['12015', '12017', '12053', '12057', '12081', '12101', '12103', '12115'],
    [demo.id],
  );
  return {
    demo,
    vendor,
    system: systemTenant(),
    jurisdictions: [
      gulf,
      // Hillsborough, Pasco and Pinellas: the jurisdiction of the demo account with that name.
      jurisdiction(
        'Tampa Bay Tri-County Health Jurisdiction',
        ['12057', '12101', '12103'],
        [demo.id, vendor.id],
        gulf.id,
      ),
      jurisdiction('Southeast Health Jurisdiction', ['12011', '12086', '12087', '12099'], [demo.id]),
      jurisdiction(
        'Panhandle Health Jurisdiction',
        ['12005', '12033', '12091', '12113', '12131'],
        [demo.id, vendor.id],
      ),
      jurisdiction('Duval County Health Jurisdiction', ['12031'], [demo.id]),
    ],
    patient: {
      tenantId: demo.id,
      patientId: demoId('demo/patient/portal'),
      firstName: 'Marisol',
      lastName: 'Demopatient',
      email: 'patient@demo.caseway.test',
      birthDate: '1984-05-06',
    },
  };
}
