import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { migrationsFolder } from '../db/migrate.ts';

const locales = join(migrationsFolder, '../../web/public/locales/en');

test("[S1.4] a tenant's replacements for testing analytics' words move along with these words", async () => {
  const { database, superuserUrl } = await createTestDatabase();
  const { id } = await makeTenant(database);
  const write = (key: string, words: string, language = 'en') =>
    asSuperuser(
      'insert into label_override (tenant_id, language, key, words) values ($1, $2, $3, $4)',
      [id, language, key, words],
      superuserUrl,
    );
  await write('testing-analytics:filters.countyFilter', 'Parish');
  await write('testing-analytics:filters.facilityFilter_EDUCATION', 'Campus');
  await write('testing-analytics:measure.tests.title', 'Analyses');
  await write('testing-analytics:measure.positivity.title', 'Share positive');
  await write('testing-analytics:series.race.title', 'Race of the tested');
  await write('testing-analytics:series.race.title', 'Raza de las personas', 'es');
  await write('testing-analytics:positivityTrend.title', 'Share positive by day');
  await write('testing-analytics:eventDate.created', 'Typed in');
  await write('testing-analytics:presets.title', 'Our views');
  await write('testing-analytics:records.back', 'Back');
  await write('testing-analytics:mark.withheld', '{{name}}: not shown');
  await write('testing-analytics:screen.noneHere', 'Nothing here');
  // Written again since the words moved.
  await write('testing-analytics:measure.people.title', 'Persons');
  await write('dashboards/testing:measure.people.title', 'Patients');
  // Words with other placeholders, words that no longer exist, and unrelated words.
  await write('testing-analytics:screen.n', '{{n}} analyses');
  await write('testing-analytics:series.race.by', 'Race');
  await write('testing-analytics:column.race', 'Race of the person');
  await write('common:action.retry', 'Again');

  const migration = await readFile(join(migrationsFolder, '0019_moved_labels.sql'), 'utf8');
  // Repeating it changes nothing.
  for (const _ of [1, 2]) await asSuperuser(migration, [], superuserUrl);

  const rows = await asSuperuser<{ language: string; key: string; words: string }>(
    'select language, key, words from label_override where tenant_id = $1',
    [id],
    superuserUrl,
  );
  const labels = Object.fromEntries(rows.map(({ language, key, words }) => [`${language} ${key}`, words]));
  const stayed = {
    'en testing-analytics:screen.n': '{{n}} analyses',
    'en testing-analytics:series.race.by': 'Race',
    'en testing-analytics:column.race': 'Race of the person',
    'en common:action.retry': 'Again',
  };
  const moved = {
    'en analytics:filter.countyFips': 'Parish',
    'en analytics:filter.facilityId_EDUCATION': 'Campus',
    'en dashboards/testing:measure.tests.title': 'Analyses',
    'en analytics:measure.positivity.title': 'Share positive',
    'en dashboards/testing:series.race.title': 'Race of the tested',
    'es dashboards/testing:series.race.title': 'Raza de las personas',
    'en dashboards/testing:series.positivityTrend.title': 'Share positive by day',
    'en analytics:eventDate.created': 'Typed in',
    'en analytics:presets.title': 'Our views',
    'en analytics:records.back': 'Back',
    'en analytics:mark.withheld': '{{name}}: not shown',
    'en analytics:screen.noneHere': 'Nothing here',
    'en dashboards/testing:measure.people.title': 'Patients',
  };
  expect(labels).toEqual({ ...stayed, ...moved });

  // The product has each of these words.
  for (const name of Object.keys(moved)) {
    const [file = '', key = ''] = name.slice(3).split(':');
    let word = JSON.parse(await readFile(join(locales, `${file}.json`), 'utf8'));
    for (const part of key.split('.')) word = word?.[part];
    expect(word, name).toEqual(expect.any(String));
  }
});
