import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Feature, features } from '@caseway/contract/permission';
import type { OwnSwitch, SettingsAnswer, SwitchedPlace } from '@caseway/contract/settings';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { tokensReceived, userReady } from '../../session/authentication.ts';
import { runAction } from '../../session/notify.ts';
import { store } from '../../session/store.ts';
import { leavesUnsaved } from '../../session/unsaved.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import { Features } from './Features.tsx';
import { PlaceFeatures } from './PlaceFeatures.tsx';

await startTestLocales('settings');
const clinicId = '11111111-1111-4111-8111-111111111111';
const init = initAnswer([org('t1', 'Alder Health')]);
const first: Feature[] = ['case-reports', 'imports'];
beforeEach(() => {
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(init));
});

test.each(['en', 'es', 'ht'])('every feature has a name and a description, in %s', (language) => {
  const file = join(import.meta.dirname, `../../../public/locales/${language}/settings.json`);
  const { feature, featureText } = JSON.parse(readFileSync(file, 'utf8'));
  // Some also have a variant by kind of place.
  const named = (words: object) => Object.keys(words).filter((key) => !key.includes('_'));
  for (const words of [feature, featureText]) expect(named(words).sort()).toEqual([...features].sort());
});

/**
 * A server with one clinic, which others can change while the reader edits it. It saves once `saves`
 * resolves.
 */
function served(saves = Promise.resolve()) {
  const now = {
    version: 1,
    features: first,
    own: {} as SwitchedPlace['own'],
  };
  const answer = (): SettingsAnswer => ({
    version: now.version,
    settings: {
      name: 'Alder Health',
      phone: '',
      experience: 'PUBLIC_HEALTH',
      timeZone: 'America/New_York',
      workdays: [1, 2, 3, 4, 5],
      federalHolidays: true,
      daysOff: [],
      tenantLanguages: ['en'],
      externalLanguages: ['en'],
      defaultLanguage: 'en',
      features: now.features,
      smallCellThreshold: 11,
      genderIdentityKept: true,
      patientsBook: false,
      ownAccountAge: 13,
      guardianUntilAge: 13,
      guardianRights: ['results'],
      guardianFamilies: [],
      guardianFamiliesUntilAge: 12,
      restrictedFamilies: [],
      sessionIdleMinutes: 60,
      sessionHours: 24,
      breakGlassMinutes: 60,
      secondFactorRequired: false,
      rawMessageMonths: 24,
      auditMonths: 72,
      uploadDays: 3,
      notForProduction: false,
      testSenders: [],
    },
    logo: null,
    alwaysRestricted: [],
    sensitiveForGuardians: [],
    withoutSecondFactor: 0,
    system: false,
    shortenings: [],
  });
  const requests = serve({
    'GET /api/auth/initUser': { body: init },
    'GET /api/web/settings': () => ({ body: answer() }),
    'GET /api/web/settings/features': () => ({
      body: {
        features: now.features,
        places: [
          { orgType: 'F', id: clinicId, name: 'Elm Clinic', inactive: false, managedBy: null, own: now.own },
        ],
        total: 1,
      },
    }),
    'PATCH /api/web/settings': async ({ body }) => {
      await saves;
      const { version, changes, switches } = body as {
        version: number;
        changes: { features?: Feature[] };
        switches: OwnSwitch[];
      };
      const stale = switches.some(({ feature, before }) => (now.own[feature] ?? null) !== before);
      if (version !== now.version || stale)
        return { status: 409, body: { code: 'conflict', message: 'changed meanwhile' } };
      const own = { ...now.own };
      for (const { feature, after } of switches)
        if (after === null) delete own[feature];
        else own[feature] = after;
      Object.assign(now, { version: version + 1, features: changes.features ?? now.features, own });
      return { body: answer() };
    },
  });
  return { now, requests, answer };
}
const sent = (requests: ReturnType<typeof serve>) =>
  requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
const cell = (feature: string) => screen.findByRole('combobox', { name: `${feature} for Elm Clinic` });
const save = () => screen.getByRole('button', { name: 'Save' });
const off = { orgType: 'F', orgId: clinicId, feature: 'imports', before: null, after: false };

