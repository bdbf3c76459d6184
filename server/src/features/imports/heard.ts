import type { StreamEvent } from '@caseway/contract/events';
import { NIL } from 'uuid';
import { FreshCache } from '../../platform/auth/fresh-cache.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/scope.ts';

/** All who see the same of an import ask about one event within this time. */
const freshMs = 5000;

/**
 * Whether a reader may hear of an import: of one of which they may see no message, its progress alone would say that it is
 * there, unless they sent it. The same rule as `import_list`. [P18, P24]
 */
export function importHearing(database: Database): (scope: Scope, event: StreamEvent) => Promise<boolean> {
  const looks = new FreshCache<{ createdBy: string | null; isShown: boolean } | undefined>({ freshMs });
  return async (scope, event) => {
    if (event.type !== 'import-progress' || scope.kind !== 'org' || scope.hiddenFamilies.length === 0)
      return true;
    const { importId, state, progress } = event;
    const { tenantId, orgType, orgId, hiddenFamilies, accountId } = scope;
    const key = [tenantId, orgType, orgId, ...hiddenFamilies, importId, state, progress].join(' ');
    const found = await looks.get(key, async () => {
      // As a colleague sees it who did not send it: the answer is for all of them.
      const [row] = await database.withScope(
        { ...scope, accountId: NIL },
        (tx) =>
          tx.rows<{ createdBy: string | null; isShown: boolean }>(
            `select created_by as "createdBy", exists (select from import_tally t where t.tenant_id = i.tenant_id
               and t.import_id = i.id and t.kind = 'state' and t.n > 0) as "isShown"
             from import i where i.tenant_id = $1 and i.id = $2`,
            [tenantId, importId],
          ),
        { readOnly: true },
      );
      return row;
    });
    return found !== undefined && (found.isShown || found.createdBy === accountId);
  };
}
