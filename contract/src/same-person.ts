import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { patientPerson } from './patients.ts';
import { type ChangeOf, writtenSchema } from './record.ts';

const text = z.string().nullable();
const name = { lastName: text, firstName: text };

/** The person whose record a merged one became part of. */
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

/** The parts of a person being entered that are compared, as far as known. */
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

/** The most answers, likeliest first. */
export const alikeLimit = 5;

/** Patients the reader sees who may be the person being entered. */
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