describe('[S1.6] features by place', () => {
  test('the tenant’s features can be switched off for one place, beta features also on, and nothing else', async () => {
    const { answer } = served();
    renderInApp(<Features answer={answer()} />);
    const options = async (feature: string) =>
      within(await cell(feature))
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    expect(await options('Imports')).toEqual(['On (inherited)', 'Off here']);
    expect(await options('Weekly case table')).toEqual(['Off (inherited)', 'On here', 'Off here']);
    expect(await options('Patients')).toEqual(['Off (inherited)']);
    expect(await cell('Patients')).toBeDisabled();
    expect(screen.getByRole('columnheader', { name: /^Weekly case table Beta/ })).toBeVisible();
  });

  test('is saved as one change, and undone', async () => {
    const { answer, requests, now } = served();
    renderInApp(<Features answer={answer()} />);
    await userEvent.selectOptions(await cell('Imports'), 'Off here');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Patients for The whole tenant' }));
    expect(screen.getByText('2 changes are not saved yet.')).toBeVisible();
    expect(leavesUnsaved('screen')).toBe(true);
    await userEvent.click(save());
    await waitFor(() => expect(save()).toBeDisabled());
    const features = ['case-reports', 'patients', 'imports'];
    expect(sent(requests)).toEqual([{ version: 1, changes: { features }, switches: [off] }]);
    expect(await cell('Imports')).toHaveDisplayValue('Off here');
    const notice = store.getState().notifications.past[0]!;
    expect(notice.message).toBe('settings:done.saved');
    runAction(notice.action!);
    await waitFor(() => expect(now.own).toEqual({}));
    expect(sent(requests)[1]).toEqual({
      version: 2,
      changes: { features: first },
      switches: [{ ...off, before: false, after: null }],
    });
    expect(await cell('Imports')).toHaveDisplayValue('On (inherited)');
  });

  test('no switch can be changed while others are being saved, because it would be lost', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { answer } = served(arrived);
    renderInApp(<Features answer={answer()} />);
    await userEvent.selectOptions(await cell('Imports'), 'Off here');
    await userEvent.click(save());
    expect(await cell('Weekly case table')).toBeDisabled();
    arrive();
    await waitFor(async () => expect(await cell('Weekly case table')).toBeEnabled());
    expect(await cell('Imports')).toHaveDisplayValue('Off here');
  });

  test('changed back by hand, or discarded, nothing is left to save', async () => {
    const { answer } = served();
    renderInApp(<Features answer={answer()} />);
    await userEvent.selectOptions(await cell('Imports'), 'Off here');
    await userEvent.selectOptions(await cell('Imports'), 'On (inherited)');
    expect(save()).toBeDisabled();
    await userEvent.selectOptions(await cell('Imports'), 'Off here');
    await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(save()).toBeDisabled();
    expect(await cell('Imports')).toHaveDisplayValue('On (inherited)');
  });

  test('someone else’s changes elsewhere stay, without a question', async () => {
    const { answer, requests, now } = served();
    renderInApp(<Features answer={answer()} />);
    await userEvent.selectOptions(await cell('Imports'), 'Off here');
    Object.assign(now, { version: 2, features: ['imports'] });
    await userEvent.click(save());
    await waitFor(() => expect(save()).toBeDisabled());
    expect(sent(requests)).toEqual([
      { version: 1, changes: {}, switches: [off] },
      { version: 2, changes: {}, switches: [off] },
    ]);
    expect(screen.getByRole('checkbox', { name: 'Case reports for The whole tenant' })).not.toBeChecked();
  });

  test('if both changed the same one, theirs is listed, and mine is kept until it is saved again', async () => {
    const { answer, requests, now } = served();
    renderInApp(<Features answer={answer()} />);
    await userEvent.selectOptions(await cell('Weekly case table'), 'On here');
    Object.assign(now, { version: 2, own: { 'weekly-cases': false } });
    await userEvent.click(save());
    expect(await screen.findByRole('alert')).toHaveTextContent('Weekly case table for Elm Clinic: Off here');
    expect(await cell('Weekly case table')).toHaveDisplayValue('On here');
    await userEvent.click(save());
    await waitFor(() => expect(save()).toBeDisabled());
    expect(sent(requests).at(-1)).toEqual({
      version: 2,
      changes: {},
      switches: [{ orgType: 'F', orgId: clinicId, feature: 'weekly-cases', before: false, after: true }],
    });
  });

  test('a place’s own record says what is on there, and why', async () => {
    const { now } = served();
    Object.assign(now, { own: { imports: false, patients: false } });
    renderInApp(<PlaceFeatures id={clinicId} />);
    const items = await screen.findAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Testing analyticsOff (inherited)',
      'STI analyticsOff (inherited)',
      'Case-report analyticsOff (inherited)',
      'Tenant case reportsOff (inherited)',
      'HIV analyticsOff (inherited)',
      'Incident-report analyticsOff (inherited)',
      'Field-visit analyticsOff (inherited)',
      'Telemedicine analyticsOff (inherited)',
      'Partner-service analyticsOff (inherited)',
      'OperationsOff (inherited)',
      'Case reportsOn (inherited)',
      'ContactsOff (inherited)',
      'Partner servicesOff (inherited)',
      'Field visitsOff (inherited)',
      'PatientsOff (inherited)',
      'Incident reportsOff (inherited)',
      'VaccinationsOff (inherited)',
      'DocumentsOff (inherited)',
      'Sample shipmentsOff (inherited)',
      'Telemedicine visitsOff (inherited)',
      'ImportsOff here',
      'Weekly case table BetaOff (inherited)',
    ]);
    expect(screen.getByRole('link', { name: 'Change the features' })).toHaveAttribute(
      'href',
      `/admin/settings/features?place=${clinicId}`,
    );
  });
});
