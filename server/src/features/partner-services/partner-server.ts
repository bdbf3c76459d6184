import { dashboards } from '@caseway/contract/dashboards/all';
import { basisRules, partnerDays, partnerStages, unlawful } from '@caseway/contract/partner-flow';
import {
  type PartnerService,
  partnerConditions,
  partnerDayFaults,
  partnerRecord,
} from '@caseway/contract/partner-services';
import { refusalsIn } from '@caseway/contract/workflow';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { passOn } from '../../platform/carried/carried.ts';
import { recordsOf } from '../../platform/dashboards/behind.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { caseSeen, faultsOfOwnCase, personShown } from '../../platform/records/about-person.ts';
import { insertMade } from '../../platform/records/insert-made.ts';
import { type PatientWriter, patientServer } from '../../platform/records/patient-record.ts';
import { type Entries, entriesOffered, faultsOfEntries } from '../../platform/records/record-faults.ts';
import { recordNumber } from '../../platform/records/record-number.ts';
import { recordReading, type Values } from '../../platform/records/record-server.ts';
import { readInOrder, readRecords } from '../../platform/records/record-sql.ts';
import { historyShown } from '../../platform/records/record-versions.ts';
import { partnerFact } from './partner-fact.ts';

/** The day by which a person in a stage must be found or interviewed. */
const dueOn = `case
  when r.stage = 'FF' and r.disposition is null then r.field_assigned_on + ${partnerDays.dispose}
  when r.stage = 'AI' then r.interview_assigned_on + ${partnerDays.interview} end`;

/** Partner services as the reader sees them. Those of a hidden person are left out. */
export const partners = recordReading<typeof partnerRecord>({
  record: partnerRecord,
  endedColumn: 'closed_on',
  history: historyShown(partnerRecord),
  joined: `join case_report of on of.tenant_id = r.tenant_id and of.id = r.case_report_id
    cross join lateral (select cast(now() at time zone t.time_zone as date) as today from tenant t where t.id = r.tenant_id) d
    left join partner_service source on source.tenant_id = r.tenant_id and source.id = r.index_id
    left join case_report own on own.tenant_id = r.tenant_id and own.id = r.own_case_id
    left join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    left join lateral app_shown(stored, stored.told_openly, r.disease_family) p on stored.id is not null`,
  only: 'r.patient_id is null or stored.id is not null',
  sql: {
    name: `coalesce(nullif(concat_ws(', ', p.last_name, p.first_name), ''), r.description, r.handle)`,
    birthDate: 'p.birth_date',
    personSex: 'p.sex_at_birth',
    county: 'coalesce(case when app_told(p.told_by) then p.county_fips end, r.county_fips)',
    caseId: 'of.case_id',
    condition: 'of.condition_code',
    classification: 'case when r.index_id is null then of.classification else own.classification end',
    ownCaseId: 'own.case_id',
    indexNumber: 'source.number',
    sourceDisposition: 'source.disposition',
    openContacts: (
      tenant,
    ) => `case when r.index_id is null then (select cast(count(*) as integer) from partner_service named
      where named.tenant_id = ${tenant} and named.index_id = r.id and named.stage = 'FF' and named.disposition is null) end`,
    dueOn,
    onsetOn: 'of.onset_on',
    treatedOn: (
      tenant,
    ) => `(select min(given.started_on) from treatment given where given.tenant_id = ${tenant}
      and given.case_report_id = r.case_report_id and given.state = 'given')`,
    testedOn: `case when r.index_id is null then r.hiv_tested_on else source.hiv_tested_on end`,
    counselledOn: `case when r.index_id is null then r.hiv_counselled_on else source.hiv_counselled_on end`,
  },
  more: { isLate: `coalesce(${dueOn} < d.today, false)` },
  filters: {
    show: {
      kind: 'choice',
      sql: 'f.id',
      among: (codes, tenant) => `f.tenant_id = ${tenant} and ('all' = any (${codes})
        or 'open' = any (${codes}) and f."closedOn" is null or 'late' = any (${codes}) and f."closedOn" is null and f."isLate")`,
      order: [],
    },
  },
  orders: { stage: partnerStages },
  searched: ['number', 'name', 'description', 'handle', 'caseId', 'phone'],
  behind: recordsOf(dashboards, [{ fact: partnerFact, by: 'id' }]),
});

export const readPartners = (tx: Tx, ids: readonly string[]) => readRecords(tx, partners, ids);

/** The records of a case that the reader sees: the one for its own person first, then named people by number. */
export const readPartnersOf = (tx: Tx, caseId: string): Promise<PartnerService[]> =>
  readInOrder(
    tx,
    readPartners,
    `select id from partner_service where tenant_id = $1 and case_report_id = $2
     order by index_id is not null, created_on, number`,
    [tx.tenantId, caseId],
  );

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
  'before-assigned': 'the day lies before the assignment',
  'before-interview': 'the day lies before the first interview',
  '9-index': 'a case itself comes from a test or a report',
  '9-basis': 'nobody who was named in this way has this referral basis',
};

const valuesAfter = (changes: Readonly<Record<string, { to: unknown }>>): Partial<PartnerService> =>
  Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]));

