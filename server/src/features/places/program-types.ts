import { readFileSync } from 'node:fs';
import { v5 } from 'uuid';
import type { Tx } from '../../platform/db/database.ts';

interface Labels {
  label: string;
  labelI18N: Record<string, string>;
}

/** The program types that every tenant can use. */
const reference = JSON.parse(
  readFileSync(new URL('../../../seeds/reference/program-types.json', import.meta.url), 'utf8'),
) as readonly (Labels & { code: string })[];

const namespace = '7c6f1c0a-3a0e-4c55-9b37-0f0b2f6f2c41';
/** The id of a reference type in a tenant, even before it is used there. */
const idIn = (tenantId: string, code: string): string => v5(`${tenantId}/${code}`, namespace);

/** The possible types of a programme: the tenant's own, and the reference types with names that it does not have. */
export async function typesIn(tx: Tx, tenantId: string): Promise<(Labels & { id: string })[]> {
  const own = await tx.rows<Labels & { id: string }>(
    'select id, label, label_i18n as "labelI18N" from program_type',
  );
  const known = new Set(own.flatMap(({ id, label }) => [id, label.toLowerCase()]));
  const more = reference
    .map(({ code, label, labelI18N }) => ({ id: idIn(tenantId, code), label, labelI18N }))
    .filter(({ id, label }) => !known.has(id) && !known.has(label.toLowerCase()));
  return [...own, ...more].sort((a, b) => a.label.localeCompare(b.label, 'en'));
}

/** Adds a reference type to a tenant that has not used it before. */
export async function installType(tx: Tx, tenantId: string, id: string): Promise<void> {
  const used = reference.find(({ code }) => idIn(tenantId, code) === id);
  if (used)
    await tx.run(
      `insert into program_type (tenant_id, id, label, label_i18n) values ($1, $2, $3, $4) on conflict do nothing`,
      [tenantId, id, used.label, JSON.stringify(used.labelI18N)],
    );
}
