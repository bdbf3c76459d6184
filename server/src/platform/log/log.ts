import pino, { type DestinationStream, type Logger } from 'pino';
import { faultKind } from '../analytics/fault-kind.ts';
import { awayServer } from '../db/away-server.ts';
import { forPeople } from './log-for-people.ts';

/** Properties that can contain a code, a token or a password, down to the third level of a log entry. [P16] */
const secret = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'accessToken',
  'refreshToken',
  '["x-org-token"]',
];
const paths = ['', '*', '*.*'].flatMap((parent) =>
  secret.map((name) => (name.startsWith('[') ? `${parent}${name}` : parent ? `${parent}.${name}` : name)),
);

export const logFormats = ['json', 'pretty'] as const;
export type LogFormat = (typeof logFormats)[number];
let format: LogFormat = 'json';

/** Sets the log format of this process, and of threads that it starts later. */
export function formatLog(chosen: LogFormat): void {
  format = chosen;
}
export const logFormat = (): LogFormat => format;

/**
 * The log on standard error: one JSON object a line, times in ISO 8601, or lines for people. For a database error,
 * only its code, the table and constraint names, and the unreachable server are kept, because its message quotes
 * values. [P16]
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: '[redacted]' },
      serializers: { err: describeError },
    },
    destination ?? (format === 'pretty' ? forPeople() : pino.destination({ dest: 2, sync: true })),
  );
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, severity, constraint, table, column } = error as unknown as Record<
    string,
    string | undefined
  >;
  // JSON.parse, DuckDB (`Conversion Error: …`) and the CSV parser quote what they could not read.
  const kind = faultKind(error);
  const quotes =
    severity !== undefined ||
    error instanceof SyntaxError ||
    kind !== undefined ||
    error.constructor.name === 'CsvError';
  return {
    type: error.name,
    code,
    ...(severity !== undefined && { constraint, table, column }),
    ...(kind !== undefined && { kind }),
    ...awayServer(error),
    ...(!quotes && { message: error.message }),
    stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}
