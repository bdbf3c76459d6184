import type { AddressInfo } from 'node:net';
import type { ImportDetail } from '@caseway/contract/imports';
import { expect } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { signInAs } from '../../../test/sign-in.ts';

/**
 * The application on a port, because an upload is read from its connection, with the demo tenants and functions to
 * send files and read their outcome: as the epidemiologist, or as someone else if headers are given.
 */
export async function appForUploads() {
  const testing = await testApp({}, { background: true });
  const { app, database } = testing;
  const tenantId = (await seedDemoTenants(database)).demo.id;
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
  const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${tenantId}`);
  const { ask, ok } = askingAs(testing, epi, '');
  const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
    database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));

  const send = (text: string, query: Record<string, string>, headers: Headers) =>
    fetch(`${origin}/api/web/imports?${new URLSearchParams(query)}`, {
      method: 'POST',
      headers: { ...(headers as Record<string, string>), 'content-type': 'application/octet-stream' },
      body: text,
    });
  async function upload(
    text: string,
    query: Record<string, string> = {},
    headers: Headers = epi.headers,
  ): Promise<ImportDetail> {
    const response = await send(text, { fileName: 'upload.hl7', ...query }, headers);
    const answer = (await response.json()) as ImportDetail;
    expect([response.status, answer]).toEqual([200, expect.anything()]);
    return answer;
  }
  async function ended(id: string, headers?: Headers): Promise<ImportDetail> {
    const read = () => ok<ImportDetail>('GET', `/api/web/imports/${id}`, undefined, headers);
    await expect
      .poll(async () => ['queued', 'running'].includes((await read()).state), { interval: 50 })
      .toBe(false);
    return read();
  }
  const uploaded = async (text: string, query?: Record<string, string>, headers?: Headers) =>
    ended((await upload(text, query, headers)).id, headers);
  const signIn = (email: string) => signInAs(testing, email);
  return { app, epi, signIn, ask, ok, rows, send, upload, ended, uploaded };
}

let counted = 0;
/** A different person each time. */
export const someone = (more: Record<string, string> = {}) => ({
  id: `R${++counted}`,
  last: `Person${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[counted % 26]}${counted}`,
  phone: '',
  ...more,
});
