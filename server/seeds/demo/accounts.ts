import type { OrgType } from '@caseway/contract/session';
import { type DemoTenant, demoId } from './tenant-parts.ts';
import type { DemoWorld } from './tenants.ts';

export interface DemoMembership {
  id: string;
  tenantId: string;
  orgType: OrgType;
  orgId: string;
  /** Codes of default roles. */
  roles: string[];
}
export interface DemoAccount {
  id: string;
  /** Also the email address. */
  username: string;
  firstName: string;
  lastName: string;
  languageCode: string;
  timeZone: string;
  memberships: DemoMembership[];
  /** Set for an account that signs in as a patient. */
  patient?: { tenantId: string; patientId: string };
}

type Place = { tenant: DemoTenant; orgType: OrgType; orgId: string };

const wholeTenant = (tenant: DemoTenant): Place => ({ tenant, orgType: 'T', orgId: tenant.id });
function within(tenant: DemoTenant, orgType: 'O' | 'F', name: string): Place {
  const found = (orgType === 'O' ? tenant.organizations : tenant.facilities).find((org) => org.name === name);
  if (!found) throw new Error(`${tenant.name} has no ${name}`);
  return { tenant, orgType, orgId: found.id };
}

/** The demo accounts, one for each default role. [S10.8] */
export function demoAccounts(world: DemoWorld): DemoAccount[] {
  const { demo, vendor, system, jurisdictions, patient } = world;
  const jurisdiction = jurisdictions.find(({ countyFips }) => countyFips.length === 3)!;

  const account = (
    tenant: DemoTenant,
    name: string,
    [firstName, lastName]: [string, string],
    places: (Place & { role: string })[],
    languageCode = 'en',
  ): DemoAccount => {
    const username = `${name}@${tenant === vendor ? 'vendor' : 'demo'}.caseway.test`;
    return {
      id: demoId(`account/${username}`),
      username,
      firstName,
      lastName,
      languageCode,
      timeZone: tenant.timeZone,
      memberships: places.map(({ tenant: { id: tenantId }, orgType, orgId, role }) => ({
        id: demoId(`membership/${username}/${orgType}:${orgId}`),
        tenantId,
        orgType,
        orgId,
        roles: [role],
      })),
    };
  };
  const as = (role: string, place: Place) => ({ ...place, role });
  const department = wholeTenant(demo);
  const clinic = within(demo, 'F', 'Mangrove Community Clinic Ybor City');
  const stateLaboratory = within(demo, 'F', 'Gulfstream State Public Health Laboratory');

  return [
    account(demo, 'sysadmin', ['Sasha', 'Rivers'], [as('system-administrator', wholeTenant(system))]),
    account(demo, 'admin', ['Adaeze', 'Stone'], [as('tenant-administrator', department)]),
    account(
      demo,
      'epi',
      ['Erin', 'Castellanos'],
      [
        as('epidemiologist', department),
        as('epidemiologist', within(demo, 'O', 'Palmetto Correctional Services')),
        as('epidemiologist', within(demo, 'O', 'Tidewater State College')),
      ],
    ),
    account(demo, 'investigator', ['Ines', 'Valdez'], [as('case-investigator', department)]),
    account(demo, 'supervisor', ['Dana', 'Whitlock'], [as('supervisor', department)]),
    account(demo, 'dis', ['Didier', 'Baptiste'], [as('disease-intervention-specialist', department)]),
    account(demo, 'programs', ['Paloma', 'Desrosiers'], [as('program-manager', department)]),
    account(demo, 'clinician', ['Clara', 'Whitcomb'], [as('clinician', department), as('clinician', clinic)]),
    account(
      demo,
      'lab',
      ['Lars', 'Okonkwo'],
      [as('laboratorian', department), as('laboratorian', stateLaboratory)],
    ),
    account(demo, 'entry', ['Enid', 'Marsh'], [as('data-entry', department)]),
    account(demo, 'analyst', ['Anton', 'Reyes'], [as('read-only-analyst', department)]),
    account(
      demo,
      'orgadmin',
      ['Odette', 'Larkin'],
      [as('organization-administrator', within(demo, 'O', 'Mangrove Community Health Network'))],
    ),
    account(
      demo,
      'employer',
      ['Etta', 'Winslow'],
      [
        as('organization-administrator', within(demo, 'O', 'Seabright Logistics')),
        as('facility-user', within(demo, 'F', 'Seabright Port Terminal Tampa')),
      ],
    ),
    account(demo, 'facility', ['Felix', 'Moreau'], [as('facility-user', clinic)]),
    account(
      demo,
      'jurisdiction',
      ['Juno', 'Harper'],
      [as('jurisdiction-user', { tenant: demo, orgType: 'PHJ', orgId: jurisdiction.id })],
    ),
    account(demo, 'auditor', ['Audra', 'Finch'], [as('auditor', department)]),
    account(demo, 'privacy', ['Priya', 'Holloway'], [as('privacy-officer', department)]),
    // They show the product in the language that they are named after.
    account(demo, 'espanol', ['Elena', 'Robles'], [as('case-investigator', department)], 'es'),
    account(demo, 'kreyol', ['Kettly', 'Jean'], [as('disease-intervention-specialist', department)], 'ht'),
    {
      ...account(demo, 'patient', [patient.firstName, patient.lastName], [], 'es'),
      patient: { tenantId: patient.tenantId, patientId: patient.patientId },
    },
    account(vendor, 'admin', ['Vera', 'Nakamura'], [as('tenant-administrator', wholeTenant(vendor))]),
    account(
      vendor,
      'lab',
      ['Leo', 'Abernathy'],
      [
        as('laboratorian', wholeTenant(vendor)),
        as('laboratorian', within(vendor, 'F', 'Brightwell Reference Laboratory')),
      ],
    ),
    account(vendor, 'analyst', ['Ada', 'Lindqvist'], [as('read-only-analyst', wholeTenant(vendor))]),
  ];
}
