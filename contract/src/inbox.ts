import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/*
 * Notifications: their kinds, and how people get them. Nothing that a person wrote is in one: it has a kind and a record,
 * and its words are made when it is read, from what its owner may see then. [P18]
 */

/** What a flow tells: each transition names one of them. */
export const flowNotices = ['given-back', 'rejected', 'reopened'] as const;
export type FlowNotice = (typeof flowNotices)[number];
/** What patients do with their visits; the provider gets a notification. */
export const visitNotices = ['visit-booked', 'visit-moved', 'visit-cancelled'] as const;
export type VisitNotice = (typeof visitNotices)[number];
export const notificationKinds = [
  'assigned',
  'task-given',
  ...flowNotices,
  ...visitNotices,
  'symptoms-noted',
  'visit-overdue',
  'task-due',
  'import-ended',
  'bulk-ended',
  'export-ended',
  'glass-opened',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** In the product alone, also by mail at once, also in the mail of the day, or not at all. */
export const notificationWays = ['product', 'mail', 'digest', 'off'] as const;
export type NotificationWay = (typeof notificationWays)[number];

/** How people get each kind until they choose another way. */
export const usualWays: Readonly<Record<NotificationKind, NotificationWay>> = {
  assigned: 'product',
  'task-given': 'product',
  'given-back': 'product',
  rejected: 'product',
  reopened: 'product',
  'visit-booked': 'product',
  'visit-moved': 'product',
  'visit-cancelled': 'product',
  'symptoms-noted': 'product',
  // Somebody may need help: a message reaches people who are not at a screen.
  'visit-overdue': 'mail',
  'task-due': 'digest',
  'import-ended': 'product',
  'bulk-ended': 'product',
  'export-ended': 'product',
  'glass-opened': 'product',
};
/** Those that people choose a way for. Privacy officers always hear that a hidden record was opened. */
export const chosenKinds = notificationKinds.filter((kind) => kind !== 'glass-opened');

/** How many days a notification is kept. */
export const notificationDays = 90;
/** How many are on a page, and how many are marked by one request. */
export const inboxPage = 30;
export const markedLimit = 1000;
/** Up to so many unread ones are counted. */
export const countedUnread = 100;

const id = z.uuid();

const notification = z.object({
  id,
  kind: z.enum(notificationKinds),
  at: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
  /** Who did it; null for the product itself, and for somebody whom the reader does not know. */
  actor: z.string().nullable(),
  recordKind: z.string(),
  recordId: id,
  /** The number of the record, or the name of a file; null where it has none. */
  name: z.string().nullable(),
  /** Of a task: what has to be done, and about which record; of an action on many: the list. */
  work: z.string().nullable(),
  about: z.string().nullable(),
  /** How an import or an action on many ended. */
  state: z.string().nullable(),
});
export type Notification = z.infer<typeof notification>;

/** Everybody who works for an organization has an inbox. */
export const inboxAccess = 'general/other';
const access = inboxAccess;
const path = '/api/web/inbox';

/** `after`: the last one of the page before. */
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
/** Answers which it were, so that it can be taken back. */
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
