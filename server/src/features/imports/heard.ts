import type { StreamEvent } from '@caseway/contract/events';
import { NIL } from 'uuid';
import { FreshCache } from '../../platform/auth/fresh-cache.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HeardBy } from '../../platform/events/stream.ts';
import type { Scope } from '../../platform/scope.ts';

/** Everyone with the same view of an import shares one query about an event within this many milliseconds. */
const freshMs = 5000;
/** How many imports are remembered with their last message, for each kind of reader. */
const remembered = 5000;

interface Look {
  createdBy: string | null;
  /** Messages visible to a colleague who did not send the import. */
  shown: number;
  /** Whether the number, or the state of the import, has changed since their last notification. */
  isNews: boolean;
}

/**
 * What a reader is notified of. If they may see no message of an import, its progress alone would reveal that it
 * exists, unless they sent it: the same rule as `import_list`. If it has more than they see, its progress would
 * reveal how much, so they get no share, and only what changes for them. [P18, P24]
 */
export function importHearing(database: Database): (scope: Scope, event: StreamEvent) => Promise<HeardBy> {
  const looks = new FreshCache<Look | undefined>({ freshMs });
  const told = new Map<string, string>();
  return async (scope, event) => {
    if (event.type !== 'import-progress' || scope.kind !== 'org' || scope.hiddenFamilies.length === 0)
      return event;
    const { importId, state, progress } = event;
    const { tenantId, orgType, orgId, hiddenFamilies, accountId } = scope;
    const reader = [tenantId, orgType, orgId, ...hiddenFamilies, importId].join(' ');
    const found = await looks.get([reader, state, progress, event.looked].join(' '), async () => {
      // As a colleague who did not send it sees it: the answer is for all of them.
      const [row] = await database.withScope(
        { ...scope, accountId: NIL },
        (tx) =>
          tx.rows<{ createdBy: string | null; shown: number }>(
            `select created_by as "createdBy", coalesce((select sum(t.n) from import_tally t where t.tenant_id = $1
               and t.import_id = i.id and t.kind = 'state'), 0)::integer as shown
             from import i where i.tenant_id = $1 and i.id = $2`,
            [tenantId, importId],
          ),
        { readOnly: true },
      );
      if (!row) return undefined;
      const now = `${state} ${row.shown}`;
      const isNews = told.get(reader) !== now;
      told.delete(reader);
      told.set(reader, now);
      if (told.size > remembered) told.delete(told.keys().next().value!);
      return { ...row, isNews };
    });
    if (!found) return null;
    if (found.createdBy === accountId) return event;
    return found.shown > 0 && found.isNews ? { type: event.type, importId, state, progress: null } : null;
  };
}
