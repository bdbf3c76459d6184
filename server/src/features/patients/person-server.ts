import { todayIn } from '@caseway/contract/date-range';
import type { Fault } from '@caseway/contract/error';
import { patientPerson } from '@caseway/contract/patients';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { faultAt } from '../../platform/http/app-error.ts';
import {
  type PatientServer,
  type PatientWriter,
  type Person,
  patientServer,
} from '../../platform/records/patient-record.ts';
import type { AnyRow } from '../../platform/records/record-server.ts';
import { openedOf } from '../../platform/records/timeline.ts';
import type { Given } from './corrected-person.ts';
import { shownToAll } from './patient-fact.ts';
import { readPeople, readPerson } from './person.ts';
import { changePerson, makePerson, type PersonWriter } from './save-person.ts';

interface Context {
  /** Today in the tenant. */
  today: string;
  /** The entries of each look-up that a field is chosen from. */
  offered: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The place that the writer works for. */
  own: Pick<Person['org'], 'orgType' | 'id'>;
}

const blind = `coalesce(current_setting('app.hidden_families', true), '') <> ''`;
/** The versions of persons as the reader sees them. [P18, P23] */
const historyShown = `(select w.tenant_id, w.record_id, w.at, w.account_id, w.version, w.undoes,
    case when app_told(w.told_by) then c.changes
      else c.changes - array(select jsonb_object_keys(c.changes) except select unnest(array['${shownToAll.join("', '")}'])) end
      - case when (select app_gender_identity_shown()) then '' else 'gender' end as changes
  from ${patientPerson.table}_history w
  cross join lateral (select case when ${blind} then coalesce(w.changes_open, w.changes) else w.changes end as changes) c)`;

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  future: 'the day lies in the future',
  'before-1900': 'the day lies before 1900',
  'name-needed': 'a person has a last or a first name',
  'before-birth': 'the day of death lies before the birth date',
  'after-death': 'the birth date lies after the day of death',
  'date-of-death-given': 'a day of death is given of somebody who is not deceased',
  'county-elsewhere': 'the county is in another state',
  'unknown-choice': 'no entry of the look-up',
  'not-told': 'other places have told of this person what the writer is not shown',
};

/** The faults of the changed person; `changed`: only these fields are checked. */
function faultsOfPerson(next: Given, changed: readonly string[], { today, offered }: Context): Fault[] {
  const faults: Fault[] = [];
  const fault = (field: string, code: string) => faults.push(faultAt(field, code, messages[code]!));
  const is = (...names: (keyof Given)[]) => names.some((name) => changed.includes(name));
  if (is('lastName', 'firstName') && !next.lastName && !next.firstName) fault('lastName', 'name-needed');
  const { birthDate, deceased, deceasedOn } = next;
  for (const name of ['birthDate', 'deceasedOn'] as const) {
    const day = next[name];
    if (!is(name) || !day) continue;
    if (day > today) fault(name, 'future');
    else if (day < '1900-01-01') fault(name, 'before-1900');
    else if (
      birthDate &&
      deceasedOn &&
      deceasedOn < birthDate &&
      (name === 'deceasedOn' || !is('deceasedOn'))
    )
      fault(name, name === 'birthDate' ? 'after-death' : 'before-birth');
  }
  // A day of death answers the question whether the person died.
  if (is('deceased') && deceasedOn && deceased !== 'yes' && !(deceased === null && is('deceasedOn')))
    fault('deceased', 'date-of-death-given');
  for (const [name, { options }] of Object.entries(patientPerson.fields)) {
    const value = next[name as keyof Given];
    if (!changed.includes(name) || typeof options !== 'string' || typeof value !== 'string') continue;
    if (!offered.get(options)!.has(value)) fault(name, 'unknown-choice');
  }
  if (is('county', 'state') && next.county && next.state && !next.county.startsWith(next.state))
    fault('county', 'county-elsewhere');
  return faults;
}

async function contextOf(lookups: Lookups, person: Person): Promise<Context> {
  const names = new Set(
    Object.values(patientPerson.fields).flatMap(({ options }) =>
      typeof options === 'string' ? [options] : [],
    ),
  );
  const labels = await Promise.all(
    [...names].map(async (name) => [name, await lookups.labels(name, person)] as const),
  );
  return { today: todayIn(person.org.timeZone), offered: new Map(labels), own: person.org };
}

/** The writer and their place, in the scope of the service. */
async function writerOf(
  tx: Tx,
  { accountId, tenantId, context }: PatientWriter<Context>,
): Promise<PersonWriter> {
  const { orgType, id } = context.own;
  if (orgType === 'O') return { accountId, organizationId: id, facilityId: null };
  if (orgType !== 'F') return { accountId, organizationId: null, facilityId: null };
  const [facility] = await tx.rows<{ organizationId: string | null }>(
    'select organization_id as "organizationId" from facility where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  return { accountId, organizationId: facility?.organizationId ?? null, facilityId: id };
}

/** What the declaration of a person does not say. */
export const personServer = (lookups: Lookups): PatientServer =>
  patientServer<AnyRow, Context>({
    record: patientPerson,
    history: historyShown,
    sql: {},
    searched: [],
    lock: async () => undefined,
    read: (tx, ids) => readPeople(tx, ids, { may: () => false }) as Promise<unknown> as Promise<AnyRow[]>,
    answer: readPerson,
    opened: {
      find: (database, call, id) => openedOf({ database }, call, id),
      answer: (answer) => answer,
    },
    context: (person) => contextOf(lookups, person),
    async faults(_tx, { context }, { stored, changes }) {
      const names = Object.keys(changes);
      if (stored.told === false && names.length > 0)
        return [faultAt(names[0]!, 'not-told', messages['not-told']!)];
      const next = { ...stored, ...Object.fromEntries(names.map((name) => [name, changes[name]!.to])) };
      return faultsOfPerson(next as Given, names, context);
    },
    derived: () => ({}),
    sets: () => [],
    async write() {},
    byService: {
      // One at a time; a record that stays unchanged throws.
      async change(tx, by, considered) {
        const writer = await writerOf(tx, by);
        for (const { stored, changes, undoes } of considered) {
          const side = (of: 'from' | 'to') =>
            Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change[of]])) as Given;
          const correction = { given: side('to'), shown: side('from') };
          await changePerson(tx, by.tenantId, stored, correction, { ...writer, undoes });
        }
        return new Map();
      },
      make: async (tx, by, id, given) =>
        makePerson(tx, by.tenantId, id, given as Given, await writerOf(tx, by)),
    },
  });
