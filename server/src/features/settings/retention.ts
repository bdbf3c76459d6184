import {
  type RetentionSetting,
  type RetentionShortening,
  retentionDelayDays,
  retentionSettings,
  shorteningsShown,
  type TenantSettings,
} from '@caseway/contract/settings';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Database, Tx } from '../../platform/db/database.ts';
import { defineJob, enqueue, type Work, work } from '../../platform/jobs/jobs.ts';
import { addressFor } from '../../platform/mail/mail-texts.ts';
import { type Department, departmentColumns, type Mailer } from '../../platform/mail/mailer.ts';
import { membersWhoMay } from '../../platform/policy/who-may.ts';
import { retentionWords } from './retention-words.ts';

/*
 * One administrator alone cannot delete anything: a shorter time takes effect after a delay, administrators and
 * privacy officers of the tenant get an email, and the decision is stored forever. `app_kept` in SQL gives the time
 * in effect today.
 */

/** Notifies administrators and privacy officers of a shorter retention time. */
export const tellOfShortening = defineJob({
  name: 'settings/tell-of-shortening',
  payload: z.strictObject({
    tenantId: z.uuid(),
    ids: z.array(z.uuid()).min(1).max(retentionSettings.length),
  }),
  lane: 'quick',
  attempts: 10,
});

const isShorter = (after: number | null, before: number | null) =>
  after !== null && (before === null || after < before);

/** Stores each shortened time and emails the people who can undo it. In the scope `identity`. */
export async function noteShortenings(
  tx: Tx,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  before: TenantSettings,
  after: TenantSettings,
): Promise<void> {
  const shortened = retentionSettings.filter((setting) => isShorter(after[setting], before[setting]));
  if (shortened.length === 0) return;
  const ids: string[] = [];
  for (const setting of shortened) {
    const id = v7();
    ids.push(id);
    await tx.run(
      `insert into retention_change (tenant_id, id, setting, before, after, at, held_until, account_id)
       values ($1, $2, $3, $4, $5, now(), now() + make_interval(days => $6), $7)`,
      [tenantId, id, setting, before[setting], after[setting], retentionDelayDays, accountId],
    );
  }
  await enqueue(tx, tellOfShortening, { tenantId, ids });
}

/** The decisions with their authors, newest first. */
export async function shorteningsOf(
  tx: Tx,
  tenantId: string,
  settings: Pick<TenantSettings, RetentionSetting>,
): Promise<RetentionShortening[]> {
  const rows = await tx.rows<{
    setting: RetentionSetting;
    before: number | null;
    after: number;
    at: Date;
    heldUntil: Date;
    isHeld: boolean;
    by: string;
  }>(
    `select c.setting, c.before, c.after, c.at, c.held_until as "heldUntil", c.held_until > now() as "isHeld",
       coalesce((select nullif(concat_ws(' ', a.first_name, a.last_name), '') from account a where a.id = c.account_id), '') as by
     from retention_change c where c.tenant_id = $1 order by c.at desc, c.id desc limit ${shorteningsShown}`,
    [tenantId],
  );
  return rows.map(({ isHeld, at, heldUntil, ...row }) => ({
    ...row,
    at: at.toISOString(),
    heldUntil: heldUntil.toISOString(),
    pending: isHeld && isShorter(settings[row.setting], row.before),
  }));
}

export interface ShorteningMailOptions {
  database: Database;
  mailer: Mailer;
  /** The public address of the product. */
  publicUrl: string;
}

export const shorteningWork = ({ database, mailer, publicUrl }: ShorteningMailOptions): Work =>
  work(tellOfShortening, async ({ tenantId, ids }) => {
    const found = await database.withScope({ kind: 'identity' }, async (tx) => {
      const [tenant] = await tx.rows<Department & { time_zone: string }>(
        `select ${departmentColumns}, time_zone from tenant where id = $1`,
        [tenantId],
      );
      const changes = await tx.rows<{
        setting: RetentionSetting;
        before: number | null;
        after: number;
        at: Date;
        held_until: Date;
      }>(
        `select setting, before, after, at, held_until from retention_change
         where tenant_id = $1 and id = any ($2::uuid[]) order by id`,
        [tenantId, ids],
      );
      const told = await membersWhoMay(tx, tenantId, ['settings/write', 'privacy/officer'], ['T']);
      return tenant && changes.length > 0 ? { tenant, changes, told } : undefined;
    });
    if (!found) return;
    const { tenant, changes, told } = found;
    const [first] = changes;
    // A form that is the same in every language.
    const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: tenant.time_zone });
    for (const { accountId, email, languageCode } of told) {
      const { language, words } = retentionWords(languageCode);
      const lines = changes.map(({ setting, before, after }) => words.line(setting, before, after));
      await mailer.send({
        id: `${ids[0]}-${accountId}`,
        to: email,
        subject: words.subject(tenant.name),
        text: words.text({
          tenant: tenant.name,
          lines: lines.join('\n'),
          from: day.format(first!.held_until),
          address: addressFor(publicUrl, language),
        }),
        department: tenant,
        language,
        at: first!.at,
      });
    }
  });
