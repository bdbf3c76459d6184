import { ringLogo } from './logos.ts';
import {
  type DemoTenant,
  demoId,
  facilityMaker,
  labels,
  organizationMaker,
  plannedPrograms,
} from './tenant-parts.ts';

/** The tenant of a company that tests for others. */
export function testingVendor(): DemoTenant {
  const slug = 'vendor';
  const organization = organizationMaker(slug);
  const facility = facilityMaker(slug, 500);
  const employers = organization('Brightwell Employer Testing', 'WORKPLACE');
  const campus = organization('Brightwell Campus Testing', 'EDUCATION');
  return {
    id: demoId('tenant/vendor'),
    slug,
    name: 'Brightwell Diagnostics',
    logo: ringLogo,
    experience: 'HEALTH_CARE',
    stateFips: '12',
    timeZone: 'America/Chicago',
    languages: ['en', 'es'],
    guideChecked: [],
    organizations: [employers, campus],
    facilities: [
      facility('Brightwell Reference Laboratory', 'laboratory', '12033'),
      facility('Brightwell Tampa Laboratory', 'laboratory', '12057'),
      facility('Brightwell Collection Site Clearwater', 'clinic', '12103'),
      facility('Brightwell Collection Site Dade City', 'clinic', '12101'),
      facility('Brightwell Collection Site Pensacola', 'clinic', '12033'),
      facility('Brightwell Collection Site Panama City', 'clinic', '12005'),
      facility('Brightwell Collection Site Orlando', 'clinic', '12095'),
      facility('Brightwell at Work Tampa', 'worksite', '12057', employers),
      facility('Brightwell on Campus Tallahassee', 'school', '12073', campus),
    ],
    ...plannedPrograms(slug, [
      {
        ...labels('Contract testing', 'Pruebas por contrato', 'Tès sou kontra'),
        programs: [
          {
            ...labels('Respiratory panel', 'Panel respiratorio', 'Panèl respiratwa'),
            diseaseFamilies: ['coronavirus', 'influenza', 'rsv', 'other-respiratory-virus', 'pertussis'],
            tasks: ['testing'],
          },
          {
            ...labels('Sexual health panel', 'Panel de salud sexual', 'Panèl sante seksyèl'),
            diseaseFamilies: [
              'chlamydia',
              'gonorrhea',
              'trichomoniasis',
              'syphilis',
              'hiv',
              'hepatitis-b',
              'hepatitis-c',
            ],
            tasks: ['testing', 'telemedicine'],
          },
        ],
      },
      {
        ...labels('Event testing', 'Pruebas en eventos', 'Tès nan evènman'),
        programs: [
          {
            ...labels('Workplace testing', 'Pruebas en el trabajo', 'Tès nan travay'),
            organization: employers,
            diseaseFamilies: [],
            tasks: ['testing'],
          },
        ],
      },
    ]),
  };
}
