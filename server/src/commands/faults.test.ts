import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commands, runCommand, runHere } from '../../test/commands.ts';
import { asSuperuser, createTestDatabase } from '../../test/database.ts';
import { makeTenant } from '../../test/factories.ts';
import { load } from '../../test/load.ts';
import { freePort } from '../../test/port.ts';
import { changeSecret } from '../platform/auth/secret-mark.ts';
import { secretMark } from '../platform/auth/token-secret.ts';
import { dumpDatabase } from '../platform/db/backup.ts';
import { sealBackup, writeWhole } from '../platform/db/backup-file.ts';

/*
 * Each operator command with each possible fault: it ends with 1, says in a plain sentence what is wrong, and leaves
 * nothing behind.
 */

const given = await createTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'caseway-faults-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const place = (...names: string[]) => join(folder, ...names);

const secret = 'the secret that signs for this database';
await makeTenant(given.database);
await changeSecret(given.database, secret);
const dump = (key?: string) =>
  sealBackup(
    dumpDatabase(given.ownerUrl, { version: '1.2.3', tokenMark: secretMark(secret), tokenSecret: secret }),
    key,
  );
const key = 'a key of twenty characters';
await writeWhole(place('whole.backup'), dump());
await writeWhole(place('locked.backup'), dump(key));
await writeFile(place('a.hl7'), 'MSH|^~\\&|\r');
await writeFile(place('short.key'), 'short\n');
await writeFile(place('empty'), '');
await mkdir(place('a.folder'));
await mkdir(place('data'));
await writeFile(place('data', 'token-secret'), secret);
await mkdir(place('damaged'));
await writeFile(place('damaged', 'postgres.json'), '{"port":');

/** The minimum for each command to reach its database. */
const needed: Record<string, string[]> = {
  migrate: [],
  seed: ['--results', '1'],
  import: [place('a.hl7')],
  backup: [place('new.backup')],
  restore: [place('whole.backup')],
  'audit:archive': [],
  'audit:verify': [],
  'admin:create': ['--email', 'someone@example.test'],
  'secret:change': [],
};
const all = Object.keys(needed);
/** In `npm test`, commands that fail in the same place share a fault: one in this many, others for the next fault. */
const oneIn = <T>(share: number, given: readonly T[], fault: number): T[] =>
  given.filter((_, at) => load(at % share === fault % share, true));
const some = (names: readonly string[], fault: number) => oneIn(names.length, names, fault);
/** Commands that only read, or need an existing database. */
const lookingOn = ['backup', 'audit:archive', 'audit:verify', 'secret:change'];

const fileOf = (name: string) => commands.find((one) => one.name === name)!.file;
const own = {
  DATABASE_URL: given.appUrl,
  DATABASE_OWNER_URL: given.ownerUrl,
  DATA_DIR: place('data'),
  LOG_LEVEL: 'fatal',
};
const changed = (url: string, change: (url: URL) => void) => {
  const other = new URL(url);
  change(other);
  return other.href;
};
const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Every path in the folder, and everything in the database that a command could have made or lost. */
async function traces(url = given.superuserUrl) {
  const paths = (await readdir(folder, { recursive: true })).sort();
  const secretFile = await readFile(place('data', 'token-secret'), 'utf8');
  const rows = await asSuperuser(
    `select (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace) as tables,
       (select encode(mark, 'hex') from secret_mark) as mark, (select count(*)::int from backup_made) as backups,
       (select count(*)::int from tenant) as tenants`,
    [],
    url,
  );
  return { paths, secretFile, rows };
}

