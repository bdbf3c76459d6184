import { endedContacts } from '@caseway/contract/contact-flow';
import {
  type Contact,
  contactDays,
  contactFaults,
  contactRecord,
  contactRisks,
} from '@caseway/contract/contacts';
import { followUpToday, lastDayOf } from '@caseway/contract/follow-up';
import { passOn } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { caseSeen, faultsOfOwnCase, personShown } from '../../platform/records/about-person.ts';
import { keepFollowUp, readEntries } from '../../platform/records/follow-up-entries.ts';
import { dayOfTenant, followedSql, followUpShown } from '../../platform/records/follow-up-sql.ts';
import { insertMade } from '../../platform/records/insert-made.ts';
import { type PatientWriter, patientServer } from '../../platform/records/patient-record.ts';
import { type Entries, entriesOffered, faultsOfEntries } from '../../platform/records/record-faults.ts';
import { recordNumber } from '../../platform/records/record-number.ts';
import { recordReading, type Values } from '../../platform/records/record-server.ts';
import { readInOrder, readRecords } from '../../platform/records/record-sql.ts';
import { historyShown } from '../../platform/records/record-versions.ts';
import { conditionByCode } from '../reference/catalog.ts';

const followed = followedSql({
  from: 'greatest(r.last_exposed_on + 1, r.started_on)',
  until: 'r.follow_until',
});

/** Contacts as the reader sees them. Those with a hidden person are left out. */
export const contacts = recordReading<typeof contactRecord>({
  record: contactRecord,
  endedColumn: 'ended_at',
  history: historyShown(contactRecord),
  joined: `join case_report of on of.tenant_id = r.tenant_id and of.id = r.case_report_id
    ${dayOfTenant}
    left join case_report became on became.tenant_id = r.tenant_id and became.id = r.became_case_id
    left join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    left join lateral app_shown(stored, stored.told_openly, r.disease_family) p on stored.id is not null`,
  only: 'r.patient_id is null or stored.id is not null',
  sql: {
    name: `coalesce(nullif(concat_ws(', ', p.last_name, p.first_name), ''), r.description)`,
    birthDate: 'p.birth_date',
    caseId: 'of.case_id',
    condition: 'of.condition_code',
    county: 'coalesce(case when app_told(p.told_by) then p.county_fips end, r.county_fips)',
    today: followed.today,
    becameCaseId: 'became.case_id',
  },
  more: {
    isMissed: followed.isMissed,
  },
  filters: {
    show: followUpShown,
  },
  orders: { risk: contactRisks, today: followUpToday },
  searched: ['number', 'name', 'description', 'caseId', 'phone'],
});

export const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, contacts, ids);

/** The contacts of a case that the reader sees: those under follow-up first, by its end. */
export const readContactsOf = (tx: Tx, caseId: string): Promise<Contact[]> =>
  readInOrder(
    tx,
    read,
    `select id from contact where tenant_id = $1 and case_report_id = $2
     order by ended_at is not null, follow_until, id`,
    [tx.tenantId, caseId],
  );

export const lockContacts = (tx: Tx, tenantId: string, ids: readonly string[]) =>
  tx.rows('select from contact where tenant_id = $1 and id = any ($2::uuid[]) order by id for update', [
    tenantId,
    ids,
  ]);

interface Context {
  /** The organization or facility that the writer works for. */
  own: string | null;
  offered: Entries;
}

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  future: 'the day lies in the future',
  'before-1900': 'the day lies before 1900',
  'before-birth': 'the day lies before the birth',
  'before-first': 'the last exposure lies before the first',
  'not-after-exposure': 'the last day lies after the last exposure',
};

const untilOf = (
  { lastExposedOn, otherUntil }: Pick<Contact, 'lastExposedOn' | 'otherUntil'>,
  condition: string | null,
) => lastDayOf({ lastExposedOn, otherUntil }, conditionByCode(condition ?? '')?.followUpDays);

const isEnded = (status: unknown) => (endedContacts as readonly unknown[]).includes(status);

