import {
  endGlass,
  listGlass,
  openGlass,
  ownGlass,
  reviewGlass,
  revokeGlass,
  type WatchedAccess,
} from '@caseway/contract/break-glass';
import type { Fault } from '@caseway/contract/error';
import { v7 } from 'uuid';
import type { Tx } from '../../platform/db/database.ts';
import { actIn, type WriteAudit } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { accessesOf } from '../../platform/policy/break-glass.ts';
import { tellOfficers } from './officers.ts';
import { readAccess, readAccesses } from './watch.ts';

/** Attempts in 24 hours: with numbers that do not exist, so that nobody can try them all; and in total. */
const attempts = { missed: 5, all: 20 };

/** Break the glass, and the screens of privacy officers about it. [P18, P15] */
export function serveBreakGlass(app: App): void {
  /** The tenant of the request. A jurisdiction reads several tenants and does not have this right. */
  const tenantOf = (call: Call): string => {
    const { scope } = call;
    if (scope.kind !== 'org' || call.org.orgType === 'PHJ') throw new AppError('forbidden');
    return scope.tenantId;
  };
  /** A change of an access, in the scope of the service; the tenant's log records it. */
  const change = <T>(
    call: Call,
    work: (tx: Tx, audit: WriteAudit, tenantId: string) => Promise<T>,
  ): Promise<T> => {
    const tenantId = tenantOf(call);
    return actIn(app, call, { kind: 'service', tenantId }, tenantId, (tx, audit) =>
      work(tx, audit, tenantId),
    );
  };
  const holder = (call: Call) => ({ accountId: call.account.accountId, orgId: call.org.id });

  serve(app, openGlass, async (call) => {
    const { caseNumber, reasonKind, reason } = call.body;
    const { accountId } = call.account;
    tenantOf(call);
    // A person who sees the record anyway needs no access. Saying so reveals nothing.
    const { seen, open } = await call.withScope(async (tx) => ({
      seen: await tx.rows<{ id: string }>(
        'select id from case_report where tenant_id = $1 and case_id = $2',
        [tx.tenantId, caseNumber],
      ),
      open: await accessesOf(tx, holder(call)),
    }));
    if (seen[0]) return { caseReportId: seen[0].id, access: null };
    // A valid access is not opened twice, so an officer who ends it ends all access.
    const lasting = open.find((access) => access.caseNumber === caseNumber);
    if (lasting) return { caseReportId: lasting.caseReportId, access: lasting };
    const opened = await change(call, async (tx, audit, tenantId) => {
      // A person's attempts run one at a time, so that parallel requests cannot exceed the limit.
      await tx.rows('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`break-glass ${accountId}`]);
      const [made] = await tx.rows<{ all: number; missed: number }>(
        `select count(*)::int as "all", count(*) filter (where case_report_id is null)::int as missed
         from break_glass where tenant_id = $1 and account_id = $2 and opened_at > now() - interval '24 hours'`,
        [tenantId, accountId],
      );
      if (made!.all >= attempts.all || made!.missed >= attempts.missed)
        throw new AppError('too-many-requests', { retryAfter: 3600 });
      const id = v7();
      const [found] = await tx.rows<{ minutes: number; case_report_id: string | null }>(
        `select break_glass_minutes as minutes,
           (select c.id from case_report c where c.tenant_id = $1 and c.case_id = $2) as case_report_id
         from tenant where id = $1`,
        [tenantId, caseNumber],
      );
      const [row] = await tx.rows<{ case_report_id: string | null; opened_at: Date }>(
        `insert into break_glass (tenant_id, id, account_id, org_type, org_id, case_number, case_report_id, reason_kind,
           reason, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(mins => $10))
         returning case_report_id, opened_at`,
        [
          tenantId,
          id,
          accountId,
          call.org.orgType,
          call.org.id,
          caseNumber,
          found!.case_report_id,
          reasonKind,
          reason,
          found!.minutes,
        ],
      );
      const { case_report_id: caseReportId, opened_at: openedAt } = row!;
      await audit({
        action: caseReportId ? 'break-glass/opened' : 'break-glass/not-found',
        recordKind: 'case',
        recordIds: caseReportId ? [caseReportId] : [],
        detail: { breakGlass: id, reasonKind, reason },
      });
      // Also after an attempt with an unknown number, because someone may be guessing.
      await enqueue(tx, tellOfficers, { tenantId, accessId: id, at: openedAt.toISOString() });
      return caseReportId;
    });
    if (opened === null) return { caseReportId: null, access: null };
    const [access] = await call.withScope((tx) => accessesOf(tx, holder(call), opened));
    if (!access) throw new AppError('conflict');
    return { caseReportId: opened, access };
  });

  serve(app, ownGlass, async (call) => {
    tenantOf(call);
    return { accesses: await call.withScope((tx) => accessesOf(tx, holder(call))) };
  });

  serve(app, endGlass, async (call) => {
    const { id } = call.params;
    await change(call, async (tx, audit, tenantId) => {
      const [ended] = await tx.rows<{ case_report_id: string }>(
        `update break_glass set ended_at = now(), ended_by = account_id
         where tenant_id = $1 and id = $2 and account_id = $3 and ended_at is null and expires_at > now()
           and case_report_id is not null returning case_report_id`,
        [tenantId, id, call.account.accountId],
      );
      if (!ended) throw new AppError('not-found');
      await audit({
        action: 'break-glass/given-up',
        recordKind: 'case',
        recordIds: [ended.case_report_id],
        detail: { breakGlass: id },
      });
    });
    return { id };
  });

  serve(app, listGlass, (call) =>
    call.withScope(async (tx) => {
      call.audit({ action: 'break-glass/listed', recordKind: 'break-glass' });
      const { only, page } = call.query;
      return readAccesses(tx, call.account.accountId, { only, page: Number(page) });
    }),
  );

  /** Changes an access as an officer. Officers cannot review their own accesses. */
  const asOfficer = async (
    call: Call<{ id: string }>,
    work: (tx: Tx, audit: WriteAudit, before: WatchedAccess) => Promise<void>,
  ): Promise<WatchedAccess> => {
    const { id } = call.params;
    const officer = call.account.accountId;
    const read = () => call.withScope((tx) => readAccess(tx, officer, id));
    if (!(await read())) throw new AppError('not-found');
    await change(call, async (tx, audit, tenantId) => {
      // Officers change an access one at a time, so that the log shows what each of them found.
      await tx.rows('select from break_glass where tenant_id = $1 and id = $2 for update', [tenantId, id]);
      await work(tx, audit, (await readAccess(tx, officer, id))!);
    });
    return (await read())!;
  };

  serve(
    app,
    reviewGlass,
    (call) =>
      asOfficer(call, async (tx, audit, before) => {
        refuse(faultsOfReview(before));
        await tx.run(
          `update break_glass set reviewed_at = now(), reviewed_by = $3, review_note = $4
         where tenant_id = $1 and id = $2`,
          [tenantOf(call), before.id, call.account.accountId, call.body.note || null],
        );
        await audit({
          action: 'break-glass/reviewed',
          recordKind: 'break-glass',
          recordIds: [before.id],
          detail: {
            before: { reviewed: before.review !== null, note: before.review?.note ?? null },
            after: { reviewed: true, note: call.body.note || null },
          },
        });
      }),
    {
      alsoWrong: async (call) => {
        const before = await call.withScope((tx) => readAccess(tx, call.account.accountId, call.params.id));
        if (!before) throw new AppError('not-found');
        return faultsOfReview(before);
      },
    },
  );

  serve(app, revokeGlass, (call) =>
    asOfficer(call, async (tx, audit, before) => {
      const ended = await tx.run(
        `update break_glass set ended_at = now(), ended_by = $3
         where tenant_id = $1 and id = $2 and ended_at is null and expires_at > now() and case_report_id is not null`,
        [tenantOf(call), before.id, call.account.accountId],
      );
      if (ended === 0) throw new AppError('conflict');
      await audit({
        action: 'break-glass/revoked',
        recordKind: 'break-glass',
        recordIds: [before.id],
        detail: { before: { state: before.state }, after: { state: 'revoked' } },
      });
    }),
  );
}

/** Why someone cannot review an access. */
const faultsOfReview = ({ own }: WatchedAccess): Fault[] =>
  own ? [{ path: '', code: 'own-access', message: 'somebody else reviews your own access' }] : [];
