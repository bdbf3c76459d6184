import { countySeats } from './county-seats.ts';
import { wavesLogo } from './logos.ts';
import {
  type DemoTenant,
  demoId,
  facilityMaker,
  labels,
  organizationMaker,
  plannedPrograms,
} from './tenant-parts.ts';

/** The tenant of a state health department. */
export function healthDepartment(): DemoTenant {
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
    logo: wavesLogo,
    experience: 'PUBLIC_HEALTH',
    stateFips: '12',
    timeZone: 'America/New_York',
    languages: ['en', 'en-GB', 'es', 'ht'],
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
