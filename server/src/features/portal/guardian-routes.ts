import { todayIn } from '@caseway/contract/date-range';
import type { Fault } from '@caseway/contract/error';
import { birthday, guardianBar } from '@caseway/contract/guardian-rules';
import { endGuardian, type GuardiansAnswer, linkGuardian, listGuardians } from '@caseway/contract/guardians';
import { v7 } from 'uuid';
import type { GuardianshipOptions } from '../../platform/auth/guardianship.ts';
import type { Tx } from '../../platform/db/database.ts';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { endLink, guardianRules, guardiansAnswer, insertLink, linksOf } from './guardian-links.ts';
import { reachablePatient } from './portal-state.ts';
import { withPatient } from './seen-patient.ts';

type ChildCall = Call<{ id: string }>;
interface Link {
  person: string;
  from: string;
  until: string | null;
}

/** Guardians of children: staff who see both people link them, see who is or was linked, and end it. */
export function serveGuardians(app: App, { now }: GuardianshipOptions): void {
  const asService = <T>(tenantId: string, work: (tx: Tx) => Promise<T>) =>
    app.database.withScope({ kind: 'service', tenantId }, work);
  /** An organization or facility deals only with what it has linked itself. [P23] */
  const placeOf = ({ org: { orgType, id } }: Call) => (orgType === 'T' ? null : id);

  /** The child, as the reader sees it, and what links it. Throws `not-found` for a child whom the reader does not see. */
  const read = async (call: ChildCall) => {
    const { tenantId, patient } = await withPatient(app, call);
    const { birthDate } = patient;
    const childId = call.params.id;
    const known = await asService(tenantId, async (tx) => ({
      rules: await guardianRules(tx),
      links: await linksOf(tx, childId, placeOf(call)),
    }));
    return { ...known, tenantId, childId, birthDate, today: todayIn(known.rules.timeZone, now()) };
  };

  const answer = async (call: ChildCall): Promise<GuardiansAnswer> => {
    const { tenantId, childId, links, birthDate, rules, today } = await read(call);
    const people = [...new Set(links.map(({ personId }) => personId))];
    const names = await call.withScope(
      async (tx) => {
        const seen = new Map<string, { firstName: string | null; lastName: string | null }>();
        for (const id of people) {
          const person = await reachablePatient(tx, id);
          if (person) seen.set(id, person);
        }
        call.audit({ recordKind: 'patient', recordIds: [childId, ...seen.keys()] });
        return seen;
      },
      { tenantId },
    );
    return guardiansAnswer(links, names, birthDate, rules, today);
  };

  const faultsOfLink = async (
    call: ChildCall,
    { tenantId, childId, birthDate, rules, links, today }: Awaited<ReturnType<typeof read>>,
    { person, from, until }: Partial<Link>,
  ): Promise<Fault[]> => {
    const bar = guardianBar(birthDate, rules, today);
    const isSeen =
      person === undefined ||
      (await call.withScope(async (tx) => (await reachablePatient(tx, person)) !== undefined, { tenantId }));
    const isOpen = ({ endedAt, until: last }: (typeof links)[number]) =>
      endedAt === null && (last === null || last >= today);
    const atPerson = bar
      ? faultAt('person', bar, 'nobody can be a guardian of this person')
      : person === childId
        ? faultAt('person', 'same-person', 'nobody is their own guardian')
        : !isSeen
          ? faultAt('person', 'unknown-choice', 'no person that the reader sees')
          : links.some((one) => one.personId === person && isOpen(one))
            ? faultAt('person', 'already-linked', 'this person is a guardian of the child')
            : null;
    const last = birthDate !== null && bar === null ? birthday(birthDate, rules.guardianUntilAge) : null;
    const atDay =
      until != null && from !== undefined && until < from
        ? faultAt('until', 'before-from', 'it ends before it begins')
        : until != null && last !== null && until > last
          ? faultAt('until', 'after-birthday', 'it ends after the birthday that the rules name')
          : null;
    return [atPerson, atDay].filter((fault) => fault !== null);
  };

  serve(app, listGuardians, answer);

  serve(
    app,
    linkGuardian,
    async (call) => {
      const found = await read(call);
      const { tenantId, childId } = found;
      refuse(await faultsOfLink(call, found, call.body));
      const { accountId } = call.account;
      const { person: personId, ...link } = call.body;
      await actIn(app, call, { kind: 'service', tenantId }, tenantId, async (tx, audit) => {
        await insertLink(tx, { ...link, id: v7(), childId, personId, place: placeOf(call), accountId });
        const { relation, evidence } = link;
        await audit({
          action: 'patient/guardian-linked',
          recordKind: 'patient',
          recordIds: [childId, personId],
          detail: { relation, evidence },
        });
      });
      return answer(call);
    },
    { alsoWrong: async (call) => faultsOfLink(call, await read(call), call.body) },
  );

  serve(app, endGuardian, async (call) => {
    const { tenantId, childId } = await read(call);
    const { reason } = call.body;
    await actIn(app, call, { kind: 'service', tenantId }, tenantId, async (tx, audit) => {
      const { accountId } = call.account;
      const id = call.params.guardianId;
      const personId = await endLink(tx, { id, childId, place: placeOf(call), accountId, reason });
      if (personId === undefined) throw new AppError('conflict');
      await audit({
        action: 'patient/guardian-ended',
        recordKind: 'patient',
        recordIds: [childId, personId],
      });
    });
    return answer(call);
  });
}
