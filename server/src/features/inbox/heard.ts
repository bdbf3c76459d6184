import type { StreamEvent } from '@caseway/contract/events';
import type { Database } from '../../platform/db/database.ts';
import type { Hears } from '../../platform/events/stream.ts';
import { type NotifiedSource, seenSql } from './sources.ts';
import { seenAmong } from './stored.ts';

/**
 * Tells an inbox's owner about a change only if they see its subject. When a record is hidden, so is the moment at
 * which something happened to it. [P18, P24] `others`: handles all other events.
 */
export const inboxHearing =
  (database: Database, sources: readonly NotifiedSource[], others: Hears): Hears =>
  async (scope, event) => {
    if (event.type !== 'inbox-changed') return others(scope, event);
    const changed: StreamEvent = { type: event.type, ids: [] };
    if (event.ids.length === 0) return changed;
    if (scope.kind !== 'org') return null;
    const seen = await database.withScope(
      scope,
      (tx) =>
        seenAmong(
          tx,
          scope.accountId,
          event.ids,
          seenSql(sources, () => true),
        ),
      { readOnly: true },
    );
    return seen.length > 0 ? changed : null;
  };