/** Words for people: a sentence with a full stop, followed at most by the usage of the command. */
function expectPlain(said: string) {
  const [sentence, ...rest] = said.trimEnd().split('\n');
  expect(sentence).toMatch(/^[A-Z'/-].*\.$/);
  expect(sentence).not.toMatch(/\bE[A-Z]{4,}\b|ERR_|errno|syscall|undefined|\[object|\{|ZodError|\.\./);
  if (rest.length > 0) expect(rest.slice(0, 2)).toEqual(['', expect.stringMatching(/^Usage: npm run /)]);
}

type Attempt = [name: string, args: string[], settings: Record<string, string>, sentence: RegExp];

const started = new Set<string>();
/**
 * In `npm test`, each command runs as a process the first time, and then as a module; scripts of the repository are
 * not modules.
 */
function isHere(name: string): boolean {
  const again = started.has(name);
  started.add(name);
  return load(again && all.includes(name), false);
}
const runIts = (name: string) => (isHere(name) ? runHere : runCommand);

/** Runs commands that must fail, a few at a time, and checks for anything they left behind. */
async function fail(attempts: Attempt[]) {
  const before = await traces();
  const here = attempts.filter(([name]) => isHere(name));
  const rest = attempts.filter((one) => !here.includes(one));
  const next = async (left: Attempt[], run: typeof runCommand) => {
    for (let one = left.shift(); one; one = left.shift()) {
      const [name, args, environment, sentence] = one;
      const { code, out, err } = await run(fileOf(name), args, environment);
      const what = `${name} ${args.join(' ')}`;
      expect({ what, code, err }).toEqual({ what, code: 1, err: expect.stringMatching(sentence) });
      // Words that a restore prints beforehand, and output of an import that programs read in any case.
      expect(out.replace(/^The backup is sound: .*\n|^\{"files":0,.*\}\n/, '')).toBe('');
      expectPlain(err.replace(/^\S+: (?=[A-Z])/, ''));
    }
  };
  await Promise.all(Array.from({ length: 4 }, () => next(rest, runCommand)));
  await next(here, runHere);
  expect(await traces()).toEqual(before);
}

it('every command is covered here', () => {
  const others = [
    'start',
    'build',
    'test',
    'test:full',
    'test:citus',
    'check',
    'bench',
    'explanations',
    'db:types',
  ];
  expect(commands.map(({ name }) => name).filter((name) => !others.includes(name))).toEqual(
    expect.arrayContaining(all),
  );
  expect(commands).toHaveLength(all.length + others.length);
});

/** Faults of the settings: the commands, and the message for each. */
const settings: [string, string[], Record<string, string>, RegExp][] = [
  [
    'DATA_DIR is a file',
    all,
    { DATA_DIR: place('a.hl7') },
    new RegExp(`^The data folder ${quoted(place('a.hl7'))} cannot be used: .*\\. Set DATA_DIR to a folder`),
  ],
  [
    'DATA_DIR lies beneath a file',
    all,
    { DATA_DIR: place('a.hl7', 'data') },
    /cannot be used: a part of its path is a file and no folder\. Set DATA_DIR to a folder/,
  ],
  [
    'DATA_DIR has a damaged state of its database',
    all,
    { DATA_DIR: place('damaged') },
    /postgres\.json is damaged\. It holds the passwords of the database: put it back from a backup, or choose/,
  ],
  [
    'DATA_DIR is another folder than that of the server',
    [...lookingOn, 'import', 'seed'],
    { DATA_DIR: place('typo'), DEMO: 'off' },
    new RegExp(`^There is no database in ${quoted(place('typo'))}\\. Set DATA_DIR, or DATABASE_URL, as the`),
  ],
  [
    'the database is not there',
    all,
    { ...own, DATABASE_URL: changed(given.appUrl, (url) => (url.pathname = '/none')) },
    /^The database of DATABASE_URL cannot be reached: database "none" does not exist\.$/m,
  ],
  [
    'the password is another',
    all,
    { ...own, DATABASE_URL: changed(given.appUrl, (url) => (url.password = 'guess')) },
    /^The database of DATABASE_URL cannot be reached: password authentication failed for user/,
  ],
  [
    'the owner has another password',
    all,
    { ...own, DATABASE_OWNER_URL: changed(given.ownerUrl, (url) => (url.password = 'guess')) },
    /^The database of DATABASE_OWNER_URL cannot be reached: password authentication failed for user/,
  ],
  [
    'nothing listens where the database should be',
    all,
    { ...own, DATABASE_URL: `postgres://caseway@127.0.0.1:${await freePort()}/caseway` },
    /^The database of DATABASE_URL cannot be reached: nothing listens there\.$/m,
  ],
  [
    'the role of the database is a superuser',
    all,
    { ...own, DATABASE_URL: given.superuserUrl },
    /is a superuser and would see past row-level security\. Give DATABASE_URL a role/,
  ],
  [
    'there is no owner',
    ['backup', 'restore', 'audit:archive', 'secret:change'],
    { DATABASE_URL: given.appUrl, DATA_DIR: place('data') },
    /Set DATABASE_OWNER_URL\.$/m,
  ],
  [
    'the secret is too short',
    all,
    { ...own, TOKEN_SECRET: 'short' },
    /^The configuration has a fault: TOKEN_SECRET must have at least 32 characters\.$/m,
  ],
  [
    'the secret is not that of the database',
    ['backup', 'restore'],
    { ...own, TOKEN_SECRET: 'x'.repeat(40) },
    /is not the one that (signs for this database|the backup was made with)\. /,
  ],
  [
    'the secret is not where the settings say',
    ['backup'],
    { ...own, DATA_DIR: place('typo') },
    new RegExp(`^The file token-secret is missing in ${quoted(place('typo'))}, and this database has one`),
  ],
  [
    'a new secret would lie where no server finds it',
    ['secret:change'],
    { ...own, DATA_DIR: place('typo') },
    new RegExp(`^The data folder ${quoted(place('typo'))} cannot be used: it is not there\\.`),
  ],
  ['ENV_FILE is missing', all, { ENV_FILE: place('none') }, /^The file of settings .* cannot be read\.$/m],
  ['ENV_FILE is a folder', all, { ENV_FILE: folder }, /^The file of settings .* cannot be read\.$/m],
  ...(['none', 'a.folder', 'short.key'] as const).map(
    (name): [string, string[], Record<string, string>, RegExp] => [
      `BACKUP_KEY_FILE is ${name}`,
      ['backup', 'restore', 'audit:archive'],
      { ...own, BACKUP_KEY_FILE: place(name) },
      /^The (file .* of BACKUP_KEY_FILE cannot be read|key in .* must have at least 20 characters)\.$/m,
    ],
  ),
];

it.each(settings.map(([fault, names, ...rest], at) => [fault, some(names, at), ...rest] as const))(
  '%s: %j say so and leave nothing behind',
  (_, names, environment, sentence) =>
    fail(names.map((name): Attempt => [name, needed[name]!, environment, sentence])),
);

/** Faults of the arguments. */
const missing = (path: string) => new RegExp(`There is no (file|such file)|${quoted(path)}.*no folder`);
const files: Attempt[] = [
  // Files to read: missing, a folder, below a file, empty, something else.
  ...[place('none'), place('none', 'file'), place('a.hl7', 'file')].flatMap(
    (path, at): Attempt[] => oneIn(3, [
      ['restore', [path], own, missing(path)],
      ['import', [path], own, /There is no such file|It cannot be read/],
      ['audit:verify', ['--against', path], own, missing(path)],
      ['audit:verify', ['--log', path], own, missing(path)],
      ['audit:verify', ['--archive', path], own, missing(path)],
      ['audit:archive', ['--read', path], own, missing(path)],
    ], at),
  ),
  ['restore', [folder], own, /is a folder; name a file\./],
  ['audit:verify', ['--against', folder], own, /is a folder; name a file\./],
  ['audit:verify', ['--log', folder], own, /is a folder; name a file\./],
  ['audit:verify', ['--archive', folder], own, /is a folder; name a file\./],
  ['audit:archive', ['--read', folder], own, /is a folder; name a file\./],
  ['restore', ['/dev/null'], own, /\/dev\/null is no file on a disk; copy it into one\./],
  ...['empty', 'a.hl7'].flatMap((name, at): Attempt[] => oneIn(2, [
    ['restore', [place(name)], own, /The file is no backup of Caseway, or its beginning is damaged\./],
    ['audit:verify', ['--against', place(name)], own, /is no file of npm run audit:verify -- --write/],
    ['audit:verify', ['--log', place(name)], own, /No line of .* notes the ends of the audit log\./],
    ['audit:verify', ['--archive', place(name)], own, /is damaged, was cut off, or its key is another one\./],
    ['audit:archive', ['--read', place(name)], own, /is damaged, was cut off, or its key is another one\./],
  ], at)),
  ['audit:verify', ['--archive', place('whole.backup')], own, /is no archive of the audit log\./],
  ['audit:archive', ['--read', place('whole.backup')], own, /is no archive of the audit log\./],
  // Keys that do not fit, and one where none is needed.
  ['restore', [place('locked.backup')], own, /The backup is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE/],
  ['restore', [place('locked.backup')], { ...own, BACKUP_KEY: `${key}!` }, /The key does not fit the backup/],
  ['restore', [place('whole.backup')], { ...own, BACKUP_KEY: key }, /not encrypted, although a key is set: .* say --unencrypted\./],
  ['restore', [place('whole.backup'), '--check'], { ...own, BACKUP_KEY: key }, /not encrypted, although a key is set/],
  // Files to write: existing, a folder, in no folder, below a file.
  ['backup', [place('whole.backup')], own, /is there already; choose another name\./],
  ['backup', [folder], own, /is there already; choose another name\./],
  ['backup', [place('none', 'new.backup')], own, /There is no folder .*none\./],
  ['backup', [place('a.hl7', 'new.backup')], own, /There is no folder .*a\.hl7\./],
  ['audit:verify', ['--write', folder], own, /is a folder; name a file\./],
  ['audit:verify', ['--write', place('none', 'notes')], own, /There is no folder .*none\./],
  ['audit:verify', ['--write', place('a.hl7', 'notes')], own, /There is no folder .*a\.hl7\./],
  ['audit:archive', ['--to', place('a.hl7')], own, /a\.hl7 is no folder; name another\./],
  ['audit:archive', ['--to', place('a.hl7', 'archive')], own, /a\.hl7 is no folder; name another\./],
  // Options: unknown, without their value, that exclude each other.
  ...some(all, 3).map((name): Attempt => [
    name,
    [...needed[name]!, '--colour'],
    { DATA_DIR: place('typo') },
    /^Unknown option '--colour'\. --help says what it takes\.\n$/,
  ]),
  ...(
    [
      ['seed', '--results'],
      ['import', '--tenant'],
      ['audit:archive', '--before'],
      ['audit:verify', '--write'],
      ['admin:create', '--email'],
    ] as const
  ).flatMap(([name, option], at): Attempt[] => oneIn(2, [
    [name, [option], {}, new RegExp(`^Option '${option}[^']*' argument missing\\. --help says what it takes\\.\\n$`)],
    [name, [option, '--json'], {}, new RegExp(`^(Option '${option}' argument is ambiguous|Unknown option '--json')\\. --help`)],
  ], at)),
  ...oneIn(2, ['migrate', 'seed', 'audit:archive', 'audit:verify', 'admin:create', 'secret:change'], 0).map(
    (name): Attempt => [
      name,
      [...needed[name]!, 'more'],
      {},
      /^Unexpected argument 'more'\. --help says what it takes\.\n$/,
    ],
  ),
  ...['backup', 'restore'].flatMap((name, at): Attempt[] => oneIn(2, [
    [name, [], {}, /^Say (into|from) which file\.\n\nUsage: /],
    [name, ['one', 'two'], {}, /^Say (into|from) which file\.\n\nUsage: /],
  ], at)),
  ['import', [], {}, /^There is no file to import\.\n\nUsage: /],
  ['seed', ['--results', 'many'], {}, /^--results takes a whole number from 1\.\n\nUsage: /],
  ['seed', ['--results', '1', '--tenant', 'none'], own, /^There is no tenant none\.\n\nUsage: /],
  ['audit:verify', ['--tenant', 'none'], own, /^There is no tenant none\.\n$/],
  ['audit:verify', ['--archive', 'a', '--json'], own, /^--archive goes alone\.\n\nUsage: /],
  ['audit:archive', ['--read', 'a', '--to', 'b'], own, /^--read goes alone\.\n\nUsage: /],
  ['audit:archive', ['--before', 'soon'], own, /^Say the month as --before YYYY-MM\.\n$/],
  ['admin:create', [], {}, /^--email needs an e-mail address\.\n\nUsage: /],
  ['admin:create', ['--email', 'a@example.test', '--first-name', ''], {}, /^--first-name is empty\.\n\nUsage: /],
  ['admin:create', ['--email', 'a@example.test', '--last-name', 'x'.repeat(101)], {}, /^--last-name is too long\.\n/],
  ['admin:create', ['--email', 'a@example.test', '--tenant', 'A B'], {}, /^--tenant takes lower-case letters/],
  ['explanations', ['--colour'], {}, /^Unknown option '--colour'\. --help says what it takes\.\n$/],
  ['explanations', ['--signed-by', ' '], {}, /^Name who has reviewed the words: --signed-by "Name, title"\.\n$/],
  ['db:types', ['--colour'], {}, /^Unknown option '--colour'\. --help says what it takes\.\n$/],
  ...['start', 'build', 'check'].map((name): Attempt => [
    name,
    ['--port=9000'],
    {},
    /^Unknown option '--port=9000'\. --help says what it takes\.\n$/,
  ]),
]; // biome-ignore format: a table

it.each(Object.entries(Object.groupBy(files, ([name]) => name)))(
  '%s reports faulty arguments, and leaves nothing behind',
  (_, attempts) => fail(attempts!),
);

describe('the tables are not those of this version', async () => {
  const other = await createTestDatabase();
  const empty = await createTestDatabase({ empty: true });
  const external = { ...own, DATABASE_URL: other.appUrl, DATABASE_OWNER_URL: other.ownerUrl };
  const numbers = () =>
    asSuperuser<{ number: number }>('select number from schema_migration order by 1', [], other.superuserUrl);

  it('read-only commands do not migrate the database of a server of another version', async () => {
    await asSuperuser(
      'delete from schema_migration where number = (select max(number) from schema_migration)',
      [],
      other.superuserUrl,
    );
    const before = await numbers();
    for (const name of lookingOn)
      expect(await runIts(name)(fileOf(name), needed[name]!, external)).toEqual({
        code: 1,
        out: '',
        err: 'The database lacks a migration, and this command does not change it. Use the version that the servers have, or run npm run migrate first.\n',
      });
    expect(await numbers()).toEqual(before);
  });

  it('no command works with tables of a newer version', async () => {
    await asSuperuser(
      `insert into schema_migration (number, name, checksum) values (9999, '9999_later.sql', 'x')`,
      [],
      other.superuserUrl,
    );
    for (const name of some(all, 0).filter((one) => one !== 'restore'))
      expect(await runIts(name)(fileOf(name), needed[name]!, external)).toEqual({
        code: 1,
        out: '',
        err: 'The database was migrated by a newer version of Caseway (9999_later.sql is not known here).\n',
      });
  });

  it('an empty database stays empty', async () => {
    const environment = { ...own, DATABASE_URL: empty.appUrl, DATABASE_OWNER_URL: empty.ownerUrl };
    for (const name of some([...lookingOn, 'import', 'seed'], 1))
      expect(await runIts(name)(fileOf(name), needed[name]!, environment)).toEqual({
        code: 1,
        out: '',
        err: 'The database is empty: no server has worked with it yet. Set DATA_DIR, or DATABASE_URL, as the server has it.\n',
      });
    const tables = `select relname from pg_class where relnamespace = 'public'::regnamespace`;
    expect(await asSuperuser(tables, [], empty.superuserUrl)).toEqual([]);
  });
});

it('commands give up on a database that hangs', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const environment = { ...own, DATABASE_URL: `postgres://caseway@127.0.0.1:${port}/caseway` };
  const names = some(all, 1);
  const said = await Promise.all(names.map((name) => runCommand(fileOf(name), needed[name]!, environment)));
  expect(said.map(({ code, err }) => ({ code, err }))).toEqual(
    names.map(() => ({
      code: 1,
      err: 'The database of DATABASE_URL cannot be reached: it does not answer.\n',
    })),
  );
  for (const socket of sockets) socket.destroy();
  silent.close();
});

it.runIf(existsSync('/dev/full'))('a full disk is named by the file that does not fit', async () => {
  // A device that is always full stands in for the disk.
  expect(await runCommand(fileOf('audit:verify'), ['--write', '/dev/full'], own)).toEqual({
    code: 1,
    out: expect.stringContaining('The audit log is as it was written.'),
    err: '/dev/full cannot be used: there is no room left on its disk.\n',
  });
});
