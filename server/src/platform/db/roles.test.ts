import { afterAll, describe, expect, it } from 'vitest';
import { databaseUrl } from '../../../test/cluster.ts';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { createLog } from '../log/log.ts';
import { startTemporaryPostgres } from './cluster/temporary-postgres.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { prepareRoles } from './roles.ts';

const log = createLog('fatal');

describe('a role that would see past row-level security is refused [P3]', async () => {
  const { ownerUrl, superuserUrl } = await createTestDatabase();

  it('when it is a superuser', async () => {
    await expect(openDatabase({ url: superuserUrl, log })).rejects.toThrow(
      / is a superuser and would see past row-level security/,
    );
    await expect(prepareRoles(superuserUrl)).rejects.toThrow(
      / is a superuser and would see past row-level security/,
    );
  });

  it('when it has BYPASSRLS, also as the role that took on the application role', async () => {
    const url = await login('bypassing', 'bypassrls in role caseway_app');
    await expect(openDatabase({ url: url.href, log })).rejects.toThrow('bypassing has BYPASSRLS');
    url.searchParams.set('options', '-c role=caseway_app');
    await expect(openDatabase({ url: url.href, log })).rejects.toThrow('bypassing has BYPASSRLS');
  });

  it('when it owns a table, or may become its owner', async () => {
    await expect(openDatabase({ url: ownerUrl, log })).rejects.toThrow(/owns the table \w+/);
    const url = await login('deputy', 'in role caseway_owner');
    await expect(openDatabase({ url: url.href, log })).rejects.toThrow(/owns the table \w+/);
  });

  async function login(name: string, attributes: string): Promise<URL> {
    await asSuperuser(`create role ${name} login password 'test' ${attributes}`);
    afterAll(async () => {
      await asSuperuser(`drop role ${name}`);
    });
    const url = new URL(ownerUrl);
    url.username = name;
    url.password = 'test';
    return url;
  }
});

describe('your own database server [S10.2]', async () => {
  // A separate cluster, because the application role must not exist at first.
  const cluster = await startTemporaryPostgres(log);
  afterAll(() => cluster.stop());
  const superuser = (text: string, url = cluster.superuser) => asSuperuser(text, [], url);
  await superuser('drop owned by caseway_app');
  await superuser('drop role caseway_app');

  const site = async (name: string, attributes: string) => {
    await superuser(`create role ${name} login password 'test' ${attributes}`);
    await superuser(`create database ${name} owner ${name}`);
    const url = new URL(databaseUrl(cluster.superuser, name));
    url.username = name;
    url.password = 'test';
    return url.href;
  };

  it('says what an administrator has to run if the role may not create the application role', async () => {
    const url = await site('plain', '');
    await expect(prepareRoles(url)).rejects.toThrow(
      /^The role of DATABASE_URL may not prepare the role caseway_app .*Let an administrator of the database run: create role caseway_app nologin nosuperuser nobypassrls; grant caseway_app to "plain";$/,
    );
  });

  it('needs only DATABASE_URL: its role migrates, and works as the application role', async () => {
    const url = await site('simple', 'createrole');
    const connections = await prepareRoles(url);
    expect(connections.owner).toBe(url);
    await migrate(connections.owner!);
    const database = await openDatabase({ url: connections.app, log });
    const rows = await database.withScope({ kind: 'system' }, (tx) =>
      tx.rows(
        'select session_user::text as login, current_user::text as works_as, count(*) as tenants from tenant',
      ),
    );
    expect(rows).toEqual([{ login: 'simple', works_as: 'caseway_app', tenants: 0 }]);
    await database.close();
    expect(await prepareRoles(url)).toEqual(connections);
    await superuser('drop database simple');
    await superuser('drop role caseway_app');
  });

  it('takes a separate role for the migrations, DATABASE_OWNER_URL, and lets the other own nothing', async () => {
    const owner = await site('keeper', 'createrole');
    await superuser("create role worker login password 'test'");
    const url = new URL(owner);
    url.username = 'worker';
    await expect(prepareRoles(url.href, owner)).resolves.toMatchObject({ owner });
    await migrate(owner);
    const { app, owner: none } = await prepareRoles(url.href);
    expect(none).toBeUndefined();
    const database = await openDatabase({ url: app, log });
    expect(await database.withScope({ kind: 'system' }, (tx) => tx.rows('select id from tenant'))).toEqual(
      [],
    );
    await database.close();
  });

  it('says in one sentence that a database cannot be reached', async () => {
    const url = new URL(cluster.app);
    url.port = '1';
    await expect(prepareRoles(url.href)).rejects.toThrow(
      /^The database of DATABASE_URL cannot be reached: .*\.$/,
    );
  });
});
