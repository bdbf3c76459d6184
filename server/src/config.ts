import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { type LogFormat, logFormats } from './platform/log/log.ts';
import { usableMemory } from './platform/workers/usable-memory.ts';

const url = (...protocols: string[]) =>
  z.string().refine(
    (value) => {
      const protocol = URL.parse(value)?.protocol.slice(0, -1);
      return protocol !== undefined && protocols.includes(protocol);
    },
    {
      error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
    },
  );

const flag = z
  .string()
  .toLowerCase()
  .refine((value) => ['on', 'off', 'true', 'false', '1', '0', 'yes', 'no'].includes(value), {
    error: 'must be on or off',
  })
  .transform((value) => ['on', 'true', '1', 'yes'].includes(value));

/** An accepted whole number with a maximum number of digits; `error` names the accepted numbers. */
const wholeNumber = (digits: number, error: string, accepts: (value: number) => boolean = () => true) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), error)
    .transform(Number)
    .refine(accepts, { error });

/** Days for which something is kept, with a minimum; 0 means forever. */
const keptDays = (minimum: number) =>
  wholeNumber(
    5,
    `must be days, ${minimum} or more, or 0 for ever`,
    (days) => days === 0 || days >= minimum,
  ).transform((days) => (days === 0 ? null : days));

/**
 * One process for each core, as long as each has a gigabyte of memory. If PostgreSQL runs on the same one or two
 * cores, a second process answers no more requests and takes 500 MB, so there is one (decision record 0056).
 */
export function usualWorkers(cores: number, bytes: number, databaseUrl: string | undefined): number {
  // An address without a host is a socket of this machine.
  const host = databaseUrl === undefined ? '' : URL.parse(databaseUrl)?.hostname;
  const sharesCores = host === '' || (host !== undefined && isLoopback(host));
  if (sharesCores && cores <= 2) return 1;
  return Math.max(1, Math.min(cores, Math.floor(bytes / 1e9), 64));
}

/** A host with a port from 1024 to 65000, so that each process of the server has a port after it. */
function addressOf(value: string): { host: string; port: number } | undefined {
  const read = /^[\w.:[\]-]+:\d+$/.test(value) ? URL.parse(`tcp://${value}`) : null;
  const port = Number(read?.port);
  if (!read?.hostname || port < 1024 || port > 65_000) return undefined;
  return { host: read.hostname.replace(/^\[(.*)\]$/, '$1'), port };
}

/** Every variable that Caseway reads, all of them optional. `.env.example` explains them in words. [S10.2] */
const variables = z.object({
  PORT: wholeNumber(5, 'must be a port, 1 to 65535', (port) => port >= 1 && port <= 65535).default(8080),
  HOST: z.string().default('localhost'),
  DATA_DIR: z.string().default(fileURLToPath(new URL('../../data', import.meta.url))),
  DATABASE_URL: url('postgres', 'postgresql').optional(),
  DATABASE_OWNER_URL: url('postgres', 'postgresql').optional(),
  DEMO: flag.optional(),
  SMTP_URL: url('smtp', 'smtps').optional(),
  SMS_URL: url('http', 'https').optional(),
  VIDEO_URL: url('https', 'http').optional(),
  TOKEN_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  ANALYTICS_ENGINE: z.enum(['duckdb', 'postgres'], { error: 'must be duckdb or postgres' }).default('duckdb'),
  UI_LICENSE_KEY: z.string().optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
  LOG_FORMAT: z.enum(logFormats, { error: 'must be json or pretty' }).optional(),
  PUBLIC_URL: url('http', 'https').optional(),
  STOP_SECONDS: wholeNumber(4, 'must be seconds, 0 to 3600', (seconds) => seconds <= 3600).default(25),
  BACKUP_KEY: z.string().min(20, 'must have at least 20 characters').optional(),
  BACKUP_KEY_FILE: z.string().optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  MIN_FREE_DISK_MB: wholeNumber(8, 'must be megabytes, 0 or more').default(512),
  SESSION_DAYS: keptDays(30).default(90),
  OUTBOX_DAYS: keptDays(1).default(7),
  RECOVERY_WAIT_MINUTES: wholeNumber(
    5,
    'must be minutes, 0 to 10080',
    (minutes) => minutes <= 10_080,
  ).default(60),
  WORKERS: wholeNumber(3, 'must be processes, 1 to 64', (count) => count >= 1 && count <= 64).optional(),
  SERVER_ADDRESS: z
    .string()
    .refine((value) => addressOf(value) !== undefined, {
      error: 'must be a host and a port, such as 10.0.0.5:8100',
    })
    .transform((value) => addressOf(value)!)
    .optional(),
  ANONYMOUS_PER_MINUTE: wholeNumber(
    7,
    'must be requests a minute, 10 or more',
    (count) => count >= 10,
  ).default(60),
  LIST_SECONDS: wholeNumber(
    2,
    'must be seconds, 2 to 60',
    (seconds) => seconds >= 2 && seconds <= 60,
  ).optional(),
});

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** Absent: the packaged PostgreSQL runs in `dataDir`. */
  readonly databaseUrl?: string;
  /** Connection string of the role that migrates, if it is not the role of `databaseUrl`. */
  readonly databaseOwnerUrl?: string;
  readonly demo: boolean;
  readonly smtpUrl?: string;
  readonly smsUrl?: string;
  /** Where visits by video are held: the room name is appended. Absent: they are held elsewhere. */
  readonly videoUrl?: string;
  readonly tokenSecret?: string;
  readonly analyticsEngine: 'duckdb' | 'postgres';
  readonly uiLicenseKey?: string;
  readonly logLevel: string;
  /** Absent: for people in a terminal and from commands, otherwise JSON. */
  readonly logFormat?: LogFormat;
  /** The public address of the product, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether a proxy is in front of it, which PUBLIC_URL implies. */
  readonly behindProxy: boolean;
  /** Seconds for running requests to finish when the server is asked to end. */
  readonly stopSeconds: number;
  /** Encrypts backups, or opens them. */
  readonly backupKey?: string;
  /** Path of a file with that key instead. */
  readonly backupKeyFile?: string;
  /** Bearer token for /metrics; without it, only this machine can read them. */
  readonly metricsToken?: string;
  /** With less free disk space for the data folder, /health/ready says that the server is not ready. */
  readonly minFreeDiskBytes: number;
  /** Days for which an ended session stays in its owner's list; null forever. */
  readonly sessionDays: number | null;
  /** Days for which messages that became files are kept; null forever. */
  readonly outboxDays: number | null;
  /** Minutes between the approval of a recovery and when its code can be used. Until then, the owner can stop it. */
  readonly recoveryWaitMinutes: number;
  /** How many processes answer requests. */
  readonly workers: number;
  /**
   * The address of this server for other servers on the same database, in a private network; its processes take this
   * port and the following ones. Absent: it has its own replicas.
   */
  readonly serverAddress?: { host: string; port: number };
  /** Requests that one network may make in a minute without signing in. [P25] */
  readonly anonymousPerMinute: number;
  /** Milliseconds that a list may take before it is refused; absent: a little less than two seconds. [P19] */
  readonly listMs?: number;
}

