import { createTransport } from 'nodemailer';
import { htmlPart, inOneLine, logoId, signatureOf } from './html-part.ts';
import { putIntoOutbox } from './outbox.ts';
import { counted, type SendState } from './sends.ts';

/** The name of a tenant, its telephone number as people read it, empty without one, and its logo as PNG. */
export interface Department {
  name: string;
  phone: string;
  logo: Buffer | null;
}
/** The columns of `tenant` that make a `Department`. */
export const departmentColumns = 'name, phone, logo';

export interface Message {
  /** The same for each attempt to send the message; letters, digits and hyphens. */
  id: string;
  to: string;
  subject: string;
  /** Plain text; single lines are not joined. The HTML part is made from it. */
  text: string;
  language: string;
  /** Whom it is from, in both parts; absent for a message of the product itself. */
  department?: Department | null;
  /** When its cause happened. */
  at: Date;
}

/** Counts of sent and failed messages since the server started. */
export interface MailState extends SendState {
  by: 'smtp' | 'outbox';
}

export interface Mailer {
  /** Throws an Error with the server's answer code and no address if the message was refused. [P16] */
  send(message: Message): Promise<void>;
  state(): MailState;
  close(): void;
}

export interface MailerOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; without it every message becomes a file. [S10.2] */
  smtpUrl?: string;
  /** The folder for these files. */
  outbox: string;
  /** The address of the product: only its own addresses become links. */
  publicUrl?: string;
  /** Sender, for example `Caseway <no-reply@health.example>`. */
  from: string;
}

export function createMailer({ smtpUrl, outbox, from, publicUrl }: MailerOptions): Mailer {
  const seconds = 1000;
  const transport = smtpUrl
    ? createTransport({
        url: smtpUrl,
        connectionTimeout: 10 * seconds,
        greetingTimeout: 10 * seconds,
        socketTimeout: 20 * seconds,
      })
    : undefined;
  // Unix line ends, so that any line-based tool finds a code in the file.
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });

  const compose = ({ id, to, subject, text, language, department, at }: Message) => ({
    from,
    to,
    subject: inOneLine(subject),
    // `-- ` is how mail readers know a signature.
    text: [text, ...(department ? ['', '-- ', ...signatureOf({ department })] : [])].join('\n'),
    html: htmlPart({ subject, text, language, department }, publicUrl),
    // Sent with the message: nothing is loaded from anywhere when it is read.
    attachments: department?.logo
      ? [
          {
            filename: 'logo.png',
            content: department.logo,
            contentType: 'image/png',
            contentDisposition: 'inline' as const,
            cid: logoId,
          },
        ]
      : [],
    // Quoted-printable leaves a line of digits unchanged; base64 would not.
    textEncoding: 'quoted-printable' as const,
    messageId: `<${id}@${from.replace(/^.*@|>$/g, '')}>`,
    date: at,
    headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  async function deliver(message: Message): Promise<void> {
    if (transport) {
      try {
        await transport.sendMail(compose(message));
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        throw new Error(
          `the mail server did not take a message (${[code, responseCode].filter(Boolean).join(' ')})`,
        );
      }
      return;
    }
    const { message: content } = await composer.sendMail(compose(message));
    await putIntoOutbox(outbox, { id: message.id, at: message.at, content: content as Buffer });
  }

  const { send, state } = counted(deliver, ({ message }) =>
    transport ? message : 'the outbox could not be written',
  );
  return {
    send,
    state: () => ({ by: smtpUrl ? 'smtp' : 'outbox', ...state() }),
    close() {
      transport?.close();
    },
  };
}
