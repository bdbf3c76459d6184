import type { Vaccination } from '@caseway/contract/vaccinations';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import { begin, end, lookups, signIn } from '../patients/test-person.ts';
import { VaccinationsOf } from './VaccinationsOf.tsx';

await startTestLocales('vaccinations', 'incident-reports');
beforeEach(begin);
afterEach(end);

const patientId = '11111111-1111-4111-8111-111111111111';
const one: Vaccination = {
  id: '22222222-2222-4222-8222-222222222222',
  version: 1,
  active: true,
  patient: patientId,
  vaccine: '03',
  otherVaccine: null,
  givenOn: '2026-03-07',
  dose: '2',
  manufacturer: 'MSD',
  lot: 'AB12',
  site: 'left-arm',
  route: 'subcutaneous',
  facility: null,
  provider: 'Dr. Duval',
  source: 'record',
  state: 'given',
  errorReason: null,
  createdOn: '2026-03-08',
  lastName: 'Okafor',
  firstName: 'Ada',
  birthDate: '1990-05-01',
};
const path = `/api/web/patients/${patientId}/vaccinations`;
function show(vaccinations: Vaccination[], more: Parameters<typeof serve>[0] = {}) {
  const sent = serve({ ...lookups, [`GET ${path}`]: { body: { vaccinations } }, ...more });
  renderInApp(<VaccinationsOf patientId={patientId} />);
  return sent;
}

test('vaccinations are shown with their code; users who may not write have no buttons', async () => {
  signIn(['vaccinations/read']);
  show([one]);
  const item = await screen.findByRole('listitem');
  for (const text of ['Measles, mumps, rubella (MMR)', 'Dose 2', 'Merck', 'AB12', 'Left arm', 'CVX code03'])
    expect(item).toHaveTextContent(text);
  expect(screen.queryByRole('button', { name: 'Add vaccination' })).toBeNull();
});

test('one is added; another vaccine must be named', async () => {
  signIn(['vaccinations/read', 'vaccinations/write']);
  const sent = show([], { 'POST /api/web/vaccinations': { body: one } });
  await screen.findByText(/^No vaccination of this person/);
  await userEvent.click(screen.getByRole('button', { name: 'Add vaccination' }));
  const form = within(await screen.findByRole('dialog'));
  expect(form.queryByLabelText(/^Which vaccine/)).toBeNull();
  await userEvent.selectOptions(form.getByLabelText(/^Vaccine/), 'other');
  await userEvent.type(form.getByLabelText(/^Which vaccine/), 'Plague');
  await userEvent.type(form.getByLabelText(/^Given on/), '03/07/2026');
  await userEvent.selectOptions(form.getByLabelText(/^Source/), 'record');
  await userEvent.click(form.getByRole('button', { name: 'Add vaccination' }));
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).toMatchObject([
      { patient: patientId, vaccine: 'other', otherVaccine: 'Plague', givenOn: '2026-03-07', state: 'given' },
    ]),
  );
});

test('one is marked as entered in error, with the reason', async () => {
  signIn(['vaccinations/read', 'vaccinations/write']);
  const sent = show([one], {
    [`PATCH /api/web/vaccinations/${one.id}`]: { body: { ...one, version: 2, state: 'entered-in-error' } },
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Entered in error: Measles/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Entered in error' }));
  expect(dialog.getByText('Fill this in.')).toBeVisible();
  await userEvent.type(dialog.getByLabelText(/^Why it is an error/), 'Typed twice.');
  await userEvent.click(dialog.getByRole('button', { name: 'Entered in error' }));
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { version: 1, state: 'entered-in-error', errorReason: 'Typed twice.' },
    ]),
  );
});
