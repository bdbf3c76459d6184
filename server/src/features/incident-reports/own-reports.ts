import { incidentRecord } from '@caseway/contract/incident-reports';
import {
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
import { listEntryOf } from '../reference/catalog.ts';
import { insertIncidents } from './insert-incidents.ts';

type Said = Omit<OwnReport, 'id' | 'sentAt'>;

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

async function readReports(tx: Tx, accountId: string, today: string): Promise<OwnReports> {
  const rows = await tx.rows<{ id: string; sentAt: Date; said: Said }>(
    `select id, sent_at as "sentAt", said from own_report where tenant_id = $1 and account_id = $2
     order by sent_at desc, id`,
    [tx.tenantId, accountId],
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

/** The same as an incident report. Dose, lot and manufacturer come from the vaccination. */
function incidentOf(said: Said, given: Vaccination | undefined, today: string) {
  const { vaccine, otherVaccine, givenOn, reactions, since, outcome, care, note } = said;
  return {
    kind: 'vaccine-adverse-event',
    receivedOn: today,
    occurredOn: since,
    vaccinatedOn: givenOn,
    reporterRole: 'patient',
    vaccines: [
      {
        vaccine: vaccineGroupOf(vaccine),
        brand: given?.otherVaccine ?? otherVaccine,
        manufacturer: given?.manufacturer ?? null,
        lot: given?.lot ?? null,
        dose: given?.dose ?? null,
        route: given?.route ?? null,
        site: given?.site ?? null,
      },
    ],
    reactions,
    // A visit to an emergency room alone is not serious.
    seriousness: care === 'hospital' ? ['hospitalization'] : [],
    emergencyVisit: care === 'emergency' ? 'yes' : null,
    outcome,
    narrative:
      note ??
      reactionChoices
        .filter(({ code }) => reactions.includes(code))
        .map(({ label }) => label)
        .join(', '),
  };
}

/** The vaccination that a report names. Throws `unknown-choice` unless it is the patient's own. */
async function readGiven(tx: Tx, patientId: string, id: string | null): Promise<Vaccination | undefined> {
  if (id === null) return undefined;
  const [given] = await tx.rows<Vaccination>(
    `select vaccine, other_vaccine as "otherVaccine", cast(given_on as text) as "givenOn", manufacturer, lot, dose,
       route, site
     from vaccination where tenant_id = $1 and id = $2 and patient_id = $3 and state = 'given'`,
    [tx.tenantId, id, patientId],
  );
  if (!given) throw refused('vaccination', 'unknown-choice', 'no vaccination of the patient');
  return given;
}

/** Reactions that patients report. They read theirs in their own scope; the service writes, only for that patient. */
export function serveOwnReports(app: App): void {
  const audit = (call: Call, ids: readonly string[], action?: 'incident/self-reported') =>
    call.audit({
      ...(action && { action }),
      recordKind: incidentRecord.kind,
      recordIds: [call.patient.patientId, ...ids],
    });

  serve(app, readOwnReports, (call) =>
    call.withScope(async (tx) => {
      const answer = await readReports(tx, call.account.accountId, await todayOf(tx));
      audit(
        call,
        answer.reports.map(({ id }) => id),
      );
      return answer;
    }),
  );

  serve(app, sendOwnReport, async (call) => {
    const { tenantId, patientId } = call.patient;
    const { accountId } = call.account;
    const { id, ...sent } = call.body;
    const reviewers = await app.database.withScope({ kind: 'identity' }, (tx) =>
      membersWhoMay(tx, tenantId, ['incident-reports/close'], ['T']),
    );
    return inTurn(() =>
      app.database.withScope({ kind: 'service', tenantId }, async (tx) => {
        const today = await todayOf(tx);
        // Simultaneous requests are counted one after another.
        await takeTurn(tx, `own reports ${accountId}`);
        const { reports } = await readReports(tx, accountId, today);
        const there = reports.find((one) => one.id === id);
        if (there) {
          const { id: _, sentAt: __, vaccine: ___, ...before } = there;
          if (!same(before, { ...sent, givenOn: before.givenOn })) throw keyUsed();
          audit(call, [id], 'incident/self-reported');
          return readReports(tx, accountId, today);
        }
        const given = await readGiven(tx, patientId, sent.vaccination);
        const said: Said = {
          ...sent,
          reactions: [...new Set(sent.reactions)],
          givenOn: given?.givenOn ?? sent.givenOn,
          vaccine: given?.vaccine ?? 'other',
        };
        refuse(ownReportFaults(said, today).map(({ path, code }) => faultAt(path, code, code)));
        const [{ n }] = (await tx.rows<{ n: number }>(
          'select count(*)::int as n from own_report where tenant_id = $1 and account_id = $2 and on_day = $3',
          [tenantId, accountId, today],
        )) as [{ n: number }];
        if (n >= reportsADay)
          throw refused('id', 'too-many', 'as many reports were sent today as one can send');
        await insertIncidents(tx, { tenantId, today, own: { organization: null, facility: null } }, [
          { ...incidentOf(said, given, today), patient: patientId, id },
        ]).catch(refuseUsedKey);
        await carryOutNew(tx, { record, tenantId, accountId }, [{ id, on: today, assignee: null }]);
        await keepFirstVersions(tx, record, tenantId, [id], accountId);
        await tx.run(
          `insert into own_report (tenant_id, id, account_id, on_day, sent_at, said)
         values ($1, $2, $3, $4, $5, $6)`,
          [tenantId, id, accountId, today, new Date(), json(said)],
        );
        await tell(
          tx,
          { tenantId, recordKind: incidentRecord.kind, actorId: null },
          reviewers.map(({ accountId: to }) => ({ kind: 'incident-reported', recordId: id, to })),
        );
        audit(call, [id], 'incident/self-reported');
        return readReports(tx, accountId, today);
      }),
    );
  });
}
