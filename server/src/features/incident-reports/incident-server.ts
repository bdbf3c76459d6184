import { dashboards } from '@caseway/contract/dashboards/all';
import { endedStages } from '@caseway/contract/incident-flow';
import {
  type Incident,
  incidentDays,
  incidentFaults,
  incidentRecord,
} from '@caseway/contract/incident-reports';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { recordsOf } from '../../platform/dashboards/behind.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { openedWithCase } from '../../platform/records/opened.ts';
import { patientServer } from '../../platform/records/patient-record.ts';
import { type OwnPlace, ownPlaceOf } from '../../platform/records/place-of-made.ts';
import { type Entries, entriesOffered, faultsOfEntries } from '../../platform/records/record-faults.ts';
import { recordReading } from '../../platform/records/record-server.ts';
import { readRecords } from '../../platform/records/record-sql.ts';
import { historyShown } from '../../platform/records/record-versions.ts';
import { incidentFact, incidentReactionFact } from './incident-facts.ts';
import { insertIncidents } from './insert-incidents.ts';

/** Reports as the reader sees them, with what they see of the person. Those about a hidden person are left out. */
export const incidents = recordReading<typeof incidentRecord>({
  record: incidentRecord,
  endedColumn: 'ended_at',
  history: historyShown(incidentRecord),
  joined: `left join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    left join lateral app_shown(stored, stored.told_openly, r.disease_family) p on stored.id is not null`,
  only: 'r.patient_id is null or stored.id is not null',
  sql: {
    serious: `case when r.seriousness <> '{}' or r.harm in ('severe', 'death') then 'yes' else 'no' end`,
    vaccineGroups: `array(select distinct v ->> 'vaccine' from jsonb_array_elements(r.vaccines) v order by 1)`,
    lots: `(select string_agg(distinct v ->> 'lot', ', ') from jsonb_array_elements(r.vaccines) v)`,
    lastName: 'p.last_name',
    firstName: 'p.first_name',
    birthDate: 'p.birth_date',
    sex: 'p.sex_at_birth',
    county: 'case when app_told(p.told_by) then p.county_fips end',
    dueOn: (tenant) =>
      `(select min(k.due_on) from record_clock k
        where k.tenant_id = ${tenant} and k.record_id = r.id and k.stopped_at is null)`,
  },
  searched: ['number', 'lastName', 'firstName', 'lots'],
  behind: recordsOf(dashboards, [
    { fact: incidentFact, by: 'id' },
    { fact: incidentReactionFact, by: 'incident_id' },
  ]),
});

const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, incidents, ids);

/** The file cells that a report came from. They can be long, so they are read for one report and never for a list. */
async function asReceived(tx: Tx, id: string): Promise<string | null> {
  const [row] = await tx.rows<{ said: string | null }>(
    `select nullif(concat_ws(E'\\n',
      (select string_agg(cell.key || ': ' || cell.value, E'\\n' order by cell.key)
        from jsonb_each_text(r.as_received -> 'data') cell
        where cell.value <> '' and cell.key not in ('VAERS_ID', 'SYMPTOM_TEXT')),
      'SYMPTOMS: ' || (select string_agg(concat_ws(' ', term.cells ->> ('SYMPTOM' || n),
            nullif(term.cells ->> ('SYMPTOMVERSION' || n), '')), '; ' order by term.place, n)
        from jsonb_array_elements(r.as_received -> 'symptoms') with ordinality as term (cells, place)
          cross join generate_series(1, 5) n
        where term.cells ->> ('SYMPTOM' || n) <> '')), '') as said
     from incident r where r.tenant_id = $1 and r.id = $2`,
    [tx.tenantId, id],
  );
  return row?.said ?? null;
}

interface Context {
  /** The organization or facility that the writer works for; other writers choose where it happened. */
  own: OwnPlace;
  offered: Entries;
}

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  future: 'the day lies in the future',
  'before-1900': 'the day lies before 1900',
  'before-birth': 'the day lies before the birth',
  'before-vaccination': 'the day lies before the vaccination',
  'before-occurred': 'the day lies before the onset or the incident',
};

/** The birth date of a report's person, as the writer sees it; `not-found` if they do not see the person. */
async function birthDateOf(tx: Tx, patient: unknown): Promise<string | null> {
  if (typeof patient !== 'string') return null;
  const [person] = await tx.rows<{ birthDate: string | null }>(
    `select p.birth_date as "birthDate" from patient stored cross join lateral app_shown(stored, stored.told_openly) p
     where stored.tenant_id = $1 and stored.id = $2`,
    [tx.tenantId, patient],
  );
  if (!person) throw new AppError('not-found');
  return person.birthDate;
}

const isEnded = (stage: unknown) => (endedStages as readonly unknown[]).includes(stage);

/** What the declaration of a report does not say. */
export const incidentServer = (lookups: Lookups) =>
  patientServer<Incident, Context>({
    ...incidents,
    record: incidentRecord,
    read,
    lock: (tx, tenantId, ids) =>
      tx.rows('select from incident where tenant_id = $1 and id = any ($2::uuid[]) order by id for update', [
        tenantId,
        ids,
      ]),
    async answer(tx, id) {
      const [answer] = await read(tx, [id]);
      return answer ? { ...answer, asReceived: await asReceived(tx, id) } : null;
    },
    opened: openedWithCase(read),
    async context(person) {
      return {
        own: ownPlaceOf(person),
        offered: await entriesOffered(incidentRecord, lookups, person),
      };
    },
    async faults(tx, writer, { stored, changes }) {
      const { today } = writer;
      const { offered } = writer.context;
      const next = {
        ...stored,
        ...Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
      };
      const birthDate = await birthDateOf(tx, stored.patient);
      // The days are checked together.
      const faults = incidentDays.some((name) => changes[name] !== undefined)
        ? incidentFaults(next, { today, birthDate })
        : [];
      return [
        ...faults.map(({ field, code }) => faultAt(field, code, messages[code] ?? code)),
        ...faultsOfEntries(incidentRecord, next, Object.keys(changes), offered),
      ];
    },
    derived: () => ({}),
    sets: ({ stage }) =>
      stage && isEnded(stage.to) !== isEnded(stage.from)
        ? [`ended_at = ${isEnded(stage.to) ? 'now()' : 'null'}`]
        : [],
    async insert(tx, writer, id, given) {
      const { tenantId, today, context } = writer;
      await insertIncidents(tx, { tenantId, today, own: context.own }, [{ ...given, id }]);
    },
    async write(tx, { tenantId }, changed) {
      await recordChange(
        tx,
        tenantId,
        'incident',
        changed.map(({ stored }) => stored.id),
      );
    },
  });
