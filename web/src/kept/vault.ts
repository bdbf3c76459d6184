import type { Shelf } from './shelf.ts';

/** Wrong PINs in a row after which everything is wiped. */
export const pinTries = 5;
export const pinLength = 6;
const rounds = 600_000;

/** A value that is unreadable without the key. */
export interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  bytes: ArrayBuffer;
}

/**
 * The data key, wrapped twice: by the PIN, and by a browser key that cannot be exported. A copy of the disk
 * lacks the second; someone with the unlocked device has five tries at the first.
 */
interface WrappedKey extends Sealed {
  salt: Uint8Array<ArrayBuffer>;
  inner: Uint8Array<ArrayBuffer>;
  device: CryptoKey;
  tries: number;
}
const keyName = 'data';

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const gcm = (iv: BufferSource, about = '') => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(about),
});

async function keyOfPin(pin: string, salt: BufferSource): Promise<CryptoKey> {
  const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, [
    'deriveKey',
  ]);
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds },
    typed,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

const dataKey = (raw: BufferSource) =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);

/** Encrypts and decrypts stored data, as long as the key is in memory. */
export interface Vault {
  /** `about`: its place; a value moved elsewhere does not open. */
  seal(about: string, value: unknown): Promise<Sealed>;
  open<T>(about: string, sealed: Sealed): Promise<T>;
}

const vaultOf = (key: CryptoKey): Vault => ({
  async seal(about, value) {
    const iv = random(12);
    const text = new TextEncoder().encode(JSON.stringify(value));
    return { iv, bytes: await crypto.subtle.encrypt(gcm(iv, about), key, text) };
  },
  async open(about, { iv, bytes }) {
    const text = await crypto.subtle.decrypt(gcm(iv, about), key, bytes);
    return JSON.parse(new TextDecoder().decode(text));
  },
});

/** Creates the device's key. */
export async function makeVault(shelf: Shelf, pin: string): Promise<Vault> {
  const raw = random(32);
  const [salt, inner, iv] = [random(16), random(12), random(12)];
  const device = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const byPin = await crypto.subtle.encrypt(gcm(inner), await keyOfPin(pin, salt), raw);
  const bytes = await crypto.subtle.encrypt(gcm(iv), device, byPin);
  const wrapped: WrappedKey = { iv, bytes, salt, inner, device, tries: 0 };
  await shelf.write([{ drawer: 'keys', key: keyName, value: wrapped }]);
  const key = await dataKey(raw);
  raw.fill(0);
  return vaultOf(key);
}

/** Whether the device has a key. */
export const hasVault = async (shelf: Shelf): Promise<boolean> =>
  (await shelf.read('keys', keyName)) !== undefined;

/** Opens it with a PIN, or returns how many tries are left; 0 means the key is gone. */
export async function openVault(shelf: Shelf, pin: string): Promise<Vault | { left: number }> {
  const wrapped = await shelf.read<WrappedKey>('keys', keyName);
  if (!wrapped) return { left: 0 };
  const tries = wrapped.tries + 1;
  // Count the try first, so that closing the page does not save it.
  await shelf.write([
    { drawer: 'keys', key: keyName, value: tries > pinTries ? undefined : { ...wrapped, tries } },
  ]);
  if (tries > pinTries) return { left: 0 };
  const { iv, bytes, salt, inner, device } = wrapped;
  const byPin = await crypto.subtle.decrypt(gcm(iv), device, bytes);
  let raw: ArrayBuffer;
  try {
    raw = await crypto.subtle.decrypt(gcm(inner), await keyOfPin(pin, salt), byPin);
  } catch {
    if (tries === pinTries) await shelf.write([{ drawer: 'keys', key: keyName }]);
    return { left: pinTries - tries };
  }
  await shelf.write([{ drawer: 'keys', key: keyName, value: { ...wrapped, tries: 0 } }]);
  return vaultOf(await dataKey(raw));
}

/** PINs that strangers guess first: one repeated digit, or digits in sequence. */
export const isWeakPin = (pin: string): boolean => {
  const steps = new Set([...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index])));
  return steps.size === 1 && [-1, 0, 1].includes([...steps][0]!);
};
