import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { InitUserAnswer } from '@caseway/contract/session';
import type { SettingsAnswer } from '@caseway/contract/settings';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { wavesLogo } from '../../../seeds/demo/logos.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { messageTo, sentMessages } from '../../../test/outbox.ts';
import { actFor, beginSignIn, signInAs } from '../../../test/sign-in.ts';
import { onlyPixels, pngOf } from '../../platform/png.ts';

const testing = await testApp({}, { background: true });
const { app, database, superuserUrl } = testing;
const { demo, vendor } = await seedDemoTenants(database);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
const orgadmin = await signInAs(testing, 'orgadmin@demo.caseway.test');
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');
const { ask, ok, faults } = askingAs(testing, admin, '/api/web/settings');

const chunk = (type: string, data: Buffer, check?: number): Buffer => {
  const written = Buffer.alloc(data.length + 12);
  written.writeUInt32BE(data.length);
  written.write(type, 4, 'latin1');
  data.copy(written, 8);
  written.writeUInt32BE(check ?? crc32(written.subarray(4, data.length + 8)), data.length + 8);
  return written;
};
const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const end = chunk('IEND', Buffer.alloc(0));
const headerOf = (width: number, height: number, depth = 8, colorType = 0, interlace = 0): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlace], 8);
  return header;
};
/** 64 rows of 64 grays, each with the byte of its filter. */
const grays = Buffer.from(Array.from({ length: 64 * 65 }, (_, index) => (index % 65 ? index % 251 : 0)));
const gray = headerOf(64, 64);
const pixels = chunk('IDAT', deflateSync(grays));
const plain = Buffer.concat([signature, chunk('IHDR', gray), pixels, end]);

const settings = () => ok<SettingsAnswer>('GET', '');
const put = (image: Buffer | null, before: string | null, headers = admin.headers) =>
  ask('PUT', '/logo', { image: image?.toString('base64') ?? null, before }, headers);
const upload = async (image: Buffer | null) =>
  ok<SettingsAnswer>('PUT', '/logo', {
    image: image?.toString('base64') ?? null,
    before: (await settings()).logo,
  });
const shown = (address: string, headers = {}) => app.fastify.inject({ url: address, headers });
const faultsOf = async (image: Buffer) =>
  faults('PUT', '/logo', { image: image.toString('base64'), before: (await settings()).logo });

