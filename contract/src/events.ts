import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * What the stream sends; the event's name is `type`, its data the rest. No event contains a record or a
 * count: the client loads those in its user's scope, so nothing restricted is sent. [P18]
 */
export const streamEvent = z.discriminatedUnion('type', [
  /**
   * An import made progress, ended or waits for a person: load it again. Readers who may not see all of it
   * get this only after something they see has changed.
   */
  z.strictObject({
    type: z.literal('import-progress'),
    importId: z.uuid(),
    state: z.string(),
    /**
     * The committed share of the file's bytes, 0 to 1. Null while the size is unknown, and for readers who
     * may not know it.
     */
    progress: z.number().min(0).max(1).nullable(),
    /** The share of a table read to find its columns, before anything is committed. */
    looked: z.number().min(0).max(1).optional(),
  }),
  /**
   * Analytics screens now count every commit up to this instant. Readers who may not see everything get it at
   * fixed intervals, changed or not, and shortly after something they see has changed.
   */
  z.strictObject({ type: z.literal('freshness'), asOf: z.iso.datetime() }),
  /** A bulk action of this user made progress or ended: load it again. */
  z.strictObject({ type: z.literal('bulk-progress'), action: z.uuid() }),
  /** A file being made for this user made progress or ended: load it again. */
  z.strictObject({ type: z.literal('file-progress'), file: z.uuid() }),
  /**
   * The user's inbox has changed: load it again. `ids`, used between servers: the records it is about.
   * Readers who see none of them do not get the event.
   */
  z.strictObject({ type: z.literal('inbox-changed'), ids: z.array(z.uuid()).max(100) }),
  /** The tenant's settings have changed: load them again. */
  z.strictObject({ type: z.literal('settings-changed') }),
]);
export type StreamEvent = z.infer<typeof streamEvent>;

/** Server-sent events of the current organization, each the JSON of a stream event without its `type`. */
export const events = endpoint({
  method: 'GET',
  path: '/api/web/events',
  access: 'general/other',
  deed: 'read',
  summary: 'Progress of imports and actions, freshness of the numbers and changed settings, as they happen',
  produces: 'text/event-stream',
});
