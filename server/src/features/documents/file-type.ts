import type { DocumentType } from '@caseway/contract/documents';
import { faultAt, refuse } from '../../platform/http/app-error.ts';

const signatures: readonly (readonly [DocumentType, Buffer])[] = [
  ['pdf', Buffer.from('%PDF-')],
  ['png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];
const longest = Math.max(...signatures.map(([, bytes]) => bytes.length));

/** A control character that no text has. */
const notInTexts = /[^\P{Cc}\t\n\r\f]/u;

const refuseFile = (code: 'empty' | 'unknown-type', message: string): never =>
  refuse([faultAt('file', code, message)]) as never;

/** Finds the type of a file while its bytes pass through. */
export class TypedFile {
  /** Known once all bytes have passed. */
  type: DocumentType | undefined;
  readonly #text = new TextDecoder('utf-8', { fatal: true });

  /** Passes the bytes on; throws `validation-failed` about `file` if it is empty or of another type. */
  async *pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    let head = Buffer.alloc(0);
    for await (const chunk of source) {
      if (this.type === undefined) {
        head = Buffer.concat([head, chunk]);
        if (head.length < longest) continue;
        this.#begin(head);
        yield head;
        continue;
      }
      if (this.type === 'text') this.#readText(chunk);
      yield chunk;
    }
    if (this.type === undefined) {
      if (head.length === 0) refuseFile('empty', 'the file has no bytes');
      this.#begin(head);
      yield head;
    }
    if (this.type === 'text') this.#readText();
  }

  #begin(head: Buffer): void {
    const found = signatures.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes));
    this.type = found?.[0] ?? 'text';
    if (this.type === 'text') this.#readText(head);
  }

  /** Without a chunk: the text ends here. */
  #readText(chunk?: Uint8Array): void {
    let isText: boolean;
    try {
      isText = !notInTexts.test(this.#text.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      isText = false;
    }
    if (!isText) refuseFile('unknown-type', 'the bytes are no PDF, PNG, JPEG or UTF-8 text');
  }
}
