import { Readable, Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { AppError } from './app-error.ts';
import type { Confirmation } from './long-answer.ts';

/** The slowest accepted upload: a twentieth of an old telephone line. */
const leastBytesPerSecond = 256;

/**
 * The body as a stream that fails beyond a number of bytes, or when its sender loses the permission [P14]. A silent
 * sender is cut off.
 */
export function limitedUpload(
  request: FastifyRequest,
  limit: number,
  { patience }: App,
  confirmation: () => Confirmation,
): Readable {
  const { socket } = request.raw;
  let received = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > limit) done(new AppError('too-large'));
      else
        confirmation()
          .renew()
          .then(() => done(null, chunk), done);
    },
  });
  socket.setTimeout(patience.body);
  // A byte now and then is not an upload. While the handler itself is slow, nobody can send.
  let before = 0;
  const least = (leastBytesPerSecond * patience.body) / 1000;
  const watch = setInterval(() => {
    if (!counted.writableNeedDrain && received - before < least) socket.destroy();
    before = received;
  }, patience.body);
  request.raw.once('close', () => clearInterval(watch));
  request.raw.once('end', () => {
    clearInterval(watch);
    socket.setTimeout(patience.answer);
  });
  // Without a body there is nothing to read.
  const body = (request.body as Readable | undefined) ?? Readable.from([]);
  body.pipe(counted);
  body.once('error', (error) => counted.destroy(error));
  body.once('close', () => body.readableEnded || counted.destroy(new AppError('malformed-request')));
  // Errors go to the reader of the stream. Nobody reads the rest of the body, which must not delay the answer.
  counted.on('error', () => {});
  counted.once('close', () => body.unpipe(counted).resume());
  return counted;
}
