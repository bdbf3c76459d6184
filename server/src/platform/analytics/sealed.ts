import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { product } from '../operations/product.ts';

/** An opened message: its own id and its content. */
interface Opened {
  id: string;
  body: unknown;
}

/** Milliseconds for which a message is valid. The clocks of servers may differ by less. */
const lifeMs = 30_000;
const [ivLength, tagLength] = [12, 16];

/**
 * Messages between the processes of one installation, encrypted and signed (AES-256-GCM) with a key derived from
 * TOKEN_SECRET. A question is for one process, valid for half a minute, and opened once; an answer is for one question.
 * Other versions of Caseway cannot read them.
 */
export class Sealed {
  readonly #key: Buffer;
  /** Ids of opened questions, with the time when each expires. */
  readonly #opened = new Map<string, number>();

  constructor(secret: string) {
    const purpose = `caseway replica question ${product.version} ${product.build}`;
    this.#key = Buffer.from(hkdfSync('sha256', secret, 'caseway', purpose, 32));
  }

  question(to: string, body: unknown, nowMs = Date.now()): { id: string; message: Buffer } {
    const id = randomUUID();
    return { id, message: this.#seal(`question ${to}`, { id, at: nowMs, body }) };
  }

  /** Undefined if the message was not sealed with this key for this process, is too old, or was opened before. */
  openQuestion(to: string, message: Buffer, nowMs = Date.now()): Opened | undefined {
    const read = this.#open(`question ${to}`, message) as (Opened & { at: number }) | undefined;
    if (!read || Math.abs(nowMs - read.at) > lifeMs) return undefined;
    for (const [id, until] of this.#opened) {
      if (until > nowMs) break;
      this.#opened.delete(id);
    }
    if (this.#opened.has(read.id)) return undefined;
    this.#opened.set(read.id, nowMs + 2 * lifeMs);
    return read;
  }

  answer(question: string, body: unknown): Buffer {
    return this.#seal(`answer ${question}`, { body });
  }

  /** Undefined if it is not the answer to this question. */
  openAnswer(question: string, message: Buffer): { body: unknown } | undefined {
    return this.#open(`answer ${question}`, message) as { body: unknown } | undefined;
  }

  #seal(purpose: string, content: object): Buffer {
    const iv = randomBytes(ivLength);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    cipher.setAAD(Buffer.from(purpose));
    const text = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, text, cipher.getAuthTag()]);
  }

  #open(purpose: string, message: Buffer): unknown {
    if (message.length < ivLength + tagLength) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, message.subarray(0, ivLength));
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(message.subarray(-tagLength));
    try {
      const text = decipher.update(message.subarray(ivLength, -tagLength));
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}