/** What the declaration of partner services does not say. */
export const partnerServer = (lookups: Lookups) =>
  patientServer<PartnerService, Context>({
    ...partners,
    record: partnerRecord,
    read: readPartners,
    // Also locks the case's own record, which can be closed only when nobody named for it is still being looked for.
    lock: (tx, tenantId, ids) =>
      tx.rows(
        `select from partner_service r where r.tenant_id = $1 and (r.id = any ($2::uuid[])
           or r.id in (select n.index_id from partner_service n where n.tenant_id = $1 and n.id = any ($2::uuid[])))
         order by r.id for update`,
        [tenantId, ids],
      ),
    async answer(tx, id) {
      const [answer] = await readPartners(tx, [id]);
      return answer ?? null;
    },
    async context(person) {
      const { orgType, id } = person.org;
      return {
        own: orgType === 'O' || orgType === 'F' ? id : null,
        offered: await entriesOffered(partnerRecord, lookups, person),
      };
    },
    async faults(tx, writer, { stored, changes }) {
      const next = { ...stored, ...valuesAfter(changes) };
      const isChanged = (...names: string[]) => names.some((name) => changes[name] !== undefined);
      const isNew = stored.version === 0;
      const of = await caseSeen(tx, stored.caseRecord);
      // Writers who cannot see the case learn nothing about it.
      if (!of) throw new AppError('not-found');
      const source = next.index ? await sourceOf(tx, next.index, stored.caseRecord) : undefined;
      const person = next.patient ? await personShown(tx, next.patient) : undefined;
      return [
        ...(isNew ? await faultsOfStart(tx, next, of) : []),
        ...(isNew && next.index && !source
          ? [faultAt('index', 'unknown-choice', 'no record of this case that the writer sees')]
          : []),
        ...partnerDayFaults(next, { today: writer.today, birthDate: person?.birthDate ?? null })
          .filter(({ field }) => isChanged(field))
          .map(({ field, code }) => faultAt(field, code, messages[code] ?? code)),
        ...(next.patient && isChanged('patient') && !person
          ? [faultAt('patient', 'unknown-choice', 'no person that the writer sees')]
          : []),
        ...(isChanged('patient') ? faultsOfPerson(next, of.patient, isNew) : []),
        ...(isChanged('ownCase', 'patient')
          ? await faultsOfOwnCase(tx, 'ownCase', {
              own: next.ownCase,
              of: next.caseRecord,
              patient: next.patient,
            })
          : []),
        ...(isChanged('ownCase') ? await faultsOfStatus(tx, next) : []),
        ...(isChanged('referralBasis', 'namedHow')
          ? refusalsIn(basisRules, {
              values: {
                index: next.index ?? null,
                referralBasis: next.referralBasis ?? null,
                namedHow: next.namedHow ?? null,
                sourceDisposition: source?.disposition ?? null,
              },
            }).map(({ rule }) => faultAt('referralBasis', rule, messages[rule] ?? rule))
          : []),
        ...faultsOfEntries(partnerRecord, next, Object.keys(changes), writer.context.offered),
      ];
    },
    derived: () => ({}),
    sets: ({ patient }, param) =>
      patient
        ? [
            `disease_families = (select p.disease_families from patient p
               where p.tenant_id = $1 and p.id = ${param(patient.to)}::uuid)`,
          ]
        : [],
    async insert(tx, writer, id, given) {
      await insertPartner(tx, writer, id, given);
    },
    async write(tx, { tenantId }, changed) {
      await recordChange(
        tx,
        tenantId,
        'partner_service',
        changed.map(({ stored }) => stored.id),
      );
    },
  });

/** The record of the person of a case who named someone. */
async function sourceOf(
  tx: Tx,
  id: unknown,
  caseRecord: unknown,
): Promise<{ disposition: string | null } | undefined> {
  const [found] = await tx.rows<{ disposition: string | null }>(
    `select disposition from partner_service
     where tenant_id = $1 and id = $2 and case_report_id = $3 and index_id is null`,
    [tx.tenantId, id, caseRecord],
  );
  return found;
}

/** What the flow refuses for a case that was known before and is set with the disposition. */
async function faultsOfStatus(tx: Tx, { ownCase, disposition }: Partial<PartnerService>) {
  const own = ownCase ? await caseSeen(tx, ownCase) : undefined;
  return own && (unlawful[own.classification] ?? []).includes(disposition ?? '')
    ? [faultAt('disposition', '4-status', 'the classification of the case rules this out')]
    : [];
}

/** Partner services begin once for a case, and only for a disease that has them. */
async function faultsOfStart(
  tx: Tx,
  { index, caseRecord }: Partial<PartnerService>,
  { condition }: { condition: string },
) {
  if (!partnerConditions.includes(condition))
    return [faultAt('caseRecord', 'no-partner-services', 'this disease has no partner services')];
  if (index) return [];
  const begun = await tx.rows(
    'select from partner_service where tenant_id = $1 and case_report_id = $2 and index_id is null limit 1',
    [tx.tenantId, caseRecord],
  );
  return begun.length > 0
    ? [faultAt('caseRecord', 'already-started', 'partner services of this case have begun')]
    : [];
}

/** The case's own record is about its person; a person cannot be their own partner. */
function faultsOfPerson({ index, patient }: Partial<PartnerService>, ofCase: string, isNew: boolean) {
  if (!index)
    return patient === ofCase || (isNew && !patient)
      ? []
      : [faultAt('patient', 'other-person', 'this record is of the person of the case')];
  return patient === ofCase ? [faultAt('patient', 'own-case', 'nobody is a partner of their own')] : [];
}

/** Stores a record with who sees it: visible like its case, but not if its person is hidden. */
async function insertPartner(
  tx: Tx,
  { tenantId, today, context: { own } }: PatientWriter<Context>,
  id: string,
  given: Values,
): Promise<void> {
  const of = await caseSeen(tx, given.caseRecord);
  const patient = given.index ? given.patient : of?.patient;
  await insertMade(
    tx,
    tenantId,
    partnerRecord,
    { ...given, id, patient, stage: 'NF', number: recordNumber('PS', today), createdOn: today },
    { told_by: own },
    'case_report',
  );
  if (typeof patient === 'string') await passOn(tx, tenantId, 'patient', [patient], ['partner_service']);
  await recordChange(tx, tenantId, 'partner_service', [id]);
}
