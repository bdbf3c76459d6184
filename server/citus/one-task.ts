import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { places } from '../src/platform/db/places.ts';
import { severalTasks } from './several-tasks.ts';

/*
 * For every test on a distributed database: the cluster refuses no statement of the program, and each is one task,
 * sent to the tenant's server, except for those in a list with the reason. [P30] The cluster tells each connection
 * what it sends. Also, no transaction waits for another lock once it has its turn to write to shared tables, because
 * the transactions of all tenants wait for those.
 */

/** What is sent around a statement: transactions, settings, and locks on shared tables. */
const around =
  /^issuing (?:begin|commit|rollback|prepare transaction|savepoint|release|set |do |select (?:pg_catalog\.)?(?:assign_distributed|lock_shard|citus_|worker_|pg_))/i;
const written = new RegExp(
  `\\b(?:insert into|update|delete from)\\s+"?(?:${places.shared.join('|')})\\b`,
  'i',
);

/** The place in the program that sent a statement; undefined for a statement of a test. */
function senderOf(stack: string): string | undefined {
  const [, place] =
    stack
      .split('\n')
      .map((line) => /\/server\/((?:src|seeds|test|citus)\/[^:)]+)/.exec(line))
      .find(
        (found) =>
          found &&
          !/^(?:src\/platform\/db\/(?:beginning|database|lent|patience|planned-near|pool|tenant-servers)|citus\/one-task)\.ts$/.test(
            found[1]!,
          ),
      ) ?? [];
  return place === undefined || /^(?:test|citus)\/|\.test\.ts$|\/test-/.test(place) ? undefined : place;
}

const locks = /\bpg_advisory_xact_lock(?:_shared)?\((?:hashtextextended\('([^']*)')?/gi;
/** The last turn that a connection's transaction has taken (platform/db/shared-turns.ts). */
const turns = new WeakMap<pg.Client, string>();

/** Whether a statement waits for a lock behind a turn; facilities come after the others. */
function waitsBehindTurn(client: pg.Client, text: string): boolean {
  if (/^\s*(?:begin|commit|rollback(?!\s+to))\b/i.test(text)) turns.delete(client);
  let waits = false;
  for (const [, name = ''] of text.matchAll(locks)) {
    if (turns.has(client) && name !== 'writes facilities') waits = true;
    if (name.startsWith('writes ')) turns.set(client, name);
  }
  return waits;
}

const found = new Map<string, string>();
const heard = new WeakMap<pg.Client, Set<string>>();
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function recording(this: pg.Client, ...given: unknown[]) {
  const [first] = given as [string | { text?: string }];
  const text = typeof first === 'string' ? first : first?.text;
  const sent = new Set<string>();
  if (!heard.has(this))
    this.on('notice', ({ message = '' }) => {
      if (message.startsWith('issuing') && !around.test(message)) heard.get(this)!.add(message);
    });
  heard.set(this, sent);
  const place = senderOf(new Error().stack ?? '');
  if (text !== undefined && waitsBehindTurn(this, text) && place !== undefined)
    found.set(place, `${place}: has its turn, and waits for ${text.trim().slice(0, 300)}`);
  const answer = (query as (...all: unknown[]) => unknown).apply(this, given);
  const note = () => {
    // For a shared table, the same is sent to every server.
    if (place === undefined || sent.size < 2 || text === undefined || written.test(text)) return;
    if (severalTasks.some((one) => one.place === place && text.includes(one.holds))) return;
    const [line] = [...sent];
    found.set(
      place,
      `${place}: ${sent.size} tasks for ${text.trim().slice(0, 300)}\n  ${line!.slice(0, 300)}`,
    );
  };
  /** A statement that the cluster cannot run, even if the program or the test expects some other error. */
  const noteRefusal = ({ code, message }: pg.DatabaseError) => {
    if (place !== undefined && code === '0A000')
      found.set(place, `${place}: ${message}, for ${text?.trim().slice(0, 300)}`);
  };
  if (answer instanceof Promise) answer.then(note, noteRefusal);
  return answer;
} as typeof query;

afterAll(() => {
  pg.Client.prototype.query = query;
  expect([...found.values()], 'statements that are refused, take several tasks, or wait too late').toEqual(
    [],
  );
});
