/**
 * Why a server could not be reached, found in the messages of Citus or the system. The rest of a message can contain
 * data.
 */
const reasons: readonly [RegExp, string][] = [
  [/pg_hba\.conf/, 'its pg_hba.conf refuses the connection'],
  [/password authentication failed|no password supplied/, 'it does not accept the password in .pgpass'],
  [/(role|database) "[^"]*" does not exist/, 'the role or the database is missing there'],
  [/is not permitted to log in/, 'the role may not log in there'],
  [/too many (clients|connections)|connection slots/, 'it takes no more connections'],
  [/starting up|shutting down|recovery/, 'it is starting or stopping'],
  [/Connection refused/, 'nothing listens there'],
  [/closed the connection|terminating connection|reset by peer/, 'it has closed the connection'],
  [/could not translate host name|Name or service not known/, 'no machine of that name is known'],
  [/time(d )?out/i, 'it does not answer'],
];

/** A database server that the coordinator does not reach, as named in its error. */
export interface AwayServer {
  /** `10.0.0.2:5432` */
  server: string;
  reason?: string;
}

/** The server that an error of the coordinator is about, and why it is not reached; undefined for any other error. */
export function awayServer(error: unknown): AwayServer | undefined {
  const { code, message = '' } = error as { code?: string; message?: string };
  const [, server] = /^connection to the remote node (?:[^@\s]+@)?(\S+:\d+) failed/.exec(message) ?? [];
  if (server === undefined || !code?.startsWith('08')) return undefined;
  const reason = reasons.find(([said]) => said.test(message))?.[1];
  return { server, ...(reason !== undefined && { reason }) };
}
