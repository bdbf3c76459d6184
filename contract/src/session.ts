import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { whereValid } from './where-valid.ts';

/** Tenant, organization, facility, public-health jurisdiction. [S6.1] */
export const orgTypes = ['T', 'O', 'F', 'PHJ'] as const;
export type OrgType = (typeof orgTypes)[number];

/** The type of an organization, for the wording of labels; the i18next context of the screens. [S1.5] */
export const experiences = [
  'SYSTEM_ADMINISTRATION',
  'PUBLIC_HEALTH',
  'HEALTH_CARE',
  'EDUCATION',
  'CORRECTIONS',
  'WORKPLACE',
] as const;
export type Experience = (typeof experiences)[number];
/**
 * The experiences a tenant and its places can have; only the installation creates the system administration
 * one. [S1.5, S6.4]
 */
export const tenantExperiences = experiences.filter(
  (experience): experience is Exclude<Experience, 'SYSTEM_ADMINISTRATION'> =>
    experience !== 'SYSTEM_ADMINISTRATION',
);

/** [S10.3] */
export const challengeMethods = ['EMAIL', 'SMS', 'TOTP', 'PASSKEY'] as const;
export type ChallengeMethod = (typeof challengeMethods)[number];

/**
 * How someone proves their identity: a recovery code replaces a lost second factor; a patient gives their
 * birth date after the code.
 */
export const proofs = [...challengeMethods, 'RECOVERY_CODE', 'BIRTH_DATE'] as const;
export type Proof = (typeof proofs)[number];

/** The product's languages; `en` is American English and the base of `en-GB`. [S1.4] */
export const languages = ['en', 'en-GB', 'es', 'ht'] as const;
export type Language = (typeof languages)[number];

// — Signing in —

const username = z.string().trim().min(1).max(254);

/** An optional property: clients may omit it, or send it empty or null. [S7.3] */
const ifAny = <Text extends z.ZodType<string>>(text: Text) =>
  z
    .union([text, z.literal(''), z.null()])
    .transform((given) => given || undefined)
    .optional();

export const signInBody = z
  .strictObject({
    /** The host name of the requesting page. */
    origin: z.string().max(253),
    /** Optional only with PASSKEY, because the passkey identifies the account. */
    username: ifAny(username),
    challengeMethod: z.enum(challengeMethods),
  })
  .refine(({ username, challengeMethod }) => username !== undefined || challengeMethod === 'PASSKEY', {
    error: 'a username is needed',
    path: ['username'],
    params: { code: 'required' },
    when: whereValid('username'),
  });

/**
 * A patient gives at least one of email, phone, user name or patient id; several must match the same patient.
 * The patient id is the number on the invitation (ignoring blanks, dashes and case) or the record's own.
 */
export const patientSignInBody = z
  .strictObject({
    origin: z.string().max(253),
    email: ifAny(z.email().max(254)),
    phone: ifAny(z.string().regex(/^\+[1-9]\d{6,14}$/)),
    username: ifAny(username),
    patientId: ifAny(z.string().trim().min(1).max(100)),
    challengeMethod: z.enum(challengeMethods),
  })
  .refine(({ email, phone, username, patientId }) => [email, phone, username, patientId].some(Boolean), {
    error: 'one of email, phone, username and patientId is needed',
    path: ['email'],
    params: { code: 'identification-missing' },
    when: whereValid('email', 'phone', 'username', 'patientId'),
  });

/** What a browser needs to request a passkey (WebAuthn's PublicKeyCredentialRequestOptionsJSON). */
export const passkeyRequest = z.looseObject({ challenge: z.string() });

/** The same for a known, unknown or disabled account. [S7.3, P12] */
export const signInAnswer = z.object({
  /** Opaque; sent back with the secret. */
  details: z.string(),
  challengeMethod: z.enum(challengeMethods),
  /**
   * Where the code is sent, masked (`e***@d***`) from what was typed; `****@****` for a name that is not an
   * address; null if nothing is sent. Its constant length does not reveal whether the account exists.
   */
  destination: z.string().nullable(),
  /** When the challenge expires, ISO 8601 in UTC. */
  expiresAt: z.iso.datetime(),
  /** When another code can be requested, ISO 8601 in UTC. */
  resendAt: z.iso.datetime(),
  /** Present if a passkey can answer. */
  passkey: passkeyRequest.optional(),
});
export type SignInAnswer = z.infer<typeof signInAnswer>;

/**
 * After a correct first factor of someone with a second factor: the next challenge, and the methods that
 * answer it. [P21]
 */
