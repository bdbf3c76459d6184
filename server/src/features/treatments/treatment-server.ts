import { todayIn } from '@caseway/contract/date-range';
import { type Treatment, treatmentFaults, treatmentRecord } from '@caseway/contract/treatments';
import { recordChange } from '../../platform/analytics/outbox.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { openedWithCase } from '../../platform/records/opened.ts';
import { patientServer } from '../../platform/records/patient-record.ts';
import type { AnyRow } from '../../platform/records/record-server.ts';
import { historyShown } from '../../platform/records/record-versions.ts';
import { insertTreatments, type NewTreatment } from './stored-treatments.ts';

interface Context {
  /** Today in the tenant. */
  today: string;
  /** Facilities that the writer may choose. */
  facilities: ReadonlyMap<string, string>;
}

/** For API users; the screens have their own words for each code. */
const faultMessages: Readonly<Record<string, string>> = {
  'other-drug-needed': 'another medicine has a name',
  'before-start': 'it ended before it was started',
  future: 'the day lies in the future',
  'before-1900': 'the day lies before 1900',
  'before-birth': 'the day lies before the birth',
};

const columns = `t.id, t.version, true as active, t.case_report_id as "caseRecord", t.drug, t.other_drug as "otherDrug",
  t.started_on as "startedOn", t.ended_on as "endedOn", t.adequacy, t.given_at_id as "givenAt", t.provider, t.state,
  t.source, t.created_on as "createdOn"`;

type Stored = AnyRow & Treatment;

const read = (tx: Tx, ids: readonly string[]) =>
  tx.rows<Stored>(`select ${columns} from treatment t where t.tenant_id = $1 and t.id = any ($2::uuid[])`, [
    tx.tenantId,
    ids,
  ]);

const answered = ({ active: _, ...treatment }: Stored): Treatment => treatment;

/** The treatments of a case that the reader sees, the newest first and those entered in error last. */
export async function readTreatmentsOf(tx: Tx, caseId: string): Promise<Treatment[]> {
  const rows = await tx.rows<Stored>(
    `select ${columns} from treatment t where t.tenant_id = $1 and t.case_report_id = $2
     order by t.state = 'entered-in-error', t.started_on desc, t.id`,
    [tx.tenantId, caseId],
  );
  return rows.map(answered);
}

/** The birth date of a case's person, as the reader sees it. */
async function birthDateOf(tx: Tx, caseId: string): Promise<string | null> {
  const [person] = await tx.rows<{ birthDate: string | null }>(
    `select p.birth_date as "birthDate" from case_report c
     join patient stored on stored.tenant_id = c.tenant_id and stored.id = c.patient_id
     cross join lateral app_shown(stored, stored.told_openly, c.disease_family) p
     where c.tenant_id = $1 and c.id = $2`,
    [tx.tenantId, caseId],
  );
  if (!person) throw new AppError('not-found');
  return person.birthDate;
}

/** What the declaration of a treatment does not say. */
export const treatmentServer = (lookups: Lookups) =>
  patientServer<Stored, Context>({
    record: treatmentRecord,
    history: historyShown(treatmentRecord),
    sql: {},
    searched: [],
    lock: (tx, tenantId, ids) =>
      tx.rows('select from treatment where tenant_id = $1 and id = any ($2::uuid[]) order by id for update', [
        tenantId,
        ids,
      ]),
    read,
    async answer(tx, id) {
      const [stored] = await read(tx, [id]);
      return stored ? answered(stored) : null;
    },
    opened: openedWithCase(read),
    context: async (person) => ({
      today: todayIn(person.org.timeZone),
      facilities: await lookups.labels('facilities', person),
    }),
    async faults(tx, writer, { stored, changes }) {
      const { today, facilities } = writer.context;
      const next = {
        ...stored,
        ...Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
      };
      const birthDate = await birthDateOf(tx, stored.caseRecord);
      const isChanged = (...names: string[]) => names.some((name) => changes[name] !== undefined);
      const faults = treatmentFaults(next, { today, birthDate }).filter(({ field }) =>
        // A value from a list stays until a person changes it.
        field === 'otherDrug' ? isChanged('drug', 'otherDrug') : isChanged('startedOn', 'endedOn'),
      );
      return [
        ...faults.map(({ field, code }) => faultAt(field, code, faultMessages[code] ?? code)),
        ...(next.givenAt && isChanged('givenAt') && !facilities.has(next.givenAt)
          ? [faultAt('givenAt', 'unknown-facility', 'no facility that the writer knows')]
          : []),
      ];
    },
    derived: () => ({}),
    sets: () => [],
    async insert(tx, { tenantId, context: { today } }, id, given) {
      await insertTreatments(tx, tenantId, [
        { ...(given as unknown as NewTreatment), id, source: 'manual', createdOn: today, toldBy: null },
      ]);
    },
    async write(tx, { tenantId }, changed) {
      await recordChange(
        tx,
        tenantId,
        'treatment',
        changed.map(({ stored }) => stored.id),
      );
    },
  });
