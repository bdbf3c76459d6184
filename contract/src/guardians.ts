import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { type GuardianBar, type GuardianRight, guardianBars, guardianRights } from './guardian-rules.ts';
import { textOfLines } from './name.ts';

/*
 * Guardians of minors: staff link a person with the record of a child, and in the portal that person chooses whose
 * record is shown. A guardian is a person of the tenant and signs in as any patient does.
 */

export const guardianRelations = ['parent', 'legal-guardian', 'other'] as const;
/** How staff checked that the person may act for the child. */
export const guardianEvidence = ['in-person', 'document', 'court-order'] as const;
/** `planned` begins later; `over` has passed its last day, or the child is too old by now; `ended`: staff ended it. */
export const guardianStates = ['active', 'planned', 'over', 'ended'] as const;

const id = z.uuid();
const text = z.string().nullable();
const ofChild = z.strictObject({ id });

export interface Guardian {
  id: string;
  /** Null if the reader does not see the person; then there is no name either. */
  personId: string | null;
  firstName: string | null;
  lastName: string | null;
  relation: (typeof guardianRelations)[number];
  evidence: (typeof guardianEvidence)[number];
  from: string;
  /** The last day; null until the birthday. */
  until: string | null;
  state: (typeof guardianStates)[number];
  madeBy: string | null;
  madeAt: string;
  endedBy: string | null;
  endedAt: string | null;
  endReason: string | null;
}
const guardian = z.object({
  id,
  personId: id.nullable(),
  firstName: text,
  lastName: text,
  relation: z.enum(guardianRelations),
  evidence: z.enum(guardianEvidence),
  from: day,
  until: day.nullable(),
  state: z.enum(guardianStates),
  madeBy: text,
  madeAt: z.iso.datetime(),
  endedBy: text,
  endedAt: z.iso.datetime().nullable(),
  endReason: text,
}) as unknown as z.ZodType<Guardian>;

export interface GuardiansAnswer {
  /** Why no guardian can be linked now; null if one can. */
  bar: GuardianBar | null;
  /** The birthday from which guardians see nothing; null if the day of birth is not known. */
  closesOn: string | null;
  /** Today in the tenant's time zone. */
  today: string;
  /** Present ones first, then the latest. A place sees those that it has linked. */
  guardians: Guardian[];
}
const guardiansAnswer = z.object({
  bar: z.enum(guardianBars).nullable(),
  closesOn: day.nullable(),
  today: day,
  guardians: z.array(guardian),
}) as unknown as z.ZodType<GuardiansAnswer>;

export const listGuardians = endpoint({
  method: 'GET',
  path: '/api/web/patients/:id/guardians',
  access: 'patients/read',
  deed: 'read',
  summary: 'Who sees a child’s record in the portal as their guardian, and who did',
  patientData: true,
  params: ofChild,
  response: guardiansAnswer,
});
/**
 * Refused with a fault of `person`: `no-birth-date` or `too-old` for the child, `same-person`, `unknown-choice` if
 * the reader does not see the person, `already-linked`; or of `until`: `before-from`, `after-birthday`.
 */
export const linkGuardian = endpoint({
  method: 'POST',
  path: '/api/web/patients/:id/guardians',
  access: 'patients/write',
  deed: 'change',
  summary: 'Let a person see the record of a child in the portal as their guardian',
  patientData: true,
  params: ofChild,
  body: z.strictObject({
    person: id,
    relation: z.enum(guardianRelations),
    evidence: z.enum(guardianEvidence),
    from: day,
    until: day.nullable(),
  }),
  response: guardiansAnswer,
});
/** Takes effect with the guardian’s next request. 409 if it has ended already. */
export const endGuardian = endpoint({
  method: 'POST',
  path: '/api/web/patients/:id/guardians/:guardianId/end',
  access: 'patients/write',
  deed: 'change',
  summary: 'End at once that a guardian sees the record of a child',
  patientData: true,
  params: z.strictObject({ id, guardianId: id }),
  body: z.strictObject({ reason: textOfLines(500) }),
  response: guardiansAnswer,
});

export interface OwnChild {
  id: string;
  firstName: string | null;
  lastName: string | null;
  birthDate: string;
  /** What the guardian may do for the child, of what the tenant has switched on. */
  may: GuardianRight[];
}
const ownChild = z.object({
  id,
  firstName: text,
  lastName: text,
  birthDate: day,
  may: z.array(z.enum(guardianRights)),
}) as unknown as z.ZodType<OwnChild>;

/** The children whose record the signed-in person may see today. */
export const listOwnChildren = endpoint({
  method: 'GET',
  path: '/api/patient/children',
  access: 'patient',
  deed: 'read',
  summary: 'The children for whom the signed-in person is a guardian today',
  patientData: true,
  response: z.object({ children: z.array(ownChild) }),
});
