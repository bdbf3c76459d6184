import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnalyticsTimeout } from './limits.ts';
import type { Owner } from './replica-owners.ts';
import type { Sealed } from './sealed.ts';

/** The owner of a replica did not answer: it has ended, or is no longer the owner. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

export interface DoorOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** The id of this process; questions are sealed for it. */
  server: string;
  sealed: Sealed;
  /** Answers another process's question; never throws. */
  answer(question: unknown, signal: AbortSignal): Promise<unknown>;
}

export interface Door {
  /** The address for other processes. */
  address: string;
  close(): Promise<void>;
}

/** Bytes. A question has the rows of several tenants at most; an answer may be of any size. */
const longestQuestion = 16 * 2 ** 20;

/**
 * Opens the port on which this process answers other processes of the installation. A request without a sealed
 * question, or with one that was sent before, gets an empty 404.
 */
export async function openDoor({ host, port, server, sealed, answer }: DoorOptions): Promise<Door> {
  const http = createServer(
    { headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 65_000 },
    async (asked, reply) => {
      const gone = new AbortController();
      reply.once('close', () => gone.abort());
      try {
        const message = await bytesOf(asked, longestQuestion);
        const opened = sealed.openQuestion(server, message);
        if (!opened) {
          reply.writeHead(404, { connection: 'close' }).end();
          return;
        }
        const body = sealed.answer(opened.id, await answer(opened.body, gone.signal));
        reply.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body);
      } catch {
        // The question was too long, or its sender has left.
        reply.destroy();
      }
    },
  );
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`The server cannot listen for other servers on ${host}:${port} (${error.code}).`)),
    );
    // A cluster worker would otherwise share the port with the others.
    http.listen({ host, port, exclusive: true }, resolve);
  });
  const { port: taken } = http.address() as AddressInfo;
  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async close() {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeIdleConnections();
      const cutOff = setTimeout(() => http.closeAllConnections(), 2000);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

async function bytesOf(message: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) throw new Error('the message is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Connections stay open between questions. */
const agent = new Agent({ keepAlive: true, keepAliveMsecs: 10_000, timeout: 60_000 });
/** Milliseconds after which a process that accepts no connection counts as gone. */
const connectMs = 2000;

/**
 * Asks the owner of a replica. Throws NoAnswer if the owner is gone, AnalyticsTimeout if it takes longer than
 * `withinMs`, or the signal's reason.
 */
export async function askOwner(
  { server, address }: Pick<Owner, 'server' | 'address'>,
  sealed: Sealed,
  body: unknown,
  { withinMs, signal }: { withinMs: number; signal?: AbortSignal },
): Promise<unknown> {
  signal?.throwIfAborted();
  const { id, message } = sealed.question(server, body);
  let answer: Buffer;
  let timer: NodeJS.Timeout | undefined;
  try {
    answer = await new Promise<Buffer>((resolve, reject) => {
      const sent = request(
        `http://${address}/`,
        { method: 'POST', agent, signal, headers: { 'content-length': message.length } },
        (reply) => {
          if (reply.statusCode === 200) bytesOf(reply).then(resolve, reject);
          else reject(new Error(`it answered ${reply.statusCode}`));
        },
      );
      timer = setTimeout(() => sent.destroy(new AnalyticsTimeout()), withinMs);
      sent.once('error', reject);
      sent.once('socket', (socket) => {
        if (!socket.connecting) return;
        const late = setTimeout(() => sent.destroy(new Error('it takes no connection')), connectMs);
        for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(late));
      });
      sent.end(message);
    });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AnalyticsTimeout) throw cause;
    throw new NoAnswer('the owner of the replica does not answer', { cause });
  } finally {
    clearTimeout(timer);
  }
  const opened = sealed.openAnswer(id, answer);
  if (!opened) throw new NoAnswer('somebody else answered for the owner of the replica');
  return opened.body;
}
