import type { LookupOption } from '@caseway/contract/reference';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { type SignedIn, signInAs } from '../../../test/sign-in.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The demo with its administrator signed in, and requests about its places. */
export async function placesWorld() {
  const testing = await testApp();
  const { database, superuserUrl } = testing;
  const { demo, vendor } = await seedDemoTenants(database);
  const admin = await signInAs(testing, 'admin@demo.caseway.test');
  const sql = <Row extends object>(text: string, params: unknown[] = []) =>
    asSuperuser<Row>(text, params, superuserUrl);
  const { ask, ok } = askingAs(testing, admin);
  return {
    testing,
    database,
    demo,
    vendor,
    sql,
    ask,
    ok,
    /** Status, and the faults with their places and codes. */
    async refused(method: Method, path: string, payload?: object, headers?: SignedIn['headers']) {
      const response = await ask(method, path, payload, headers);
      const { faults = [] } = response.json<{ faults?: { path: string; code: string }[] }>();
      return [response.statusCode, ...faults.map(({ path: at, code }) => `${at} ${code}`)];
    },
    options: async (name: string, headers?: SignedIn['headers']) =>
      (await ok<{ options: LookupOption[] }>('GET', `list/options/${name}`, undefined, headers)).options,
    /** The contents of the audit log about changes of a record. */
    audited: (id: string) =>
      sql<{ action: string; detail: Record<string, unknown> }>(
        `select action, detail from audit_event where $1 = any (record_ids)
           and split_part(action, '/', 1) in ('organization', 'facility', 'jurisdiction', 'program', 'task', 'location')
         order by at, id`,
        [id],
      ),
    search: <Row>(grid: string, query: object = {}) =>
      ok<{ rows: Row[]; rowCount: number }>('POST', `grid/${grid}/search`, query),
  };
}
