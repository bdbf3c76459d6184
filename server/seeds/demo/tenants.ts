import type { Experience } from '@caseway/contract/session';
import { v5 } from 'uuid';
import { countySeats } from './county-seats.ts';

// The demo is invented but for its geography: real counties, real towns, nobody's department, clinic or programme.

/** The same name gives the same id on every machine, so that links, bookmarks and tests hold. */
const namespace = '5f0c7f0e-3a5b-4b43-9f0e-6a1d5c6c2b11';
export const demoId = (name: string): string => v5(name, namespace);

export type FacilityType =
  | 'county-health'
  | 'hospital'
  | 'laboratory'
  | 'clinic'
  | 'school'
  | 'correctional'
  | 'worksite'
  | 'outreach';

export interface DemoOrganization {
  id: string;
  name: string;
  experience: Experience;
}
export interface DemoFacility {
  id: string;
  name: string;
  facilityType: FacilityType;
  experience: Experience;
  organizationId: string | null;
  /** Ten characters, `10D…`; only where specimens are tested. */
  clia: string | null;
  npi: string;
  street: string;
  city: string;
  postalCode: string;
  countyFips: string;
  /** E.164, from the block that is kept for fiction. */
  phone: string;
}
export interface Labels {
  label: string;
  labelI18N: { es: string; ht: string };
}
export interface DemoProgramType extends Labels {
  id: string;
}
export interface DemoProgram extends Labels {
  id: string;
  programTypeId: string;
  organizationId: string | null;
  /** Codes of the disease families whose results belong to it. */
  diseaseFamilies: string[];
}
export type TaskCategory =
  | 'testing'
  | 'vaccination'
  | 'case-investigation'
  | 'contact-tracing'
  | 'field-visit'
  | 'telemedicine'
  | 'treatment'
  | 'partner-services';
export interface DemoTask extends Labels {
  id: string;
  programId: string;
  taskCategory: TaskCategory;
}
export interface DemoTenant {
  id: string;
  slug: string;
  name: string;
  experience: Experience;
  stateFips: string;
  timeZone: string;
  languages: string[];
  /** Steps of the first-run guide that its administrator has called right as they are. */
  guideChecked: string[];
  organizations: DemoOrganization[];
  facilities: DemoFacility[];
  programTypes: DemoProgramType[];
  programs: DemoProgram[];
  tasks: DemoTask[];
}
export interface DemoJurisdiction {
  id: string;
  name: string;
  parentId: string | null;
  countyFips: string[];
  /** Tenants that report to it, the one that manages it first. */
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
  /** The record behind the demo patient's sign-in; whoever fills the tenants makes the patient with this id. */
  patient: DemoPatient;
}

/** Somebody who signs in as a patient. */
export interface DemoPatient {
  tenantId: string;
  patientId: string;
  firstName: string;
  lastName: string;
  email: string;
  birthDate: string;
}

const labels = (label: string, es: string, ht: string): Labels => ({ label, labelI18N: { es, ht } });

