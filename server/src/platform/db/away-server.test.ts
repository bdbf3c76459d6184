import { expect, test } from 'vitest';
import { createLog } from '../log/log.ts';
import { inWords } from '../words/in-words.ts';
import { awayServer } from './away-server.ts';

/** The message of Citus. */
const refusal = (why: string) =>
  Object.assign(
    new Error(
      `connection to the remote node caseway_app@10.0.0.2:5432 failed with the following error: ${why}`,
    ),
    { code: '08006', severity: 'ERROR' },
  );

test.each([
  [
    'FATAL:  pg_hba.conf rejects connection for host "10.0.0.1", user "caseway_app", database "caseway", SSL encryption',
    'its pg_hba.conf refuses the connection',
  ],
  [
    'FATAL:  no pg_hba.conf entry for host "10.0.0.1", no encryption',
    'its pg_hba.conf refuses the connection',
  ],
  [
    'FATAL:  password authentication failed for user "caseway_app"',
    'it does not accept the password in .pgpass',
  ],
  ['fe_sendauth: no password supplied', 'it does not accept the password in .pgpass'],
  ['FATAL:  database "caseway" does not exist', 'the role or the database is missing there'],
  ['FATAL:  sorry, too many clients already', 'it takes no more connections'],
  ['FATAL:  the database system is starting up', 'it is starting or stopping'],
  ['connection to server at "10.0.0.2", port 5432 failed: Connection refused', 'nothing listens there'],
  ['server closed the connection unexpectedly', 'it has closed the connection'],
])('a server that the coordinator does not reach is named, with why: %s [P30]', (said, reason) => {
  expect(awayServer(refusal(said))).toEqual({ server: '10.0.0.2:5432', reason });
  expect(inWords(refusal(said))).toContain(`the database server 10.0.0.2:5432: ${reason}.`);
});

test('nothing else of the message is shown [P16]', () => {
  const error = refusal('ERROR:  Key (name)=(Canary) exists');
  const lines: string[] = [];
  createLog('info', { write: (line: string) => void lines.push(line) }).warn({ err: error }, 'a job failed');
  const { err } = JSON.parse(lines[0]!);
  expect(err).toMatchObject({ code: '08006', server: '10.0.0.2:5432' });
  expect(err).not.toHaveProperty('reason');
  expect(lines[0]! + inWords(error)).not.toContain('Canary');
});

test('other errors name no server', () => {
  expect(
    awayServer(Object.assign(new Error('connection to the remote node x'), { code: '08006' })),
  ).toBeUndefined();
  expect(awayServer(Object.assign(refusal(''), { code: '23505' }))).toBeUndefined();
  expect(awayServer(new Error('something else'))).toBeUndefined();
});
