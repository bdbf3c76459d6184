import type { NamedAction } from '@caseway/contract/audit-action';
import { todayIn } from '@caseway/contract/date-range';
import {
  acceptOffer,
  addMembership,
  administeredOrgs,
  deactivateUser,
  exportUsers,
  grantableRoles,
  importUsers,
  inviteUser,
  listOffers,
  refuseOffer,
  resendInvitation,
  resetSecondFactor,
  unlockUser,
} from '@caseway/contract/users';
import type { Identity } from '../../platform/auth/identity.ts';
import { callerOf } from '../../platform/auth/sessions.ts';
import type { Tx } from '../../platform/db/database.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { fieldsOfOrder, type GridContext } from '../../platform/grid/grid-sql.ts';
import { Lookups, lookupsSortedBy, type OptionsOf } from '../../platform/grid/lookups.ts';
import { actIn, type WriteAudit } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import {
  type Authority,
  administeredTenant,
  authorityOf,
  authorityToChange,
  placesOf,
} from '../../platform/policy/authority.ts';
import { effectivePermissions, without } from '../../platform/policy/effective-permissions.ts';
import { serveRecordsApart } from '../../platform/records/serve-records.ts';
import { bringIn, endAll, inviteAgain, membershipFaults, personOf, refused } from './changes.ts';
import { exportTable } from './export.ts';
import { offersTo, takeUpOffer, turnDownOffer } from './own-offers.ts';
import { editableOf, type KnownUser, knownUser, readDetail } from './person.ts';
import { userReading, userSources } from './source.ts';
import { applyTable, planTable, readTable } from './table.ts';
import { userWays } from './ways.ts';

const membershipPath = (index: number): string => `memberships.${index}`;