/**
 * The configuration, parsed once from the environment; an empty variable counts as absent. Throws one Error that
 * lists every fault by the name of its variable, and never its value.
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = variables.safeParse(given);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  if (given.DATABASE_OWNER_URL && !given.DATABASE_URL)
    faults.push('DATABASE_OWNER_URL needs DATABASE_URL beside it');
  if (given.BACKUP_KEY && given.BACKUP_KEY_FILE)
    faults.push('BACKUP_KEY and BACKUP_KEY_FILE: set one of the two');
  if (!parsed.success || faults.length > 0)
    throw new Error(
      `The configuration has ${faults.length === 1 ? 'a fault' : 'faults'}: ${faults.join('; ')}.`,
    );
  const read = parsed.data;
  return Object.freeze({
    port: read.PORT,
    host: read.HOST,
    dataDir: resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    databaseOwnerUrl: read.DATABASE_OWNER_URL,
    demo: read.DEMO ?? read.DATABASE_URL === undefined,
    smtpUrl: read.SMTP_URL,
    smsUrl: read.SMS_URL,
    videoUrl: read.VIDEO_URL,
    tokenSecret: read.TOKEN_SECRET,
    analyticsEngine: read.ANALYTICS_ENGINE,
    uiLicenseKey: read.UI_LICENSE_KEY,
    logLevel: read.LOG_LEVEL,
    logFormat: read.LOG_FORMAT,
    publicUrl: (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, ''),
    behindProxy: read.PUBLIC_URL !== undefined,
    stopSeconds: read.STOP_SECONDS,
    backupKey: read.BACKUP_KEY,
    backupKeyFile: read.BACKUP_KEY_FILE,
    metricsToken: read.METRICS_TOKEN,
    minFreeDiskBytes: read.MIN_FREE_DISK_MB * 1e6,
    sessionDays: read.SESSION_DAYS,
    outboxDays: read.OUTBOX_DAYS,
    recoveryWaitMinutes: read.RECOVERY_WAIT_MINUTES,
    workers: read.WORKERS ?? usualWorkers(availableParallelism(), usableMemory(), read.DATABASE_URL),
    serverAddress: read.SERVER_ADDRESS,
    anonymousPerMinute: read.ANONYMOUS_PER_MINUTE,
    listMs: read.LIST_SECONDS && read.LIST_SECONDS * 1000,
  });
}

/** Whether a host can only mean this machine. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);

/** Warnings for the operator before strangers can reach the server, one sentence each. */
export function warnings({ demo, host, publicUrl }: Pick<Config, 'demo' | 'host' | 'publicUrl'>): string[] {
  if (isLoopback(host) || publicUrl.startsWith('https:')) return [];
  const plain =
    'answers over plain HTTP: names, codes and tokens can be read on the way. Set PUBLIC_URL to the https:// address of your proxy';
  return [
    demo
      ? `Warning: HOST=${host} lets other machines reach this server, which ${plain}. The demo is on, and the sign-in page names its accounts to everybody: set DEMO=off before real data comes in.`
      : `Warning: HOST=${host} lets other machines reach this server, which ${plain}.`,
  ];
}

/**
 * The configuration of this process: its environment and, for missing variables, a file: `.env` in the checkout, or
 * the one that ENV_FILE names. The server and every command read it only here.
 */
export function loadConfig(): Config {
  const named = process.env.ENV_FILE;
  const file = named ? resolve(named) : fileURLToPath(new URL('../../.env', import.meta.url));
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (named || (error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new Error(`The file of settings ${file} cannot be read.`);
  }
  return parseConfig({ ...parseEnv(text), ...process.env });
}
