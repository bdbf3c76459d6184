import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { patientPerson } from './patients.ts';
import { type ChangeOf, writtenSchema } from './record.ts';

const text = z.string().nullable();
const name = { lastName: text, firstName: text };

/** The person whose record another one became a part of. */
export const mergedPatient = endpoint({
  method: 'GET',
  path: '/api/web/patients/:id/merged',
  access: 'patients/read',
  deed: 'read',
  summary: 'The patient into whom a patient was merged',
  patientData: true,
  params: z.strictObject({ id: z.uuid() }),
  response: z.object({ id: z.uuid(), ...name }),
});

/** What is compared of a person who is being entered, as far as it is known. */
const entered = writtenSchema(patientPerson.fields)
  .pick({
    lastName: true,
    firstName: true,
    middleName: true,
    nameSuffix: true,
    birthDate: true,
    sex: true,
    street: true,
    city: true,
    postalCode: true,
    phones: true,
  })
  .partial();

/** How many are answered at most, the likeliest first. */
export const alikeLimit = 5;

/** The patients whom the reader sees, and who may be the one that is being entered. */
export const alikePatients = endpoint({
  method: 'POST',
  path: '/api/web/patients/alike',
  access: 'patients/write',
  deed: 'search',
  summary: 'Patients who may be the person that is being entered',
  patientData: true,
  body: entered as unknown as z.ZodType<Partial<ChangeOf<typeof patientPerson>>>,
  response: z.object({
    patients: z.array(
      z.object({
        id: z.uuid(),
        ...name,
        birthDate: day.nullable(),
        sex: text,
        city: text,
        certain: z.boolean(),
      }),
    ),
  }),
});
