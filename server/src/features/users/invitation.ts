import { z } from 'zod';
import { hasSignedIn } from '../../platform/auth/account-state.ts';
import type { Database } from '../../platform/db/database.ts';
import { defineJob, type Work, work } from '../../platform/jobs/jobs.ts';
import { addressFor, mailTextFor, mailWith } from '../../platform/mail/mail-texts.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';

export const sendInvitation = defineJob({
  name: 'users/send-invitation',
  payload: z.strictObject({
    tenantId: z.uuid(),
    /** Memberships of one account, or offers to it. */
    membershipIds: z.array(z.uuid()).min(1).max(50),
    /** The id of the message, so that a retry sends the same message. */
    mailId: z.uuid(),
  }),
  lane: 'quick',
  attempts: 8,
});

interface Row {
  email: string;
  first_name: string;
  language_code: string;
  invited: boolean;
  offered: boolean;
  invited_at: Date;
  tenant: string;
  orgs: string[];
}

export interface InvitationOptions {
  database: Database;
  mailer: Mailer;
  /** The public address of the product. */
  publicUrl: string;
}

/** Emails people their invitations. */
export const invitationWork = ({ database, mailer, publicUrl }: InvitationOptions): Work =>
  work(sendInvitation, async ({ tenantId, membershipIds, mailId }) => {
    const row = await database.withScope({ kind: 'identity' }, async (tx) => {
      // Nothing for a person who has since been removed.
      const [found] = await tx.rows<Row>(
        `select a.email, a.first_name, a.language_code, not ${hasSignedIn} as invited,
           bool_or(m.offered) as offered, max(m.invited_at) as invited_at, max(t.name) as tenant,
           array_agg(coalesce(o.name, f.name, j.name, t.name) order by coalesce(o.name, f.name, j.name, t.name)) as orgs
         from (
           select tenant_id, id, account_id, org_type, org_id, ended_at, invited_at, null as email, false as offered
           from membership
           union all
           select tenant_id, id, account_id, org_type, org_id, ended_at, invited_at, email, true from membership_offer
         ) m
         join account a on a.id = m.account_id and a.disabled_at is null
           and (not m.offered or lower(m.email) in (a.username, lower(a.email)))
         join tenant t on t.id = m.tenant_id and t.suspended_at is null
         left join organization o on m.org_type = 'O' and o.tenant_id = m.tenant_id and o.id = m.org_id
         left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
         left join jurisdiction j on m.org_type = 'PHJ' and j.id = m.org_id
         where m.tenant_id = $1 and m.id = any ($2::uuid[]) and m.ended_at is null
         group by a.id`,
        [tenantId, membershipIds],
      );
      const kind = found?.invited ? 'invitation' : found?.offered ? 'offered' : 'added';
      return found && { ...found, ...(await mailTextFor(tx, { tenantId }, kind, found.language_code)) };
    });
    if (!row) return;
    await mailer.send({
      id: mailId,
      to: row.email,
      ...mailWith(row.text, {
        name: row.first_name,
        organizations: row.orgs.map((name) => `  ${name}`).join('\n'),
        address: addressFor(publicUrl, row.language),
        email: row.email,
        tenant: row.tenant,
      }),
      language: row.language,
      at: row.invited_at,
    });
  });
