import { v7 } from 'uuid';
import { z } from 'zod';
import { childrenOf, type GuardianshipOptions } from '../../platform/auth/guardianship.ts';
import { type PatientAccount, recordsOf } from '../../platform/auth/patient-accounts.ts';
import type { Database } from '../../platform/db/database.ts';
import { each, forEveryTenant } from '../../platform/db/every-tenant.ts';
import { defineJob, enqueue, type Work, work } from '../../platform/jobs/jobs.ts';
import { addressFor, mailTextFor, mailWith } from '../../platform/mail/mail-texts.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { consentsOf } from '../patients/consents.ts';

/** Mails a patient that there is something new, and not what. [P16] */
const tellPatient = defineJob({
  name: 'portal/tell-patient',
  payload: z.strictObject({
    /** Retries of a message keep its id. */
    id: z.uuid(),
    tenantId: z.uuid(),
    accountId: z.uuid(),
  }),
  lane: 'quick',
  attempts: 10,
});

const findNewResults = defineJob({
  name: 'portal/find-new-results',
  payload: z.strictObject({}),
  lane: 'quick',
  attempts: 3,
});

interface Account extends PatientAccount {
  /** Earlier results are no news: the account was made to show them. */
  since: Date;
}

/** The accounts of a tenant that have an email address, or only this one. */
const accountsOf = (database: Database, tenantId: string, accountId?: string): Promise<Account[]> =>
  database.withScope({ kind: 'identity' }, (tx) =>
    tx.rows<Account>(
      `select a.id as "accountId", a.patient_tenant_id as "tenantId", a.patient_id as "patientId",
         greatest(a.created_at, a.invited_at) as since
       from account a join tenant t on t.id = a.patient_tenant_id and t.suspended_at is null
       where a.patient_tenant_id = $1 and a.patient_id is not null and a.disabled_at is null
         and a.email is not null and ($2::uuid is null or a.id = $2) order by a.id`,
      [tenantId, accountId ?? null],
    ),
  );

/** An account and a record whose results it may show: its own, or that of a child. */
interface Reader {
  accountId: string;
  patientId: string;
  /** From when on results are news. */
  since: Date;
  guardian?: { hiddenFamilies: string[] };
}

/** The accounts with their own records, and guardians with those of their children. */
async function readersOf(
  guardianship: GuardianshipOptions,
  tenantId: string,
  accounts: readonly Account[],
): Promise<Reader[]> {
  const { database } = guardianship;
  const records = await recordsOf(database, accounts);
  const links = await database.withScope(
    { kind: 'service', tenantId },
    (tx) =>
      tx.rows<{ id: string }>(
        'select distinct guardian_id as id from guardian_link where tenant_id = $1 and ended_at is null',
        [tenantId],
      ),
    { readOnly: true },
  );
  const named = links.map(({ id }) => ({ accountId: id, tenantId, patientId: id }));
  const guardians = new Set((await recordsOf(database, named)).map(({ patientId }) => patientId));
  const readers: Reader[] = records.map(({ accountId, patientId, since }) => ({
    accountId,
    patientId,
    since,
  }));
  for (const { accountId, patientId, since } of records) {
    if (!guardians.has(patientId)) continue;
    for (const child of await childrenOf(guardianship, { tenantId, patientId })) {
      const { hiddenFamilies } = child;
      if (child.may.includes('results'))
        readers.push({ accountId, patientId: child.patientId, since, guardian: { hiddenFamilies } });
    }
  }
  return readers;
}

/**
 * Tells the patients of a tenant, and the guardians of children, about results that came, or were released, after
 * their account was made, each once. The scope in which they read decides which of them they may see.
 */
async function tellOfNewResults(
  guardianship: GuardianshipOptions,
  tenantId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database } = guardianship;
  const accounts = await accountsOf(database, tenantId);
  if (accounts.length === 0) return;
  const readers = await readersOf(guardianship, tenantId, accounts);
  const news = await database.withScope(
    { kind: 'service', tenantId },
    (tx) =>
      tx.rows<{ accountId: string; patientId: string; results: string[] }>(
        `select a.account_id as "accountId", a.patient_id as "patientId", array_agg(r.id) as results
         from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as a (account_id, patient_id, since)
         join result r on r.tenant_id = $1 and r.patient_id = a.patient_id
         where r.superseded_by is null and r.status <> 'withdrawn'
           and (r.created_at > a.since or r.released_at > a.since)
           and not exists (select from told_result t
             where t.tenant_id = $1 and t.account_id = a.account_id and t.result_id = r.id)
         group by a.account_id, a.patient_id order by a.account_id`,
        [
          tenantId,
          readers.map(({ accountId }) => accountId),
          readers.map(({ patientId }) => patientId),
          readers.map(({ since }) => since),
        ],
      ),
    { readOnly: true },
  );
  const guardians = new Map(
    readers.map(({ accountId, patientId, guardian }) => [`${accountId} ${patientId}`, guardian]),
  );
  await each(
    news,
    async ({ results, accountId, patientId }) => {
      const guardian = guardians.get(`${accountId} ${patientId}`);
      const seen = await database.withScope(
        { kind: 'patient', tenantId, accountId, patientId, ...(guardian && { guardian }) },
        (tx) =>
          tx.rows<{ id: string }>('select id from result where tenant_id = $1 and id = any ($2::uuid[])', [
            tenantId,
            results,
          ]),
        { readOnly: true },
      );
      if (seen.length === 0) return;
      await database.withScope({ kind: 'service', tenantId }, async (tx) => {
        const told = await tx.rows(
          `insert into told_result (tenant_id, account_id, result_id, told_at)
           select $1, $2, id, $4 from unnest($3::uuid[]) as seen (id) on conflict do nothing returning result_id`,
          [tenantId, accountId, seen.map(({ id }) => id), new Date()],
        );
        if (told.length > 0) await enqueue(tx, tellPatient, { id: v7(), tenantId, accountId });
      });
    },
    signal,
  );
}

/** Looks for results that patients and guardians can newly see, every quarter of an hour. */
export const newResultsWork = (guardianship: GuardianshipOptions): Work =>
  work(
    findNewResults,
    (_, { signal }) =>
      forEveryTenant(
        guardianship.database,
        (tenantId) => tellOfNewResults(guardianship, tenantId, signal),
        signal,
      ),
    '*/15 * * * *',
  );

interface Options {
  database: Database;
  mailer: Mailer;
  /** The public address of the product. */
  publicUrl: string;
}

/** Sends a queued message if the account still works and its owner agrees to emails. */
export const tellPatientWork = ({ database, mailer, publicUrl }: Options): Work =>
  work(tellPatient, async ({ id, tenantId, accountId }) => {
    const [record] = await recordsOf(database, await accountsOf(database, tenantId, accountId));
    if (!record) return;
    const consents = await consentsOf(database, tenantId, record.patientId);
    if (!consents.find(({ kind }) => kind === 'email')?.given) return;
    const found = await database.withScope({ kind: 'identity' }, async (tx) => {
      const [row] = await tx.rows<{ email: string; language: string; tenant: string }>(
        `select a.email, a.language_code as language, t.name as tenant
         from account a join tenant t on t.id = a.patient_tenant_id where a.id = $1`,
        [accountId],
      );
      return { ...row!, ...(await mailTextFor(tx, { tenantId }, 'patient-news', row!.language)) };
    });
    const { language } = found;
    await mailer.send({
      id,
      to: found.email,
      ...mailWith(found.text, {
        tenant: found.tenant,
        address: `${addressFor(publicUrl, language)}/patient/sign-in`,
      }),
      language,
      at: new Date(),
    });
  });
