import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { seedRecords } from '../../seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../../seeds/demo/seed-tenants.ts';
import { commands, root, runCommand as run, runHere, scripts } from '../../test/commands.ts';
import { createTestDatabase } from '../../test/database.ts';
import { load } from '../../test/load.ts';

const folder = await mkdtemp(join(tmpdir(), 'caseway-commands-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const given = await createTestDatabase({ poolSize: 8 });

/** Commands that read no settings: they build and test, and have no data of their own. */
const withoutSettings = [
  'build',
  'test',
  'test:full',
  'test:citus',
  'check',
  'bench',
  'db:types',
  'explanations',
];
/** The minimum for a command to read its settings. */
const needed: Record<string, string[]> = {
  seed: ['--results', '1'],
  import: [join(folder, 'a.hl7')],
  backup: [join(folder, 'a.backup')],
  restore: [join(folder, 'a.backup')],
  'admin:create': ['--email', 'someone@example.test'],
};
await writeFile(join(folder, 'a.hl7'), 'MSH|^~\\&|\r');

describe('every command of npm run', () => {
  it('is tested here, except the one that is another program', () => {
    expect(Object.keys(scripts).filter((name) => !commands.some((one) => one.name === name))).toEqual([
      'format',
    ]);
  });

  it.each(commands)('$name prints its usage, and does nothing else', async ({ name, file }) => {
    const asking = file.includes('/commands/') ? load(runHere, run) : run;
    const { code, out, err } = await asking(file, ['--help'], { DATA_DIR: '/nonexistent/folder' });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^Usage: npm (run )?${name}\\b`));
  });

  it.each(commands.filter(({ name }) => !withoutSettings.includes(name)))(
    '$name reads the file of settings like all the others',
    async ({ name, file }) => {
      const env = join(folder, `${name.replace(':', '-')}.env`);
      await writeFile(env, 'LOG_LEVEL=loud\n');
      const target = name === 'start' ? join(root, 'server/src/main.ts') : file;
      const reading = name === 'start' ? run : load(runHere, run);
      const { code, err } = await reading(target, needed[name] ?? [], { ENV_FILE: env });
      expect({ code, err }).toEqual({
        code: 1,
        err: 'The configuration has a fault: LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent.\n',
      });
    },
  );

  it('that is asked to end while it waits for something that does not come ends after a while', async () => {
    const script = join(folder, 'waits.ts');
    const place = JSON.stringify(join(root, 'server/src/commands/command.ts'));
    await writeFile(
      script,
      `import { askedToEnd } from ${place}; askedToEnd(1500); setInterval(() => {}, 1000); process.kill(process.pid, 'SIGTERM');`,
    );
    const { code, err } = await run(script, []);
    expect({ code, err }).toEqual({
      code: 130,
      err: 'It did not end in time, and was ended. Give the same command again to go on.\n',
    });
  });

  it('start has no shell between npm and its script, which would swallow signals', () => {
    expect(scripts.start).toBe('exec node scripts/start.mjs');
  });

  it('needs no packages and no particular Node to start: each begins with a script without either', () => {
    const begins = Object.entries(scripts).map(([name, line]) => [name, line.split(' ')[1]]);
    expect(begins.filter(([, first]) => !/^(node|scripts\/\w+\.mjs)$/.test(first!))).toEqual([
      ['format', 'format'],
    ]);
  });

  it.each(['the Node of this repository', 'another Node'])('runs on %s', async (which) => {
    const other = join(folder, 'node');
    if (which === 'another Node') await copyFile(process.execPath, other);
    const node = which === 'another Node' ? other : process.execPath;
    const started = (args: string[]) =>
      promisify(execFile)(node, [
        join(root, 'scripts/command.mjs'),
        'server/src/commands/migrate.ts',
        ...args,
      ]).then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        ({ code, stderr }) => ({ code, said: stderr }),
      );
    expect(await started(['--help'])).toEqual({
      code: 0,
      said: expect.stringMatching(/^Usage: npm run migrate\b/),
    });
    expect(await started(['--colour'])).toEqual({
      code: 1,
      said: "Unknown option '--colour'. --help says what it takes.\n",
    });
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8'));
    const { out } = await run(join(root, 'server/src/commands/migrate.ts'), ['--version'], {
      CASEWAY_BUILD: 'abc123',
    });
    expect(out).toBe(`Caseway ${version} (abc123)\n`);
  });
});

describe('the log of a command', () => {
  const logged = (settings: object) => {
    const file = join(root, 'server/src/commands/command-log.ts');
    const code = `import(${JSON.stringify(file)}).then(({ commandLog }) => commandLog(${JSON.stringify(settings)}).info({ n: 1 }, 'said'))`;
    return run('-e', [code]);
  };

  it('is in lines for people, because it appears between its own words', async () => {
    const { err } = await logged({ logLevel: 'info' });
    expect(err).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO {2}said n=1\n$/);
  });

  it('is JSON on request', async () => {
    const { err } = await logged({ logLevel: 'info', logFormat: 'json' });
    expect(JSON.parse(err)).toMatchObject({ level: 30, n: 1, msg: 'said' });
  });
});

describe('npm run seed', () => {
  const seed = (results: number) =>
    run(join(root, 'server/src/commands/seed.ts'), ['--results', String(results)], {
      DATABASE_URL: given.appUrl,
      DATABASE_OWNER_URL: given.ownerUrl,
      DATA_DIR: join(folder, 'data'),
      DEMO: 'on',
      LOG_LEVEL: 'fatal',
    });

  it('finishes an interrupted seeding, and then makes its own', async () => {
    const { database } = given;
    const { demo } = await seedDemoTenants(database);
    const died = seedRecords(
      database,
      demo.id,
      { patients: 500, results: 5000, cases: 40 },
      {
        seed: 'demo:0',
        onProgress() {
          throw new Error('killed');
        },
      },
    );
    await expect(died).rejects.toThrow('killed');
    const { code, out, err } = await seed(300);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Finished a seeding that was broken off\.\nMade 300 results in /);
    const [counts] = await database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
      tx.rows(`select (select count(*)::int from result where superseded_by is null) as results,
        (select count(*)::int from case_report) as cases`),
    );
    expect(counts).toEqual({ results: 5300, cases: 80 });
  });
});
