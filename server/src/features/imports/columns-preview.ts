import type { ColumnsCheck } from '@caseway/contract/imports';
import { writeEvent } from '../../platform/audit/auditor.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/scope.ts';
import { loadTenantContext } from '../patients/tenant-context.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import { textWithout } from '../results/families-in-text.ts';
import { type Decision, undecidedReasons } from './actions.ts';
import { type Item, planBatch } from './batch/batch.ts';
import { digestOf } from './batch/incoming.ts';
import type { MessageWrite, Plan } from './batch-state.ts';
import { type TableOptions, TableReader, textOf } from './formats/file-reader.ts';
import { readAgain, type StoredRow } from './running/run-again.ts';
import { narrowed, type Sight, sightOf, wholeTenant } from './sight.ts';

/* The first rows of a table as they would be stored with a mapping, planned by the code that stores them. */

type OrgScope = Extract<Scope, { kind: 'org' }>;
type PreviewRow = ColumnsCheck['preview'][number];

/** So many rows are shown before they are stored. */
const previewedRows = 10;

/** The first rows that wait for the mapping and whose whole text the reader sees. */
export async function rowsToPreview(
  tx: Tx,
  importId: string,
  table: TableOptions,
  { hiddenFamilies }: OrgScope,
): Promise<StoredRow[]> {
  const rows = await tx.rows<StoredRow>(
    `select id, index, line, revision, raw, charset, content_hash, occurrence, state, reason, disease_families, waiting_for
     from import_message where tenant_id = $1 and import_id = $2 and raw is not null and corrected_by is null
       and state = 'waiting' and reason = any ($3) order by index, revision limit $4`,
    [tx.tenantId, importId, undecidedReasons, previewedRows],
  );
  return rows.filter(({ raw, charset }) => {
    const text = textOf(raw!, charset);
    return textWithout(hiddenFamilies, text, table.dialect.delimiter) === text;
  });
}

/**
 * Plans the rows and stores nothing. It is planned with the sight of the reader and of everyone who worked on the
 * import, as it would be stored. [P23] Who is found is told to the audit log, as a dry run does.
 */
export async function previewColumns(
  tx: Tx,
  importId: string,
  table: TableOptions,
  stored: readonly StoredRow[],
  { scope, accountId, decided }: { scope: OrgScope; accountId: string; decided: Decision },
): Promise<PreviewRow[]> {
  const { tenantId } = scope;
  const [about] = await tx.rows<{
    facility_id: string | null;
    organization_id: string | null;
    sender: string | null;
    created_by: string | null;
    sight: Sight | null;
  }>(
    `select i.facility_id, i.organization_id, i.created_by, i.sight, coalesce(f.name, o.name) as sender
     from import i left join facility f on f.tenant_id = i.tenant_id and f.id = i.facility_id
     left join organization o on o.tenant_id = i.tenant_id and o.id = i.organization_id
     where i.tenant_id = $1 and i.id = $2`,
    [tenantId, importId],
  );
  if (!about || stored.length === 0) return [];
  const tenant = await loadTenantContext(tx, tenantId);
  const reading = {
    clock: { timeZone: tenant.timeZone },
    sender: about.sender ?? '',
    place: about.facility_id ?? about.organization_id,
  };
  const rows = new TableReader({ ...table, ...decided }, reading);
  if (rows.waits.length > 0) return [];
  const items: Pick<Item, 'incoming' | 'digest'>[] = [];
  for (const row of stored) {
    const incoming = await readAgain(row, importId, 'csv', rows, reading);
    items.push({ incoming, digest: digestOf(incoming, tenant.facts) });
  }
  const plan = await planBatch(
    tx,
    tenantId,
    {
      importId,
      facilityId: about.facility_id,
      organizationId: about.organization_id,
      format: 'csv',
      condition: decided.options.condition ?? null,
      today: tenant.today(),
      facts: tenant.facts,
      sight: narrowed(about.sight ?? wholeTenant, sightOf(scope)),
      restrictedFamilies: tenant.restrictedFamilies,
      testSenders: tenant.testSenders,
    },
    items,
  );
  const made = new Set(plan.patients.flatMap(({ id, isNew }) => (isNew ? [id] : [])));
  const found = plan.messages.flatMap(({ patientId }) =>
    patientId !== null && !made.has(patientId) ? [patientId] : [],
  );
  await writeEvent(tx, {
    tenantId,
    accountId,
    orgType: null,
    orgId: null,
    action: 'looked up by a dry run',
    deed: 'read',
    recordKind: 'patient',
    recordIds: [...new Set(found)],
    detail: { importId },
  });
  const isWhole = scope.hiddenFamilies.length === 0 || about.created_by === accountId;
  const seen = new Set<string>();
  return plan.messages.map((write, at) => {
    const { patientId, incoming, state, reason } = write;
    const isRepeated = patientId !== null && seen.has(patientId);
    if (patientId !== null) seen.add(patientId);
    const facts = items[at]!.digest?.facts;
    return {
      line: isWhole ? incoming.line : null,
      state,
      reason,
      person:
        patientId === null
          ? null
          : {
              lastName: facts?.names[0]?.last ?? null,
              firstName: facts?.names[0]?.first ?? null,
              birthDate: facts?.birthDatePrecision === 'day' ? facts.birthDate : null,
              match: !made.has(patientId) ? 'known' : isRepeated ? 'repeated' : 'new',
            },
      records: state === 'taken' ? recordsOf(write, plan) : [],
    };
  });
}

/** What one row gives: its results and the cases that they open or add to, its case, or its treatment. */
function recordsOf(
  { id, incoming: { content }, patientId, observed }: MessageWrite,
  plan: Plan,
): PreviewRow['records'] {
  if (content.kind === 'treatment') return [{ kind: 'treatment', isNew: null, name: content.row.drug }];
  if (content.kind === 'case') {
    if (patientId === null) return [];
    const cases = plan.cases.filter(
      (one) => one.patientId === patientId && one.conditionCode === content.condition,
    );
    const own = cases.find(({ externalId }) => externalId === (content.row.caseId ?? null));
    return [{ kind: 'case', isNew: own?.isNew ?? false, conditionCode: content.condition }];
  }
  return observed.flatMap((one): PreviewRow['records'] => {
    const write = plan.results.find((result) => result.messageId === id && result.observed === one);
    const cases = plan.caseResults.flatMap(({ caseId, resultId }) => {
      const opened = resultId === write?.id ? plan.cases.find((record) => record.id === caseId) : undefined;
      return opened
        ? [{ kind: 'case' as const, isNew: opened.isNew, conditionCode: opened.conditionCode }]
        : [];
    });
    const named = testNameI18N(one.testLoinc);
    return [
      {
        kind: 'result',
        isNew: write !== undefined,
        name: one.testName,
        ...(named && { nameI18N: { ...named } }),
        category: one.category,
      },
      ...cases,
    ];
  });
}
