// npm run import -- FILE…: imports local laboratory messages and tables. [S10.6]
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importFormats } from '@caseway/contract/imports';
import type { Logger } from 'pino';
import { seedDemoTenants } from '../../seeds/demo/seed-tenants.ts';
import { type Config, loadConfig } from '../config.ts';
import {
  assertCondition,
  type FileImport,
  findPlace,
  type ImportPlace,
  importFile,
} from '../features/imports/import-file.ts';
import { ImportThreads } from '../features/imports/running/import-threads.ts';
import type { ConnectedDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { inWords } from '../platform/words/in-words.ts';
import { answered } from './asked.ts';
import { calledFrom } from './called-from.ts';
import { askedToEnd, withDatabase } from './command.ts';
import { commandLog } from './command-log.ts';

const usage = `Usage: npm run import -- FILE… [options]

FILE is a file of HL7 v2 messages, a CSV table, or a folder with such files.

  --tenant SLUG|ID      the tenant it is for; the demo, or the only one, unless given
  --facility ID|NAME    the facility that messages belong to which name none
  --format hl7|csv      what the files hold; found out from each file unless given
  --condition CODE      the condition that every row of a line list is about
  --dry-run             tell what would happen, and store nothing
  --json                end with one line {"files","messages","taken","waiting","refused","duplicates"}`;

/** The formats that the option knows; two of them cannot be read yet, and say so. */
const later: Record<string, string> = { fhir: 'FHIR', cda: 'CDA' };

const options = {
  tenant: { type: 'string' },
  facility: { type: 'string' },
  format: { type: 'string' },
  condition: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

const shown = (path: string) => {
  const short = relative(calledFrom, path);
  return short.startsWith('..') ? path : short;
};

const complain = (sentence: string) => {
  console.error(sentence);
  process.exitCode = 1;
};

interface Given {
  tenant?: string;
  facility?: string;
  format?: string;
  condition?: string;
  'dry-run': boolean;
  json: boolean;
}

type Counts = Record<'files' | 'messages' | 'taken' | 'waiting' | 'refused' | 'duplicates', number>;

async function run(positionals: readonly string[], given: Given, totals: Counts): Promise<void> {
  const format = importFormats.find((name) => name === given.format);
  if (given.format !== undefined && !format && !(given.format in later))
    throw new Error(`--format takes ${importFormats.join(', ')}, fhir or cda.\n\n${usage}`);
  if (given.condition !== undefined) assertCondition(given.condition);
  const config = loadConfig();
  const files = await filesIn(positionals);
  if (given.format !== undefined && !format) {
    for (const path of files)
      complain(`${shown(path)}: ${later[given.format]} cannot be imported yet; nothing of it was stored.`);
    return;
  }
  if (files.length === 0) return;

  const log = commandLog(config);
  const signal = askedToEnd();
  const work = async ({ database, appUrl, explained }: ConnectedDatabase) => {
    const threads = new ImportThreads({ url: appUrl });
    try {
      const tenantId = await findTenant(database, config, given.tenant);
      const facility = given.facility
        ? await database.withScope({ kind: 'service', tenantId }, (tx) => findPlace(tx, given.facility!))
        : undefined;
      if (!given.json) console.log(columns(undefined, 'file'));
      for (const path of files) {
        const done = await one({
          database,
          threads,
          log,
          explained,
          tenantId,
          path,
          facility,
          format,
          given,
          signal,
        });
        if (done) {
          totals.files += 1;
          for (const key of ['messages', 'taken', 'waiting', 'refused', 'duplicates'] as const)
            totals[key] += done.detail[key];
        }
        if (signal.aborted) {
          complain('Stopped. A running server goes on with the file; without one, the same command does.');
          break;
        }
      }
      if (!given.json && totals.files > 1) console.log(columns(totals, `${totals.files} files`));
    } finally {
      await threads.close();
    }
  };
  // Without the demo, a new database has no tenant.
  await withDatabase(work, { config, mustExist: !config.demo });
}

/** Imports one file and reports the outcome; undefined if nothing was imported. */
async function one({
  database,
  threads,
  log,
  explained,
  tenantId,
  path,
  facility,
  format,
  given,
  signal,
}: {
  database: Database;
  threads: ImportThreads;
  log: Logger;
  explained(error: unknown): Promise<unknown>;
  tenantId: string;
  path: string;
  facility: ImportPlace | undefined;
  format: (typeof importFormats)[number] | undefined;
  given: Given;
  signal: AbortSignal;
}): Promise<FileImport | undefined> {
  const bar = new Bar(shown(path));
  try {
    const done = await importFile({
      database,
      tenantId,
      path,
      format,
      facility,
      condition: given.condition,
      dryRun: given['dry-run'],
      signal,
      run: (request, hooks) => threads.run(request, hooks),
      onProgress: ({ byteOffset, byteSize, messages, looked }) =>
        looked === undefined
          ? bar.show(byteSize > 0 ? Math.min(1, byteOffset / byteSize) : 1, `${messages} messages`)
          : bar.show(looked, 'reading the columns'),
    });
    bar.clear();
    if (!given.json) print(path, done);
    const { detail, reasons } = done;
    // Its format is unknown, so nothing in it was read.
    if (detail.format === null && done.end !== 'stopped')
      complain(`${shown(path)}: ${reasons[0]?.why ?? 'It could not be read.'}`);
    if (done.end === 'cancelled' || done.end === 'failed')
      complain(`${shown(path)}: The import was ${done.end === 'failed' ? 'broken off' : 'cancelled'}.`);
    return done;
  } catch (error) {
    bar.clear();
    const cause = await explained(error);
    // An explained error is already a sentence.
    complain(`${shown(path)}: ${cause === error ? sentence(error, log) : inWords(cause)}`);
    return undefined;
  }
}

/** What a person can do about an error; an unexpected one goes to the log without its values. [P16] */
function sentence(error: unknown, log: Logger): string {
  const { code } = error as { code?: string };
  if (code !== undefined && code in unreadable) return unreadable[code]!;
  log.error({ err: error }, 'an import was broken off');
  return 'The import was broken off; what was stored stays. Give the same command again to go on.';
}
const unreadable: Record<string, string> = {
  ENOENT: 'There is no such file.',
  EACCES: 'The file may not be read.',
  EPERM: 'The file may not be read.',
  EIO: 'The file cannot be read.',
  ENOSPC: 'There is no room left in the data folder.',
};

/** The given files, and those in the given folders at any depth, without hidden ones and non-files. */
async function filesIn(given: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const name of given) {
    const path = resolve(calledFrom, name);
    try {
      if (!(await stat(path)).isDirectory()) files.push(path);
      else {
        const found = await readdir(path, { recursive: true, withFileTypes: true });
        const within = found
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .filter((file) => !/(^|[/\\])\./.test(relative(path, file)))
          .sort();
        if (within.length === 0) complain(`${shown(path)}: There is no file in this folder.`);
        files.push(...within);
      }
    } catch (error) {
      complain(`${name}: ${unreadable[(error as NodeJS.ErrnoException).code ?? ''] ?? 'It cannot be read.'}`);
    }
  }
  return [...new Set(files)];
}

/** The given tenant; by default the demo, or the only one that keeps records. */
async function findTenant(database: Database, { demo }: Config, asked: string | undefined): Promise<string> {
  if (demo) await seedDemoTenants(database);
  const tenants = await database.withScope({ kind: 'system' }, (tx) =>
    tx
      .selectFrom('tenant')
      .select(['id', 'slug'])
      .where('experience', '<>', 'SYSTEM_ADMINISTRATION')
      .orderBy('slug')
      .execute(),
  );
  const found = asked
    ? tenants.find(({ id, slug }) => slug === asked || id === asked.toLowerCase())
    : (demo && tenants.find(({ slug }) => slug === 'demo')) ||
      (tenants.length === 1 ? tenants[0] : undefined);
  if (found) return found.id;
  const known =
    tenants.length === 0
      ? 'There is none yet; npm run admin:create makes one.'
      : `There are: ${tenants.map(({ slug }) => slug).join(', ')}.`;
  throw new Error(
    asked ? `There is no tenant ${asked}. ${known}` : `Say which tenant it is for with --tenant. ${known}`,
  );
}

// — What is shown —

const heads = ['messages', 'taken', 'waiting', 'refused', 'duplicates'] as const;
const columns = (counts: Counts | FileImport['detail'] | undefined, file: string) =>
  `${heads.map((head) => String(counts ? counts[head] : head).padStart(10)).join(' ')}  ${file}`;

function print(path: string, { detail, reasons }: FileImport): void {
  console.log(columns(detail, `${shown(path)}${detail.dryRun ? ' (tried; nothing was stored)' : ''}`));
  for (const { state, reason, n, why, first } of reasons) {
    const place = first?.fault && first.fault.place !== 'file' ? `, ${first.fault.place}` : '';
    const where = first
      ? ` (message ${first.index + 1}, line ${first.fault?.line ?? first.line}${place})`
      : '';
    console.log(`${' '.repeat(12)}${n} ${state}: ${reason}${where}: ${why}`);
  }
  for (const { place, line, message } of detail.notes)
    console.log(`${' '.repeat(12)}note: ${place}${line === undefined ? '' : `, line ${line}`}: ${message}`);
}

/** A line that is overwritten as the import progresses; nothing if the output is not a terminal. */
class Bar {
  readonly #name: string;
  #lastShown = 0;

  constructor(name: string) {
    this.#name = name;
  }

  show(share: number, what: string): void {
    const now = Date.now();
    if (!process.stderr.isTTY || now - this.#lastShown < 100) return;
    this.#lastShown = now;
    const full = Math.round(share * 20);
    const line = `${'█'.repeat(full)}${'░'.repeat(20 - full)} ${String(Math.floor(share * 100)).padStart(3)} %  ${what}  ${this.#name}`;
    process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  }

  clear(): void {
    if (process.stderr.isTTY && this.#lastShown > 0) process.stderr.write('\r\u001b[K');
  }
}

if (!answered(usage)) {
  const totals: Counts = { files: 0, messages: 0, taken: 0, waiting: 0, refused: 0, duplicates: 0 };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length === 0) throw new Error(`There is no file to import.\n\n${usage}`);
    await run(positionals, values, totals);
  } catch (error) {
    complain(inWords(error));
  }
  // Always printed, because a program that reads the line must not wait for it.
  if (process.argv.includes('--json')) console.log(JSON.stringify(totals));
}
