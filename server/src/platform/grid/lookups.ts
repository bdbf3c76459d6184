import { labelIn } from '@caseway/contract/label';
import type { LookupOption } from '@caseway/contract/reference';
import type { Database, ScopeOptions, Tx } from '../db/database.ts';
import { outdateWith } from '../events/hub.ts';
import type { App } from '../http/app.ts';
import type { Call } from '../http/serve.ts';
import type { Scope } from '../scope.ts';
import type { GridSource } from './grid-sql.ts';

/** The reader of the entries. */
export type Reader = Pick<Call, 'org' | 'scopeIn' | 'language'>;
type OrgScope = Extract<Scope, { kind: 'org' }>;

/** Finds the entries of a look-up in several tenants; undefined for an unknown look-up. */
export type OptionsOf = (
  name: string,
  tenantIds: readonly string[],
  within: <T>(
    tenantId: string,
    work: (tx: Tx, scope: OrgScope) => Promise<T>,
    options: Pick<ScopeOptions, 'atCoordinator'>,
  ) => Promise<T>,
) => Promise<readonly LookupOption[] | undefined>;

/**
 * How often a tenant's entries have changed, as far as this process knows. Entries that were read before a change
 * are not used after it.
 */
const changes = new Map<string, number>();

/** Call it when another process has changed the look-up entries of a tenant. */
export const lookupsOutdated = (tenantId: string): void =>
  void changes.set(tenantId, (changes.get(tenantId) ?? 0) + 1);

/** Call it after a transaction that changed the look-up entries of a tenant has committed. */
export async function lookupsChanged(
  { database, log }: Pick<App, 'database' | 'log'>,
  tenantId: string,
): Promise<void> {
  lookupsOutdated(tenantId);
  await database
    .withScope({ kind: 'system' }, (tx) => outdateWith(tx, { kind: 'lookups', id: tenantId }))
    // The change is committed. Without the message, other processes notice within ten seconds.
    .catch((error) => log.warn({ err: error }, 'other processes were not told of changed look-ups'));
}

/**
 * Milliseconds for which a reader's entries are cached, unless someone changes them. Only the order and labels of
 * rows depend on them.
 */
const keptMs = 10_000;
const capacity = 500;

/**
 * Ids in the order of their labels, by language: sorting the names of all counties takes longer than finding a page.
 */
const sorted = new WeakMap<readonly LookupOption[], Map<string, readonly string[]>>();

/** Several tenants may list the same entry. */
const labelsOf = (options: readonly LookupOption[], language: string): Map<string, string> =>
  new Map(options.map((option) => [option.id, labelIn(option, language)]));

function orderOf(options: readonly LookupOption[], language: string): readonly string[] {
  const known = sorted.get(options) ?? new Map<string, readonly string[]>();
  sorted.set(options, known);
  const order = known.get(language);
  if (order) return order;
  const { compare } = new Intl.Collator([language, 'fr', 'en'], { numeric: true });
  const made = [...labelsOf(options, language)].sort(([, a], [, b]) => compare(a, b)).map(([id]) => id);
  known.set(language, made);
  return made;
}

/** The look-ups that a query sorts by. */
export function lookupsSortedBy({ fields }: GridSource, fieldNames: readonly string[]): string[] {
  return fieldNames.flatMap((name) => {
    const field = (fields as Record<string, GridSource['fields'][string]>)[name];
    return field?.kind === 'choice' && typeof field.order === 'string' ? [field.order] : [];
  });
}

/** The look-ups that records refer to, in the language of the reader. */
export class Lookups {
  readonly #database: Database;
  readonly #optionsOf: OptionsOf;
  readonly #kept = new Map<string, { until: number; options: Promise<readonly LookupOption[]> }>();

  constructor(database: Database, optionsOf: OptionsOf) {
    this.#database = database;
    this.#optionsOf = optionsOf;
  }

  /** The ids of look-ups, in the order of their labels. */
  async orders(names: readonly string[], call: Reader): Promise<Record<string, readonly string[]>> {
    const orders = names.map(async (name) => {
      const options = await this.#options(name, call);
      return [name, orderOf(options, call.language)] as const;
    });
    return Object.fromEntries(await Promise.all(orders));
  }

  /** The labels of a look-up by id. */
  async labels(name: string, call: Reader): Promise<ReadonlyMap<string, string>> {
    return labelsOf(await this.#options(name, call), call.language);
  }

  #options(name: string, call: Reader): Promise<readonly LookupOption[]> {
    // Everything that the reader's entries depend on.
    const scopes = call.org.tenantIds.map((tenantId) => ({
      ...(call.scopeIn(tenantId) as OrgScope),
      accountId: '',
    }));
    const seen = call.org.tenantIds.map((tenantId) => changes.get(tenantId) ?? 0);
    const key = JSON.stringify([name, scopes, seen]);
    const known = this.#kept.get(key);
    if (known && known.until > performance.now()) return known.options;
    const options = this.#read(name, call);
    if (this.#kept.size >= capacity) this.#kept.clear();
    this.#kept.set(key, { until: performance.now() + keptMs, options });
    options.catch(() => this.#kept.delete(key));
    return options;
  }

  async #read(name: string, call: Reader): Promise<readonly LookupOption[]> {
    const options = await this.#optionsOf(name, call.org.tenantIds, (tenantId, work, options) => {
      const scope = call.scopeIn(tenantId) as OrgScope;
      return this.#database.withScope(scope, (tx) => work(tx, scope), { readOnly: true, ...options });
    });
    if (!options) throw new Error(`there is no look-up ${name}`);
    return options;
  }
}
