import { extensionFlaws } from '@caseway/contract/form-flaws';
import { type PublishedForm, publishForm, readForms } from '@caseway/contract/form-settings';
import { caseFormFacts, investigationForms } from '@caseway/contract/investigation-form';
import type { Tx } from '../../platform/db/database.ts';
import { changesBetween } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt, refuse } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { wholeTenant } from '../../platform/policy/authority.ts';
import { extensionOf } from '../../platform/records/form-extensions.ts';

const languagesOf = async (tx: Tx, tenantId: string): Promise<string[]> => {
  const [row] = await tx.rows<{ languages: string[] }>(
    'select tenant_languages as languages from tenant where id = $1',
    [tenantId],
  );
  return row!.languages;
};

async function publishedForm(
  tx: Tx,
  [family, form]: (typeof investigationForms)[number],
): Promise<PublishedForm> {
  const { version, ...extension } = await extensionOf(tx, form.id);
  const published = await tx.rows<{ version: number; at: Date; by: string | null }>(
    `select e.version, e.published_at as at, nullif(concat_ws(' ', a.first_name, a.last_name), '') as by
     from form_extension e left join account a on a.id = e.published_by
     where e.tenant_id = $1 and e.form = $2 order by e.version desc limit 50`,
    [tx.tenantId, form.id],
  );
  return {
    family,
    form,
    version,
    extension,
    published: published.map(({ at, ...one }) => ({ ...one, at: at.toISOString() })),
  };
}

/** A tenant's own questions in the forms of investigations. */
export function serveFormSettings(app: App): void {
  serve(app, readForms, (call) =>
    call.withScope(async (tx) => {
      const languages = await languagesOf(tx, wholeTenant(call));
      const forms: PublishedForm[] = [];
      for (const one of investigationForms) forms.push(await publishedForm(tx, one));
      return { languages, forms };
    }),
  );

  serve(app, publishForm, (call) => {
    const tenantId = wholeTenant(call);
    const { version, extension } = call.body;
    return call.withScope(async (tx) => {
      const known = investigationForms.find(([, { id }]) => id === call.params.form);
      if (!known) throw new AppError('not-found');
      // Locked, so that anyone else who publishes waits until the transaction has ended.
      await tx.rows('select from tenant where id = $1 for update', [tenantId]);
      const [, form] = known;
      const before = await extensionOf(tx, form.id);
      if (before.version !== version) throw new AppError('conflict');
      const languages = await languagesOf(tx, tenantId);
      const flaws = extensionFlaws(form, extension, { facts: caseFormFacts, languages }, before);
      refuse(flaws.map((flaw) => faultAt(`extension.${flaw.split(':')[0]}`, 'flaw', flaw)));
      await tx.run(
        `insert into form_extension (tenant_id, form, version, extension, published_by) values ($1, $2, $3, $4, $5)`,
        [tenantId, form.id, version + 1, JSON.stringify(extension), call.account.accountId],
      );
      const asked = ({ after, hidden }: typeof extension) => ({ questions: after, hidden });
      call.audit({
        action: 'setting/form-published',
        recordKind: 'tenant',
        recordIds: [tenantId],
        detail: { form: form.id, version: version + 1, ...changesBetween(asked(before), asked(extension)) },
      });
      return publishedForm(tx, known);
    });
  });
}
