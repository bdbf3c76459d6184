import type { Tx } from '../db/database.ts';
import { accessesOf } from '../policy/break-glass.ts';
import type { PatientServer } from './patient-record.ts';

/** Records that are opened in an emergency with the case that was asked for: those that `read` finds then. */
export const openedWithCase = (
  read: (tx: Tx, ids: readonly string[]) => Promise<readonly unknown[]>,
): NonNullable<PatientServer['opened']> => ({
  async find(database, call, id) {
    const { scope } = call;
    if (!call.may('break-glass/write') || scope.kind !== 'org') return undefined;
    // Not in the request's own transaction: it reads no record.
    const accesses = await database.withScope(scope, (tx) => accessesOf(tx, scope), { readOnly: true });
    for (const access of accesses) {
      const [shown] = await database.withScope({ ...scope, glass: access.id }, (tx) => read(tx, [id]), {
        readOnly: true,
      });
      if (shown) return access;
    }
    return undefined;
  },
  answer: (answer) => answer,
});