/** A National Provider Identifier in form: nine digits from a count, with the Luhn digit over 80840. Real ones begin with 1. */
function fictionalNpi(count: number): string {
  const body = `2${String(90_000_000 + count)}`;
  const digits = [...`80840${body}`].map(Number).reverse();
  const sum = digits.reduce((total, digit, position) => {
    const weighted = position % 2 === 0 ? digit * 2 : digit;
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const seatOf = new Map(countySeats.map((seat) => [seat.fips, seat]));

/** Numbers facilities in the order they are declared, so that their numbers never repeat across tenants. */
function facilityMaker(slug: string, firstNumber: number) {
  let number = firstNumber;
  return (
    name: string,
    facilityType: FacilityType,
    countyFips: string,
    organization?: DemoOrganization,
    experience: Experience = organization?.experience ?? 'HEALTH_CARE',
  ): DemoFacility => {
    const seat = seatOf.get(countyFips);
    if (!seat) throw new Error(`${countyFips} is no county of the demo`);
    number += 1;
    const tests = ['county-health', 'hospital', 'laboratory', 'clinic', 'outreach'].includes(facilityType);
    return {
      id: demoId(`${slug}/facility/${name}`),
      name,
      facilityType,
      experience,
      organizationId: organization?.id ?? null,
      clia: tests ? `10D9${String(900_000 + number)}` : null,
      npi: fictionalNpi(number),
      street: `${100 + ((number * 37) % 8900)} ${['Example', 'Sample', 'Placeholder', 'Demonstration'][number % 4]} ${['Street', 'Avenue', 'Boulevard'][number % 3]}`,
      city: seat.city,
      postalCode: seat.postalCode,
      countyFips,
      phone: `+1${seat.areaCode}55501${String(number % 100).padStart(2, '0')}`,
    };
  };
}

const organizationMaker =
  (slug: string) =>
  (name: string, experience: Experience): DemoOrganization => ({
    id: demoId(`${slug}/organization/${name}`),
    name,
    experience,
  });

interface ProgramPlan extends Labels {
  organization?: DemoOrganization;
  diseaseFamilies: string[];
  tasks: TaskCategory[];
}
interface ProgramTypePlan extends Labels {
  programs: ProgramPlan[];
}

const taskLabels: Record<TaskCategory, Labels> = {
  testing: labels('Testing', 'Pruebas', 'Tès'),
  vaccination: labels('Vaccination', 'Vacunación', 'Vaksinasyon'),
  'case-investigation': labels('Case investigation', 'Investigación de casos', 'Ankèt sou ka'),
  'contact-tracing': labels('Contact tracing', 'Rastreo de contactos', 'Rechèch kontak'),
  'field-visit': labels('Field visit', 'Visita de campo', 'Vizit sou teren'),
  telemedicine: labels('Telemedicine', 'Telemedicina', 'Telemedsin'),
  treatment: labels('Treatment', 'Tratamiento', 'Tretman'),
  'partner-services': labels('Partner services', 'Servicios para parejas', 'Sèvis pou patnè'),
};

/** Turns the plan of a tenant's programmes into rows; a task is named after its programme and its category. */
function plannedPrograms(slug: string, plan: readonly ProgramTypePlan[]) {
  const programTypes: DemoProgramType[] = [];
  const programs: DemoProgram[] = [];
  const tasks: DemoTask[] = [];
  for (const { programs: planned, ...typeLabels } of plan) {
    const programTypeId = demoId(`${slug}/program-type/${typeLabels.label}`);
    programTypes.push({ id: programTypeId, ...typeLabels });
    for (const { organization, diseaseFamilies, tasks: categories, ...programLabels } of planned) {
      const programId = demoId(`${slug}/program/${programLabels.label}`);
      programs.push({
        id: programId,
        programTypeId,
        organizationId: organization?.id ?? null,
        diseaseFamilies,
        ...programLabels,
      });
      for (const taskCategory of categories) {
        const words = taskLabels[taskCategory];
        tasks.push({
          id: demoId(`${slug}/task/${programLabels.label}/${taskCategory}`),
          programId,
          taskCategory,
          label: `${programLabels.label}: ${words.label}`,
          labelI18N: {
            es: `${programLabels.labelI18N.es}: ${words.labelI18N.es}`,
            ht: `${programLabels.labelI18N.ht}: ${words.labelI18N.ht}`,
          },
        });
      }
    }
  }
  return { programTypes, programs, tasks };
}

function healthDepartment(): DemoTenant {
  const slug = 'demo';
  const organization = organizationMaker(slug);
  const facility = facilityMaker(slug, 0);
  const community = organization('Mangrove Community Health Network', 'HEALTH_CARE');
  const school = organization('Coquina Unified School District', 'EDUCATION');
  const college = organization('Tidewater State College', 'EDUCATION');
  const corrections = organization('Palmetto Correctional Services', 'CORRECTIONS');
  const employer = organization('Seabright Logistics', 'WORKPLACE');
  const outreach = organization('Harborlight Prevention Partners', 'PUBLIC_HEALTH');

  const facilities = [
    ...countySeats.map((seat) =>
      facility(`${seat.county} County Health Clinic`, 'county-health', seat.fips, undefined, 'PUBLIC_HEALTH'),
    ),
    facility('Gulfstream State Public Health Laboratory', 'laboratory', '12031', undefined, 'PUBLIC_HEALTH'),
    facility(
      'Gulfstream State Public Health Laboratory, Tampa Branch',
      'laboratory',
      '12057',
      undefined,
      'PUBLIC_HEALTH',
    ),
    facility('Anhinga Reference Laboratory', 'laboratory', '12095'),
    facility('Spoonbill Clinical Laboratories', 'laboratory', '12086'),
    facility('Sandpiper Pathology', 'laboratory', '12103'),
    ...(
      [
        ['Biscayne Point Medical Center', '12086'],
        ['Coral Ridge Children’s Hospital', '12086'],
        ['South Everglades Hospital', '12086'],
        ['New River General Hospital', '12011'],
        ['Broward Shores Medical Center', '12011'],
        ['Loxahatchee Regional Hospital', '12099'],
        ['Royal Palm Medical Center', '12099'],
        ['Hillsborough River Hospital', '12057'],
        ['Bayshore University Hospital', '12057'],
        ['Gulf Sands Medical Center', '12103'],
        ['Lake Eola Medical Center', '12095'],
        ['Orange Blossom Children’s Hospital', '12095'],
        ['First Coast General Hospital', '12031'],
        ['St. Johns River Medical Center', '12031'],
        ['Peace River Regional Hospital', '12105'],
        ['Indian River Lagoon Hospital', '12009'],
        ['Caloosahatchee Medical Center', '12071'],
        ['Capital Oaks Hospital', '12073'],
        ['Emerald Bayou Hospital', '12033'],
        ['Prairie Creek University Hospital', '12001'],
        ['Halifax Dunes Medical Center', '12127'],
        ['Suncoast Pasco Hospital', '12101'],
      ] as const
    ).map(([name, county]) => facility(name, 'hospital', county)),
    ...(
      [
        ['Little Haiti', '12086'],
        ['Hialeah', '12086'],
        ['Homestead', '12086'],
        ['Pompano', '12011'],
        ['Belle Glade', '12099'],
        ['Ybor City', '12057'],
        ['Midtown St. Petersburg', '12103'],
        ['New Port Richey', '12101'],
        ['Parramore', '12095'],
        ['Kissimmee', '12097'],
        ['Northside Jacksonville', '12031'],
        ['Immokalee', '12021'],
      ] as const
    ).map(([name, county]) => facility(`Mangrove Community Clinic ${name}`, 'clinic', county, community)),
    ...(
      [
        ['Sea Oats Elementary School', '12057'],
        ['Coquina Middle School', '12057'],
        ['Sandhill High School', '12057'],
        ['Pelican Island Elementary School', '12103'],
      ] as const
    ).map(([name, county]) => facility(name, 'school', county, school)),
    facility('Tidewater State College Student Health', 'clinic', '12073', college),
    facility('Tidewater State College East Campus', 'school', '12031', college),
    ...(
      [
        ['Palmetto Reception Center', '12125'],
        ['Cypress Strand Correctional Institution', '12051'],
        ['Okefenokee Road Work Camp', '12003'],
      ] as const
    ).map(([name, county]) => facility(name, 'correctional', county, corrections)),
    ...(
      [
        ['Seabright Distribution Center Lakeland', '12105'],
        ['Seabright Port Terminal Tampa', '12057'],
        ['Seabright Cold Storage Miami', '12086'],
      ] as const
    ).map(([name, county]) => facility(name, 'worksite', county, employer)),
    ...(
      [
        ['Harborlight Testing Site Wilton', '12011'],
        ['Harborlight Testing Site Overtown', '12086'],
        ['Harborlight Testing Site Bayside', '12103'],
      ] as const
    ).map(([name, county]) => facility(name, 'outreach', county, outreach)),
  ];

  return {
    id: demoId('tenant/demo'),
    slug,
    name: 'Gulfstream Department of Health',
    experience: 'PUBLIC_HEALTH',
    stateFips: '12',
    timeZone: 'America/New_York',
    languages: ['en', 'es', 'ht'],
    guideChecked: ['basics', 'roles', 'import'],
    organizations: [community, school, college, corrections, employer, outreach],
    facilities,
    ...plannedPrograms(slug, [
      {
        ...labels('STI prevention', 'Prevención de ITS', 'Prevansyon enfeksyon seksyèl'),
        programs: [
          {
            ...labels(
              'Chlamydia and gonorrhea screening',
              'Detección de clamidia y gonorrea',
              'Depistaj klamidya ak gonore',
            ),
            diseaseFamilies: ['chlamydia', 'gonorrhea', 'trichomoniasis', 'mycoplasma-genitalium'],
            tasks: ['testing', 'treatment', 'partner-services'],
          },
          {
            ...labels('Syphilis elimination', 'Eliminación de la sífilis', 'Eliminasyon sifilis'),
            diseaseFamilies: ['syphilis', 'chancroid'],
            tasks: ['testing', 'case-investigation', 'field-visit', 'treatment', 'partner-services'],
          },
        ],
      },
      {
        ...labels('HIV prevention', 'Prevención del VIH', 'Prevansyon VIH'),
        programs: [
          {
            ...labels('HIV testing', 'Pruebas de VIH', 'Tès VIH'),
            diseaseFamilies: ['hiv'],
            tasks: ['testing', 'partner-services', 'telemedicine'],
          },
          {
            ...labels(
              'Harborlight outreach',
              'Alcance comunitario Harborlight',
              'Travay kominotè Harborlight',
            ),
            organization: outreach,
            diseaseFamilies: [],
            tasks: ['testing', 'field-visit'],
          },
        ],
      },
      {
        ...labels('Viral hepatitis', 'Hepatitis virales', 'Epatit viral'),
        programs: [
          {
            ...labels('Hepatitis surveillance', 'Vigilancia de hepatitis', 'Siveyans epatit'),
            diseaseFamilies: ['hepatitis-a', 'hepatitis-b', 'hepatitis-c', 'hepatitis-d', 'hepatitis-e'],
            tasks: ['testing', 'case-investigation', 'vaccination', 'treatment'],
          },
        ],
      },
      {
        ...labels('Tuberculosis control', 'Control de la tuberculosis', 'Kontwòl tibèkiloz'),
        programs: [
          {
            ...labels(
              'Tuberculosis testing and treatment',
              'Detección y tratamiento de la tuberculosis',
              'Tès ak tretman tibèkiloz',
            ),
            diseaseFamilies: ['tuberculosis', 'nontuberculous-mycobacteria', 'leprosy'],
            tasks: ['testing', 'contact-tracing', 'field-visit', 'treatment'],
          },
        ],
      },
      {
        ...labels('Respiratory surveillance', 'Vigilancia respiratoria', 'Siveyans respiratwa'),
        programs: [
          {
            ...labels('Respiratory virus testing', 'Pruebas de virus respiratorios', 'Tès viris respiratwa'),
            diseaseFamilies: [
              'coronavirus',
              'influenza',
              'rsv',
              'other-respiratory-virus',
              'legionellosis',
              'psittacosis',
              'atypical-pneumonia',
            ],
            tasks: ['testing', 'case-investigation', 'contact-tracing', 'telemedicine'],
          },
          {
            ...labels(
              'School respiratory testing',
              'Pruebas respiratorias en escuelas',
              'Tès respiratwa nan lekòl',
            ),
            organization: school,
            diseaseFamilies: [],
            tasks: ['testing'],
          },
        ],
      },
      {
        ...labels(
          'Vaccine-preventable diseases',
          'Enfermedades prevenibles por vacunación',
          'Maladi vaksen ka anpeche',
        ),
        programs: [
          {
            ...labels(
              'Vaccine-preventable disease surveillance',
              'Vigilancia de enfermedades prevenibles',
              'Siveyans maladi vaksen ka anpeche',
            ),
            diseaseFamilies: [
              'pertussis',
              'measles',
              'mumps',
              'rubella',
              'varicella',
              'polio',
              'diphtheria',
              'tetanus',
              'meningococcal',
              'haemophilus-influenzae',
              'pneumococcal',
            ],
            tasks: ['testing', 'case-investigation', 'contact-tracing', 'vaccination'],
          },
        ],
      },
      {
        ...labels('Enteric diseases', 'Enfermedades entéricas', 'Maladi entesten'),
        programs: [
          {
            ...labels(
              'Food and waterborne disease',
              'Enfermedades de transmisión alimentaria e hídrica',
              'Maladi manje ak dlo',
            ),
            diseaseFamilies: [
              'salmonellosis',
              'shigellosis',
              'campylobacteriosis',
              'stec',
              'vibriosis',
              'yersiniosis',
              'listeriosis',
              'cryptosporidiosis',
              'cyclosporiasis',
              'giardiasis',
              'norovirus',
              'botulism',
            ],
            tasks: ['testing', 'case-investigation'],
          },
        ],
      },
      {
        ...labels(
          'Vector-borne and zoonotic diseases',
          'Enfermedades vectoriales y zoonóticas',
          'Maladi vektè ak bèt transmèt',
        ),
        programs: [
          {
            ...labels('Arbovirus surveillance', 'Vigilancia de arbovirus', 'Siveyans abovirus'),
            diseaseFamilies: [
              'dengue',
              'chikungunya',
              'zika',
              'west-nile',
              'other-arboviral',
              'yellow-fever',
              'malaria',
            ],
            tasks: ['testing', 'case-investigation', 'field-visit'],
          },
          {
            ...labels('Zoonotic disease', 'Zoonosis', 'Maladi bèt transmèt'),
            diseaseFamilies: [
              'lyme',
              'spotted-fever',
              'ehrlichiosis-anaplasmosis',
              'rabies',
              'brucellosis',
              'leptospirosis',
              'q-fever',
              'orthopoxvirus',
            ],
            tasks: ['testing', 'case-investigation'],
          },
        ],
      },
      {
        ...labels('Environmental health', 'Salud ambiental', 'Sante anviwònman'),
        programs: [
          {
            ...labels('Childhood lead', 'Plomo en la infancia', 'Plon nan timoun'),
            diseaseFamilies: ['lead', 'cadmium', 'carbon-monoxide'],
            tasks: ['testing', 'case-investigation', 'field-visit'],
          },
        ],
      },
    ]),
  };
}

function testingVendor(): DemoTenant {
  const slug = 'vendor';
  const organization = organizationMaker(slug);
  const facility = facilityMaker(slug, 500);
  const employers = organization('Brightwell Employer Testing', 'WORKPLACE');
  const campus = organization('Brightwell Campus Testing', 'EDUCATION');
  return {
    id: demoId('tenant/vendor'),
    slug,
    name: 'Brightwell Diagnostics',
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

function systemTenant(): DemoTenant {
  return {
    id: demoId('tenant/system'),
    slug: 'system',
    name: 'Caseway Operations',
    experience: 'SYSTEM_ADMINISTRATION',
    stateFips: '12',
    timeZone: 'America/New_York',
    languages: ['en', 'es', 'ht'],
    guideChecked: [],
    organizations: [],
    facilities: [],
    programTypes: [],
    programs: [],
    tasks: [],
  };
}

/** Everything about the demo that is fixed: no database is asked. */
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
      // Hillsborough, Pasco and Pinellas: the jurisdiction of the demo account of that name.
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
