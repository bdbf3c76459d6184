import type { Tx } from '../db/database.ts';
import { accessesOf } from '../policy/break-glass.ts';
import type { PatientServer } from './patient-record.ts';

/** Records that an emergency access to a case also opens: those that `read` finds. */
export const openedWithCase = (
  read: (tx: Tx, ids: readonly string[]) => Promise<readonly unknown[]>,
): NonNullable<PatientServer['opened']> => ({
  async find(database, call, id) {
    const { scope } = call;
    if (!call.may('break-glass/write') || scope.kind !== 'org') return undefined;
    // Not in the request's own transaction, because that reads no record.
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
