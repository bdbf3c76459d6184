import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { readTenantToFill } from './seed-records.ts';
import { seedDemoTenants } from './seed-tenants.ts';

const { database } = await createTestDatabase();

test('makes the demo once, and changes nothing the second time', async () => {
  const world = await seedDemoTenants(database);
  const count = () =>
    database.withScope({ kind: 'identity' }, async (tx) => {
      const [row] = await tx.rows(
        `select (select count(*) from tenant) as tenants,
        (select count(*) from facility where tenant_id = $1) as facilities, (select count(*) from role) as roles,
        (select count(*) from role_grant) as grants, (select count(*) from account) as accounts,
        (select count(*) from membership) as memberships, (select count(*) from membership_role) as given`,
        [world.demo.id],
      );
      return row;
    });
  const first = await count();
  expect(first).toMatchObject({
    tenants: 3,
    facilities: world.demo.facilities.length,
    accounts: 23,
    given: 28,
  });
  // An administrator's change stays.
  await database.withScope({ kind: 'service', tenantId: world.demo.id }, (tx) =>
    tx.run("update tenant set name = 'Renamed' where id = $1", [world.demo.id]),
  );
  await seedDemoTenants(database);
  expect(await count()).toEqual(first);
  const [tenant] = await database.withScope({ kind: 'service', tenantId: world.demo.id }, (tx) =>
    tx.rows('select name from tenant where id = $1', [world.demo.id]),
  );
  expect(tenant).toEqual({ name: 'Renamed' });
});

test('a case belongs to the jurisdiction that an import would give it: if there are several, the one with the fewest counties', async () => {
  const world = await seedDemoTenants(database);
  const { jurisdictionOfCounty } = await database.withScope(
    { kind: 'service', tenantId: world.demo.id },
    (tx) => readTenantToFill(tx, world.demo.id),
  );
  const nameOf = (county: string) =>
    world.jurisdictions.find(({ id }) => id === jurisdictionOfCounty.get(county))?.name;
  // Pinellas is in one of three counties, which is within one of eight; Manatee only in the latter; Lee in none.
  expect(nameOf('12103')).toBe('Tampa Bay Tri-County Health Jurisdiction');
  expect(nameOf('12081')).toBe('West Coast Health Region');
  expect(nameOf('12071')).toBeUndefined();
});