export const furtherChallenge = signInAnswer.extend({ proofs: z.array(z.enum(proofs)) });
export type FurtherChallenge = z.infer<typeof furtherChallenge>;

/**
 * After a correct code, a patient gives their birth date, which decides who signs in if a family shares an
 * address.
 */
export const patientFurtherChallenge = signInAnswer.extend({
  challengeMethod: z.literal('BIRTH_DATE'),
  proofs: z.tuple([z.literal('BIRTH_DATE')]),
});
export type PatientFurtherChallenge = z.infer<typeof patientFurtherChallenge>;

export const challengeBody = z.strictObject({
  details: z.string().min(1).max(4096),
  /**
   * The one-time code, authenticator code, recovery code, or passkey answer as JSON; for a patient, then the
   * birth date as YYYY-MM-DD.
   */
  secret: z.string().trim().min(1).max(8192),
});
export const tokens = z.object({ accessToken: z.string(), refreshToken: z.string() });
export type Tokens = z.infer<typeof tokens>;

export const refreshBody = z.strictObject({ refreshToken: z.string().min(1).max(4096) });

/** Payload of the access token. Further claims are the server's own. [S3.7] */
export const accessTokenPayload = z.looseObject({
  /** When the token expires, in epoch milliseconds. */
  atExpAt: z.number(),
});
/** Payload of the refresh token. Further claims are the server's own. [S3.7] */
export const refreshTokenPayload = z.looseObject({
  patient: z.boolean().optional(),
  /** The account. Tabs share a rotated token only within the same account and session. */
  sub: z.string().optional(),
  /** The session: the same in every token rotated from the first. */
  sid: z.string().optional(),
  /** When the token was issued, in seconds since 1970 (RFC 7519). */
  iat: z.number().optional(),
  /** When the session ends unless the token is used. */
  exp: z.number().optional(),
  /** Minutes without use after which the session ends. */
  idle: z.number().optional(),
  /** When it ends, no matter how much it is used, in seconds since 1970. */
  ends: z.number().optional(),
});

/** The browser treats a token as expired this long before it is. [S4.5, S9.11] */
export const tokenMarginMs = 5 * 60_000;

export const signIn = endpoint({
  method: 'POST',
  path: '/auth/tenant/sign-in',
  access: 'public',
  deed: 'sign-in',
  summary: 'Begin to sign in to a staff account',
  body: signInBody,
  response: signInAnswer,
});
export const challenge = endpoint({
  method: 'POST',
  path: '/auth/tenant/challenge',
  access: 'public',
  deed: 'sign-in',
  summary: 'Answer the challenge of a staff sign-in; who has a second factor is then asked for it',
  body: challengeBody,
  response: z.union([tokens, furtherChallenge]),
});
/** The fault code for a session that someone has ended: the device then deletes what it stores for it. */
export const takenAway = 'taken-away';
export const refreshTokens = endpoint({
  method: 'POST',
  path: '/auth/tenant/refresh-token',
  access: 'public',
  deed: 'sign-in',
  summary: 'Exchange a staff refresh token for a new access token and the next refresh token',
  body: refreshBody,
  response: tokens,
});
/** Revokes the refresh token's whole session; an unknown token is not an error. */
export const signOut = endpoint({
  method: 'POST',
  path: '/auth/tenant/sign-out',
  access: 'public',
  deed: 'sign-in',
  summary: 'End a staff session',
  body: refreshBody,
  response: z.object({}),
});
export const patientSignIn = endpoint({
  method: 'POST',
  path: '/auth/patient/sign-in',
  access: 'public',
  deed: 'sign-in',
  summary: 'Begin to sign in to a patient account',
  body: patientSignInBody,
  response: signInAnswer,
});
export const patientChallenge = endpoint({
  method: 'POST',
  path: '/auth/patient/challenge',
  access: 'public',
  deed: 'sign-in',
  summary: 'Answer the challenge of a patient sign-in: first with the code, then with the date of birth',
  body: challengeBody,
  response: z.union([tokens, patientFurtherChallenge]),
});
export const refreshPatientTokens = endpoint({
  method: 'POST',
  path: '/auth/patient/refresh-token',
  access: 'public',
  deed: 'sign-in',
  summary: 'Exchange a patient refresh token for a new access token and the next refresh token',
  body: refreshBody,
  response: tokens,
});
export const patientSignOut = endpoint({
  method: 'POST',
  path: '/auth/patient/sign-out',
  access: 'public',
  deed: 'sign-in',
  summary: 'End a patient session',
  body: refreshBody,
  response: z.object({}),
});

