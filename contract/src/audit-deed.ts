/**
 * The kinds of events in the log:
 * - `read`: single records; `search`: a page of a list; `numbers`: an analytics screen; `export`: a
 * downloaded file.
 * - `change`: a record was changed; `administration`: users, roles, settings.
 * - `sign-in`: someone signed in or failed to, or a session ended.
 */
export const auditDeeds = [
  'read',
  'search',
  'numbers',
  'export',
  'change',
  'administration',
  'sign-in',
] as const;
export type AuditDeed = (typeof auditDeeds)[number];