/** Users of organisations, tenants, facilities and jurisdictions. [S1.2, S9.2] */
export function serveUsers(
  app: App,
  optionsOf: OptionsOf,
  { signIn, secondFactors }: Pick<Identity, 'signIn' | 'secondFactors'>,
): void {
  const lookups = new Lookups(app.database, optionsOf);
  serveRecordsApart(
    app,
    lookups,
    userReading,
    userWays(app),
    // The list shows when people signed in, which only the coordinator knows.
    { ask: askDatabase(app.database, { atCoordinator: true }) },
  );

  /** Changes of users or roles run one at a time within a tenant. */
  const change = <T>(
    call: Call,
    work: (tx: Tx, authority: Authority, audit: WriteAudit) => Promise<T>,
  ): Promise<T> =>
    actIn(app, call, { kind: 'identity' }, administeredTenant(call), async (tx, audit) =>
      work(tx, await authorityToChange(tx, call), audit),
    );
  const detail = (call: Call, id: string) => readDetail(app.database, call, id);

  serve(app, grantableRoles, (call) =>
    call.withScope(async (tx) => {
      const authority = await authorityOf(tx, call);
      const { orgType, orgId } = call.query;
      const [place] = await placesOf(tx, authority, orgType, { orgId });
      if (!place) throw new AppError('not-found');
      const labels = await tx.rows<{ id: string; label: string; label_i18n: Record<string, string> }>(
        'select id, label, label_i18n from role order by app_fold(label), id',
      );
      return {
        roles: labels.map(({ id, label, label_i18n }) => {
          const allowed = effectivePermissions(authority.policy, [id], place.kind);
          return {
            id,
            label,
            labelI18N: label_i18n,
            code: authority.policy.roles.get(id)!.code,
            permissions: [...allowed],
            missing: without(allowed, authority.held),
          };
        }),
      };
    }),
  );

  serve(app, administeredOrgs, (call) =>
    call.withScope(async (tx) => {
      const { orgType, words } = call.query;
      const places = await placesOf(tx, await authorityOf(tx, call), orgType, {
        words: words.split(/\s+/).filter(Boolean),
        limit: 50,
        active: true,
      });
      return { organizations: places.map(({ orgId, name }) => ({ id: orgId, name })) };
    }),
  );

  serve(
    app,
    inviteUser,
    async (call) => {
      const { memberships, ...person } = call.body;
      const id = await change(call, (tx, authority, audit) =>
        bringIn(tx, authority, audit, person, memberships, membershipPath),
      );
      return detail(call, id);
    },
    {
      alsoWrong: (call) =>
        change(call, (tx, authority) =>
          membershipFaults(tx, authority, call.body, call.body.memberships ?? [], membershipPath),
        ),
    },
  );

  serve(
    app,
    addMembership,
    async (call) => {
      const known = await knownUser(call, call.params.id);
      await change(call, (tx, authority, audit) =>
        bringIn(tx, authority, audit, personOf(known), [call.body], () => 'orgId'),
      );
      return detail(call, call.params.id);
    },
    {
      alsoWrong: async (call) => {
        const known = await knownUser(call, call.params.id);
        return change(call, (tx, authority) =>
          membershipFaults(tx, authority, personOf(known), [call.body], () => 'orgId'),
        );
      },
    },
  );

  serve(app, deactivateUser, async (call) => {
    const { memberships } = await knownUser(call, call.params.id);
    const current = memberships.filter(({ active }) => active);
    const locked = current.find((membership) => membership.locked !== null)?.locked;
    if (locked) throw refused('', locked);
    if (current.length === 0) throw new AppError('conflict');
    const ended = current.map(({ id }) => id);
    await change(call, (tx, authority, audit) => endAll(tx, authority, audit, ended));
    return { user: await detail(call, call.params.id), ended };
  });

  serve(app, resendInvitation, async (call) => {
    const known = await knownUser(call, call.params.id);
    await change(call, (tx, authority, audit) => inviteAgain(tx, authority, audit, known));
    return detail(call, call.params.id);
  });

  /** A change to how a person signs in: only if it is needed, and only if nobody else administers them. */
  const guarded = async (
    call: Call<{ id: string }>,
    action: NamedAction,
    isNeeded: (known: KnownUser) => boolean,
    work: (tx: Tx, known: KnownUser) => Promise<void>,
  ) => {
    const known = await knownUser(call, call.params.id);
    await change(call, async (tx, _, audit) => {
      if ((await editableOf(tx, known)) === 'nothing') throw refused('', 'kept-by-person');
      if (!isNeeded(known)) throw new AppError('conflict');
      await work(tx, known);
      await audit({ action, recordKind: 'account', recordIds: [known.stored.accountId] });
    });
    return detail(call, call.params.id);
  };
  serve(app, resetSecondFactor, (call) =>
    guarded(
      call,
      'user/second-factor-reset',
      ({ stored }) => stored.secondFactor === 'yes',
      (tx, { stored }) => secondFactors.removeAll(tx, stored.accountId, callerOf(call)),
    ),
  );
  serve(app, unlockUser, (call) =>
    guarded(
      call,
      'user/unlocked',
      ({ locked }) => locked,
      (tx, { stored }) => signIn.unlock(tx, stored.accountId),
    ),
  );

  serve(app, listOffers, (call) =>
    call.withScope(async (tx) => ({ offers: await offersTo(tx, call.account.accountId) })),
  );
  serve(app, acceptOffer, (call) =>
    call.withScope(async (tx) => ({
      organizations: await takeUpOffer(tx, call.account.accountId, call.params.id, call),
    })),
  );
  serve(app, refuseOffer, (call) =>
    call.withScope((tx) => turnDownOffer(tx, call.account.accountId, call.params.id)),
  );

  serve(
    app,
    importUsers,
    async (call) => {
      const { text, dryRun } = call.body;
      const table = readTable(text);
      if (!Array.isArray(table)) return { rows: [], fault: table };
      const plan = await change(call, async (tx, authority, audit) => {
        const rows = await planTable(tx, authority, call, table);
        if (!dryRun) await applyTable(tx, authority, audit, rows);
        return rows;
      });
      return { rows: plan.map(({ deed: _, ...row }) => row), fault: null };
    },
    { bodyLimit: 9 * 2 ** 20 },
  );

  serve(app, exportUsers, async (call) => {
    const { orgType, query } = call.body;
    const source = userSources[orgType];
    const orders = await lookups.orders(lookupsSortedBy(source, fieldsOfOrder(source, query)), call);
    const { timeZone } = call.org;
    call.setHeader('content-disposition', `attachment; filename="users-${todayIn(timeZone)}.csv"`);
    return call.withScope(async (tx) => {
      call.audit({ action: 'export', recordKind: 'user', detail: { orgType } });
      const context: GridContext = { engine: 'postgres', tenantId: tx.tenantId, timeZone, orders };
      return exportTable(tx, orgType, query, context, call.language, call.org.experience);
    });
  });
}
