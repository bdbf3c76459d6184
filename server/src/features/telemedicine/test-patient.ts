import { consentWording } from '@caseway/contract/portal';
import { type TelemedicineVisit, telemedicineRecord } from '@caseway/contract/telemedicine';
import type { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import type { TestApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient } from '../../../test/factories.ts';
import { signInAs, signInAsPatient } from '../../../test/sign-in.ts';

/** For tests: the demo's patient with a record, signed in to the portal, and a clinician of the department. */
export async function patientAndClinician(
  testing: TestApp,
  { demo, patient: own }: Awaited<ReturnType<typeof seedDemoTenants>>,
) {
  await makePatient(testing.database, {
    tenant_id: demo.id,
    id: own.patientId,
    first_name: 'Marisol',
    birth_date: own.birthDate,
    emails: [own.email],
  });
  const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
  const patient = await signInAsPatient(testing, { email: own.email }, own.birthDate);
  return { clinician, patient, ofPatient: askingAs(testing, patient, '/api/patient/') };
}

const step = 5 * 60_000;
/** The instant this many milliseconds after the next five-minute step, because bookings begin on one. */
export const afterNextStep = (ms: number): string =>
  new Date((Math.floor(Date.now() / step) + 1) * step + ms).toISOString();
/** This many hours after it. */
export const inHours = (hours: number): string => afterNextStep(hours * 3_600_000);

/** The same two, with the clinician's actions on visits of the patient, and how the patient gets mail. */
export async function visitsOfPatient(testing: TestApp, seeded: Awaited<ReturnType<typeof seedDemoTenants>>) {
  const people = await patientAndClinician(testing, seeded);
  const { patientId: own } = seeded.patient;
  const { ok, ask } = askingAs(testing, people.clinician);
  type Providers = { options: { id: string; label: string }[] };
  const { options } = await ok<Providers>('GET', 'list/options/providers');
  const provider = options[0]!;
  const time = (startsAt: string) => ({ provider: provider.id, startsAt, minutes: 20 });
  const does = (one: TelemedicineVisit, transition: string, fields: object = {}, reason?: string) =>
    ok<TelemedicineVisit>('POST', `telemedicine/${one.id}/transitions/${transition}`, {
      version: one.version,
      fields,
      reason,
    });
  return {
    ...people,
    ok,
    ask,
    provider,
    time,
    does,
    booked: async (startsAt: string, patient: string = own) => {
      const wish = await ok<TelemedicineVisit>('POST', 'telemedicine', {
        ...blankOf(telemedicineRecord),
        patient,
        visitType: 'treatment',
        taskCategory: 'telemedicine',
        note: 'Syphilis, second dose.',
      });
      return does(wish, 'book', time(startsAt));
    },
    agrees: (given: boolean) =>
      people.ofPatient.ok('POST', 'consents', { kind: 'email', given, wording: consentWording }),
    speaks: (language: string) =>
      asSuperuser(
        'update account set language_code = $2 where patient_id = $1',
        [own, language],
        testing.superuserUrl,
      ),
  };
}
