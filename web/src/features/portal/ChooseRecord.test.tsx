import { childHeader } from '@caseway/contract/guardian-rules';
import type { OwnChild } from '@caseway/contract/guardians';
import type { OwnRecordAnswer } from '@caseway/contract/portal';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { patientReady, tokensReceived } from '../../session/authentication.ts';
import { chooseChild, chosenChild } from '../../session/child.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, refreshToken, serve } from '../../test/server.ts';
import Portal from './Portal.tsx';

await startTestLocales('portal', 'explanations', 'follow-up', 'vaccinations');

const own: OwnRecordAnswer = {
  firstName: 'Marisol',
  lastName: 'Rivera',
  birthDate: '1984-05-06',
  tenant: 'Gulfstream Department of Health',
  logo: null,
  timeZone: 'America/New_York',
  email: 'marisol@example.org',
  phone: null,
  languageCode: 'en',
  patientNumber: 'ABCD-EFGH',
  visits: true,
  followUp: true,
  vaccinations: true,
  reactions: true,
  consents: [],
};
const ana: OwnChild = {
  id: '11111111-1111-4111-8111-111111111111',
  firstName: 'Ana',
  lastName: 'Rivera',
  birthDate: '2015-05-06',
  may: ['vaccinations', 'reactions'],
};
let children: OwnChild[] = [];
const requests = () =>
  serve({
    'GET /api/patient/me': { body: own },
    'GET /api/patient/children': () => ({ body: { children } }),
    'GET /api/patient/results': { body: { results: [] } },
    'GET /api/patient/vaccinations': ({ headers }) => ({
      body: {
        vaccinations: [
          {
            id: ana.id,
            vaccine: 'other',
            otherVaccine: headers[childHeader] === ana.id ? 'Vaccine of Ana' : 'Vaccine of Marisol',
            givenOn: '2026-03-06',
            dose: null,
            manufacturer: null,
            lot: null,
            facility: null,
            source: 'here',
          },
        ],
      },
    }),
  });
const links = () => screen.getAllByRole('link').map(({ textContent }) => textContent);

beforeEach(() => {
  queryClient.clear();
  chooseChild(null);
  children = [ana];
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    patientReady({
      patient: { id: 'p1', firstName: 'Marisol', lastName: 'Rivera', languageCode: 'en' },
      labelOverrides: {},
    } as never),
  );
});

test('a guardian chooses whose record is shown; it stands in the title, and never in the address', async () => {
  const sent = requests();
  renderInApp(<Portal />, { path: '/portal/vaccinations' });
  expect(await screen.findByText('Vaccine of Marisol')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Me', pressed: true })).toBeTruthy();

  await userEvent.click(screen.getByRole('button', { name: 'Ana' }));
  expect(await screen.findByText('Vaccine of Ana')).toBeTruthy();
  expect(screen.queryByText('Vaccine of Marisol')).toBeNull();
  expect(screen.getByText(/This is the record of Ana/)).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Vaccines of Ana' })).toBeTruthy();
  await waitFor(() => expect(document.title).toBe('Vaccines · Ana · My health results'));
  // Only what guardians may see, and nothing of their own.
  expect(links().filter((one) => /Results|How I feel|Visits|My details|Who saw/.test(one ?? ''))).toEqual([]);
  expect(window.location.href).not.toMatch(new RegExp(`Ana|${ana.id}`));

  await userEvent.click(screen.getByRole('button', { name: 'Me' }));
  expect(await screen.findByRole('heading', { name: 'Your results' })).toBeTruthy();
  const about = sent.filter(({ headers }) => headers[childHeader]).map(({ path }) => path);
  expect([...new Set(about)]).toEqual(['/api/patient/vaccinations']);
});

test('a child who is no longer theirs is not shown any more', async () => {
  const sent = requests();
  children = [];
  chooseChild(ana.id);
  renderInApp(<Portal />, { path: '/portal/vaccinations' });
  expect(await screen.findByText('Vaccine of Marisol')).toBeTruthy();
  expect(chosenChild()).toBeNull();
  expect(sent.some(({ headers }) => headers[childHeader])).toBe(false);
  expect(screen.queryByRole('button', { name: 'Me' })).toBeNull();
});
