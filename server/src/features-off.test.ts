import { pathOf } from '@caseway/contract/endpoint';
import { type Feature, features } from '@caseway/contract/permission';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { asSuperuser } from '../test/database.ts';
import { actFor, forgetMemberships, signInAs } from '../test/sign-in.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);

/** The paths of each feature's endpoints, and of several features if a screen joins them. */
const pathsOf: Record<Feature, RegExp> = {
  'testing-analytics': /^\/api\/web\/(analytics\/testing|grid\/testing-records)\b/,
  'sti-analytics': /^\/api\/web\/analytics\/sti\b/,
  'case-report-analytics': /^\/api\/web\/analytics\/case-reports\b/,
  'tenant-case-report-analytics': /^\/api\/web\/analytics\/tenant-case-reports\b/,
  'hiv-analytics': /^\/api\/web\/(analytics\/hiv|grid\/hiv-tests)\b/,
  // Other records about the person of a case are shown with it.
  'case-reports':
    /^\/api\/web\/(case-reports|grid\/case-reports|(grid\/)?(work-tasks|treatments)|break-glass|weekly-cases|patients\/[^/]+\/(timeline|work))\b/,
  'weekly-cases': /^\/api\/web\/weekly-cases\b/,
  'field-visits': /^\/api\/web\/((grid\/)?field-visits|case-reports\/[^/]+\/field-visits)\b/,
  'partner-services': /^\/api\/web\/((grid\/)?partner-services|case-reports\/[^/]+\/partner-services)\b/,
  contacts: /^\/api\/web\/((grid\/)?(contacts|case-follow-ups)|case-reports\/[^/]+\/(contacts|follow-ups))\b/,
  patients:
    /^\/api\/web\/((grid\/)?patients(?!\/[^/]+\/(timeline|work|vaccinations|document))|patient-matches)\b/,
  'incident-report-analytics': /^\/api\/web\/analytics\/incident-reports\b/,
  'field-visit-analytics': /^\/api\/web\/analytics\/field-visits\b/,
  'partner-service-analytics': /^\/api\/web\/analytics\/partner-services\b/,
  'telemedicine-analytics': /^\/api\/web\/analytics\/telemedicine\b/,
  'operations-analytics': /^\/api\/web\/analytics\/operations\b/,
  vaccinations: /^\/api\/web\/((grid\/)?vaccinations|patients\/[^/]+\/vaccinations)\b/,
  documents: /^\/api\/web\/((grid\/)?documents|(patients|case-reports)\/[^/]+\/(documents|document-files))\b/,
  'incident-reports': /^\/api\/web\/(grid\/)?incident-reports\b/,
  'sample-shipments': /^\/api\/web\/(sample-shipments|grid\/(sample-shipments|unassigned-specimens))\b/,
  telemedicine: /^\/api\/web\/(grid\/)?telemedicine\b/,
  imports: /^\/api\/web\/(imports|grid\/imports|code-mappings|laboratory-tests|patient-matches)\b/,
};
const kinds = 'organizations|facilities|jurisdictions|programs|tasks|teams|locations';
/** What a tenant always has, whatever is switched off: itself, its people, its places, its log, and privacy. */
const always = new RegExp(
  `^/api/web/(settings|reporting|users|recoveries|roles|access|audit|privacy|system|tenants|events|exported-files|inbox|waiting|search|list/options|${kinds}|grid/(audit|[a-z]+-users|${kinds}))\\b`,
);

/** Endpoints that require a permission. */
const guarded = app.endpoints.filter(({ access }) => access.includes('/'));
const anyId = '0195c2f0-0000-7000-8000-000000000000';

const admin = await signInAs(testing, 'admin@demo.caseway.test', `T:${demo.id}`);

async function switchOn(wanted: readonly Feature[]): Promise<void> {
  await asSuperuser('update tenant set tenant_features = $2 where id = $1', [demo.id, wanted], superuserUrl);
  forgetMemberships(testing);
}

const codeOf = async (
  { method, path }: (typeof guarded)[number],
  headers = admin.headers,
): Promise<string | undefined> => {
  const names = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, anyId]));
  const response = await app.fastify.inject({
    method,
    url: pathOf({ path }, names),
    headers,
    // Refused before the body is read; otherwise it would be refused because of its contents.
    ...(method === 'GET' ? {} : { payload: {} }),
  });
  return response.statusCode === 403 ? response.json<{ code: string }>().code : undefined;
};

describe('[S1.6] a feature that is switched off is refused as such, whatever its permission', () => {
  test('every endpoint belongs to a feature, or to what every tenant has', () => {
    const homeless = guarded.filter(
      ({ path }) => !always.test(path) && !Object.values(pathsOf).some((pattern) => pattern.test(path)),
    );
    expect(
      homeless.map(({ method, path }) => `${method} ${path}`),
      'each is in `pathsOf`, with the feature of its permission, or in `always`',
    ).toEqual([]);
  });

  test.each(features)('%s', async (feature) => {
    await switchOn(features.filter((one) => one !== feature));
    const refused: string[] = [];
    for (const endpoint of guarded)
      if ((await codeOf(endpoint)) === 'feature-off') refused.push(`${endpoint.method} ${endpoint.path}`);
    const own = guarded.filter(({ path }) => pathsOf[feature].test(path));
    expect(own.length).toBeGreaterThan(0);
    expect(refused.sort()).toEqual(own.map(({ method, path }) => `${method} ${path}`).sort());
  });
});

/** One user of each kind of place that a tenant can switch features for separately. */
const places = [
  { orgType: 'O', username: 'orgadmin@demo.caseway.test' },
  { orgType: 'F', username: 'facility@demo.caseway.test' },
  { orgType: 'PHJ', username: 'jurisdiction@demo.caseway.test' },
] as const;

describe('[S1.6] a feature that is switched off for one place is refused there and nowhere else', () => {
  test.each(places)('$orgType', async ({ orgType, username }) => {
    await switchOn(features);
    const { init, tokens } = await signInAs(testing, username);
    const org = init.availableOrgs.find((one) => one.orgType === orgType)!;
    const key = `${orgType}:${org.id}`;
    const { headers } = await actFor(testing, tokens, key);
    for (const feature of features) {
      await asSuperuser('delete from feature_switch', [], superuserUrl);
      await asSuperuser(
        'insert into feature_switch (tenant_id, org_type, org_id, feature, is_on) values ($1, $2, $3, $4, false)',
        [demo.id, orgType, org.id, feature],
        superuserUrl,
      );
      forgetMemberships(testing);
      const own = guarded.filter(({ path }) => pathsOf[feature].test(path));
      const answers = await Promise.all(
        own.map(async (one) => [await codeOf(one, headers), await codeOf(one)] as const),
      );
      expect(answers.filter(([here]) => here !== 'feature-off')).toEqual([]);
      expect(answers.filter(([, elsewhere]) => elsewhere === 'feature-off')).toEqual([]);
      const shown = (await actFor(testing, tokens, key)).init;
      expect([...shown.tenantFeatures, ...shown.betaFeatures]).toEqual(
        features.filter((one) => one !== feature),
      );
    }
  });
});
