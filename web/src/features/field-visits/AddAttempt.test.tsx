import { type FieldVisit, fieldVisitRow } from '@caseway/contract/field-visits';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import { AddAttempt } from './AddAttempt.tsx';

await startTestLocales('field-visits');
afterEach(() => {
  act(() => void store.dispatch(signedOut()));
  queryClient.clear();
});

const id = '11111111-1111-4111-8111-111111111111';
const visit = (more: Partial<FieldVisit>) =>
  ({
    ...Object.fromEntries(
      Object.keys((fieldVisitRow as unknown as { shape: object }).shape).map((name) => [name, null]),
    ),
    ...{ id, number: 'FV-26-TBHPVC8', name: 'Okafor, Ada', status: 'assigned', noLetter: false },
    ...more,
  }) as FieldVisit;

function show(more: Partial<FieldVisit> = {}) {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer([org('t1', 'Alder', { orgType: 'T' })])));
  const path = `/api/web/field-visits/${id}/attempts`;
  const sent = serve({
    [`GET ${path}`]: { body: { attempts: [] } },
    [`POST ${path}`]: { body: { attempts: [] } },
  });
  renderInApp(<AddAttempt visit={visit(more)} onClose={() => {}} />);
  const form = within(screen.getByRole('dialog'));
  const choices = (label: string) =>
    within(form.getByLabelText(new RegExp(`^${label}`)))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  return { sent, form, choices };
}

test('the outcome of an attempt proposes the next step, which is sent with it', async () => {
  const { sent, form } = show();
  const next = form.getByLabelText(/^Next step/);
  expect(next).toHaveDisplayValue('Try at another time of day');
  await userEvent.selectOptions(form.getByLabelText(/^Left at the address/), 'Sealed letter');
  await userEvent.selectOptions(form.getByLabelText(/^Outcome/), 'Moved, nobody knows where');
  expect(next).toHaveDisplayValue('Search other records');
  await userEvent.selectOptions(next, 'Call');
  // A choice made by the user stays.
  await userEvent.selectOptions(form.getByLabelText(/^Method/), 'Phone call');
  expect(next).toHaveDisplayValue('Call');
  await userEvent.click(form.getByRole('button', { name: 'Add attempt' }));
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      method: 'phone',
      outcome: 'moved-unknown',
      nextStep: 'phone',
      left: 'nothing',
      note: null,
    }),
  );
});

test('a method has only its own outcomes', async () => {
  const { form, choices } = show();
  expect(choices('Outcome')).not.toContain('Sent, no answer yet');
  await userEvent.selectOptions(form.getByLabelText(/^Method/), 'Letter');
  expect(form.getByLabelText(/^Outcome/)).toHaveDisplayValue('Sent, no answer yet');
  expect(choices('Outcome')).not.toContain('Unsafe, left again');
  // Nothing is left at an address that no one visited.
  expect(form.queryByLabelText(/^Left at the address/)).toBeNull();
});

test('a letter can be sent and left', () => {
  const { choices } = show();
  expect(choices('Method')).toContain('Letter');
  expect(choices('Next step')).toContain('Send a letter');
  expect(choices('Left at the address')).toEqual(['Nothing', 'Sealed letter']);
});

test('if nothing may be left in writing, no letter can be chosen', () => {
  const { form, choices } = show({ noLetter: true });
  expect(choices('Method')).not.toContain('Letter');
  expect(choices('Next step')).not.toContain('Send a letter');
  expect(form.queryByLabelText(/^Left at the address/)).toBeNull();
});
