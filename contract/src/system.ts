import { z } from 'zod';
import { stateFips, timeZoneName } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { name } from './name.ts';
import { experiences, languages, tenantExperiences } from './session.ts';
import { whereValid } from './where-valid.ts';

/*
 * What system administrators manage: the tenants and the server's health. Nothing here is about patients;
 * counts are of files, jobs and users.
 */

const id = z.uuid();
const instant = z.iso.datetime();

// — Tenants —

export const tenantRow = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  experience: z.enum(experiences),
  stateFips: z.string().nullable(),
  timeZone: z.string(),
  languages: z.array(z.string()),
  defaultLanguage: z.string(),
  createdAt: instant,
  /** The number of people who belong to it or one of its organizations. */
  users: z.number().int(),
  /** Its tenant administrators. `signedIn`: has signed in at least once. */
  administrators: z.array(z.object({ name: z.string(), email: z.string(), signedIn: z.boolean() })),
  suspension: z.object({ at: instant, reason: z.string() }).nullable(),
  /** The tenant that administers the system; it cannot be suspended. */
  system: z.boolean(),
});
export type TenantRow = z.infer<typeof tenantRow>;

export const listTenants = endpoint({
  method: 'GET',
  path: '/api/web/system/tenants',
  access: 'tenants/write',
  deed: 'search',
  summary: 'Every tenant, with its administrators and whether its access is suspended',
  response: z.object({ tenants: z.array(tenantRow) }),
});

export const newTenant = z
  .strictObject({
    name: name(200),
    /** A short name for commands and files: lowercase letters, digits and hyphens. */
    slug: z.string().refine((text) => /^[a-z][a-z0-9-]{1,39}$/.test(text), {
      error: 'not a short name',
      params: { code: 'slug' },
    }),
    experience: z.enum(tenantExperiences),
    stateFips: stateFips.nullable(),
    timeZone: timeZoneName,
    /** The languages for staff and patients. */
    languages: z.array(z.enum(languages)).min(1).max(languages.length),
    defaultLanguage: z.enum(languages),
    administrator: z.strictObject({
      firstName: name(100),
      lastName: name(100),
      email: z.email().max(254),
      language: z.enum(languages),
    }),
  })
  .refine(({ languages: offered, defaultLanguage }) => offered.includes(defaultLanguage), {
    error: 'the default language is not one of the languages',
    path: ['defaultLanguage'],
    params: { code: 'not-offered' },
    when: whereValid('languages', 'defaultLanguage'),
  });
export type NewTenant = z.infer<typeof newTenant>;

/** `slug-taken`: another tenant has this short name. `system-tenant`: it administers the system. */
export const tenantRefusals = ['slug-taken', 'system-tenant'] as const;

/**
 * Emails an invitation to its administrator, who can start at once: the tenant has the default roles and all
 * features that are not in beta.
 */
export const createTenant = endpoint({
  method: 'POST',
  path: '/api/web/system/tenants',
  access: 'tenants/write',
  deed: 'administration',
  summary: 'Make a tenant and invite its first administrator',
  body: newTenant,
  response: tenantRow,
});

const params = z.strictObject({ id });

/** Ends every session in it within seconds, including open event streams. [P14] */
export const suspendTenant = endpoint({
  method: 'POST',
  path: '/api/web/system/tenants/:id/suspension',
  access: 'tenants/write',
  deed: 'administration',
  summary: 'Suspend the access of everybody to a tenant',
  params,
  body: z.strictObject({
    /** Shown to its users after they sign in. */
    reason: z.string().trim().min(1).max(500),
  }),
  response: tenantRow,
});

export const reactivateTenant = endpoint({
  method: 'DELETE',
  path: '/api/web/system/tenants/:id/suspension',
  access: 'tenants/write',
  deed: 'administration',
  summary: 'Give a suspended tenant its access back',
  params,
  response: tenantRow,
});

// — Health —

/** The states of a tenant's imports of the last seven days. */
export const importStates = ['queued', 'running', 'needs-mapping', 'done', 'failed', 'cancelled'] as const;

export const jobRow = z.object({
  /** `feature/what-it-does`. */
  task: z.string(),
  /** Including jobs not due yet. */
  waiting: z.number().int(),
  running: z.number().int(),
  /** Given up after the last attempt. */
  failed: z.number().int(),
  /** When the oldest waiting job was due. */
  oldest: instant.nullable(),
});

