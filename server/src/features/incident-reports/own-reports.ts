import { incidentRecord } from '@caseway/contract/incident-reports';
import {
  isUrgent,
  type OwnReport,
  type OwnReports,
  ownReactions,
  ownReportFaults,
  readOwnReports,
  reportsADay,
  sendOwnReport,
} from '@caseway/contract/own-reactions';
import { anyRecord } from '@caseway/contract/record';
import { vaccineGroupOf } from '@caseway/contract/vaccine-codes';
import type { Tx } from '../../platform/db/database.ts';
import { shareRecords } from '../../platform/db/record-lock.ts';
import { json } from '../../platform/db/rows.ts';
import { inTurn, takeTurn } from '../../platform/db/try-turn.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt, refuse, refused } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { tell } from '../../platform/inbox/tell.ts';
import { membersWhoMay } from '../../platform/policy/who-may.ts';
import { carryOutNew } from '../../platform/records/effects.ts';
import { refuseUsedKey } from '../../platform/records/patient-record.ts';
import { same } from '../../platform/records/record-history.ts';
import { keepFirstVersions } from '../../platform/records/record-versions.ts';
import { keyUsed } from '../../platform/records/save-record.ts';
import { wordsIn } from '../../platform/words/words.ts';
import { listEntryOf } from '../reference/catalog.ts';
import { insertIncidents } from './insert-incidents.ts';

type Said = Omit<OwnReport, 'id' | 'sentAt'>;
/** Who reports; `childId` if they are a guardian and report about the child. */
interface Sender {
  accountId: string;
  childId: string | null;
}
type Body = Omit<OwnReport, 'sentAt' | 'vaccine'>;

const record = anyRecord(incidentRecord);
const reactionChoices = ownReactions.map((code) => {
  const { label, labelI18N } = listEntryOf('vaccineAdverseReaction', code)!;
  return { code, label, labelI18N };
});

/** Today in the tenant. Throws `feature-off` if its patients cannot report reactions. */
async function todayOf(tx: Tx): Promise<string> {
  const [office] = await tx.rows<{ today: string; on: boolean }>(
    `select cast(cast(now() at time zone time_zone as date) as text) as today,
       tenant_features @> '{vaccinations,incident-reports}' as on from tenant where id = $1`,
    [tx.tenantId],
  );
  if (!office?.on) throw new AppError('feature-off');
  return office.today;
}

/** Those about the patient who sent them; with a child, those about that child. */
async function readReports(tx: Tx, { accountId, childId }: Sender, today: string): Promise<OwnReports> {
  const rows = await tx.rows<{ id: string; sentAt: Date; said: Said }>(
    `select id, sent_at as "sentAt", said from own_report where tenant_id = $1 and account_id = $2 and child_id is not distinct from $3
     order by sent_at desc, id`,
    [tx.tenantId, accountId, childId],
  );
  return {
    today,
    reactions: reactionChoices,
    reports: rows.map(({ id, sentAt, said }) => ({ ...said, id, sentAt: sentAt.toISOString() })),
  };
}

interface Vaccination {
  vaccine: string;
  otherVaccine: string | null;
  givenOn: string;
  manufacturer: string | null;
  lot: string | null;
  dose: string | null;
  route: string | null;
  site: string | null;
}

const words = wordsIn('vaccinations', 'en', '');

/** Care that the fields of an incident report do not tell apart, in words. */
const careSaid: Partial<Record<Said['care'], string>> = {
  none: 'Got no care for it.',
  doctor: 'Saw a doctor, nurse or clinic for it.',
};

/**
 * The same as an incident report. `given`: the vaccinations of that day, the named one first; empty for a vaccine that is
 * not in the list.
 */
function incidentOf(said: Said, given: readonly Vaccination[], today: string) {
  const { otherVaccine, givenOn, reactions, since, outcome, care, note } = said;
  const unlisted = { vaccine: 'other', brand: otherVaccine };
  const nothing = { manufacturer: null, lot: null, dose: null, route: null, site: null };
  const labels = reactionChoices.filter(({ code }) => reactions.includes(code)).map(({ label }) => label);
  return {
    kind: 'vaccine-adverse-event',
    receivedOn: today,
    occurredOn: since,
    vaccinatedOn: givenOn,
    reporterRole: 'patient',
    vaccines:
      given.length === 0
        ? [{ ...unlisted, ...nothing }]
        : given.map(({ vaccine, otherVaccine: brand, manufacturer, lot, dose, route, site }) => ({
            vaccine: vaccineGroupOf(vaccine),
            brand: brand ?? words(`choice.vaccine.${vaccine}`) ?? null,
            manufacturer: manufacturer && (words(`choice.manufacturer.${manufacturer}`) ?? manufacturer),
            ...{ lot, dose, route, site },
          })),
    reactions,
    // A visit to an emergency room alone is not serious.
    seriousness: care === 'hospital' ? ['hospitalization'] : [],
    emergencyVisit: care === 'emergency' ? 'yes' : care === 'hospital' ? null : 'no',
    outcome,
    narrative: [note ?? `${labels.join(', ')}.`, careSaid[care]].filter(Boolean).join('\n'),
  };
}

/**
 * The patient's vaccinations of the day of the one that a report names, that one first: all of them may matter. Throws
 * `unknown-choice` unless it is the patient's own.
 */
