import { caseRecord } from '@caseway/contract/case-record';
import { referencesIn, withoutFamilies, withoutRecords } from '@caseway/contract/form';
import {
  type CaseFormFact,
  changeInvestigation,
  formOfFamily,
  type Investigation,
  investigating,
  readInvestigation,
  readInvestigationHistory,
} from '@caseway/contract/investigation-form';
import { recordChange } from '../../platform/analytics/outbox.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import {
  type AnswerTables,
  readAnswerHistory,
  readAnswers,
  saveAnswers,
  shownAnswers,
} from '../../platform/records/answers.ts';
import { formOfTenant } from '../../platform/records/form-extensions.ts';
import { keepingVersions } from '../../platform/records/record-versions.ts';
import { inItsTenant } from '../../platform/records/serve-patient-records.ts';
import { hiddenFor } from '../../platform/records/serve-records.ts';
import { caseTables } from './rows.ts';

const tables: AnswerTables = {
  answers: 'case_answers',
  keys: 'case_answer_key',
  history: 'case_answers_history',
  by: 'case_report_id',
  of: 'case_report',
};

interface Asked {
  version: number;
  family: string;
  facts: Record<CaseFormFact, string | null>;
}

/** What the form of a case needs to know about it; throws `not-found` if the reader does not see the case. */
async function askedAbout(tx: Tx, id: string): Promise<Asked> {
  const [row] = await tx.rows<{ version: number; family: string } & Asked['facts']>(
    `select c.version, c.disease_family as family, p.sex_at_birth as sex, c.condition_code as condition,
       c.classification, c.pregnant, c.onset_on as "onsetOn"
     from ${caseTables} where report.tenant_id = $1 and report.id = $2`,
    [tx.tenantId, id],
  );
  if (!row) throw new AppError('not-found');
  const { version, family, ...facts } = row;
  return { version, family, facts };
}

/** Organizations and facilities know the case, but not what its investigators have learned. */
const investigates = ({ scope }: Call) =>
  scope.kind === 'org' && (investigating as readonly string[]).includes(scope.orgType);

/** Cases that the reader sees, by their numbers. */
async function casesNamed(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.rows<{ id: string; name: string }>(
    'select id, case_id as name from case_report where tenant_id = $1 and id = any ($2::uuid[])',
    [tx.tenantId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The form of a case and its answers; null if there is none for its disease, or for this reader. */
async function investigationOf(tx: Tx, call: Call, id: string): Promise<Investigation | null> {
  const { version, family, facts } = await askedAbout(tx, id);
  const plain = formOfFamily(family);
  if (!plain || !investigates(call)) return null;
  const { form } = await formOfTenant(tx, plain);
  const { answers, completed } = await readAnswers(tx, tables, id);
  const hidden = hiddenFor(call);
  const shown = shownAnswers(form, answers, hidden);
  const referred = referencesIn(form, shown).map(({ id }) => id);
  const records = referred.length > 0 ? await casesNamed(tx, referred) : new Map<string, string>();
  return {
    version,
    form: withoutFamilies(form, hidden),
    facts,
    answers: withoutRecords(form, shown, (id) => records.has(id)),
    records: Object.fromEntries(records),
    completed,
  };
}

/** Investigation forms: questions about a case besides its fields. */
export function serveInvestigations(app: App): void {
  serve(app, readInvestigation, (call) => {
    const { id } = call.params;
    return inItsTenant(call, 'case', id, async (tx) => ({
      investigation: await investigationOf(tx, call, id),
    }));
  });

  serve(app, readInvestigationHistory, (call) => {
    const { id } = call.params;
    return inItsTenant(call, 'case', id, async (tx) => {
      const { family } = await askedAbout(tx, id);
      const plain = formOfFamily(family);
      if (!plain || !investigates(call)) throw new AppError('not-found');
      const { form } = await formOfTenant(tx, plain);
      return readAnswerHistory(tx, tables, id, form, {
        before: call.query.before,
        hiddenFamilies: hiddenFor(call),
        named: casesNamed,
      });
    });
  });

  serve(app, changeInvestigation, (call) => {
    const { id } = call.params;
    return inItsTenant(call, 'case', id, async (tx, tenantId) => {
      await tx.rows('select from case_report where tenant_id = $1 and id = $2 for update', [tenantId, id]);
      const { version, family, facts } = await askedAbout(tx, id);
      const plain = formOfFamily(family);
      if (!plain || !investigates(call)) throw new AppError('not-found');
      const asked = await formOfTenant(tx, plain);
      const changed = await saveAnswers(
        tx,
        tables,
        { tenantId, accountId: call.account.accountId, hiddenFamilies: hiddenFor(call), named: casesNamed },
        { id, version: version + 1, facts },
        asked,
        call.body,
      );
      if (changed) {
        // The view of the case's own place stays unchanged, because it does not see what was learned. The version is
        // in the history of the case without changes, so that a person who edits its fields at the same time is not
        // refused.
        await keepingVersions(tx, caseRecord, tenantId, [id], { accountId: call.account.accountId }, () =>
          tx.run(
            'update case_report set version = version + 1, updated_at = now() where tenant_id = $1 and id = $2',
            [tenantId, id],
          ),
        );
        await recordChange(tx, tenantId, 'case_report', [id]);
        call.audit({
          action: 'change',
          detail: { form: asked.form.id, fields: Object.keys(call.body.answers) },
        });
      }
      return { investigation: (await investigationOf(tx, call, id))! };
    });
  });
}
