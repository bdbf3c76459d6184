import { putIntoOutbox } from './outbox.ts';
import { counted, type SendState } from './sends.ts';

export interface TextMessage {
  /** The same for each attempt to send the message; letters, digits and hyphens. */
  id: string;
  /** E.164. */
  to: string;
  /** Single lines are not joined. */
  text: string;
  language: string;
  /** When its cause happened. */
  at: Date;
}

/** Sends text messages. */
export interface Texter {
  /** Throws an Error with the webhook's answer and no number if the message was refused. [P16] */
  send(message: TextMessage): Promise<void>;
  state(): SendState;
}

export interface TexterOptions {
  /**
   * The webhook that gets each message as a POST of JSON `{id, to, text}`; without it every message becomes a file.
   * [S10.2]
   */
  smsUrl?: string;
  /** The folder for these files. */
  outbox: string;
}

const patienceMs = 20_000;

const typographic: Readonly<Record<string, string>> = { '’': "'", '‘': "'", '“': '"', '”': '"', '–': '-' };
/**
 * Replaces characters by equivalents from the GSM alphabet: with a single other one, a part of a message has room
 * for 67 characters instead of 153. Letters do not change.
 */
export const asTexted = (text: string): string => text.replace(/[’‘“”–]/g, (sign) => typographic[sign]!);

export function createTexter({ smsUrl, outbox }: TexterOptions): Texter {
  if (smsUrl === undefined)
    return counted(
      async ({ id, to, text, language, at }) => {
        const head = [`Date: ${at.toUTCString()}`, `To: ${to}`, `Content-Language: ${language}`];
        const type = ['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8'];
        await putIntoOutbox(outbox, {
          id,
          at,
          content: `${[...head, ...type].join('\n')}\n\n${asTexted(text)}\n`,
        });
      },
      () => 'the outbox could not be written',
    );
  const address = new URL(smsUrl);
  // fetch accepts no address with a name and a password.
  const credentials = [address.username, address.password].map(decodeURIComponent).join(':');
  address.username = '';
  address.password = '';
  return counted(
    async ({ id, to, text }) => {
      const response = await fetch(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // So that a message that was sent again because the answer was lost can be told from a new one.
          'idempotency-key': id,
          ...(credentials !== ':' && {
            authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
          }),
        },
        body: JSON.stringify({ id, to, text: asTexted(text) }),
        signal: AbortSignal.timeout(patienceMs),
      }).catch((error: Error) => {
        throw new Error(`the SMS webhook was not reached (${error.name})`);
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the SMS webhook did not take a message (${response.status})`);
    },
    ({ message }) => message,
  );
}
