import type { OwnReport, OwnReports } from '@caseway/contract/own-reactions';
import type { OwnVaccination } from '@caseway/contract/vaccinations';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { patientReady, signedOut, tokensReceived } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, refreshToken, serve } from '../../test/server.ts';
import { OwnReactions } from './OwnReactions.tsx';

await startTestLocales('portal', 'vaccinations');

const vaccination: OwnVaccination = {
  id: '11111111-1111-4111-8111-111111111111',
  vaccine: '141',
  otherVaccine: null,
  givenOn: '2026-11-05',
  dose: '1',
  manufacturer: null,
  lot: null,
  facility: null,
  source: 'here',
};
const own: OwnReports = {
  today: '2026-11-10',
  reactions: [
    { code: 'fever', label: 'Fever', labelI18N: {} },
    { code: 'chest-pain', label: 'Chest pain', labelI18N: {} },
  ],
  reports: [],
};
const path = '/api/patient/reactions';
const show = (more: Parameters<typeof serve>[0] = {}, vaccinations = [vaccination]) => {
  serve({
    'GET /api/patient/vaccinations': { body: { vaccinations } },
    [`GET ${path}`]: { body: own },
    ...more,
  });
  renderInApp(<OwnReactions />, { path: '/portal/vaccinations/reaction' });
};

beforeEach(() => {
  store.dispatch(
    tokensReceived({ refreshToken: refreshToken({ patient: true }), accessToken: accessToken() }),
  );
  store.dispatch(patientReady({ id: 'p1', email: 'ana@example.org' }));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

test('says what is missing, then sends the report and shows it', async () => {
  const user = userEvent.setup();
  let sent: Record<string, unknown> = {};
  let now = own;
  show({
    [`GET ${path}`]: () => ({ body: now }),
    [`POST ${path}`]: ({ body }) => {
      sent = body as typeof sent;
      const report = { ...sent, vaccine: '141', sentAt: '2026-11-10T15:00:00.000Z' } as unknown as OwnReport;
      now = { ...own, reports: [report] };
      return { body: { id: sent.id } };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Send report' }));
  expect(await screen.findAllByText(/Choose what you noticed/)).not.toHaveLength(0);

  await user.selectOptions(screen.getByRole('combobox', { name: /Which vaccine/ }), vaccination.id);
  await user.click(screen.getByRole('checkbox', { name: 'Fever' }));
  await user.type(screen.getByRole('textbox', { name: /When did it begin/ }), '2026-11-06');
  await user.tab();
  await user.click(screen.getByRole('radio', { name: 'It is getting better.' }));
  await user.click(screen.getByRole('radio', { name: 'None' }));
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  await waitFor(() =>
    expect(sent).toMatchObject({
      vaccination: vaccination.id,
      otherVaccine: null,
      givenOn: '2026-11-05',
      reactions: ['fever'],
      since: '2026-11-06',
      outcome: 'recovering',
      care: 'none',
      note: null,
    }),
  );
  const list = within(await screen.findByRole('list'));
  expect(list.getByText(/Influenza/)).toBeInTheDocument();
  expect(list.getByText('Fever')).toBeInTheDocument();
});

test('repeats what to do when a reaction can be an emergency', async () => {
  const user = userEvent.setup();
  show();
  const urgent = /^Call 911 now/;
  await user.click(await screen.findByRole('checkbox', { name: 'Fever' }));
  expect(screen.getAllByText(urgent)).toHaveLength(1);
  await user.click(screen.getByRole('checkbox', { name: 'Chest pain' }));
  expect(screen.getAllByText(urgent)).toHaveLength(2);
});

test('asks for the name and day of a vaccine not in the list', async () => {
  const user = userEvent.setup();
  show({}, []);
  await user.click(await screen.findByRole('checkbox', { name: 'Fever' }));
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  for (const name of [/Name of the vaccine/, /Day of the vaccine/])
    expect(await screen.findByRole('textbox', { name })).toBeInvalid();
});

test("says so when the day's limit of reports is reached", async () => {
  const user = userEvent.setup();
  show({
    [`POST ${path}`]: {
      status: 422,
      body: {
        code: 'validation-failed',
        message: '',
        faults: [{ path: 'id', code: 'too-many', message: '' }],
      },
    },
  });
  await user.selectOptions(await screen.findByRole('combobox', { name: /Which vaccine/ }), vaccination.id);
  await user.click(screen.getByRole('checkbox', { name: 'Fever' }));
  await user.type(screen.getByRole('textbox', { name: /When did it begin/ }), '2026-11-06');
  await user.tab();
  await user.click(screen.getByRole('radio', { name: 'It is gone.' }));
  await user.click(screen.getByRole('radio', { name: 'None' }));
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  expect(await screen.findByText(/Call us instead/)).toBeInTheDocument();
});
