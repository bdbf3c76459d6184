import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test/server.ts';
import { NewTenantForm } from './NewTenantForm.tsx';

await startTestLocales('system');

const zones = ['America/New_York', 'America/Chicago', 'America/Denver', 'Europe/Paris', 'America/Boise'];
const state = (code: string, label: string) => ({
  id: code,
  code,
  label,
  labelI18N: {},
  countryId: 'US',
  abbreviation: 'XX',
});

beforeEach(() => {
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
  serve({
    'GET /api/web/list/states': { body: { states: [state('16', 'Idaho'), state('22', 'Louisiana')] } },
    'GET /api/web/list/timeZones': {
      body: { timeZones: zones.map((id) => ({ id, code: id, label: id, labelI18N: {} })) },
    },
  });
  renderInApp(<NewTenantForm onClose={() => {}} />);
});
const zone = () => screen.getByRole('combobox', { name: 'Time zone' });
const choose = async (label: string) => {
  await screen.findByRole('option', { name: label });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /^State/ }), label);
};

test('the chosen state sets its time zone, until the user chooses another', async () => {
  await waitFor(() => expect(zone()).not.toHaveValue(''));
  await choose('Louisiana');
  expect(zone()).toHaveValue('Central Time (Chicago)');
  await userEvent.clear(zone());
  await userEvent.type(zone(), 'denver');
  await userEvent.click(screen.getByRole('option', { name: 'Mountain Time (Denver)' }));
  await choose('Idaho');
  expect(zone()).toHaveValue('Mountain Time (Denver)');
});

test('a time zone is found by its name and its IANA name, those of the state first', async () => {
  const offered = () =>
    within(screen.getByRole('listbox'))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  await choose('Idaho');
  await userEvent.clear(zone());
  await userEvent.keyboard('{ArrowDown}');
  expect(offered()[0]).toBe('Mountain Time (Boise)');
  await userEvent.type(zone(), 'new_york');
  expect(offered()).toEqual(['Eastern Time (New York)']);
});
