import type { Guide, GuideStep } from '@caseway/contract/settings';
import type { Tx } from '../../platform/db/database.ts';
import { importList } from '../imports/import-list.ts';

interface Row {
  checked: string[];
  places: number;
  jurisdictions: number;
  programs: number;
  roles: number;
  people: number;
  import: number;
  imports_on: boolean;
}

/**
 * The progress of a tenant's setup, read from its data. The first administrator and the default roles exist from the
 * beginning, so they do not count. A step without data is done when a person says so.
 */
export async function guideOf(tx: Tx, tenantId: string): Promise<Guide> {
  const [row] = await tx.rows<Row>(
    `select t.guide_checked as checked,
       (select count(*)::int from organization where tenant_id = t.id)
         + (select count(*)::int from facility where tenant_id = t.id and registered) as places,
       (select count(*)::int from tenant_reporting where tenant_id = t.id and ended_at is null) as jurisdictions,
       (select count(*)::int from program where tenant_id = t.id) as programs,
       coalesce((select version - 1 from policy_version where tenant_id = t.id), 0)::int as roles,
       (select count(distinct account_id)::int - 1 from membership
         where tenant_id = t.id and ended_at is null)
         + (select count(distinct person_id)::int from membership_offer
           where tenant_id = t.id and ended_at is null) as people,
       -- Those that the reader can list. [P18, P24]
       (select count(*)::int from ${importList('$1')} i where i.state = 'done' and not i.dry_run) as import,
       'imports' = any (t.tenant_features || t.beta_features) as imports_on
     from tenant t where t.id = $1`,
    [tenantId],
  );
  const { checked, imports_on: importing, ...counts } = row!;
  const steps: readonly { step: GuideStep; count: number }[] = [
    { step: 'basics', count: 0 },
    { step: 'places', count: counts.places },
    { step: 'jurisdictions', count: counts.jurisdictions },
    { step: 'programs', count: counts.programs },
    { step: 'roles', count: counts.roles },
    { step: 'people', count: counts.people },
    ...(importing ? [{ step: 'import' as const, count: counts.import }] : []),
  ];
  return {
    steps: steps.map(({ step, count }) => ({
      step,
      state: count > 0 ? 'done' : checked.includes(step) ? 'checked' : 'open',
      count: Math.max(count, 0),
    })),
  };
}
