import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer) => bytes.toString('base64url');

/** The parts of CBOR that a passkey needs: small maps, short texts and byte strings, small integers. */
function cbor(value: unknown): Buffer {
  const head = (kind: number, length: number) =>
    length < 24
      ? Buffer.of((kind << 5) | length)
      : length < 256
        ? Buffer.of((kind << 5) | 24, length)
        : Buffer.of((kind << 5) | 25, length >> 8, length & 255);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

const present = 0x01;
const verified = 0x04;
const synced = 0x18;
const withKey = 0x40;

/** A passkey in software, as a browser would use it on a page of this address. */
export class Authenticator {
  readonly credentialId = text(randomBytes(32));
  counter = 0;
  /** False: the person is not asked for fingerprint, face or PIN. */
  verifies = true;
  origin: string;
  readonly #privateKey: KeyObject;
  readonly #cose: Buffer;

  constructor(origin: string) {
    this.origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    this.#cose = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    );
  }

  /** The browser's answer to creation options. */
  create({ challenge }: { challenge: string }) {
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.of(id.length >> 8, id.length & 255);
    const key = Buffer.concat([Buffer.alloc(16), length, id, this.#cose]);
    const authData = Buffer.concat([this.#state(withKey), key]);
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.#answer({
      clientDataJSON: text(this.#client('webauthn.create', challenge)),
      attestationObject: text(attestation),
      transports: ['internal'],
    });
  }

  /** The browser's answer to request options. */
  get({ challenge }: { challenge: string }) {
    this.counter += 1;
    const client = this.#client('webauthn.get', challenge);
    const authenticatorData = this.#state(0);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), this.#privateKey);
    return this.#answer({
      clientDataJSON: text(client),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
    });
  }

  #answer(response: object) {
    const { credentialId: id } = this;
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  #client(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #state(more: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = present | synced | more | (this.verifies ? verified : 0);
    return Buffer.concat([sha256(new URL(this.origin).hostname), Buffer.of(flags), counter]);
  }
}
