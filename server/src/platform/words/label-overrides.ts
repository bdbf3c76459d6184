import type { Database, Tx } from '../db/database.ts';
import type { Call } from '../http/serve.ts';
import { wordsIn } from './words.ts';

/** By language, then by `namespace:path`. */
export type LabelOverrides = Record<string, Record<string, string>>;

/** The namespaces of patients' screens. */
const patientNamespaces = ['portal', 'explanations', 'sign-in', 'profile', 'common'];

/** The tenant's words for its patients, without its words for staff. */
export async function wordsForPatients(database: Database, tenantId: string): Promise<LabelOverrides> {
  const all = await database.withScope(
    { kind: 'service', tenantId },
    (tx) => labelOverridesOf(tx, tenantId),
    { readOnly: true },
  );
  const kept = Object.entries(all).map(([language, words]) => [
    language,
    Object.fromEntries(
      Object.entries(words).filter(([key]) => patientNamespaces.includes(key.slice(0, key.indexOf(':')))),
    ),
  ]);
  return Object.fromEntries(kept) as LabelOverrides;
}

/**
 * The words of a namespace for an export: in the reader's language, as their organisation and its tenant word them.
 * A jurisdiction reads several tenants with their own words, and gets the product's.
 */
export async function wordsForFile(
  database: Database,
  call: Pick<Call, 'org' | 'scope' | 'language'>,
): Promise<(namespace: string) => ReturnType<typeof wordsIn>> {
  const { org, language } = call;
  // A jurisdiction without reporting tenants has no scope.
  const overrides =
    org.orgType === 'PHJ'
      ? {}
      : await database.withScope(call.scope, (tx) => labelOverridesOf(tx, org.tenantIds[0]!), {
          readOnly: true,
        });
  return (namespace) => wordsIn(namespace, language, org.experience, overrides);
}

/** A tenant's own words, which replace the product's. */
export async function labelOverridesOf(tx: Tx, tenantId: string): Promise<LabelOverrides> {
  const rows = await tx.prepared<{ language: string; words: Record<string, string> }>(
    'label overrides',
    `select language, jsonb_object_agg(key, words) as words from label_override
     where tenant_id = $1 group by language`,
    [tenantId],
  );
  return Object.fromEntries(rows.map(({ language, words }) => [language, words]));
}
