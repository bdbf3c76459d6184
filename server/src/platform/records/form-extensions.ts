import { extended, type Form, type FormExtension } from '@caseway/contract/form';
import type { Tx } from '../db/database.ts';

type Extension = Pick<FormExtension, 'after' | 'hidden' | 'version'>;
export const noExtension: Extension = { version: 0, after: {}, hidden: [] };

/** The tenant's own questions in a form, in the last published version; for the transaction's tenant. */
export async function extensionOf(tx: Tx, form: string): Promise<Extension> {
  const [row] = await tx.rows<{ version: number; extension: Pick<FormExtension, 'after' | 'hidden'> }>(
    `select version, extension from form_extension where tenant_id = $1 and form = $2 order by version desc limit 1`,
    [tx.tenantId, form],
  );
  return row ? { ...row.extension, version: row.version } : noExtension;
}

/** A form with the questions of the transaction's tenant, and the version of these; null if there are none. */
export async function formOfTenant(tx: Tx, form: Form): Promise<{ form: Form; extension: number | null }> {
  const { version, ...extension } = await extensionOf(tx, form.id);
  return { form: extended(form, extension), extension: version || null };
}
