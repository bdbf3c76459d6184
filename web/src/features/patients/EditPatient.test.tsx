import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { type Sent, serve } from '../../test/server.ts';
import { EditPatient } from './EditPatient.tsx';
import { begin, end, id, lookups, otherId, person, signIn } from './test-person.ts';

await startTestLocales('patients');
beforeEach(() => {
  begin();
  signIn(['patients/read', 'patients/write']);
});
afterEach(end);

const path = `/api/web/patients/${id}`;
function show(of: typeof person | null, answers: Parameters<typeof serve>[0]) {
  const sent = serve({ ...lookups, ...answers });
  const onSaved = vi.fn();
  renderInApp(<EditPatient person={of} onSaved={onSaved} onClose={vi.fn()} />);
  const written = () => sent.filter(({ method }) => method !== 'GET').map(({ body }) => body);
  return { written, onSaved };
}
const field = (name: string) => screen.getByLabelText(new RegExp(`^${name}`));
const fill = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('only changes are sent, with the previous values; a telephone number is kept as received', async () => {
  const { written, onSaved } = show(person, {
    [`PATCH ${path}`]: ({ body }) => ({ body: { ...person, ...(body as object), version: 3 } }),
  });
  await press('Add another: Phone numbers');
  fill(screen.getByLabelText('Phone numbers 3'), '(813) 555-0102');
  await press('Save');
  expect(await screen.findByText(/country code, such as/)).toBeInTheDocument();
  expect(screen.getByLabelText('Phone numbers 3')).toBeInvalid();
  fill(screen.getByLabelText('Phone numbers 3'), '+1 (813) 555-0102');
  await press('Remove Bello, Ada');
  await press('Save');
  await waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(written()).toEqual([
    {
      version: 2,
      otherNames: [],
      phones: ['555 x12', '+18135550101', '+18135550102'],
      seen: { otherNames: ['Bello, Ada'], phones: ['555 x12', '+18135550101'] },
    },
  ]);
});

test("an import's change of the same field is shown next to it, and overwritten only by saving again", async () => {
  const now = { ...person, city: 'Miami', street: '9 New Ave' };
  const { written, onSaved } = show(person, {
    [`GET ${path}`]: { body: now },
    // The version is the same: only users create one.
    [`PATCH ${path}`]: ({ body }: Sent) =>
      (body as { seen: { city: string } }).seen.city === 'Tampa'
        ? { status: 409, body: { code: 'conflict', message: '', requestId: 'r' } }
        : { body: { ...now, city: 'Ocala', version: 3 } },
  });
  fill(field('City'), 'Ocala');
  await press('Save');
  expect(await screen.findByText('City: was Tampa, now Miami, you entered Ocala')).toBeInTheDocument();
  // Their changes elsewhere are taken over.
  expect(field('Street')).toHaveValue('9 New Ave');
  expect(onSaved).not.toHaveBeenCalled();
  await press('Save');
  await waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(written()[1]).toEqual({ version: 2, city: 'Ocala', seen: { city: 'Miami' } });
});

test('a death before the birth is refused at its field, in words', async () => {
  show(person, {
    [`PATCH ${path}`]: {
      status: 422,
      body: {
        code: 'validation-failed',
        message: '',
        requestId: 'r',
        faults: [{ path: 'deceasedOn', code: 'before-birth', message: '' }],
      },
    },
  });
  fill(field('Deceased'), 'yes');
  await press('Save');
  expect(await screen.findByText('This is before the birth date.')).toBeInTheDocument();
});

test('gender identity is asked if the tenant records it', async () => {
  show(person, {});
  expect(await screen.findByLabelText(/^Gender identity/)).toBeInTheDocument();
});

test('… and not if it does not', async () => {
  show(person, { 'GET /api/web/list/options/gender': { body: { options: [] } } });
  await waitFor(() => expect(screen.queryByLabelText(/^Gender identity/)).toBeNull());
});

test('the form shows who may be the same person, with a link to their record', async () => {
  const { written } = show(null, {
    'POST /api/web/patients/alike': {
      body: {
        patients: [
          {
            id: otherId,
            lastName: 'Okafor',
            firstName: 'Ada',
            birthDate: '1990-05-01',
            sex: 'F',
            city: 'Tampa',
            certain: true,
          },
        ],
      },
    },
  });
  expect(screen.queryByText(/may be here already/)).toBeNull();
  fill(field('Last name'), 'Okafor');
  fill(field('First name'), 'Ada');
  const warning = await screen.findByText(/may be here already/);
  const alert = within(warning.closest('[role="alert"]')!);
  expect(alert.getByRole('link', { name: 'Okafor, Ada' })).toHaveAttribute('href', `/patients/${otherId}`);
  expect(alert.getByText(/very likely the same person/)).toBeInTheDocument();
  expect(written().at(-1)).toEqual({ lastName: 'Okafor', firstName: 'Ada', phones: [] });
});
