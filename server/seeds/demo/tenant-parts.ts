import type { Experience } from '@caseway/contract/session';
import { v5 } from 'uuid';
import { countySeats } from './county-seats.ts';

// The demo is invented except for its geography: real counties and towns, but no real department, clinic or
// programme.

/** The same name gives the same id on every machine, so that links, bookmarks and tests keep working. */
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
  /** Ten characters, `10D…`; only for facilities that test specimens. */
  clia: string | null;
  npi: string;
  street: string;
  city: string;
  postalCode: string;
  countyFips: string;
  /** E.164, from the block reserved for fiction. */
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
  /** Draws its logo; null without one. */
  logo: (() => Promise<Buffer>) | null;
  experience: Experience;
  stateFips: string;
  timeZone: string;
  languages: string[];
  /** Steps of the first-run guide that its administrator has confirmed. */
  guideChecked: string[];
  organizations: DemoOrganization[];
  facilities: DemoFacility[];
  programTypes: DemoProgramType[];
  programs: DemoProgram[];
  tasks: DemoTask[];
}
/** A label in the languages of the demo. */
export const labels = (label: string, es: string, ht: string): Labels => ({ label, labelI18N: { es, ht } });

/**
 * A number in the form of a National Provider Identifier: nine digits from a count, with the Luhn digit over 80840.
 * Real ones begin with 1.
 */
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

/** Numbers facilities in the order of their declaration, so that their numbers never repeat across tenants. */
export function facilityMaker(slug: string, firstNumber: number) {
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

/** Makes the organisations of a tenant, with ids derived from their names. */
export const organizationMaker =
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
export function plannedPrograms(slug: string, plan: readonly ProgramTypePlan[]) {
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
