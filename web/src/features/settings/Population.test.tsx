import type { PopulationPreview, PopulationYear } from '@caseway/contract/population';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test/server.ts';
import { Population } from './Population.tsx';

await startTestLocales('settings');

const figures = { counties: 2, people: 150, bySex: true, ages: 18 };
const source = { publisher: 'State Demographer', title: 'Estimates', published: 2025 };
const year: PopulationYear = {
  kind: 'residents',
  year: 2024,
  ...source,
  ...figures,
  importedAt: '2026-03-01T12:00:00Z',
  importedBy: 'Ada Stone',
};
let years: PopulationYear[];
let imported: object[];
/** A file that numbers its years, and one with two faulty lines. */
const preview = ({
  text,
  yearCodes,
}: {
  text: string;
  yearCodes: Record<string, number>;
}): PopulationPreview =>
  text.includes('bad')
    ? {
        lines: 3,
        faultCount: 2,
        faults: [
          { line: 2, column: 'fips', value: '99999', code: 'unknown-county' },
          { line: 3, code: 'ages-overlap' },
        ],
        yearCodes: [],
        years: [],
      }
    : {
        lines: 2,
        faultCount: 0,
        faults: [],
        yearCodes: ['12'],
        years: Object.values(yearCodes).map((one) => ({ year: one, ...figures, replaces: source })),
      };
beforeEach(() => {
  years = [year];
  imported = [];
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
  serve({
    'GET /api/web/settings/population': () => ({ body: { years } }),
    'POST /api/web/settings/population/preview': ({ body }) => ({ body: preview(body as never) }),
    'POST /api/web/settings/population': ({ body }) => {
      imported.push(body as object);
      return { body: { years } };
    },
    'DELETE /api/web/settings/population/residents/2024': () => {
      years = [];
      return { body: { years } };
    },
  });
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});
const choose = async (text: string) => {
  renderInApp(<Population />);
  await userEvent.upload(screen.getByTestId('file-input'), new File([text], 'people.csv'));
  return within(await screen.findByRole('dialog'));
};

test('a year is shown with its source, and deleted after confirmation', async () => {
  renderInApp(<Population />);
  const item = within(await screen.findByRole('listitem'));
  expect(item.getByText('Estimates, State Demographer (2025)')).toBeInTheDocument();
  expect(item.getByText('150 · 2 counties · by sex · 18 age groups')).toBeInTheDocument();
  await userEvent.click(item.getByRole('button', { name: 'Delete: People, 2024' }));
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText(/Until there is one, no rate is shown/)).toBeInTheDocument();
});

test("a table's faults are listed by line, and nothing is imported", async () => {
  const dialog = await choose('bad');
  expect(
    await dialog.findByText('Line 2 · fips · “99999” · No such county. Use its five-digit FIPS code.'),
  ).toBeInTheDocument();
  expect(
    dialog.getByText('Line 3 · The age is also in another line of this county and year.'),
  ).toBeInTheDocument();
  await userEvent.type(dialog.getByLabelText('Publisher'), 'Census');
  await userEvent.type(dialog.getByLabelText('Title'), 'Estimates');
  await userEvent.type(dialog.getByLabelText('Year of publication'), '2025');
  await userEvent.click(dialog.getByRole('button', { name: 'Import 0 years' }));
  expect(imported).toEqual([]);
});

test('a table is imported with the year of each number and its source, which is required', async () => {
  const dialog = await choose('good');
  await userEvent.type(await dialog.findByLabelText('Year 12 is'), '2019');
  expect(await dialog.findByText('Replaces Estimates, State Demographer (2025)')).toBeInTheDocument();
  await userEvent.click(dialog.getByRole('button', { name: 'Import 1 year' }));
  expect(dialog.getByLabelText('Publisher')).toHaveAccessibleDescription(/Fill this in/);
  await userEvent.type(dialog.getByLabelText('Publisher'), 'Census');
  await userEvent.type(dialog.getByLabelText('Title'), 'Estimates');
  await userEvent.type(dialog.getByLabelText('Year of publication'), '2020');
  await userEvent.click(dialog.getByRole('button', { name: 'Import 1 year' }));
  expect(imported).toEqual([
    {
      kind: 'residents',
      text: 'good',
      yearCodes: { '12': 2019 },
      leaveOutUnknown: false,
      publisher: 'Census',
      title: 'Estimates',
      published: 2020,
    },
  ]);
});