describe('the logo of a tenant', () => {
  test('is replaced and removed, and has an address that changes with it', async () => {
    const first = (await settings()).logo!;
    expect((await shown(first)).rawPayload.equals(await wavesLogo())).toBe(true);
    const second = (await upload(plain)).logo!;
    expect(second).not.toBe(first);
    const image = await shown(second);
    expect(image.statusCode).toBe(200);
    expect(image.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect((await shown(first)).statusCode).toBe(404);
    expect((await upload(null)).logo).toBeNull();
    expect([(await shown(second)).statusCode, (await shown(second)).headers['cache-control']]).toEqual([
      404,
      'no-store',
    ]);
  });

  test('is shown to staff and patients of the tenant', async () => {
    const { logo } = await upload(plain);
    const initOf = async (org: string): Promise<InitUserAnswer> =>
      (await actFor(testing, epi.tokens, org)).init;
    expect((await initOf(`T:${demo.id}`)).selectedOrg!.logo).toBe(logo);
    const vendorLogo = (await actFor(testing, vendorAdmin.tokens, `T:${vendor.id}`)).init.selectedOrg!.logo;
    expect([vendorLogo === null, vendorLogo === logo]).toEqual([false, false]);
  });

  test('is not overwritten by someone who saw another one', async () => {
    const { logo } = await upload(plain);
    expect((await put(await wavesLogo(), null)).statusCode).toBe(409);
    expect((await put(null, `${logo}x`)).statusCode).toBe(409);
    expect((await settings()).logo).toBe(logo);
  });

  test('is audited with what it was and is; the same image again is no change [P15]', async () => {
    await upload(null);
    const events = () =>
      asSuperuser<{ detail: object; record_ids: string[] }>(
        `select detail, record_ids from audit_event where action = 'setting/logo-changed' order by at, id`,
        [],
        superuserUrl,
      );
    const before = (await events()).length;
    const { logo } = await upload(plain);
    await upload(plain);
    await upload(null);
    const hash = logo!.split('/').at(-1);
    expect((await events()).slice(before)).toEqual([
      { detail: { before: { logo: null }, after: { logo: hash } }, record_ids: [demo.id] },
      { detail: { before: { logo: hash }, after: { logo: null } }, record_ids: [demo.id] },
    ]);
  });

  test('is changed only by those who may change settings of the whole tenant, for their own', async () => {
    const { logo } = await upload(plain);
    for (const { headers } of [epi, orgadmin]) expect((await put(null, logo, headers)).statusCode).toBe(403);
    expect((await ask('PUT', '/logo', { image: null, before: logo }, {})).statusCode).toBe(401);
    // It is the logo of another tenant that they would change.
    expect((await put(null, logo, vendorAdmin.headers)).statusCode).toBe(409);
    expect((await settings()).logo).toBe(logo);
  });

  test('does not tell whether a tenant here has an image: the same image has another address elsewhere', async () => {
    const { logo } = await upload(plain);
    const before = (await ok<SettingsAnswer>('GET', '', undefined, vendorAdmin.headers)).logo;
    const answer = (await put(plain, before, vendorAdmin.headers)).json<SettingsAnswer>();
    expect(answer.logo).not.toBe(logo);
    const [here, there] = [await shown(logo!), await shown(answer.logo!)];
    expect(here.rawPayload.equals(there.rawPayload)).toBe(true);
    await put(await wavesLogo(), answer.logo, vendorAdmin.headers);
  });

  test('comes with every email as the same image, and the plain text stays as it was', async () => {
    await upload(plain);
    await beginSignIn(testing, 'analyst@demo.caseway.test');
    await messageTo(testing, 'analyst@demo.caseway.test');
    const sent = await sentMessages(testing);
    const read = await PostalMime.parse(sent.findLast((text) => text.includes('analyst@demo'))!);
    const [image, ...others] = read.attachments;
    expect(others).toEqual([]);
    expect(image).toMatchObject({
      mimeType: 'image/png',
      disposition: 'inline',
      related: true,
      contentId: '<logo@caseway>',
    });
    expect(Buffer.from(image!.content as ArrayBuffer).equals((await onlyPixels(plain))!)).toBe(true);
    expect(read.html).toMatch(
      /<img src="cid:logo@caseway" alt="Gulfstream Department of Health" width="56" height="56"/,
    );
    expect(read.html!.match(/src=/g)).toHaveLength(1);
    expect(read.text).not.toMatch(/logo|cid:|image/);
  });
});

describe('a file is refused', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const idat = (rows: Buffer) => chunk('IDAT', deflateSync(rows));
  const png = (...chunks: Buffer[]) => Buffer.concat([signature, ...chunks]);
  const start = chunk('IHDR', gray);
  const wrongFilter = Buffer.from(grays);
  wrongFilter[65 * 3] = 5;
  test.each([
    ['an SVG, which can have scripts', Buffer.from(svg), 'logo-svg'],
    ['an SVG after blanks', Buffer.from(`\ufeff \n<?xml version="1.0"?>${svg}`), 'logo-svg'],
    ['a page', Buffer.from('<!doctype html><p>'), 'logo-svg'],
    ['a JPEG', Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'), 'logo-not-png'],
    ['a GIF', Buffer.from('GIF89a\x40\0\x40\0'), 'logo-not-png'],
    ['a file of one byte', Buffer.from('x'), 'logo-not-png'],
    [
      'a PNG of more than 200 kB',
      png(start, chunk('tEXt', Buffer.alloc(200_000)), pixels, end),
      'logo-too-large',
    ],
    ['31 pixels wide', png(chunk('IHDR', headerOf(31, 64)), idat(Buffer.alloc(64 * 32)), end), 'logo-sides'],
    [
      '2001 pixels high',
      png(chunk('IHDR', headerOf(64, 2001)), idat(Buffer.alloc(2001 * 65)), end),
      'logo-sides',
    ],
    ['a signature alone', signature, 'logo-broken'],
    ['without its end', png(start, pixels), 'logo-broken'],
    ['cut off in its pixels', plain.subarray(0, plain.length - 40), 'logo-broken'],
    ['with a wrong checksum', png(start, chunk('IDAT', deflateSync(grays), 1), end), 'logo-broken'],
    ['without pixels', png(start, end), 'logo-broken'],
    ['with a row too few', png(start, idat(grays.subarray(65)), end), 'logo-broken'],
    ['with more pixels than it says', png(start, idat(Buffer.alloc(5_000_000)), end), 'logo-broken'],
    ['with pixels that are not compressed', png(start, chunk('IDAT', grays), end), 'logo-broken'],
    ['with a filter that does not exist', png(start, idat(wrongFilter), end), 'logo-broken'],
    ['with a depth that does not exist', png(chunk('IHDR', headerOf(64, 64, 3)), pixels, end), 'logo-broken'],
    ['with two headers', png(start, start, pixels, end), 'logo-broken'],
    [
      'with an unknown chunk that matters',
      png(start, chunk('CgBI', Buffer.alloc(4)), pixels, end),
      'logo-broken',
    ],
    [
      'with a palette that is missing',
      png(chunk('IHDR', headerOf(64, 64, 8, 3)), pixels, end),
      'logo-broken',
    ],
  ])('%s', async (_, file, code) => {
    expect(await faultsOf(file)).toEqual([`image ${code}`]);
  });

  test('together with everything else that is wrong', async () => {
    expect(
      (await faults('PUT', '/logo', { image: Buffer.from(svg).toString('base64'), before: 5 })).sort(),
    ).toEqual(['before invalid_type', 'image logo-svg']);
  });
});

describe('of a file only the pixels are stored', () => {
  const stored = async (file: Buffer) => {
    const { logo } = await upload(file);
    return (await shown(logo!)).rawPayload;
  };
  /** The names of the chunks, and the filtered rows. */
  const read = (file: Buffer) => {
    const names: string[] = [];
    let rows = Buffer.alloc(0);
    for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
      const name = file.toString('latin1', at + 4, at + 8);
      names.push(name);
      if (name === 'IDAT') rows = inflateSync(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
    }
    return { names, rows };
  };

  test('without texts, times, places and whatever is hidden behind them', async () => {
    const secret = Buffer.from('<script>alert("hidden")</script>');
    const behind = Buffer.concat([deflateSync(grays), secret]);
    const file = Buffer.concat([
      signature,
      chunk('IHDR', gray),
      chunk('tEXt', Buffer.from('Author\0Eve')),
      chunk('eXIf', secret),
      // In two parts, with something after the compressed pixels.
      chunk('IDAT', behind.subarray(0, 100)),
      chunk('IDAT', behind.subarray(100)),
      chunk('tIME', Buffer.alloc(7)),
      end,
      Buffer.from('PK\x03\x04'),
      secret,
    ]);
    const kept = await stored(file);
    expect(read(kept)).toEqual({ names: ['IHDR', 'IDAT', 'IEND'], rows: grays });
    for (const word of ['Eve', 'script', 'PK\x03\x04']) expect(kept.includes(word)).toBe(false);
  });

  test('with their palette and what is transparent', async () => {
    const colors = [chunk('PLTE', Buffer.from([255, 0, 0, 0, 0, 255])), chunk('tRNS', Buffer.from([0]))];
    const two = Buffer.from(Array.from({ length: 64 * 9 }, (_, index) => (index % 9 ? 0xaa : 0)));
    const file = Buffer.concat([
      signature,
      chunk('IHDR', headerOf(64, 64, 1, 3)),
      ...colors,
      chunk('IDAT', deflateSync(two)),
      end,
    ]);
    expect(read(await stored(file))).toEqual({ names: ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'], rows: two });
  });

  test('interlaced as they were', async () => {
    // Seven passes over 64 × 64 pixels: 8×9 + 8×9 + 8×17 + 16×17 + 16×33 + 32×33 + 32×65 bytes.
    const rows = Buffer.alloc(4216);
    expect(read(await stored(await pngOf(headerOf(64, 64, 8, 0, 1), rows))).rows).toEqual(rows);
  });
});
