import type pg from 'pg';
import { literal } from './setting.ts';

/** How many statements a connection keeps plans for, over all tenants; others are planned each time. */
const most = 100;
const kept = new WeakMap<pg.ClientBase, Set<string>>();

/**
 * A frequent statement for the tenant's server, with the tenant in its text instead of `$1`. Only then does Citus
 * know the shard when it plans the statement, and keeps the plan. If the tenant is a parameter, it plans the part
 * for the shard each time, and never frees these plans (Citus 13.2.2: 100 kB each).
 */
export function plannedNear(
  client: pg.ClientBase,
  tenantId: string,
  name: string,
  text: string,
  params: readonly unknown[],
): pg.QueryConfig {
  if (params[0] !== tenantId) return { text, values: [...params] };
  const own = `${name} of ${tenantId}`;
  const names = kept.get(client) ?? new Set();
  kept.set(client, names);
  if (names.size < most) names.add(own);
  return {
    ...(names.has(own) && { name: own }),
    text: text.replace(/\$(\d+)/g, (_, n) =>
      n === '1' ? `${literal(tenantId)}::uuid` : `$${Number(n) - 1}`,
    ),
    values: params.slice(1),
  };
}
