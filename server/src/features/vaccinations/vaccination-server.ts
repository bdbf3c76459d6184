import { type Vaccination, vaccinationFaults, vaccinationRecord } from '@caseway/contract/vaccinations';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { personShown, seePerson } from '../../platform/records/about-person.ts';
import { insertMade } from '../../platform/records/insert-made.ts';
import { openedWithCase } from '../../platform/records/opened.ts';
import { patientServer } from '../../platform/records/patient-record.ts';
import { type Entries, entriesOffered, faultsOfEntries } from '../../platform/records/record-faults.ts';
import { recordReading } from '../../platform/records/record-server.ts';
import { readRecords } from '../../platform/records/record-sql.ts';
import { historyShown } from '../../platform/records/record-versions.ts';

/** Vaccinations as the reader sees them: visible with their person. */
export const vaccinations = recordReading<typeof vaccinationRecord>({
  record: vaccinationRecord,
  endedColumn: 'ended_at',
  history: historyShown(vaccinationRecord),
  joined: `join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    cross join lateral app_shown(stored, stored.told_openly) p`,
  sql: { lastName: 'p.last_name', firstName: 'p.first_name', birthDate: 'p.birth_date' },
  searched: ['lastName', 'firstName', 'lot'],
});

const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, vaccinations, ids);

/** A visible person's vaccinations, the newest first; those entered in error are last. */
export async function readVaccinationsOf(tx: Tx, patientId: string): Promise<Vaccination[]> {
  await seePerson(tx, patientId);
  const rows = await tx.rows<{ id: string }>(
    `select id from vaccination where tenant_id = $1 and patient_id = $2
     order by state = 'entered-in-error', given_on desc, id`,
    [tx.tenantId, patientId],
  );
  const stored = new Map(
    (
      await read(
        tx,
        rows.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  );
  return rows.flatMap(({ id }) => stored.get(id) ?? []);
}

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  future: 'the day lies in the future',
  'before-1900': 'the day lies before 1900',
  'before-birth': 'the day lies before the birth',
};

/** What the declaration of a vaccination does not say. */
export const vaccinationServer = (lookups: Lookups) =>
  patientServer<Vaccination, { offered: Entries }>({
    ...vaccinations,
    record: vaccinationRecord,
    read,
    lock: (tx, tenantId, ids) =>
      tx.rows(
        'select from vaccination where tenant_id = $1 and id = any ($2::uuid[]) order by id for update',
        [tenantId, ids],
      ),
    answer: async (tx, id) => (await read(tx, [id]))[0] ?? null,
    opened: openedWithCase(read),
    context: async (person) => ({ offered: await entriesOffered(vaccinationRecord, lookups, person) }),
    async faults(tx, { today, context }, { stored, changes }) {
      const next = {
        ...stored,
        ...Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
      };
      const person = await personShown(tx, stored.patient);
      if (!person) throw new AppError('not-found');
      const faults = changes.givenOn ? vaccinationFaults(next, { today, ...person }) : [];
      return [
        ...faults.map(({ field, code }) => faultAt(field, code, messages[code] ?? code)),
        ...faultsOfEntries(vaccinationRecord, next, Object.keys(changes), context.offered),
      ];
    },
    derived: () => ({}),
    sets: ({ state }) => (state ? [`ended_at = ${state.to === 'entered-in-error' ? 'now()' : 'null'}`] : []),
    async insert(tx, { tenantId, today }, id, given) {
      await insertMade(tx, tenantId, vaccinationRecord, { ...given, id, createdOn: today }, {}, 'patient');
    },
    write: async () => {},
  });
