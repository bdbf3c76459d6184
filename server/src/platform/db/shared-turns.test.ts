import { expect, it } from 'vitest';
import { SharedTurns } from './shared-turns.ts';

/** The turns that a transaction takes before each of these statements. */
function turns(...texts: string[]): string[] {
  const transaction = new SharedTurns();
  return texts.map((text) =>
    [...(transaction.before(text) ?? '').matchAll(/'writes (\w+)'/g)].map(([, turn]) => turn).join(' '),
  );
}

it.each([
  ['insert into facility (id) values ($1)', 'facilities'],
  ['update facility f set name = $1', 'facilities'],
  ['delete from facility_alias where id = $1', 'facilities'],
  ['INSERT INTO "account" ("id") values ($1)', 'administration'],
  ['update "membership" set "ended_at" = $1', 'administration'],
  ['insert into public.role (id) select $1', 'administration'],
  [
    'with a as (insert into task values ($1) returning id) update facility set id = $1',
    'administration facilities',
  ],
  ['select from policy_version where tenant_id = $1 for update', 'administration'],
  ['select a.id from session s join account a on a.id = s.account_id for update of a', 'administration'],
  // Locks only local tables or records.
  ['select a.id from session s join account a on a.id = s.account_id for update of s', ''],
  ['select i.id from import i left join facility f on f.id = i.facility_id for update of i', ''],
  ['select from import where id = $1 for update', ''],
  // Writes local tables and records, and only reads others.
  ['insert into account_state (account_id) values ($1)', ''],
  ['insert into result (id) select id from facility', ''],
  ['insert into result (id) values ($1) on conflict (id) do update set facility_id = $2', ''],
  ['select from facility', ''],
])('%s: takes the turn “%s” [P30]', (text, expected) => {
  expect(turns(text)).toEqual([expected]);
});

it('takes each turn once, and again when it has returned to a savepoint [P30]', () => {
  const insert = 'insert into facility (id) values ($1)';
  expect(
    turns(insert, insert, 'insert into role values ($1)', 'rollback to savepoint batch', insert),
  ).toEqual(['facilities', '', 'administration', '', 'facilities']);
});

it('takes none for temporary tables that cover the stored ones [P30]', () => {
  const insert = 'insert into facility (id) values ($1)';
  expect(
    turns('set local search_path = pg_temp, public', insert, 'insert into public.facility (id) values ($1)'),
  ).toEqual(['', '', 'facilities']);
});
