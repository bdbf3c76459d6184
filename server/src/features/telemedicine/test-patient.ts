import type { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import type { TestApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
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
