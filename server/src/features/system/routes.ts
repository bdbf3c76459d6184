import {
  createTenant,
  listTenants,
  reactivateTenant,
  readHealth,
  retryJob,
  suspendTenant,
} from '@caseway/contract/system';
import type { Tx } from '../../platform/db/database.ts';
import { actIn, changesBetween, type WriteAudit } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { type HealthOptions, offerHealth, retryFailedJob, systemHealth } from './health.ts';
import {
  faultsOfNewTenant,
  faultsOfSuspension,
  makeTenant,
  readTenant,
  readTenants,
  setSuspension,
} from './tenants.ts';

/** Administration of the whole system: its tenants and its health. */
export function serveSystem(app: App, health: Omit<HealthOptions, 'app'>): void {
  /** The tenant that administers the system. Its log records these actions. */
  const ownTenant = (call: Call): string => {
    const { scope } = call;
    if (scope.kind !== 'org' || scope.orgType !== 'A') throw new AppError('forbidden');
    return scope.tenantId;
  };
  const asIdentity = <T>(work: (tx: Tx) => Promise<T>) => app.database.withScope({ kind: 'identity' }, work);
  /** A change of a tenant, logged by the system and by the tenant itself. */
  const change = <T>(call: Call, work: (tx: Tx, audit: TellBoth) => Promise<T>): Promise<T> => {
    const own = ownTenant(call);
    return actIn(app, call, { kind: 'identity' }, own, (tx, audit) =>
      work(tx, async (tenantId, entry) => {
        await audit(entry);
        if (tenantId !== own)
          await app.auditor.write(tx, {
            tenantId,
            accountId: call.account.accountId,
            orgType: 'A',
            orgId: call.org.id,
            action: entry.action,
            deed: call.deed,
            recordKind: entry.recordKind ?? null,
            recordIds: entry.recordIds ?? [],
            detail: entry.detail ?? {},
            requestId: call.requestId,
            address: call.address,
          });
      }),
    );
  };

  serve(app, listTenants, async (call) => {
    ownTenant(call);
    return {
      tenants: await app.database.withScope({ kind: 'identity' }, (tx) => readTenants(tx), {
        readOnly: true,
      }),
    };
  });

  serve(
    app,
    createTenant,
    (call) =>
      change(call, async (tx, tell) => {
        const id = await makeTenant(tx, call.body, call.account.accountId);
        const { administrator, ...after } = call.body;
        await tell(id, {
          action: 'tenant/created',
          recordKind: 'tenant',
          recordIds: [id],
          detail: { before: {}, after: { ...after, administrator: administrator.email } },
        });
        return readTenant(tx, id);
      }),
    {
      alsoWrong: (call) => {
        ownTenant(call);
        return asIdentity((tx) => faultsOfNewTenant(tx, call.body));
      },
    },
  );

  const suspension = (call: Call<{ id: string }>, reason: string | null) =>
    change(call, async (tx, tell) => {
      const { before, after } = await setSuspension(tx, call.params.id, reason, call.account.accountId);
      const said = ({ suspension }: typeof before) => ({
        access: suspension === null ? 'active' : 'suspended',
        reason: suspension?.reason ?? null,
      });
      const changes = changesBetween(said(before), said(after));
      if (Object.keys(changes.after).length > 0)
        await tell(after.id, {
          action: reason === null ? 'tenant/reactivated' : 'tenant/suspended',
          recordKind: 'tenant',
          recordIds: [after.id],
          detail: { reason, ...changes },
        });
      return after;
    });
  serve(app, suspendTenant, (call) => suspension(call, call.body.reason), {
    alsoWrong: (call) => {
      ownTenant(call);
      return asIdentity(async (tx) => faultsOfSuspension(await readTenant(tx, call.params.id)));
    },
  });
  serve(app, reactivateTenant, (call) => suspension(call, null));

  offerHealth({ app, ...health });
  serve(app, readHealth, (call) => {
    ownTenant(call);
    return systemHealth({ app, ...health });
  });

  serve(app, retryJob, (call) =>
    actIn(app, call, { kind: 'identity' }, ownTenant(call), async (tx, audit) => {
      const { task, attempts } = await retryFailedJob(tx, call.params.id);
      await audit({
        action: 'job/tried-again',
        recordKind: 'job',
        detail: { task, before: { attempts }, after: { attempts: 0 } },
      });
      return { id: call.params.id };
    }),
  );
}

type TellBoth = (tenantId: string, entry: Parameters<WriteAudit>[0]) => Promise<void>;
