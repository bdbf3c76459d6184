import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** What pino itself adds to a log entry. */
interface Entry {
  level: number;
  time: string;
  msg?: string;
  err?: LoggedError;
  [property: string]: unknown;
}
interface LoggedError {
  type?: string;
  code?: string;
  message?: string;
  stack?: string[];
  cause?: LoggedError;
}

const levels: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** The log as lines for people: time (UTC), level, sentence, and the logged values. */
export const forPeople = (
  write: (text: string) => void = (text) => void writeSync(2, text),
): DestinationStream => ({
  write: (line) => write(inWords(line)),
});

function inWords(line: string): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(line) as Entry;
  const when = time.replace('T', ' ').replace(/\.\d+Z$/, '');
  const details = Object.entries(rest).map(([name, value]) => `${name}=${shown(value)}`);
  const parts = [when, (levels[level] ?? String(level)).padEnd(5), msg, ...details];
  return `${parts.join(' ').trimEnd()}\n${err ? errorInWords(err) : ''}`;
}

/** A longer list is shown by its first and its last entry. */
const listLimit = 6;

function shown(value: unknown): string {
  if (typeof value === 'string' && !/[\s"=]/.test(value) && value !== '') return value;
  if (Array.isArray(value) && value.length > listLimit)
    return `[${JSON.stringify(value[0])}, … ${value.length - 2} more …, ${JSON.stringify(value.at(-1))}]`;
  return JSON.stringify(value);
}

function errorInWords({ type = 'Error', code, message, stack = [], cause }: LoggedError, lead = ''): string {
  const words = [type, code && `(${code})`].filter(Boolean).join(' ');
  const first = `    ${lead}${words}${message ? `: ${message}` : ''}\n`;
  const places = stack.map((place) => `      ${place.trim()}\n`).join('');
  return `${first}${places}${cause ? errorInWords(cause, 'because of ') : ''}`;
}
