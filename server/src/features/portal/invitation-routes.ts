import { todayIn } from '@caseway/contract/date-range';
import type { Fault } from '@caseway/contract/error';
import { isTooYoung } from '@caseway/contract/guardian-rules';
import {
  confirmInvitation,
  endPatientAccess,
  invitePatient,
  listWaitingInvitations,
  refuseInvitation,
  type WaitingInvitation,
} from '@caseway/contract/portal';
import { carriedNow, passOn } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import { actIn, type WriteAudit } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { guardianRules } from './guardian-links.ts';
import { endAccess, invite } from './invitation.ts';
import {
  askForInvitation,
  barOf,
  broughtInBy,
  decide,
  endWaiting,
  type InvitationRequest,
  listWaiting,
  waitingRequest,
} from './invitation-requests.ts';
import { knownAccess } from './portal-state.ts';
import { type SeenPatient, stateFor, withPatient } from './seen-patient.ts';

/** Access for patients: one member of staff requests it, another confirms that the address belongs to the patient. */
export function serveInvitations(app: App, now: () => Date): void {
  /** A change of invitations, logged together with the account. */
  const change = <T>(
    call: Call,
    { tenantId }: SeenPatient,
    work: (tx: Tx, audit: WriteAudit) => Promise<T>,
  ): Promise<T> => actIn(app, call, { kind: 'identity' }, tenantId, work);

  /** Children get no account of their own; staff link a guardian instead. */
  const faultsOfAge = async ({ tenantId, patient: { birthDate } }: SeenPatient): Promise<Fault[]> => {
    const rules = await app.database.withScope({ kind: 'service', tenantId }, guardianRules);
    return isTooYoung(birthDate, rules, todayIn(rules.timeZone, now()))
      ? [faultAt('to', 'too-young', 'the person is too young for an account of their own')]
      : [];
  };

  serve(
    app,
    invitePatient,
    async (call) => {
      const { accountId } = call.account;
      const found = await withPatient(app, call);
      const request = { ...call.body, tenantId: found.tenantId, patientId: call.params.id };
      refuse([...faultsOfPlace(found, request), ...(await faultsOfAge(found))]);
      const { tenantId, patientId } = request;
      const asService = <T>(work: (tx: Tx) => Promise<T>) =>
        app.database.withScope({ kind: 'service', tenantId }, work);
      const carried = await asService((tx) => carriedNow(tx, 'portal_invitation', 'patient', patientId));
      await change(call, found, async (tx, audit) => {
        const { status, confirmed } = await knownAccess(tx, request, found.seen);
        const isConfirmed = confirmed.some((place) => place.toLowerCase() === request.to.toLowerCase());
        if (status === 'active' && !isConfirmed)
          refuse([
            faultAt('to', 'signs-in-elsewhere', 'the patient signs in with another address or number'),
          ]);
        const event = {
          recordKind: 'patient' as const,
          recordIds: [request.patientId],
          detail: { by: request.by },
        };
        if (isConfirmed) {
          await endWaiting(tx, request, accountId);
          await invite(tx, { ...request, ...nameOf(found) });
          await audit({ ...event, action: 'patient/invited' });
        } else {
          await askForInvitation(tx, request, accountId, carried);
          await audit({ ...event, action: 'patient/invitation-asked' });
        }
      });
      // The patient may have been recorded at other places in the meantime.
      await asService((tx) => passOn(tx, tenantId, 'patient', [patientId], ['portal_invitation']));
      return stateFor(app, call, found);
    },
    {
      alsoWrong: async (call) => {
        const { by, to } = call.body;
        if (by === undefined || to === undefined) return [];
        const found = await withPatient(app, call);
        return [...faultsOfPlace(found, { by, to }), ...(await faultsOfAge(found))];
      },
    },
  );

  serve(
    app,
    confirmInvitation,
    async (call) => {
      const { accountId } = call.account;
      const { id: patientId, invitationId: id } = call.params;
      const found = await withPatient(app, call);
      const broughtIn = await broughtInBy(app.database, found.tenantId, patientId);
      const tooYoung = await faultsOfAge(found);
      await change(call, found, async (tx, audit) => {
        const request = await waitingRequest(tx, { tenantId: found.tenantId, patientId, id });
        if (!request) throw new AppError('conflict');
        refuse([...faultsOfConfirming(found, request, accountId, broughtIn), ...tooYoung]);
        // Signed in since then: the patient changes the address themselves. If nobody here may know about the
        // access, messages go to the address that they sign in with.
        if ((await knownAccess(tx, request, found.seen)).status === 'active') throw new AppError('conflict');
        const { checked } = call.body;
        await decide(tx, request, 'confirmed', accountId, checked);
        await invite(tx, { ...request, ...nameOf(found) });
        await audit({
          action: 'patient/invited',
          recordKind: 'patient',
          recordIds: [patientId],
          detail: { by: request.by, checked, askedBy: request.askedBy },
        });
      });
      return stateFor(app, call, found);
    },
    {
      alsoWrong: async (call) => {
        const { id: patientId, invitationId: id } = call.params;
        const found = await withPatient(app, call);
        const { tenantId } = found;
        const broughtIn = await broughtInBy(app.database, tenantId, patientId);
        const tooYoung = await faultsOfAge(found);
        return app.database.withScope({ kind: 'identity' }, async (tx) => {
          const request = await waitingRequest(tx, { tenantId, patientId, id });
          if (!request) throw new AppError('conflict');
          return [...faultsOfConfirming(found, request, call.account.accountId, broughtIn), ...tooYoung];
        });
      },
    },
  );

  serve(app, refuseInvitation, async (call) => {
    const { accountId } = call.account;
    const { id: patientId, invitationId: id } = call.params;
    const found = await withPatient(app, call);
    await change(call, found, async (tx, audit) => {
      const request = await waitingRequest(tx, { tenantId: found.tenantId, patientId, id });
      if (!request) throw new AppError('conflict');
      const decision = request.askedBy === accountId ? 'withdrawn' : 'refused';
      await decide(tx, request, decision, accountId);
      await audit({
        action: `patient/invitation-${decision}`,
        recordKind: 'patient',
        recordIds: [patientId],
        detail: { by: request.by },
      });
    });
    return stateFor(app, call, found);
  });

  serve(app, endPatientAccess, async (call) => {
    const { id: patientId } = call.params;
    const found = await withPatient(app, call);
    await change(call, found, async (tx, audit) => {
      const { tenantId } = found;
      if ((await knownAccess(tx, { tenantId, patientId }, found.seen)).status === 'none')
        throw new AppError('conflict');
      await endWaiting(tx, { tenantId, patientId }, call.account.accountId);
      if (!(await endAccess(tx, tenantId, patientId))) throw new AppError('conflict');
      await audit({ action: 'patient/access-ended', recordKind: 'patient', recordIds: [patientId] });
    });
    return stateFor(app, call, found);
  });

  serve(app, listWaitingInvitations, async (call) => {
    const invitations: WaitingInvitation[] = [];
    for (const tenantId of call.org.tenantIds)
      await call.withScope(
        async (tx) => {
          const waiting = await listWaiting(tx, call.account.accountId);
          call.audit({ recordKind: 'patient', recordIds: waiting.map(({ patientId }) => patientId) });
          invitations.push(...waiting);
        },
        { tenantId },
      );
    return { invitations: invitations.sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1)) };
  });
}