// — Init —

const named = z.object({ id: z.string(), name: z.string() });

/** [S3.1] */
export const user = z.object({
  id: z.string(),
  /** The identity provider's id of the account. */
  cognitoAccountId: z.string(),
  lastName: z.string(),
  firstName: z.string(),
  middleName: z.string().nullable(),
  /** E.164. */
  phone: z.string().nullable(),
  email: z.string(),
  languageCode: z.string(),
  tenant: named.nullable(),
  adminOrg: named.nullable(),
  facility: named.nullable(),
  /** IANA name. */
  timeZone: z.string(),
});
export type User = z.infer<typeof user>;

/** [S3.3] */
export const orgEntry = z.object({
  id: z.string(),
  name: z.string(),
  orgType: z.enum(orgTypes),
  experience: z.enum(experiences),
  /** Opaque; sent as `X-Org-Token` to say which organization a request acts for. [S10.5] */
  token: z.string(),
});
export type OrgEntry = z.infer<typeof orgEntry>;

/** The organization whose policy lines and features the answer has. */
export const selectedOrg = orgEntry.extend({
  /** Its tenant; null for a jurisdiction, which reads several. */
  tenant: named.nullable(),
  /** The address of the tenant's logo; null without one, and for a jurisdiction. */
  logo: z.string().nullable(),
  /** IANA name; all days and ranges on screens are in this zone. */
  timeZone: z.string(),
  /**
   * Its tenant requires a second factor, but this session started without one, so it cannot be used yet.
   * [P21]
   */
  secondFactorNeeded: z.boolean(),
});
export type SelectedOrg = z.infer<typeof selectedOrg>;

/** [S3.4] */
export const languageSupport = z.object({
  tenantLanguages: z.array(z.string()).default(['en']),
  externalLanguages: z.array(z.string()).default(['en']),
  defaultLanguage: z.string().default('en'),
});
export type LanguageSupport = z.infer<typeof languageSupport>;

/** The tenant's own labels in place of the product's: by language, then by `namespace:path`. */
const labelOverrides = z.record(z.string(), z.record(z.string(), z.string())).default({});

/** [S3.5] */
export const initUserAnswer = z.object({
  user,
  availableOrgs: z.array(orgEntry),
  /**
   * The requested organization if still available, otherwise the first by name; null if there is none. [S4.6]
   */
  selectedOrg: selectedOrg.nullable(),
  /** Casbin lines: `p, subject, object, action, allow|deny` and `g, user or role, role`; see policy.ts. */
  casbinPolicy: z.array(z.string()),
  betaFeatures: z.array(z.string()),
  tenantFeatures: z.array(z.string()),
  languageSupport,
  /** Suspended tenants the user belongs to, with the reason. */
  suspendedTenants: z.array(z.object({ name: z.string(), reason: z.string() })),
  labelOverrides,
});
export type InitUserAnswer = z.infer<typeof initUserAnswer>;

/** `orgType:id`, which stores and requests the last used organization. [S4.6] */
export const orgKey = (org: { orgType: OrgType; id: string }): string => `${org.orgType}:${org.id}`;

export const initUser = endpoint({
  method: 'GET',
  path: '/api/auth/initUser',
  access: 'signed-in',
  deed: 'read',
  summary: 'Who is signed in, for which organisations, with which permissions',
  query: z.strictObject({
    /** The last used organization, `orgType:id`; ignored if not available. */
    org: z.string().max(120).optional(),
  }),
  response: initUserAnswer,
});

/** [S3.2] */
export const patientUser = z.object({ id: z.string(), email: z.string().nullable() });

export const initPatient = endpoint({
  method: 'GET',
  path: '/api/patient/auth/initUser',
  access: 'patient',
  deed: 'read',
  summary: 'Which patient is signed in',
  response: z.object({
    patient: patientUser,
    /** Only those of the patient screens. */
    labelOverrides,
  }),
});

// — Runtime configuration —

/**
 * What the server passes to the page before its first render: JSON in the content of `<meta
 * name="caseway-config">`, whose placeholder in the built page is `__RUNTIME_CONFIG__`.
 */
export const runtimeConfig = z.object({
  /** The license key of a commercial component library, if the deployment has one. [S9.18] */
  uiLicenseKey: z.string().optional(),
  /** The demo tenants exist, so the sign-in screen may name the demo accounts. */
  demo: z.boolean().default(false),
  /** The sign-in screen can show messages the demo has sent. */
  demoMessages: z.boolean().default(false),
});
export type RuntimeConfig = z.infer<typeof runtimeConfig>;
