import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/*
 * Notifications: their kinds, and how users get them. A notification contains no text that people wrote: only
 * a kind and a record. Its sentence is made when it is read, from what its owner may see at that time. [P18]
 */

/** The notices of a workflow; each transition names one. */
export const flowNotices = ['given-back', 'rejected', 'reopened'] as const;
export type FlowNotice = (typeof flowNotices)[number];
/** What patients do with their visits, which notifies the provider. */
export const visitNotices = ['visit-booked', 'visit-moved', 'visit-cancelled'] as const;
export type VisitNotice = (typeof visitNotices)[number];
export const notificationKinds = [
  'assigned',
  'task-given',
  'team-task',
  'mentioned',
  ...flowNotices,
  ...visitNotices,
  'symptoms-noted',
  'incident-reported',
  'incident-reported-urgent',
  'visit-overdue',
  'task-due',
  'import-ended',
  'bulk-ended',
  'export-ended',
  'glass-opened',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/**
 * The subjects of `import-ended`: a check that stores nothing, the file itself, and messages that ran again. Entries
 * of earlier versions have the subject `import`.
 */
export const importRunKinds = ['import-dry-run', 'import-run', 'import-rerun'] as const;
export type ImportRunKind = (typeof importRunKinds)[number];

/** Only in the product, also by email at once, also in the daily email, or not at all. */
export const notificationWays = ['product', 'mail', 'digest', 'off'] as const;
export type NotificationWay = (typeof notificationWays)[number];

/** How users get each kind by default. */
export const usualWays: Readonly<Record<NotificationKind, NotificationWay>> = {
  assigned: 'product',
  'task-given': 'product',
  'team-task': 'product',
  mentioned: 'product',
  'given-back': 'product',
  rejected: 'product',
  reopened: 'product',
  'visit-booked': 'product',
  'visit-moved': 'product',
  'visit-cancelled': 'product',
  'symptoms-noted': 'product',
  'incident-reported': 'product',
  'incident-reported-urgent': 'mail',
  // A worker may need help; an email also reaches people away from their screens.
  'visit-overdue': 'mail',
  'task-due': 'digest',
  'import-ended': 'product',
  'bulk-ended': 'product',
  'export-ended': 'product',
  'glass-opened': 'product',
};
/**
 * The kinds whose delivery users can choose. Privacy officers always learn that a hidden record was opened.
 */
export const chosenKinds = notificationKinds.filter((kind) => kind !== 'glass-opened');

/** Days before a notification is deleted. */
export const notificationDays = 90;
/** Notifications per page, and the most marked by one request. */
export const inboxPage = 30;
export const markedLimit = 1000;
/** Unread notifications are counted up to this number. */
export const countedUnread = 100;

const id = z.uuid();

const notification = z.object({
  id,
  kind: z.enum(notificationKinds),
  at: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
  /** Who caused it; null for the product itself, and for someone the reader may not know. */
  actor: z.string().nullable(),
  recordKind: z.string(),
  recordId: id,
  /** The record's number, or a file's name; null if it has none. */
  name: z.string().nullable(),
  /** For a task: what to do, and about which case, if any. For a bulk action: the list. */
  work: z.string().nullable(),
  about: z.string().nullable(),
  /** How an import or bulk action ended. */
  state: z.string().nullable(),
});
export type Notification = z.infer<typeof notification>;

/** Everyone who works for an organization has an inbox. */
export const inboxAccess = 'general/other';
const access = inboxAccess;
const path = '/api/web/inbox';

/** `after`: the last one on the previous page. */
export const readInbox = endpoint({
  method: 'GET',
  path,
  access,
  deed: 'read',
  summary: 'The notifications of the signed-in person, the latest first',
  patientData: true,
  query: z.strictObject({ only: z.enum(['unread']).optional(), after: id.optional() }),
  response: z.object({ notifications: z.array(notification), more: z.boolean() }),
});
export const countUnread = endpoint({
  method: 'GET',
  path: `${path}/unread`,
  access,
  deed: 'read',
  summary: `How many of them are unread, up to ${countedUnread}`,
  response: z.object({ unread: z.number().int() }),
});
export const markRead = endpoint({
  method: 'POST',
  path: `${path}/read`,
  access,
  deed: 'change',
  summary: 'Mark some as read, or as unread',
  body: z.strictObject({ ids: z.array(id).min(1).max(markedLimit), read: z.boolean() }),
});
/** Answers with the marked ones, so that it can be undone. */
export const markAllRead = endpoint({
  method: 'POST',
  path: `${path}/read-all`,
  access,
  deed: 'change',
  summary: `Mark all as read, at most ${markedLimit} at once`,
  body: z.strictObject({}),
  response: z.object({ ids: z.array(id) }),
});

const ways = z.record(z.enum(notificationKinds), z.enum(notificationWays));
export const readNotificationWays = endpoint({
  method: 'GET',
  path: `${path}/ways`,
  access,
  deed: 'read',
  summary: 'How the signed-in person gets each kind of notification',
  response: z.object({ ways }),
});
export const setNotificationWay = endpoint({
  method: 'PUT',
  path: `${path}/ways`,
  access,
  deed: 'change',
  summary: 'Set how the signed-in person gets a kind of notification',
  body: z.strictObject({ kind: z.enum(chosenKinds), way: z.enum(notificationWays) }),
  response: z.object({ ways }),
});
