import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * What the stream sends; the event's name is `type`, its data the rest. None contains a record or a count of records:
 * the client loads those in its user's scope, so that nothing restricted is sent. [P18]
 */
export const streamEvent = z.discriminatedUnion('type', [
  /**
   * An import made progress, ended or waits for a person: load it again. Readers who may not see all of it get this
   * only when something they see has changed.
   */
  z.strictObject({
    type: z.literal('import-progress'),
    importId: z.uuid(),
    state: z.string(),
    /**
     * Share of the file's bytes that are committed, 0 to 1; null while its size is unknown, and for readers who may not
     * know it.
     */
    progress: z.number().min(0).max(1).nullable(),
    /** Share of a table that has been read to find its columns, while nothing is committed yet. */
    looked: z.number().min(0).max(1).optional(),
  }),
  /**
   * The numbers of analytics screens now count every commit up to this instant. Readers who may not see everything get
   * it at fixed intervals, whether something has changed or not, and shortly after something they see has changed.
   */
  z.strictObject({ type: z.literal('freshness'), asOf: z.iso.datetime() }),
  /** An action of this person on many records made progress or ended: load it again. */
  z.strictObject({ type: z.literal('bulk-progress'), action: z.uuid() }),
  /** A file that is made for this person made progress or ended: load it again. */
  z.strictObject({ type: z.literal('file-progress'), file: z.uuid() }),
  /**
   * The person's inbox has changed: load it again. `ids`: on the way between servers, what it is about; a reader who sees
   * none of that is not told.
   */
  z.strictObject({ type: z.literal('inbox-changed'), ids: z.array(z.uuid()).max(100) }),
  /** The tenant's settings have changed: load them again. */
  z.strictObject({ type: z.literal('settings-changed') }),
]);
export type StreamEvent = z.infer<typeof streamEvent>;

/** Server-sent events of the organisation acted for, each the JSON of a stream event without its `type`. */
export const events = endpoint({
  method: 'GET',
  path: '/api/web/events',
  access: 'general/other',
  deed: 'read',
  summary: 'Progress of imports and actions, freshness of the numbers and changed settings, as they happen',
  produces: 'text/event-stream',
});
