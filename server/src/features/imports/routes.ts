import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { NamedAction } from '@caseway/contract/audit-action';
import type { Fault } from '@caseway/contract/error';
import {
  cancelImport,
  checkColumns,
  correctMessage,
  decideMapping,
  decideMappings,
  downloadMessages,
  type ImportDetail,
  type ImportRow,
  importMessages,
  listMappings,
  type MappingState,
  readColumns,
  readImport,
  readMessage,
  rerunMessages,
  saveColumns,
  searchTests,
  startImport,
  uploadImport,
  uploadLimit,
} from '@caseway/contract/imports';
import type { Tx } from '../../platform/db/database.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { AuditEntry } from '../../platform/http/access.ts';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import type { Scope } from '../../platform/scope.ts';
import { attachment, nameOfFile } from '../../platform/text/file-name.ts';
import { wordsForFile } from '../../platform/words/label-overrides.ts';
import { conditionByCode, familyByCode } from '../reference/catalog.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import { specimenSiteLabel } from '../reference/specimen-labels.ts';
import { textWithout } from '../results/families-in-text.ts';
import { findTests } from '../results/laboratory-tests.ts';
import {
  cancel,
  checkTable,
  correct,
  countAsked,
  decideCodes,
  decideColumns,
  describeTable,
  faultsOfColumns,
  faultsOfDecision,
  faultsOfTargets,
  readMapped,
  readTable,
  rerun,
  rowsToCheck,
  start,
  takeHand,
  waitingFor,
  waitingForColumns,
} from './actions.ts';
import { previewColumns, rowsToPreview } from './columns-preview.ts';
import { tableFromJson, textOf } from './formats/file-reader.ts';
import { importSource, readImportRows } from './import-grid.ts';
import { messagesFile, reasonsFile } from './messages-file.ts';
import {
  kindsOfMappings,
  listMessages,
  readDetailAtOnce,
  readImportRow,
  readMapping,
  listMappings as readMappings,
  readMessageRow,
} from './queries.ts';
import { enqueueImport } from './running/import-job.ts';
import { sightOf } from './sight.ts';
import { removeUpload, storeUpload } from './upload-store.ts';

type OrgScope = Extract<Scope, { kind: 'org' }>;