/** What the declaration of a contact does not say. */
export const contactServer = (lookups: Lookups) =>
  patientServer<Contact, Context>({
    ...contacts,
    record: contactRecord,
    read,
    lock: lockContacts,
    async answer(tx, id) {
      const [answer] = await read(tx, [id]);
      return answer ?? null;
    },
    async context(person) {
      const { orgType, id } = person.org;
      return {
        own: orgType === 'O' || orgType === 'F' ? id : null,
        offered: await entriesOffered(contactRecord, lookups, person),
      };
    },
    async faults(tx, writer, { stored, changes }) {
      const next = { ...stored, ...valuesAfter(changes) };
      const isChanged = (...names: string[]) => names.some((name) => changes[name] !== undefined);
      const of = await caseSeen(tx, stored.caseRecord);
      // Writers who cannot see the case learn nothing about it.
      if (!of) throw new AppError('not-found');
      const person = next.patient ? await personShown(tx, next.patient) : undefined;
      const faults = isChanged(...contactDays)
        ? contactFaults(next, { today: writer.today, birthDate: person?.birthDate ?? null })
        : [];
      const until = next.lastExposedOn ? untilOf(next, of.condition) : null;
      return [
        ...faults.map(({ field, code }) => faultAt(field, code, messages[code] ?? code)),
        ...(next.patient && isChanged('patient') && !person
          ? [faultAt('patient', 'unknown-choice', 'no person that the writer sees')]
          : []),
        ...(next.patient && next.patient === of.patient && isChanged('patient')
          ? [faultAt('patient', 'own-case', 'nobody is a contact of their own case')]
          : []),
        ...(next.status === 'under-follow-up' && isChanged('otherUntil', 'lastExposedOn') && until === null
          ? [faultAt('otherUntil', 'required', 'without it the follow-up has no last day')]
          : []),
        ...(isChanged('becameCase')
          ? await faultsOfOwnCase(tx, 'becameCase', {
              own: next.becameCase,
              of: next.caseRecord,
              patient: next.patient,
            })
          : []),
        ...faultsOfEntries(contactRecord, next, Object.keys(changes), writer.context.offered),
      ];
    },
    derived: (_, { stored, changes }) => {
      const next = { ...stored, ...valuesAfter(changes) };
      return changes.lastExposedOn || changes.otherUntil
        ? { follow_until: untilOf(next, stored.condition) }
        : {};
    },
    sets: ({ status, patient }, param) => [
      ...(status && isEnded(status.to) !== isEnded(status.from)
        ? [`ended_at = ${isEnded(status.to) ? 'now()' : 'null'}`]
        : []),
      ...(patient
        ? [
            `disease_families = (select p.disease_families from patient p
               where p.tenant_id = $1 and p.id = ${param(patient.to)}::uuid)`,
          ]
        : []),
    ],
    async insert(tx, writer, id, given) {
      await insertContact(tx, writer, id, given);
    },
    async write(tx, _, changed) {
      // The previous person's answers do not apply to the new one.
      for (const { stored, changes } of changed)
        if (changes.patient)
          await keepFollowUp(tx, 'contact', stored.id, await readEntries(tx, stored.id, changes.patient.to));
    },
  });

const valuesAfter = (changes: Readonly<Record<string, { to: unknown }>>): Partial<Contact> =>
  Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]));

/** Stores a contact with its last day and who sees it: visible like its case, but not if its person is hidden. */
async function insertContact(
  tx: Tx,
  { tenantId, today, context: { own } }: PatientWriter<Context>,
  id: string,
  given: Values,
): Promise<void> {
  const of = await caseSeen(tx, given.caseRecord);
  const days = given as unknown as Pick<Contact, 'lastExposedOn' | 'otherUntil'>;
  await insertMade(
    tx,
    tenantId,
    contactRecord,
    {
      ...given,
      id,
      status: 'identified',
      number: recordNumber('CT', today),
      createdOn: today,
      followUntil: untilOf(days, of?.condition ?? null),
    },
    { told_by: own },
    'case_report',
  );
  if (typeof given.patient === 'string') await passOn(tx, tenantId, 'patient', [given.patient], ['contact']);
}
