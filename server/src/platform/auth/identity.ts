import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import type { Work } from '../jobs/jobs.ts';
import { createMailer, type Mailer } from '../mail/mailer.ts';
import { createTexter, type Texter } from '../mail/texter.ts';
import { accountMailWorks } from './account-mail.ts';
import { createAuthorizer, type IdentityAuthorizer } from './authorizer.ts';
import { type ContactChanges, contactWorks, createContactChanges } from './contact-changes.ts';
import type { GuardianshipOptions } from './guardianship.ts';
import { lateAuditWork } from './late-audit.ts';
import { createPasskeys } from './passkeys.ts';
import { createSecondFactors, type SecondFactors } from './second-factors.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { sendSignInMail, signInWorks } from './sign-in-mail.ts';
import { Signing } from './signing.ts';

/** Who people are and what they may do. */
export interface Identity {
  signing: Signing;
  authorizer: IdentityAuthorizer;
  sessions: Sessions;
  signIn: SignIn;
  secondFactors: SecondFactors;
  contactChanges: ContactChanges;
  /** Features send their mail with it too. */
  mailer: Mailer;
  texter: Texter;
  /** The background work it needs. */
  works: Work[];
  close(): void;
}

export interface IdentityOptions {
  database: Database;
  /** The pool for requests of people who are not signed in. [P25] */
  anonymousDatabase?: Database;
  /** See `tokenSecret`. */
  secret: string;
  /** Codes of the disease families that are restricted in every tenant. */
  restrictedFamilies: readonly string[];
  guardianship: GuardianshipOptions;
  /** The address of the product. Messages name its host, and are sent from it. */
  publicUrl: string;
  smtpUrl?: string;
  smsUrl?: string;
  /** Messages become files in its folder `outbox` if there is no mail server, or no webhook for text messages. */
  dataDir: string;
  /** How many days an ended session is kept; null forever. */
  sessionDays: number | null;
}

export function createIdentity(options: IdentityOptions): Identity {
  const {
    database,
    secret,
    restrictedFamilies,
    guardianship,
    publicUrl,
    smtpUrl,
    smsUrl,
    dataDir,
    sessionDays,
  } = options;
  const anonymous = options.anonymousDatabase ?? database;
  const { host, hostname } = new URL(publicUrl);
  const signing = new Signing(secret);
  const authorizer = createAuthorizer({ database, signing, restrictedFamilies, guardianship });
  const sessions = createSessions({ database: anonymous, signing, onChanged: authorizer.forgetSession });
  const passkeys = createPasskeys(publicUrl);
  const signIn = createSignIn({
    database: anonymous,
    signing,
    sessions,
    passkeys,
    sendJob: sendSignInMail,
  });
  const outbox = join(dataDir, 'outbox');
  const mailer = createMailer({
    smtpUrl,
    outbox,
    publicUrl,
    from: `Caseway <no-reply@${hostname}>`,
  });
  const texter = createTexter({ smsUrl, outbox });
  return {
    signing,
    authorizer,
    sessions,
    signIn,
    mailer,
    texter,
    secondFactors: createSecondFactors({ signing, passkeys, host }),
    contactChanges: createContactChanges(signing),
    works: [
      ...signInWorks({ database, signing, mailer, texter, host, sessionDays }),
      ...contactWorks({ database, signing, mailer, texter, host }),
      ...accountMailWorks({ database, mailer, host }),
      lateAuditWork(database),
    ],
    close: () => mailer.close(),
  };
}
