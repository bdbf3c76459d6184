import { logoAddress } from '@caseway/contract/logo';
import type { Consent, ConsentKind, OwnRecordAnswer } from '@caseway/contract/portal';
import { v7 } from 'uuid';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { insertCarried, passOn } from '../../platform/carried/carried.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { shareRecords } from '../../platform/db/record-lock.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { keysOfPatient, writeSearchKeys } from '../patients/search-keys.ts';
import { isAsked } from './own-follow-up.ts';

/** The number of an invitation as people read it: `ABCD-2345`. A name in another form does not change. */
export const patientNumberText = (username: string): string =>
  /^[a-z0-9]{8}$/.test(username) ? `${username.slice(0, 4)}-${username.slice(4)}`.toUpperCase() : username;

/** The current answers: the latest of each kind, given answers with the latest first. */
export const presentConsents = (consents: readonly Consent[]): Consent[] =>
  consents.filter((one, index) => consents.findIndex(({ kind }) => kind === one.kind) === index);

export interface ConsentGiven {
  tenantId: string;
  patientId: string;
  accountId: string;
  kind: ConsentKind;
  given: boolean;
  wording: string;
  language: string;
}

export async function addConsent(tx: Tx, consent: ConsentGiven): Promise<void> {
  await shareRecords(tx, consent.tenantId);
  await insertCarried(tx, 'patient_consent', 'patient', consent.tenantId, consent.patientId, {
    id: v7(),
    kind: consent.kind,
    given: consent.given,
    wording: consent.wording,
    language_code: consent.language,
    account_id: consent.accountId,
    by_patient: true,
  });
}

/**
 * Whether a patient has visits by video, or can book one; read as the service, because the patient's scope does not
 * see visits.
 */
export const hasVisits = (database: Database, tenantId: string, patientId: string): Promise<boolean> =>
  database.withScope(
    { kind: 'service', tenantId },
    async (tx) => {
      const [row] = await tx.rows<{ visits: boolean }>(
        `select 'telemedicine' = any (t.tenant_features) and (t.patients_book or exists (
             select from telemedicine_visit v where v.tenant_id = $1 and v.patient_id = $2
               and v.status <> 'entered-in-error')) as visits
         from tenant t where t.id = $1`,
        [tenantId, patientId],
      );
      return row!.visits;
    },
    { readOnly: true },
  );

/** What the portal shows that the patient's own scope cannot read. */
type Besides = 'consents' | 'visits';

/** What patients see of themselves in their own scope. */
export async function readOwn(tx: Tx): Promise<Omit<OwnRecordAnswer, Besides>> {
  const [own] = await tx.rows<
    Omit<OwnRecordAnswer, Besides | 'patientNumber' | 'followUp'> & { username: string; patientId: string }
  >(
    `select p.first_name as "firstName", p.last_name as "lastName", p.birth_date as "birthDate", t.name as tenant, t.logo_hash as logo, t.time_zone as "timeZone",
       'vaccinations' = any (t.tenant_features) as vaccinations,
       t.tenant_features @> '{vaccinations,incident-reports}' as reactions,
       a.email, a.phone, a.language_code as "languageCode", a.username, p.id as "patientId"
     from patient p join tenant t on t.id = p.tenant_id join account a on a.id = (select app_account())
     where p.tenant_id = $1 and p.id = (select app_patient())`,
    [tx.tenantId],
  );
  if (!own) throw new AppError('session-expired');
  const { username, patientId, logo, ...rest } = own;
  return {
    ...rest,
    logo: logoAddress(logo),
    patientNumber: patientNumberText(username),
    followUp: await isAsked(tx, patientId),
  };
}

/**
 * Adds an address or a number that a patient has confirmed to the record, before the existing ones. As the service
 * of the tenant, because patients may not change records.
 */
export async function addContactToRecord(
  tx: Tx,
  tenantId: string,
  patientId: string,
  { email, phone }: { email?: string; phone?: string },
): Promise<void> {
  const openly = (field: string, value: string) =>
    `jsonb_set(told_openly, '{${field}}', jsonb_build_array(${value}::text) || (told_openly -> '${field}') - ${value}::text)`;
  const changes = [
    ['emails', email],
    ['phones', phone],
  ] as const;
  for (const [field, value] of changes)
    if (value !== undefined)
      await tx.run(
        `update patient set ${field} = $3::text || array_remove(${field}, $3::text), told_openly = ${openly(field, '$3')}
         where tenant_id = $1 and id = $2`,
        [tenantId, patientId, value],
      );
  const changed = await tx.run(
    'update patient set version = version + 1, updated_at = now() where tenant_id = $1 and id = $2',
    [tenantId, patientId],
  );
  if (changed === 0) return;
  const [row] = (await tx.rows(
    `select last_name as "lastName", first_name as "firstName", middle_name as "middleName",
       other_names as "otherNames", birth_date as "birthDate", phones, emails,
       (select coalesce(json_agg(json_build_object('value', i.value, 'open', i.told_in is null)), '[]')
        from patient_identifier i where i.tenant_id = $1 and i.patient_id = $2) as identifiers,
       told_openly as openly
     from patient where tenant_id = $1 and id = $2`,
    [tenantId, patientId],
  )) as [
    {
      lastName: string | null;
      firstName: string | null;
      middleName: string | null;
      otherNames: { last?: string; first?: string; middle?: string }[];
      birthDate: string | null;
      phones: string[];
      emails: string[];
      identifiers: { value: string; open: boolean }[];
      openly: OpenColumns | null;
    },
  ];
  // Readers without restricted families find the person only by what they see, so both are written together. [P18]
  const openKeys = row.openly ? keysOfPatient(openPatient(row.openly, row.identifiers)).toSorted() : [];
  if (row.openly)
    await tx.run(
      `update patient set told_openly = told_openly || jsonb_build_object('keys', $3::text[]) where tenant_id = $1 and id = $2`,
      [tenantId, patientId, openKeys],
    );
  const keys = [...new Set([...keysOfPatient(row), ...openKeys])];
  await writeSearchKeys(tx, tenantId, 'patient', [{ id: patientId, keys }]);
  await passOn(tx, tenantId, 'patient', [patientId]);
  await recordChange(tx, tenantId, 'patient', [patientId]);
}

/** The parts of `told_openly` that find a person. */
interface OpenColumns {
  last_name: string | null;
  first_name: string | null;
  middle_name: string | null;
  other_names: { last?: string; first?: string; middle?: string }[];
  birth_date: string | null;
  phones: string[];
  emails: string[];
}

const openPatient = (
  { last_name, first_name, middle_name, other_names, birth_date, phones, emails }: OpenColumns,
  identifiers: { value: string; open: boolean }[],
) => ({
  lastName: last_name,
  firstName: first_name,
  middleName: middle_name,
  otherNames: other_names,
  birthDate: birth_date,
  phones,
  emails,
  identifiers: identifiers.filter(({ open }) => open),
});
