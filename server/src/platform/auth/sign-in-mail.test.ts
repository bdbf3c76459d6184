import { SMTPServer } from 'smtp-server';
import { afterAll, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { freePort } from '../../../test/port.ts';
import { answerChallenge, beginSignIn } from '../../../test/sign-in.ts';

const port = await freePort();
const testing = await testApp({ SMTP_URL: `smtp://127.0.0.1:${port}` }, { background: true });
await seedDemoTenants(testing.database);

const received: string[] = [];
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _, done) {
    let text = '';
    stream.on('data', (part: Buffer) => {
      text += part.toString();
    });
    stream.on('end', () => {
      received.push(text);
      done();
    });
  },
});
afterAll(() => new Promise<void>((resolve) => mailServer.close(() => resolve())));

test('a mail server that is away does not delay a sign-in, and gets the code once it is back', async () => {
  // The request is answered before there is a mail server.
  const answer = await beginSignIn(testing, 'epi@demo.caseway.test');
  // Long enough for the first try to have failed.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await new Promise<void>((resolve) => mailServer.listen(port, '127.0.0.1', resolve));
  await expect.poll(() => received.length).toBe(1);
  const [message] = received;
  expect(message).toContain('To: epi@demo.caseway.test');
  expect(message!.split('\r\n').filter((line) => /^\d{6}$/.test(line))).toHaveLength(1);
  await answerChallenge(testing, answer);
});
