import { z } from 'zod';
import { endpoint, pathOf } from './endpoint.ts';

/*
 * The logo of a tenant: a PNG, which browsers, mail programs and PDF all show. What can be seen from the first bytes is
 * checked here, by browser and server; the server then reads the whole image.
 */

export const logoLimits = {
  /** Of the file, and roughly of what it adds to every email. */
  bytes: 200_000,
  /** Pixels of each side. */
  side: { minimum: 32, maximum: 2000 },
} as const;

export const logoFaults = [
  'logo-too-large',
  'logo-svg',
  'logo-not-png',
  'logo-sides',
  'logo-broken',
] as const;
export type LogoFault = (typeof logoFaults)[number];

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The length of the first chunk and its name. */
const firstChunk = [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
const headerEnd = signature.length + firstChunk.length + 13;

const startsWith = (bytes: Uint8Array, expected: readonly number[], at = 0) =>
  expected.every((byte, index) => bytes[at + index] === byte);

/** The width and height of a PNG, in pixels. */
export function sidesOf(png: Uint8Array): { width: number; height: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** How many bytes of a file `logoFault` reads. */
export const logoStart = 400;

/** Whether a file is written as XML or HTML. */
const isMarkup = (bytes: Uint8Array) =>
  new TextDecoder().decode(bytes.subarray(0, logoStart)).trimStart().startsWith('<');

/** What the first bytes of a file and its length show to be wrong; undefined if nothing is. */
export function logoFault(start: Uint8Array, length = start.length): LogoFault | undefined {
  if (isMarkup(start)) return 'logo-svg';
  if (!startsWith(start, signature)) return 'logo-not-png';
  if (length > logoLimits.bytes) return 'logo-too-large';
  if (length < headerEnd || !startsWith(start, firstChunk, signature.length)) return 'logo-broken';
  const { minimum, maximum } = logoLimits.side;
  const { width, height } = sidesOf(start);
  return [width, height].every((side) => side >= minimum && side <= maximum) ? undefined : 'logo-sides';
}

/**
 * Public, because mail programs and pages without a session show it too. The hash is of the image and its tenant, so
 * nobody who has the image can ask whether it is the logo of a tenant here.
 */
export const readLogo = endpoint({
  method: 'GET',
  path: '/api/logo/:hash',
  access: 'public',
  deed: 'read',
  summary: 'The logo of a tenant, at an address that changes with the image',
  params: z.strictObject({ hash: z.string().regex(/^[\w-]{43}$/) }),
  produces: 'image/png',
});

/** Where the image with this hash is; null without one. */
export const logoAddress = (hash: string | null): string | null => hash && pathOf(readLogo, { hash });
