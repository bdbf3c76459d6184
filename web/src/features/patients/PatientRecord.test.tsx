import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import { PatientRecord } from './PatientRecord.tsx';
import { begin, end, id, lookups, otherId, person, signIn } from './test-person.ts';

await startTestLocales('patients', 'case-reports');
beforeEach(begin);
afterEach(end);

const url = `/api/web/patients/${id}`;
function show(answers: Parameters<typeof serve>[0]) {
  const sent = serve({ ...lookups, ...answers });
  renderInApp(
    <Routes>
      <Route
        path="/patients/:id"
        element={
          <PatientRecord
            access={() => 'portal'}
            vaccinations={() => 'vaccinations'}
            documents={() => 'documents'}
            report={({ label }) => `report on ${label}`}
          />
        }
      />
    </Routes>,
    { path: `/patients/${id}` },
  );
  return sent;
}
/** The value next to a label. */
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling!.textContent;

test('a person is shown with what is known, and their records to those who may read them [S1.2]', async () => {
  signIn(['patients/read', 'case-reports/read']);
  show({
    [`GET ${url}`]: { body: { ...person, deceased: 'yes', deceasedOn: '2020-02-29', gender: 'non-binary' } },
    [`GET ${url}/timeline`]: { body: { entries: [], more: false } },
  });
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Okafor, Ada');
  expect(fact('Other names')).toBe('Bello, Ada');
  expect(fact('Phone numbers')).toContain('(813) 555-0101');
  expect(fact('Date of death')).toBe('Feb 29, 2020');
  await waitFor(() => expect(fact('Gender identity')).toBe('Non-binary'));
  expect(screen.queryByText('Email addresses')).toBeNull();
  // Users who may only read see the correction locked.
  expect(screen.getByRole('button', { name: 'Correct' })).toHaveAttribute('aria-disabled', 'true');
});

test('no records are requested if the reader may read none', async () => {
  signIn(['patients/read']);
  const sent = show({ [`GET ${url}`]: { body: person } });
  await screen.findByRole('heading', { level: 1 });
  expect(sent.map(({ path }) => path)).not.toContain(`${url}/timeline`);
});

test('a place that sees only part of a record can read that, but not correct it [P23]', async () => {
  signIn(['patients/read', 'patients/write']);
  show({ [`GET ${url}`]: { body: { ...person, told: false } } });
  expect(await screen.findByText(/Other places have reported more/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Correct' })).toBeNull();
});

test('a loading record says so, and a failed one can be requested again', async () => {
  signIn(['patients/read']);
  const asked = Promise.withResolvers<void>();
  let answers = 0;
  show({
    [`GET ${url}`]: async () => {
      if (answers++ > 0) return { body: person };
      await asked.promise;
      return { status: 400, body: { code: 'malformed-request', message: '', requestId: 'r' } };
    },
  });
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeInTheDocument();
  asked.resolve();
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Okafor, Ada' })).toBeInTheDocument();
});

test('a merged person leads to the record they are now part of', async () => {
  signIn(['patients/read']);
  show({ [`GET ${url}/merged`]: { body: { id: otherId, lastName: 'Okafor', firstName: 'Adaeze' } } });
  expect(await screen.findByText(/part of the record of Okafor, Adaeze/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Open that record' })).toHaveAttribute(
    'href',
    `/patients/${otherId}`,
  );
});

test('one the reader may not see is not found', async () => {
  signIn(['patients/read']);
  show({});
  expect(await screen.findByRole('heading', { name: 'Person not found' })).toBeInTheDocument();
});
