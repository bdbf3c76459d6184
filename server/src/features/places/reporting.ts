import {
  changeReporting,
  listReporters,
  listReporting,
  type ReportedJurisdiction,
  type Reporting,
  reportedFound,
} from '@caseway/contract/places';
import { writeEvent } from '../../platform/audit/auditor.ts';
import type { Tx } from '../../platform/db/database.ts';
import { publishWith } from '../../platform/events/hub.ts';
import { lookupsChanged } from '../../platform/grid/lookups.ts';
import { actIn, changesBetween } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { authorityToChange, wholeTenant } from '../../platform/policy/authority.ts';
import { fold } from '../../platform/text/fold.ts';
import { lockPlaces } from './lock-places.ts';

/*
 * A jurisdiction is managed by one tenant and reads the residents of its counties in all tenants that report to it.
 * Each of these decides whether it reports, and whether its restricted disease families are included. [S6.9, P18]
 */

/** Starts reporting, also after it had ended. */
export async function beginReporting(
  tx: Tx,
  tenantId: string,
  jurisdictionId: string,
  how: Reporting,
): Promise<void> {
  await tx.run(
    `insert into tenant_reporting (tenant_id, jurisdiction_id, restricted_families) values ($1, $2, $3)
     on conflict (tenant_id, jurisdiction_id) do update
       set restricted_families = excluded.restricted_families, began_at = excluded.began_at, ended_at = null`,
    [tenantId, jurisdictionId, how.restrictedFamilies],
  );
  // From then on the tenant knows the jurisdiction, also after reporting has ended.
  for (const [table, id] of [
    ['jurisdiction', 'id'],
    ['jurisdiction_county', 'jurisdiction_id'],
  ])
    await tx.run(
      `update ${table} set reported_by = reported_by || $1::uuid where ${id} = $2 and $1 <> all (reported_by)`,
      [tenantId, jurisdictionId],
    );
}

export const endReporting = (tx: Tx, tenantId: string, jurisdictionId: string) =>
  tx.run(
    `update tenant_reporting set ended_at = now(), restricted_families = false
     where tenant_id = $1 and jurisdiction_id = $2 and ended_at is null`,
    [tenantId, jurisdictionId],
  );

/**
 * Reporting is read in the scope `identity`, because a tenant's own scope sees neither others' jurisdictions nor
 * their names.
 */
export function serveReporting(app: App): void {
  serve(app, listReporting, (call) => {
    const tenantId = wholeTenant(call);
    const { words } = call.query;
    return app.database.withScope({ kind: 'identity' }, (tx) =>
      jurisdictionsFor(tx, tenantId, { words: words.split(/\s+/).filter(Boolean).map(fold) }),
    );
  });

  serve(app, changeReporting, async (call) => {
    const tenantId = wholeTenant(call);
    const { id } = call.params;
    const { version, before, after } = call.body;
    const changed = await actIn(app, call, { kind: 'identity' }, tenantId, async (tx, audit) => {
      const managerId = await managerOf(tx, id);
      // Its manager cannot add a county at the same time, because the tenant agrees to the counties that it saw.
      // Locked before the authority, which everyone who changes shared tables waits for: they would also wait for
      // this lock.
      await lockPlaces(tx, managerId);
      const { held } = await authorityToChange(tx, call, 'settings/write');
      const stored = await jurisdictionFor(tx, tenantId, id);
      const current = stored.reporting;
      if (current === null && !stored.open) throw new AppError('not-found');
      if (current?.restrictedFamilies !== before?.restrictedFamilies) throw new AppError('conflict');
      const begins = current === null && after !== null;
      if (begins && stored.version !== version) throw new AppError('conflict');
      const permission = 'restricted-families/read';
      if (after?.restrictedFamilies && !current?.restrictedFamilies && !held.has(permission))
        throw new AppError('forbidden', { permission });
      if (current?.restrictedFamilies === after?.restrictedFamilies) return stored;
      const ends = after === null;
      if (ends) await endReporting(tx, tenantId, id);
      else if (begins) await beginReporting(tx, tenantId, id, after);
      else
        await tx.run(
          'update tenant_reporting set restricted_families = $3 where tenant_id = $1 and jurisdiction_id = $2',
          [tenantId, id, after.restrictedFamilies],
        );
      // A person who changes the jurisdiction at the same time has to check again who reports to it.
      if (begins || ends) await tx.run('update jurisdiction set version = version + 1 where id = $1', [id]);
      const deed = begins ? 'began' : ends ? 'ended' : 'changed';
      const difference = changesBetween(told(current), told(after));
      const record = { recordKind: 'jurisdiction' as const, recordIds: [id] };
      await audit({
        action: `reporting/${deed}`,
        ...record,
        detail: { jurisdiction: stored.name, managedBy: stored.managedBy, ...difference },
      });
      if (managerId !== tenantId) {
        // The manager does not learn who in the other tenant decided.
        await writeEvent(tx, {
          tenantId: managerId,
          accountId: null,
          orgType: null,
          orgId: null,
          action: `jurisdiction/reporting-${deed}`,
          deed: 'administration',
          ...record,
          detail: { tenant: await nameOf(tx, tenantId), ...difference },
          requestId: call.requestId,
        });
        await publishWith(tx, { tenantId: managerId }, { type: 'settings-changed' });
      }
      await publishWith(tx, { tenantId }, { type: 'settings-changed' });
      return jurisdictionFor(tx, tenantId, id);
    });
    await lookupsChanged(app, tenantId);
    return changed;
  });

  serve(app, listReporters, (call) => {
    const tenantId = wholeTenant(call);
    return app.database.withScope({ kind: 'identity' }, async (tx) => {
      if ((await managerOf(tx, call.params.id)) !== tenantId) throw new AppError('not-found');
      const tenants = await tx.rows<{
        id: string;
        name: string;
        active: boolean;
        restrictedFamilies: boolean;
        began_at: Date | null;
      }>(
        `select t.id, t.name, t.suspended_at is null as active, r.restricted_families as "restrictedFamilies", r.began_at
         from tenant_reporting r join tenant t on t.id = r.tenant_id
         where r.jurisdiction_id = $1 and r.ended_at is null order by app_fold(t.name), t.id`,
        [call.params.id],
      );
      return {
        tenants: tenants.map(({ began_at, ...tenant }) => ({
          ...tenant,
          since: began_at?.toISOString() ?? null,
        })),
      };
    });
  });
}

