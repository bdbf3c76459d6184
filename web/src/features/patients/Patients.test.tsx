import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import Patients from './Patients.tsx';
import { begin, end, id, lookups, person, signIn } from './test-person.ts';

await startTestLocales('patients');
beforeEach(begin);
afterEach(end);

const search = 'POST /api/web/grid/patients/search';
function show(answer: Parameters<typeof serve>[0][string]) {
  const sent = serve({ ...lookups, [search]: answer });
  renderInApp(<Patients />, { path: '/patients' });
  return sent;
}

test('people are listed by name, and each leads to their record [S1.2]', async () => {
  signIn(['patients/read']);
  const sent = show({ body: { rows: [person], rowCount: 1 } });
  const grid = within(await screen.findByRole('grid', { name: 'Patients' }));
  expect(await grid.findByRole('link', { name: 'Okafor' })).toHaveAttribute('href', `/patients/${id}`);
  expect(sent.find(({ path }) => path.endsWith('/search'))!.body).toMatchObject({
    sortModel: [
      { field: 'lastName', sort: 'asc' },
      { field: 'firstName', sort: 'asc' },
    ],
  });
  expect(screen.getByRole('button', { name: 'Add a person' })).toHaveAttribute('aria-disabled', 'true');
});

test('an empty list says how people get into it', async () => {
  signIn(['patients/read', 'patients/write']);
  show({ body: { rows: [], rowCount: 0 } });
  expect(await screen.findByText('There is nobody here yet')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Add a person' })).toBeInTheDocument();
});

test('a failed list says so, and can be requested again', async () => {
  signIn(['patients/read']);
  show({ status: 400, body: { code: 'malformed-request', message: '', requestId: 'r' } });
  expect(await screen.findByText('The list could not be loaded')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
});

test('a jurisdiction cannot add people', async () => {
  signIn(['patients/read', 'patients/write'], 'PHJ');
  show({ body: { rows: [person], rowCount: 1 } });
  await screen.findByRole('link', { name: 'Okafor' });
  expect(screen.queryByRole('button', { name: 'Add a person' })).toBeNull();
});