async function readGiven(tx: Tx, patientId: string, id: string | null): Promise<Vaccination[]> {
  if (id === null) return [];
  const given = await tx.rows<Vaccination & { id: string }>(
    `select id, vaccine, other_vaccine as "otherVaccine", cast(given_on as text) as "givenOn", manufacturer, lot, dose,
       route, site
     from vaccination where tenant_id = $1 and patient_id = $2 and state = 'given' order by id`,
    [tx.tenantId, patientId],
  );
  const named = given.find((one) => one.id === id);
  if (!named) throw refused('vaccination', 'unknown-choice', 'no vaccination of the patient');
  return [named, ...given.filter((one) => one !== named && one.givenOn === named.givenOn)];
}

/** The accounts that review reports: those that may close them, or else those that may change them. */
async function reviewersOf(app: App, tenantId: string): Promise<string[]> {
  return app.database.withScope({ kind: 'identity' }, async (tx) => {
    const closers = await membersWhoMay(tx, tenantId, ['incident-reports/close'], ['T']);
    const members =
      closers.length > 0 ? closers : await membersWhoMay(tx, tenantId, ['incident-reports/write'], ['T']);
    return members.map(({ accountId }) => accountId);
  });
}

/** Reactions that patients report. They read theirs in their own scope; the service writes, only for that patient. */
export function serveOwnReports(app: App): void {
  serve(app, readOwnReports, (call) =>
    call.withScope(async (tx) => {
      const answer = await readReports(tx, senderOf(call), await todayOf(tx));
      call.audit({
        recordKind: incidentRecord.kind,
        recordIds: [call.patient.patientId, ...answer.reports.map(({ id }) => id)],
      });
      return answer;
    }),
  );

  serve(app, sendOwnReport, (call) => inTurn(() => send(app, call, call.body)));
}

const senderOf = ({ account, patient }: Pick<Call, 'account' | 'patient'>): Sender => ({
  accountId: account.accountId,
  childId: patient.guardian ? patient.patientId : null,
});

/** Stores a report with its audit row; a repeated request stores nothing. */
async function send(
  app: App,
  call: Pick<Call, 'patient' | 'account' | 'audit' | 'withService'>,
  { id, ...sent }: Body,
): Promise<{ id: string }> {
  const { tenantId, patientId } = call.patient;
  const { accountId } = call.account;
  const sender = senderOf(call);
  const reviewers = await reviewersOf(app, tenantId);
  return call.withService(async (tx) => {
    await shareRecords(tx, tenantId);
    const today = await todayOf(tx);
    // Simultaneous requests are counted one after another.
    await takeTurn(tx, `own reports ${accountId}`);
    const { reports } = await readReports(tx, sender, today);
    const reactions = [...new Set(sent.reactions)];
    const there = reports.find((one) => one.id === id);
    if (there) {
      const { id: _, sentAt: __, vaccine: ___, ...before } = there;
      if (!same(before, { ...sent, reactions, givenOn: before.givenOn })) throw keyUsed();
      return { id };
    }
    const given = await readGiven(tx, patientId, sent.vaccination);
    const said: Said = {
      ...sent,
      reactions,
      givenOn: given[0]?.givenOn ?? sent.givenOn,
      vaccine: given[0]?.vaccine ?? 'other',
    };
    const [{ birthDate }] = (await tx.rows<{ birthDate: string | null }>(
      'select cast(birth_date as text) as "birthDate" from patient where tenant_id = $1 and id = $2',
      [tenantId, patientId],
    )) as [{ birthDate: string | null }];
    refuse(ownReportFaults(said, { today, birthDate }).map(({ path, code }) => faultAt(path, code, code)));
    const [{ n }] = (await tx.rows<{ n: number }>(
      'select count(*)::int as n from own_report where tenant_id = $1 and account_id = $2 and on_day = $3',
      [tenantId, accountId, today],
    )) as [{ n: number }];
    if (n >= reportsADay) throw refused('id', 'too-many', 'as many reports were sent today as one can send');
    await insertIncidents(tx, { tenantId, today, own: { organization: null, facility: null } }, [
      {
        ...incidentOf(said, given, today),
        ...(sender.childId && { reporterRole: 'caregiver' }),
        patient: patientId,
        id,
      },
    ]).catch(refuseUsedKey);
    await carryOutNew(tx, { record, tenantId, accountId }, [{ id, on: today, assignee: null }]);
    await keepFirstVersions(tx, record, tenantId, [id], accountId);
    await tx.run(
      `insert into own_report (tenant_id, id, account_id, child_id, on_day, sent_at, said)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [tenantId, id, accountId, sender.childId, today, new Date(), json(said)],
    );
    // An emergency that is over can wait.
    const kind =
      isUrgent(reactions) && said.outcome !== 'recovered' ? 'incident-reported-urgent' : 'incident-reported';
    await tell(
      tx,
      { tenantId, recordKind: incidentRecord.kind, actorId: null },
      reviewers.map((to) => ({ kind, recordId: id, to })),
    );
    call.audit({
      action: 'incident/self-reported',
      recordKind: incidentRecord.kind,
      recordIds: [patientId, id],
    });
    return { id };
  });
}
