import type { WeeklyCases } from '@caseway/contract/weekly-cases';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import WeeklyCasesScreen from './WeeklyCases.tsx';

await startTestLocales('weekly-cases');
beforeEach(() => {
  queryClient.clear();
  store.dispatch(userReady(initAnswer([org('t1', 'Alder Health')])));
});
const numbers = { current: 3, maximum: 13, yearToDate: 1015, lastYearToDate: 36 };
const table: WeeklyCases = {
  year: 2026,
  week: 10,
  start: '2026-03-08',
  end: '2026-03-14',
  rows: [
    { condition: 'syphilis', ...numbers, current: 1 },
    { condition: 'chlamydia', ...numbers, current: 2 },
  ],
  total: numbers,
  asOf: '2026-03-20T12:00:00Z',
};

test("the address's week is shown by condition, in name order, with the total last", async () => {
  const requests = serve({
    'GET /api/web/weekly-cases': { body: table },
    'GET /api/web/list/options/conditions': {
      body: {
        options: [
          { id: 'syphilis', label: 'Syphilis' },
          { id: 'chlamydia', label: 'Chlamydia' },
        ],
      },
    },
  });
  renderInApp(<WeeklyCasesScreen />, { path: '/weekly-cases?weekOf=2026-03-12' });
  expect(await screen.findByRole('heading', { name: 'MMWR week 10 of 2026' })).toBeVisible();
  expect(screen.getByText('Alder Health · 03/08/2026 to 03/14/2026')).toBeVisible();
  expect(await screen.findByRole('rowheader', { name: 'Chlamydia' })).toBeVisible();
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Chlamydia2131,01536',
    'Syphilis1131,01536',
    'All cases3131,01536',
  ]);
  // It says that it is in beta. [S1.6]
  expect(screen.getByRole('heading', { name: 'Weekly case table Beta' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Week before' }));
  const asked = requests.filter(({ path }) => path === '/api/web/weekly-cases');
  expect(asked.map(({ query }) => query.weekOf)).toEqual(['2026-03-08', '2026-03-01']);
});

test('without cases it says so', async () => {
  serve({ 'GET /api/web/weekly-cases': { body: { ...table, rows: [] } } });
  renderInApp(<WeeklyCasesScreen />);
  expect(await screen.findByText('No cases in these two years')).toBeVisible();
});