export const failedJob = z.object({
  id: z.string(),
  task: z.string(),
  attempts: z.number().int(),
  maxAttempts: z.number().int(),
  /** The kind of error of the last attempt, never its message. [P16] */
  reason: z.string(),
  /**
   * A database server was down or out of space. Such attempts do not count: the job is retried until it is
   * done.
   */
  away: z.boolean(),
  since: instant,
  /** False: retried at `nextAt`. */
  givenUp: z.boolean(),
  nextAt: instant,
});
export type FailedJob = z.infer<typeof failedJob>;

export const systemHealth = z.object({
  at: instant,
  /** The running Caseway: package version and commit, `unknown` outside a checkout. */
  product: z.object({ version: z.string(), build: z.string() }),
  /** The parts of /health/ready by name: `database`, `analytics`, `disk`. */
  parts: z.array(z.object({ name: z.string(), ready: z.boolean() })),
  database: z.object({
    /** `18.1` */
    version: z.string(),
    /** The total of all servers that report a size. */
    bytes: z.number(),
    /** Each server if the data is on several, the coordinator first; null if it does not answer. */
    servers: z.array(z.object({ address: z.string(), bytes: z.number().nullable() })),
    startedAt: instant,
    /** Milliseconds a query took just now. */
    answerMs: z.number(),
    /** The newest migration. */
    migration: z.string(),
    connections: z.object({
      total: z.number().int(),
      idle: z.number().int(),
      /** Requests waiting for a connection. */
      waiting: z.number().int(),
    }),
  }),
  /** Empty if PostgreSQL answers analytics. */
  replicas: z.array(
    z.object({
      tenantId: id,
      tenant: z.string(),
      /** The age of its state in seconds; null while it is being built. */
      seconds: z.number().nullable(),
      failing: z.boolean(),
      /** It fails because the tenant's database server does not answer. */
      away: z.boolean(),
      bytes: z.number(),
    }),
  ),
  imports: z.array(
    z.object({
      tenantId: id,
      tenant: z.string(),
      /** Files of the last seven days by state. */
      states: z.partialRecord(z.enum(importStates), z.number().int()),
      lastAt: instant.nullable(),
      /** The tenant's database server does not answer, so nothing is known of its files. */
      away: z.boolean(),
    }),
  ),
  /** The disk of the data folder; null if it cannot be read. */
  storage: z
    .object({
      freeBytes: z.number(),
      totalBytes: z.number(),
      /** With less free space the server reports that it is not ready. */
      minFreeBytes: z.number(),
    })
    .nullable(),
  /** The last backup; null if there is none. */
  backup: z.object({ at: instant, bytes: z.number(), encrypted: z.boolean() }).nullable(),
  /** Events that could not be written since the server started; their actions were not carried out. */
  audit: z.object({ failed: z.number().int() }),
  jobs: z.array(jobRow),
  /** The newest fifty that failed and have not succeeded since. */
  failedJobs: z.array(failedJob),
  mail: z.object({
    /** `outbox`: every message is a file in the data folder. */
    by: z.enum(['smtp', 'outbox']),
    /** Since the server started. */
    sent: z.number().int(),
    failed: z.number().int(),
    lastSentAt: instant.nullable(),
    lastFailedAt: instant.nullable(),
    /** The mail server's answer when it last refused a message. */
    lastFailure: z.string().nullable(),
  }),
});
export type SystemHealth = z.infer<typeof systemHealth>;

export const readHealth = endpoint({
  method: 'GET',
  path: '/api/web/system/health',
  access: 'system/read',
  deed: 'read',
  summary: 'How the database, replicas, imports, storage, the audit log, background jobs and mail fare',
  response: systemHealth,
});

/** 409 for a running job; 404 for one that is done or never existed. */
export const retryJob = endpoint({
  method: 'POST',
  path: '/api/web/system/jobs/:id/retry',
  access: 'tenants/write',
  deed: 'administration',
  summary: 'Try a failed background job again at once',
  params: z.strictObject({ id: z.string().regex(/^\d{1,18}$/) }),
  response: z.object({ id: z.string() }),
});
