import type pg from 'pg';
import { beginningOf, keepDecided, type Scope } from '../scope.ts';
import { literal, setting } from './setting.ts';

/** The properties of a transaction. */
export interface Kind {
  readOnly?: boolean;
  snapshot?: boolean;
  statementTimeoutMs?: number;
}

/** The decisions that each connection has prepared. */
const planned = new WeakMap<pg.ClientBase, Set<string>>();

/** Where a transaction begins: on the only server, on the coordinator of several, or on the tenant's server. */
export type At = 'only server' | 'coordinator' | 'tenant server';

/**
 * Citus passes SET LOCAL on to the servers that it queries, with the whole text that contains it. The coordinator
 * always queries another server, so it gets a short text for that. The tenant's server does so only if the tenant
 * has moved; its connections always have `citus.propagate_set_commands` on.
 */
const toldToAll = (settings: Readonly<Record<string, string>>): string =>
  `do ${literal(`begin set local citus.propagate_set_commands = 'local'; ${setting(settings)} end`)};`;

/** The statements that begin a transaction with what a scope may see, on every server that takes part in it. */
export function beginning(
  scope: Scope,
  { readOnly, snapshot, statementTimeoutMs }: Kind,
  at: At,
): (client: pg.ClientBase) => Promise<void> {
  const { settings, decisions } = beginningOf(scope);
  if (statementTimeoutMs !== undefined) settings.statement_timeout = String(Math.ceil(statementTimeoutMs));
  const isolation = snapshot ? 'repeatable read' : 'read committed';
  const begun = at === 'coordinator' ? toldToAll : setting;
  const opening = `begin isolation level ${isolation}${readOnly ? ' read only' : ''};${begun(settings)}`;
  const tenant = literal('tenantId' in scope ? scope.tenantId : '');
  const asked = decisions.map(({ name }) => `execute ${name}(${tenant});`);

  return async (client) => {
    const known = planned.get(client) ?? new Set();
    planned.set(client, known);
    for (const { name, text } of decisions) {
      if (known.has(name)) continue;
      await client.query(`prepare ${name} as ${text}`);
      known.add(name);
    }
    const found: Record<string, string>[] = [];
    if (at !== 'only server') {
      await client.query(opening);
      // Each decision sets its values only on this server; the next one may read them on the others.
      for (const text of asked) {
        const answer = (await client.query<Record<string, string>>(text)).rows[0]!;
        await client.query(begun(answer));
        found.push(answer);
      }
    } else {
      // All in one round trip; the last answers are those of the decisions.
      const answers = (await client.query(opening + asked.join(''))) as unknown as pg.QueryResult[];
      found.push(...decisions.map((_, index) => answers.at(index - decisions.length)!.rows[0]));
    }
    keepDecided(scope, decisions, found);
  };
}
