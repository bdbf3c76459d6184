import type { Fault } from '@caseway/contract/error';
import {
  betaFeatures,
  type Feature,
  featuresFor,
  features as knownFeatures,
} from '@caseway/contract/permission';
import { type OwnSwitch, type SwitchedPlace, switchedPlacesFound } from '@caseway/contract/settings';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { fold } from '../../platform/text/fold.ts';

/*
 * Features that a tenant has switched for single organisations, facilities and jurisdictions. All others follow the
 * tenant's own settings.
 */

/**
 * The places of tenant `$1`: its own, the jurisdictions it manages, and other jurisdictions that it reports to;
 * without merged facilities.
 */
const places = `
  select 'PHJ' as org_type, j.id, j.name, j.deactivated_at is not null as inactive,
    case when j.managed_by_tenant_id <> $1 then m.name end as managed_by
  from jurisdiction j join tenant m on m.id = j.managed_by_tenant_id
  where j.managed_by_tenant_id = $1 or exists (select from tenant_reporting r
    where r.tenant_id = $1 and r.jurisdiction_id = j.id and r.ended_at is null)
  union all
  select 'O', id, name, deactivated_at is not null, null from organization where tenant_id = $1
  union all
  select 'F', id, name, deactivated_at is not null, null from facility
  where tenant_id = $1 and registered and merged_into is null`;

/** In the form of the audit log: null follows the tenant. */
type Switched = Partial<Record<Feature, boolean | null>>;

interface Search {
  words: string;
  which: 'all' | 'switched' | SwitchedPlace['orgType'];
  id?: string | undefined;
}

/**
 * The first places whose names contain all of some words: jurisdictions, then organisations, then facilities, each
 * by name.
 */
export async function switchedPlaces(
  tx: Tx,
  tenantId: string,
  { words, which, id }: Search,
): Promise<{ features: Feature[]; places: SwitchedPlace[]; total: number }> {
  const [tenant] = await tx.rows<{ on: string[] }>(
    'select tenant_features || beta_features as on from tenant where id = $1',
    [tenantId],
  );
  const rows = await tx.rows<SwitchedPlace & { total: number }>(
    `select org_type as "orgType", id, name, inactive, managed_by as "managedBy", own, (count(*) over ())::int as total
     from (${places}) p
     cross join lateral (select coalesce(jsonb_object_agg(w.feature, w.is_on), '{}') as own from feature_switch w
       where w.tenant_id = $1 and w.org_type = p.org_type and w.org_id = p.id and w.feature = any ($5)) w
     where not exists (select from unnest($2::text[]) as word where strpos(app_fold(name), word) = 0)
       and ($3 = 'all' or $3 = org_type or $3 = 'switched' and own <> '{}') and ($4::uuid is null or id = $4)
     order by array_position('{PHJ,O,F}', org_type), app_fold(name), id limit $6`,
    [
      tenantId,
      fold(words).split(' ').filter(Boolean),
      which,
      id ?? null,
      [...knownFeatures],
      switchedPlacesFound,
    ],
  );
  return {
    features: featuresFor(tenant!.on),
    places: rows.map(({ total: _, ...place }) => place),
    total: rows[0]?.total ?? 0,
  };
}

/** The faults of switches: for a place outside the tenant, or for more than the tenant has itself. */
export async function faultsOfSwitches(
  tx: Tx,
  tenantId: string,
  switches: readonly OwnSwitch[],
): Promise<Fault[]> {
  if (switches.length === 0) return [];
  const known = await tx.rows<{ key: string }>(
    `select org_type || ' ' || id as key from (${places}) p where id = any ($2)`,
    [tenantId, switches.map(({ orgId }) => orgId)],
  );
  const keys = new Set(known.map(({ key }) => key));
  return switches.flatMap(({ orgType, orgId, feature, after }, index): Fault[] => [
    ...(keys.has(`${orgType} ${orgId}`)
      ? []
      : [{ path: `switches.${index}.orgId`, code: 'unknown-choice', message: 'there is no such place' }]),
    ...(after === true && !betaFeatures.includes(feature)
      ? [
          {
            path: `switches.${index}.after`,
            code: 'unknown-choice',
            message: 'a feature that is not on trial can be switched off only',
          },
        ]
      : []),
  ]);
}

/**
 * Writes switches, and returns the changes for each place. Other changes of settings wait. Throws `conflict` if a
 * switch differs from what the sender saw.
 */
export async function storeSwitches(
  tx: Tx,
  tenantId: string,
  switches: readonly OwnSwitch[],
): Promise<{ orgType: OwnSwitch['orgType']; orgId: string; before: Switched; after: Switched }[]> {
  const changed = new Map<string, OwnSwitch[]>();
  for (const one of switches) {
    const key = [tenantId, one.orgType, one.orgId, one.feature];
    const [row] = await tx.rows<{ is_on: boolean }>(
      'select is_on from feature_switch where tenant_id = $1 and org_type = $2 and org_id = $3 and feature = $4',
      key,
    );
    if ((row?.is_on ?? null) !== one.before) throw new AppError('conflict');
    if (one.after === one.before) continue;
    if (one.after === null)
      await tx.run(
        'delete from feature_switch where tenant_id = $1 and org_type = $2 and org_id = $3 and feature = $4',
        key,
      );
    else
      await tx.run(
        `insert into feature_switch (tenant_id, org_type, org_id, feature, is_on) values ($1, $2, $3, $4, $5)
         on conflict (tenant_id, org_type, org_id, feature) do update set is_on = excluded.is_on`,
        [...key, one.after],
      );
    const place = `${one.orgType} ${one.orgId}`;
    changed.set(place, [...(changed.get(place) ?? []), one]);
  }
  return [...changed.values()].map((ofPlace) => ({
    orgType: ofPlace[0]!.orgType,
    orgId: ofPlace[0]!.orgId,
    before: Object.fromEntries(ofPlace.map(({ feature, before }) => [feature, before])),
    after: Object.fromEntries(ofPlace.map(({ feature, after }) => [feature, after])),
  }));
}
