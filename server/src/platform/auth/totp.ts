import { createHmac, timingSafeEqual } from 'node:crypto';

/** What every authenticator app understands: SHA-1, six digits, a new code every 30 seconds. [RFC 6238] */
const stepSeconds = 30;

export const stepAt = (ms: number): number => Math.floor(ms / 1000 / stepSeconds);

export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * The step of a code: the current one, or one step before or after it for clocks that are off. Undefined for a wrong
 * code, and for a step that is not later than `after`, so no code works twice. Takes the same time for each.
 */
export function matchingStep(secret: Buffer, code: string, after: number, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const now = stepAt(nowMs);
  let found: number | undefined;
  for (const step of [now - 1, now, now + 1])
    if (timingSafeEqual(Buffer.from(code), Buffer.from(totpCode(secret, step))) && step > after) found = step;
  return found;
}

/** [RFC 4648] */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

/** The contents of an enrolment's QR code. */
export function totpAddress({ secret, issuer, username }: Record<'secret' | 'issuer' | 'username', string>) {
  const name = encodeURIComponent(issuer);
  return `otpauth://totp/${name}:${encodeURIComponent(username)}?secret=${secret}&issuer=${name}`;
}
