import type { AddressInfo } from 'node:net';
import type { TestApp } from './app.ts';
import type { Headers } from './asking.ts';

let uploaded = 0;
/** The smallest bytes that are taken for a PDF; each call has others. */
export function pdfBytes(): Buffer {
  uploaded += 1;
  return Buffer.from(`%PDF-1.7\n% file ${uploaded}\n%%EOF\n`);
}

/** Uploads a file for a new document of a person. An upload is read from its connection, so the app gets a port. */
export async function uploadFile(
  { app: { fastify } }: Pick<TestApp, 'app'>,
  headers: Headers,
  patientId: string,
  bytes: Uint8Array | string = pdfBytes(),
): Promise<{ status: number; body: Record<string, unknown> }> {
  if (!fastify.server.listening) await fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = fastify.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/web/patients/${patientId}/document-files`, {
    method: 'POST',
    headers: { ...(headers as Record<string, string>), 'content-type': 'application/octet-stream' },
    body: bytes as Uint8Array<ArrayBuffer> | string,
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** The id of an uploaded PDF. */
export async function uploadPdf(
  testing: Pick<TestApp, 'app'>,
  headers: Headers,
  patientId: string,
): Promise<string> {
  const { status, body } = await uploadFile(testing, headers, patientId);
  if (status !== 200) throw new Error(`the upload was answered with ${status} ${body.code}`);
  return body.id as string;
}
