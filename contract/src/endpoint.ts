import type { z } from 'zod';
import type { AuditDeed } from './audit-deed.ts';
import type { GuardianRight } from './guardian-rules.ts';
import type { FeatureNeed } from './permission.ts';

/**
 * Who may call an endpoint.
 * - `public`: anyone, signed in or not.
 * - `signed-in`: any authenticated staff account, in any organization.
 * - `patient`: an authenticated patient.
 * - `module/action`: staff whose policy allows that permission in the current organization.
 */
export type EndpointAccess = 'public' | 'signed-in' | 'patient' | Permission;

/** A permission of the policy, `module/action`, for example `case-reports/read`. */
export type Permission = `${string}/${string}`;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** Path with `:name` placeholders, for example `/api/web/case-reports/:id`. */
  path: string;
  access: EndpointAccess;
  /** The kind of events it writes to the audit log, stored with each. */
  deed: AuditDeed;
  /** Features that must be on, in addition to that of the permission. [S1.6] */
  feature?: FeatureNeed;
  /**
   * What a guardian must be allowed to do to ask it about a child, with the header `childHeader`; absent if it is
   * never about a child. [S4.4]
   */
  child?: GuardianRight;
  /** One sentence for the API description. */
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Absent when the answer is a stream or a file; then `produces` names its media type. */
  response?: Response;
  produces?: string;
  /** Other media types a request can ask for. */
  alsoProduces?: readonly string[];
  /** Whether the answer can include patient data and so must be audited before it is sent. */
  patientData?: boolean;
}

/** Declares an endpoint: what the server validates, what the browser may send, and its description. */
export function endpoint<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends z.ZodType = z.ZodUndefined,
>(declaration: Endpoint<Params, Query, Body, Response>): Endpoint<Params, Query, Body, Response> {
  return declaration;
}

/** The path with its placeholders filled in and encoded. Throws if a placeholder has no value. */
export function pathOf(declaration: { path: string }, params: Record<string, string> = {}): string {
  return declaration.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`no value for ${name} in ${declaration.path}`);
    return encodeURIComponent(value);
  });
}
