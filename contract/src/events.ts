import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * What the stream sends; the event's name is `type`, its data the rest. None holds a record or a number of records:
 * the person who listens asks for those in their own scope, so that nothing restricted is sent. [P18]
 */
export const streamEvent = z.discriminatedUnion('type', [
  /**
   * An import went on, ended or waits for someone: read it again. For readers who may not see all of it: something that
   * they see changed.
   */
  z.strictObject({
    type: z.literal('import-progress'),
    importId: z.uuid(),
    state: z.string(),
    /**
     * Share of the file's bytes that are committed, 0 to 1; null while its size is not known, or to whom it may not be.
     */
    progress: z.number().min(0).max(1).nullable(),
    /** Share that has been looked at, while nothing is committed yet: what the columns of a table hold. */
    looked: z.number().min(0).max(1).optional(),
  }),
  /**
   * The numbers of analytics screens now count every commit up to this instant. Who may not see everything hears it in
   * a steady beat, whether something has changed or not, and a moment after something changed that they see.
   */
  z.strictObject({ type: z.literal('freshness'), asOf: z.iso.datetime() }),
  /** The tenant's settings are others: ask again what holds. */
  z.strictObject({ type: z.literal('settings-changed') }),
]);
export type StreamEvent = z.infer<typeof streamEvent>;

/** Server-sent events of the organisation acted for, each the JSON of a stream event without its `type`. */
export const events = endpoint({
  method: 'GET',
  path: '/api/web/events',
  access: 'general/other',
  deed: 'read',
  summary: 'Progress of imports, freshness of the numbers and changed settings, as they happen',
  produces: 'text/event-stream',
});