async function managerOf(tx: Tx, jurisdictionId: string): Promise<string> {
  const [row] = await tx.rows<{ tenantId: string }>(
    'select managed_by_tenant_id as "tenantId" from jurisdiction where id = $1',
    [jurisdictionId],
  );
  if (!row) throw new AppError('not-found');
  return row.tenantId;
}

async function nameOf(tx: Tx, tenantId: string): Promise<string> {
  const [row] = await tx.rows<{ name: string }>('select name from tenant where id = $1', [tenantId]);
  return row!.name;
}

/** The contents of its audit row. */
const told = (state: Reporting | null) => ({
  reports: state !== null,
  restrictedReported: state?.restrictedFamilies ?? false,
});

/**
 * Jurisdictions that a tenant reports to, and those that it could report to. A deactivated one, or one managed by a
 * suspended tenant, is included only so that reporting can be ended. By name; those with every word, or a single one
 * in any state.
 */
async function jurisdictionsFor(
  tx: Tx,
  tenantId: string,
  { id, words = [] }: { id?: string; words?: readonly string[] },
): Promise<{ jurisdictions: ReportedJurisdiction[]; total: number }> {
  const rows = await tx.rows<
    Omit<ReportedJurisdiction, 'reporting' | 'since'> & {
      restricted_families: boolean | null;
      began_at: Date | null;
      total: number;
    }
  >(
    `select f.*, count(*) over ()::int as total from (
       select j.id, j.version, j.name, m.name as "managedBy", m.id = $1 as own,
         array(select c.county_fips from jurisdiction_county c where c.jurisdiction_id = j.id order by c.county_fips) as counties,
         j.deactivated_at is null and m.suspended_at is null as open, r.restricted_families, r.began_at
       from jurisdiction j join tenant m on m.id = j.managed_by_tenant_id
       left join tenant_reporting r on r.jurisdiction_id = j.id and r.tenant_id = $1 and r.ended_at is null) f
     where case when $2::uuid is null then open or restricted_families is not null else id = $2 end
       and not exists (select from unnest($3::text[]) as word
         where strpos(app_fold(name || ' ' || "managedBy"), word) = 0)
     order by restricted_families is null, app_fold(name), id limit $4`,
    [tenantId, id ?? null, words, reportedFound],
  );
  return {
    jurisdictions: rows.map(({ restricted_families: restrictedFamilies, began_at, total: _, ...row }) => ({
      ...row,
      reporting: restrictedFamilies === null ? null : { restrictedFamilies },
      since: began_at?.toISOString() ?? null,
    })),
    total: rows[0]?.total ?? 0,
  };
}

async function jurisdictionFor(tx: Tx, tenantId: string, id: string): Promise<ReportedJurisdiction> {
  const { jurisdictions } = await jurisdictionsFor(tx, tenantId, { id });
  const [found] = jurisdictions;
  if (!found) throw new AppError('not-found');
  return found;
}
