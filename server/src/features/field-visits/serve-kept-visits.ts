import { endedVisits } from '@caseway/contract/field-visit-flow';
import { fieldVisitRecord } from '@caseway/contract/field-visits';
import { type KeptVisit, keptVisit, mostKept, readKeptVisits } from '@caseway/contract/kept-visits';
import type { Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { attemptsOf } from './serve-attempts.ts';
import { read } from './visit-server.ts';

const { access, kind } = fieldVisitRecord;
const action = 'field-visit/taken-along';

/** A person's visits that are planned for today or overdue, as they see them. */
async function readOwn(tx: Tx, accountId: string): Promise<{ visit: KeptVisit; patient: string }[]> {
  const found = await tx.rows<{ id: string }>(
    `select v.id from field_visit v join tenant t on t.id = v.tenant_id
     where v.tenant_id = $1 and v.worker_id = $2 and not v.status = any ($3)
       and v.planned_for <= cast(now() at time zone t.time_zone as date)
     order by v.planned_for, v.id limit $4`,
    [tx.tenantId, accountId, endedVisits, mostKept + 1],
  );
  const ids = found.map(({ id }) => id);
  const rows = new Map((await read(tx, ids)).map((row) => [row.id, row]));
  const attempts = await attemptsOf(tx, ids);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? [{ visit: keptVisit.parse({ ...row, attempts: attempts(id) }), patient: row.patient }] : [];
  });
}

/** Serves the visits that people take along for offline use; the log has each with its person. */
export function serveKeptVisits(app: App): void {
  serve(app, readKeptVisits, async (call) => {
    if (!call.may(access.read)) throw new AppError('forbidden', { permission: access.read });
    const { accountId } = call.account;
    const visits: KeptVisit[] = [];
    let more = false;
    for (const tenantId of call.org.tenantIds) {
      const taken = await call.withScope(
        async (tx) => {
          const found = await readOwn(tx, accountId);
          const kept = found.slice(0, mostKept - visits.length);
          more ||= kept.length < found.length;
          call.audit({ action, recordKind: kind, recordIds: kept.map(({ visit }) => visit.id) });
          return kept;
        },
        { tenantId },
      );
      const recordIds = [...new Set(taken.map(({ patient }) => patient))];
      if (recordIds.length > 0) await call.writeAudit(tenantId, { action, recordKind: 'patient', recordIds });
      visits.push(...taken.map(({ visit }) => visit));
    }
    return { visits, more };
  });
}
