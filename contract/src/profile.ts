import { z } from 'zod';
import { phoneNumber, timeZoneName } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { name, nameOrNothing } from './name.ts';
import { languages, passkeyRequest, proofs } from './session.ts';

// — The person —

export const profileFields = z.strictObject({
  firstName: name(100),
  middleName: nameOrNothing(100),
  lastName: name(100),
  languageCode: z.enum(languages),
  timeZone: timeZoneName,
});
export type ProfileFields = z.infer<typeof profileFields>;

export const passkeyName = name(60);

const instant = z.iso.datetime();

/** A user's own account. */
export const profile = z.object({
  firstName: z.string(),
  middleName: z.string(),
  lastName: z.string(),
  languageCode: z.string(),
  timeZone: z.string(),
  username: z.string(),
  email: z.string(),
  /** E.164. */
  phone: z.string().nullable(),
  /** Whether codes are sent to it: not while only someone else has said that it is theirs. */
  phoneConfirmed: z.boolean(),
  /** One of the user's organizations requires a second factor. */
  secondFactorRequired: z.boolean(),
  totp: z.object({ createdAt: instant, lastUsedAt: instant.nullable() }).nullable(),
  passkeys: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      /** Synced to more than one device. */
      synced: z.boolean(),
      createdAt: instant,
      lastUsedAt: instant.nullable(),
    }),
  ),
  recoveryCodesLeft: z.number(),
});
export type Profile = z.infer<typeof profile>;

export const readProfile = endpoint({
  method: 'GET',
  path: '/api/profile',
  access: 'signed-in',
  deed: 'read',
  summary: 'The signed-in person’s own account',
  response: profile,
});
export const changeProfile = endpoint({
  method: 'PATCH',
  path: '/api/profile',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Change name, language and time zone of the signed-in person',
  body: profileFields.partial(),
  response: profile,
});

// — Second factors: adding or removing one needs a recent sign-in —

/** Recovery codes, shown only once; null if some exist already. */
const enrolled = z.object({ recoveryCodes: z.array(z.string()).nullable() });
const details = z.string().min(1).max(4096);

export const beginTotp = endpoint({
  method: 'POST',
  path: '/api/profile/totp/begin',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Begin to add an authenticator app',
  body: z.strictObject({}),
  response: z.object({
    /** Opaque; sent back with the app's first code. */
    details: z.string(),
    /** Base 32, to type into the app. */
    secret: z.string(),
    /** `otpauth://…`, to scan as a QR code. */
    address: z.string(),
  }),
});
export const addTotp = endpoint({
  method: 'POST',
  path: '/api/profile/totp',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Add the authenticator app that shows this code, in place of another',
  body: z.strictObject({ details, code: z.string().max(20) }),
  response: enrolled,
});
export const removeTotp = endpoint({
  method: 'DELETE',
  path: '/api/profile/totp',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Remove the authenticator app',
});
export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/profile/passkeys/begin',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Begin to add a passkey',
  body: z.strictObject({}),
  response: z.object({
    /** Opaque; sent back with the browser's answer. */
    details: z.string(),
    /** WebAuthn's PublicKeyCredentialCreationOptionsJSON. */
    options: passkeyRequest,
  }),
});
export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/profile/passkeys',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Add the passkey that the browser has made',
  body: z.strictObject({
    details,
    name: passkeyName,
    /** WebAuthn's RegistrationResponseJSON. */
    response: z.looseObject({ id: z.string().max(1024) }),
  }),
  response: enrolled,
});
export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/api/profile/passkeys/:id',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Give a passkey another name',
  params: z.strictObject({ id: z.uuid() }),
  body: z.strictObject({ name: passkeyName }),
});
export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/profile/passkeys/:id',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Remove a passkey',
  params: z.strictObject({ id: z.uuid() }),
});
export const makeRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/profile/recovery-codes',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Make new recovery codes; those before are worth nothing any more',
  body: z.strictObject({}),
  response: z.object({ recoveryCodes: z.array(z.string()) }),
});

// — Email address and telephone number: changed once the new and the current one are confirmed —

export const contactChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('EMAIL'), value: z.email().max(254) }),
  z.strictObject({
    kind: z.literal('PHONE'),
    value: phoneNumber,
    /** EMAIL for a user who has no number yet, or has lost the current one. */
    presentBy: z.enum(['SMS', 'EMAIL']),
  }),
]);
export type ContactChange = z.infer<typeof contactChange>;

/** The answer once both codes are being sent. */
export const contactBegun = z.object({
  /** Opaque; sent back with both codes. */
  details: z.string(),
  /** Where the code for the current address was sent. */
  present: z.object({ by: z.enum(['EMAIL', 'SMS']), destination: z.string() }),
  expiresAt: instant,
});
export type ContactBegun = z.infer<typeof contactBegun>;

const contactCode = z.string().trim().max(20);

export const beginContactChange = endpoint({
  method: 'POST',
  path: '/api/profile/contact',
  access: 'signed-in',
  deed: 'sign-in',
  summary:
    'Begin to change mail address or telephone number: sends a code to the new one and to the present one',
  body: contactChange,
  response: contactBegun,
});
export const confirmContactChange = endpoint({
  method: 'POST',
  path: '/api/profile/contact/confirm',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Change mail address or telephone number with the codes that both have received',
  body: z.strictObject({ details, newCode: contactCode, presentCode: contactCode }),
  response: profile,
});
export const removePhone = endpoint({
  method: 'DELETE',
  path: '/api/profile/phone',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'Remove the telephone number',
});

// — Sessions —

/** One signed-in session. */
export const openSession = z.object({
  id: z.uuid(),
  /** The session of this request. */
  current: z.boolean(),
  /** The browser's user agent; null if it sent none. */
  userAgent: z.string().nullable(),
  /** The network address it started from. */
  address: z.string().nullable(),
  methods: z.array(z.enum(proofs)),
  /** ISO 8601 in UTC. */
  createdAt: instant,
  /** When its tokens were last renewed. */
  lastUsedAt: instant,
  /** When it ends, no matter how much it is used. */
  endsAt: instant,
});
export type OpenSession = z.infer<typeof openSession>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/profile/sessions',
  access: 'signed-in',
  deed: 'read',
  summary: 'Where the signed-in person is signed in, the latest first',
  response: z.object({ sessions: z.array(openSession) }),
});
export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/profile/sessions/:id',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'End one session of the signed-in person',
  params: z.strictObject({ id: z.uuid() }),
});
export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/profile/sessions/end-others',
  access: 'signed-in',
  deed: 'sign-in',
  summary: 'End every session of the signed-in person but the one that asks',
  body: z.strictObject({}),
  response: z.object({ ended: z.number() }),
});