/** Imports: uploading and following them, their messages, columns and codes. */
export function serveImports(app: App): void {
  serveGrid(app, askDatabase(app.database), {
    source: importSource,
    recordKind: 'import',
    orders: async () => ({}),
    read: readImportRows,
  });

  /** Runs `work` as the service of the request's tenant, after checking that the person sees what it is about. */
  async function asService<T>(
    call: Call,
    entry: AuditEntry & { action: NamedAction },
    work: (tx: Tx, tenantId: string) => Promise<T>,
  ): Promise<T> {
    const { tenantId } = call.scope as OrgScope;
    return actIn(app, call, { kind: 'service', tenantId }, tenantId, async (tx, audit) => {
      const result = await work(tx, tenantId);
      await audit({ recordKind: 'import', ...entry });
      return result;
    });
  }

  /** Runs an action on an import that affects whom its messages are joined to. */
  async function withHand<T>(
    call: Call,
    tx: Tx,
    tenantId: string,
    importId: string,
    work: () => Promise<T>,
  ): Promise<T> {
    await takeHand(tx, tenantId, importId, sightOf(call.scope as OrgScope));
    return work();
  }

  const detail = (call: Call, id: string): Promise<ImportDetail> =>
    readDetailAtOnce((work, options) => call.withScope(work, options), id);
  /** Throws `not-found` for an import that the person does not see. */
  const seen = (call: Call, id: string): Promise<ImportRow> => call.withScope((tx) => readImportRow(tx, id));

  /** The place that an upload is for, and all faults of the parameters in its address. */
  const placeOfUpload = async (
    call: Call,
    { facilityId, condition }: { facilityId?: string; condition?: string },
  ) => {
    const faults =
      condition !== undefined && !conditionByCode(condition)
        ? [invalid('condition', 'unknown-condition')]
        : [];
    const { orgType, id: orgId } = call.org;
    const given = orgType === 'F' ? orgId : facilityId;
    if (given === undefined)
      return { place: { facilityId: null, organizationId: orgType === 'O' ? orgId : null }, faults };
    const [facility] = await call.withScope((tx) =>
      tx.rows<{ organization_id: string | null }>('select organization_id from facility where id = $1', [
        given,
      ]),
    );
    // An organisation uploads only for itself.
    if (!facility || (orgType === 'O' && facility.organization_id !== orgId))
      faults.push(invalid('facilityId', 'unknown-facility'));
    return { place: { facilityId: given, organizationId: facility?.organization_id ?? null }, faults };
  };

  serve(
    app,
    uploadImport,
    async (call) => {
      const { fileName, format, condition, dryRun } = call.query;
      const { place, faults } = await placeOfUpload(call, call.query);
      refuse(faults);
      const id = randomUUID();
      const { tenantId } = call.scope as OrgScope;
      const { byteSize, sha256 } = await storeUpload(app.database, tenantId, id, call.upload);
      try {
        await asService(
          call,
          { action: 'upload', recordIds: [id], detail: { byteSize, dryRun: dryRun === 'true' } },
          async (tx) => {
            await tx.run(
              `insert into import (tenant_id, id, file_name, format, byte_size, sha256, state, dry_run, facility_id,
                 organization_id, options, created_by, sight) values ($1, $2, $3, $4, $5, $6, 'queued', $7, $8, $9, $10, $11, $12)`,
              [
                tenantId,
                id,
                nameOfFile(fileName),
                format ?? null,
                byteSize,
                sha256,
                dryRun === 'true',
                place.facilityId,
                place.organizationId,
                JSON.stringify(condition === undefined ? {} : { condition }),
                call.account.accountId,
                JSON.stringify(sightOf(call.scope as OrgScope)),
              ],
            );
            await enqueueImport(tx, tenantId, id);
          },
        );
      } catch (error) {
        await app.database
          .withScope({ kind: 'service', tenantId }, (tx) => removeUpload(tx, tenantId, id))
          .catch(() => {});
        throw error;
      }
      return detail(call, id);
    },
    { uploadLimit, alsoWrong: async (call) => (await placeOfUpload(call, call.query)).faults },
  );

  serve(app, readImport, (call) => detail(call, call.params.id));

  serve(app, cancelImport, async (call) => {
    const { id } = call.params;
    await seen(call, id);
    await asService(call, { action: 'cancel', recordIds: [id] }, (tx, tenantId) => cancel(tx, tenantId, id));
    return detail(call, id);
  });

  serve(app, startImport, async (call) => {
    const { id } = call.params;
    await seen(call, id);
    await asService(call, { action: 'start', recordIds: [id] }, (tx, tenantId) =>
      withHand(call, tx, tenantId, id, () => start(tx, tenantId, id)),
    );
    return detail(call, id);
  });

  serve(app, rerunMessages, async (call) => {
    const { id } = call.params;
    await seen(call, id);
    const queued = await asService(
      call,
      { action: 'run again', recordIds: [id], detail: { state: call.body.state } },
      (tx, tenantId) =>
        withHand(call, tx, tenantId, id, () => rerun(tx, tenantId, id, call.body, call.scope as OrgScope)),
    );
    return { queued };
  });

  serve(app, importMessages, (call) =>
    call.withScope(async (tx) => {
      await readImportRow(tx, call.params.id);
      const { state, reason, page } = call.query;
      const found = await listMessages(tx, call.params.id, { state, reason, page: Number(page) });
      call.audit({ recordKind: 'import-message', recordIds: found.rows.map(({ id }) => id) });
      return found;
    }),
  );

  serve(app, readMessage, (call) =>
    call.withScope(async (tx) => {
      const { id, messageId } = call.params;
      const { message, raw, deletedAt, charset, tableOptions } = await readMessageRow(tx, id, messageId);
      call.audit({ recordKind: 'import-message', recordIds: [messageId], detail: { text: true } });
      const table = message.messageType === 'row' ? tableFromJson(tableOptions.table) : undefined;
      const { hiddenFamilies } = call.scope as OrgScope;
      const whole = raw && textOf(raw, charset);
      const shown = whole && textWithout(hiddenFamilies, whole, table?.dialect.delimiter);
      // A correction must start from the complete text.
      const isToCorrect = message.state === 'refused' || message.state === 'waiting';
      return {
        ...message,
        text: isToCorrect && shown !== whole ? null : shown,
        textDeletedAt: deletedAt?.toISOString() ?? null,
        charset,
        header: table?.header ?? null,
      };
    }),
  );

  serve(
    app,
    correctMessage,
    async (call) => {
      const { id, messageId } = call.params;
      await call.withScope((tx) => readMessageRow(tx, id, messageId));
      const corrected = await asService(
        call,
        { action: 'correct', recordKind: 'import-message', recordIds: [messageId] },
        (tx, tenantId) =>
          withHand(call, tx, tenantId, id, () => correct(tx, tenantId, id, messageId, call.body.text)),
      );
      return call.withScope(async (tx) => (await readMessageRow(tx, id, corrected)).message);
    },
    // A received message may contain such characters, and the correction may be elsewhere.
    { bodyLimit: 5 * 2 ** 20, anyText: true },
  );

  serve(app, downloadMessages, async (call) => {
    const { id } = call.params;
    const { fileName, format } = await seen(call, id);
    const { state, reasons } = call.query;
    const name = reasons ? `${state}-${fileName}.csv` : `${state}-${fileName}`;
    call.setHeader('content-disposition', attachment(name));
    const wordsIn = await wordsForFile(app.database, call);
    return Readable.from(
      reasons
        ? reasonsFile(call, id, state, wordsIn)
        : messagesFile(call, id, state, format === 'csv', wordsIn),
    );
  });

  // — Columns —

  serve(app, readColumns, (call) =>
    call.withScope(async (tx) => describeTable(await readTable(tx, call.params.id))),
  );

  const tableOf = (call: Call<{ id: string }>) => call.withScope((tx) => readTable(tx, call.params.id, 0));

  serve(
    app,
    checkColumns,
    async (call) => {
      const { id } = call.params;
      const scope = call.scope as OrgScope;
      const { read, mapped, first } = await call.withScope(async (tx) => {
        const read = await readTable(tx, id, rowsToCheck);
        const first = await rowsToPreview(tx, id, read.table, scope);
        call.audit({
          recordKind: 'import-message',
          recordIds: first.map((row) => row.id),
          detail: { text: true },
        });
        return { read, mapped: await readMapped(tx), first };
      });
      const checked = await checkTable(read, call.body, call.org.timeZone, mapped);
      // The service reads like the run of the import; the sight of the reader limits whom it finds.
      const preview = await app.database.withScope({ kind: 'service', tenantId: scope.tenantId }, (tx) =>
        previewColumns(tx, id, read.table, first, {
          scope,
          accountId: call.account.accountId,
          decided: call.body,
        }),
      );
      return { ...checked, preview };
    },
    { alsoWrong: async (call) => faultsOfColumns((await tableOf(call)).table, call.body) },
  );

  serve(
    app,
    saveColumns,
    async (call) => {
      const { id } = call.params;
      await seen(call, id);
      const { tenantId: ofTenant } = call.scope as OrgScope;
      const queued = await call.withScope((tx) => countAsked(tx, ofTenant, waitingForColumns(id)));
      await asService(call, { action: 'map columns', recordIds: [id] }, (tx, tenantId) =>
        withHand(call, tx, tenantId, id, () =>
          decideColumns(tx, tenantId, id, call.body, call.account.accountId),
        ),
      );
      return { queued };
    },
    { alsoWrong: async (call) => faultsOfDecision(await tableOf(call), call.body) },
  );

  // — Codes —

  serve(app, listMappings, (call) =>
    call.withScope((tx) => readMappings(tx, { ...call.query, page: Number(call.query.page) })),
  );

  const decided = async (
    call: Call,
    state: MappingState,
    codes: readonly { id: string; target: string | null }[],
    pathOf: (index: number) => string,
  ) => {
    const { tenantId: ofTenant } = call.scope as OrgScope;
    const ids = codes.map(({ id }) => id);
    const [kinds, waiting] = await call.withScope(async (tx) => [
      await kindsOfMappings(tx, ids),
      await countAsked(tx, ofTenant, waitingFor(...ids)),
    ]);
    const known = codes.map((code) => ({ ...code, kind: kinds.get(code.id)! }));
    refuse(faultsOfTargets(known, pathOf));
    await asService(
      call,
      { action: 'map code', recordKind: 'code-mapping', recordIds: ids, detail: { state } },
      (tx, tenantId) => decideCodes(tx, tenantId, state, known, call.account.accountId),
    );
    return state === 'open' ? 0 : waiting;
  };

  serve(app, decideMapping, async (call) => {
    const { id } = call.params;
    const target = call.body.state === 'mapped' ? call.body.target : null;
    const queued = await decided(call, call.body.state, [{ id, target }], () => 'target');
    return { mapping: await call.withScope((tx) => readMapping(tx, id)), queued };
  });

  serve(app, decideMappings, async (call) => {
    const { body } = call;
    const codes = body.state === 'mapped' ? body.codes : body.codes.map(({ id }) => ({ id, target: null }));
    const queued = await decided(call, body.state, codes, (index) => `codes.${index}.target`);
    return { decided: codes.length, queued };
  });

  serve(app, searchTests, (call) => {
    const tests = findTests(call.query.words, (call.scope as OrgScope).hiddenFamilies);
    return {
      tests: tests.map(({ loinc, component, method, family, site }) => {
        const labels = family ? familyByCode(family) : undefined;
        return {
          loinc,
          name: component,
          nameI18N: testNameI18N(loinc),
          method,
          site: site ? specimenSiteLabel(site) : null,
          diseaseFamily: labels
            ? { code: labels.code, label: labels.label, labelI18N: labels.labelI18N }
            : null,
        };
      }),
    };
  });
}

const invalid = (path: string, code: string): Fault => ({ path, code, message: messages[code]! });
const messages: Record<string, string> = {
  'unknown-condition': 'there is no such condition',
  'unknown-facility': 'there is no such facility',
};