/**
 * Why no message goes to an address: the record does not have it, or the patient does not want to be contacted that
 * way.
 */
function faultsOfPlace({ seen }: SeenPatient, { by, to }: Pick<InvitationRequest, 'by' | 'to'>): Fault[] {
  const kind = by === 'EMAIL' ? 'email' : 'text';
  return [
    ...((by === 'EMAIL' ? seen.emails : seen.phones).includes(to)
      ? []
      : [faultAt('to', 'not-in-record', 'the record has no such address or number')]),
    ...(seen.consents.some((one) => one.kind === kind && !one.given)
      ? [faultAt('to', 'no-consent', 'the patient has said not to be contacted that way')]
      : []),
  ];
}

/** Why a person cannot confirm a waiting invitation. */
function faultsOfConfirming(
  found: SeenPatient,
  request: InvitationRequest & { askedBy: string },
  accountId: string,
  broughtIn: ReadonlySet<string>,
): Fault[] {
  const bar = barOf(request.askedBy, accountId, broughtIn);
  return [
    ...(bar ? [faultAt('invitationId', bar, 'somebody else has to confirm this invitation')] : []),
    ...faultsOfPlace(found, request),
  ];
}

const nameOf = ({ patient }: SeenPatient) => ({
  firstName: patient.firstName ?? '',
  lastName: patient.lastName ?? '',
});
