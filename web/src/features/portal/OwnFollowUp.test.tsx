import type { OwnFollowUp as Asked } from '@caseway/contract/own-follow-up';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { patientReady, signedOut, tokensReceived } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, refreshToken, serve } from '../../test/server.ts';
import { OwnFollowUp } from './OwnFollowUp.tsx';

await startTestLocales('portal', 'follow-up');

const asked: Asked = {
  ...{ from: '2026-11-01', until: '2026-11-20', today: '2026-11-10' },
  ...{ due: true, answers: [] },
};
const answer = {
  id: '11111111-1111-4111-8111-111111111111',
  day: '2026-11-10',
  symptoms: ['fever', 'rash'],
  temperature: 101.3,
  temperatureUnit: '[degF]' as const,
  note: 'Since the morning.',
  addedAt: '2026-11-10T15:00:00.000Z',
};
const path = '/api/patient/follow-up';
const show = (of: Asked, more: Parameters<typeof serve>[0] = {}) => {
  const server = serve({ [`GET ${path}`]: { body: of }, ...more });
  renderInApp(<OwnFollowUp />, { path: '/portal/follow-up' });
  return server;
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

test('asks how the person feels, and sends symptoms and temperature', async () => {
  const user = userEvent.setup();
  let now = asked;
  let sent: unknown;
  show(asked, {
    [`GET ${path}`]: () => ({ body: now }),
    [`POST ${path}`]: ({ body }) => {
      sent = body;
      now = { ...asked, due: false, answers: [answer] };
      return { body: now };
    },
  });
  await user.click(await screen.findByRole('radio', { name: 'I do not feel well' }));
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findAllByText(/Choose at least one/)).not.toHaveLength(0);
  await user.click(screen.getByRole('checkbox', { name: 'Fever' }));
  await user.click(screen.getByRole('checkbox', { name: 'Rash' }));
  await user.type(screen.getByLabelText(/^Temperature, if/), '101,3');
  await user.type(screen.getByLabelText(/^Anything else/), 'Since the morning.');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText(/^Thank you. You answered on/)).toBeVisible();
  expect(sent).toEqual({
    id: expect.any(String),
    symptoms: ['fever', 'rash'],
    temperature: 101.3,
    temperatureUnit: '[degF]',
    note: 'Since the morning.',
  });
  expect(screen.getByText('Fever · Rash · 101.3 °F')).toBeVisible();
  expect(screen.queryByRole('radio')).toBeNull();
});

test('lets a person add to what they have sent, but not change it', async () => {
  const user = userEvent.setup();
  let sent: object = {};
  show(
    { ...asked, due: false, answers: [answer] },
    {
      [`POST ${path}`]: ({ body }) => {
        sent = body as object;
        return { body: { ...asked, due: false, answers: [answer] } };
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Add to my answer' }));
  await user.click(screen.getByRole('radio', { name: 'I feel well' }));
  // Nothing of the sent answer is filled in.
  expect(screen.getByLabelText(/^Temperature, if/)).toHaveValue('');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByRole('button', { name: 'Add to my answer' })).toBeVisible();
  expect(sent).toMatchObject({ symptoms: [], temperature: null, temperatureUnit: null, note: null });
});

test('says when the first question comes, and when there are no more', async () => {
  show({ ...asked, from: '2026-11-12' });
  expect(await screen.findByText(/The first question comes on Nov 12/)).toBeVisible();
  expect(screen.queryByRole('radio')).toBeNull();
});

test('has no question once no one asks', async () => {
  show({ ...asked, from: null, until: null });
  expect(await screen.findByText('No question for you now')).toBeVisible();
  expect(screen.queryByRole('radio')).toBeNull();
});

test('says why an answer was not added', async () => {
  const user = userEvent.setup();
  show(asked, { [`POST ${path}`]: { status: 409, body: { code: 'conflict', message: '' } } });
  await user.click(await screen.findByRole('radio', { name: 'I feel well' }));
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText(/There is no question for you today/)).toBeVisible();
});

test('says what to do in an emergency, on any day, and as a warning to people short of breath', async () => {
  const user = userEvent.setup();
  show({ ...asked, from: null, until: null });
  expect(await screen.findByText(/call 911/)).toBeVisible();
  cleanup();
  queryClient.clear();
  show(asked);
  await user.click(await screen.findByRole('radio', { name: 'I do not feel well' }));
  expect(screen.getByRole('radiogroup', { name: 'How do you feel?' })).toBeVisible();
  expect(screen.getAllByText(/call 911/)).toHaveLength(1);
  await user.click(screen.getByRole('checkbox', { name: 'Shortness of breath' }));
  expect(screen.getAllByText(/call 911/)).toHaveLength(2);
});

test('says so also while the question loads, and if it cannot be loaded', async () => {
  show(asked, { [`GET ${path}`]: () => new Promise(() => {}) });
  expect(await screen.findByText(/call 911/)).toBeVisible();
  expect(screen.queryByRole('radio')).toBeNull();
  cleanup();
  queryClient.clear();
  show(asked, {
    [`GET ${path}`]: { status: 500, body: { code: 'internal', message: '', requestId: 'r', faults: [] } },
  });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
  expect(screen.getByText(/call 911/)).toBeVisible();
});

test("asks again if a new follow-up starts after the day's answer", async () => {
  show({ ...asked, answers: [answer] });
  expect(await screen.findByText(/asks once more today/)).toBeVisible();
  expect(screen.getByRole('radio', { name: 'I feel well' })).toBeVisible();
  expect(screen.queryByText(/Thank you/)).toBeNull();
});

test('the focus goes to the thanks, and to the question when an answer is added', async () => {
  const user = userEvent.setup();
  let now = asked;
  show(asked, {
    [`GET ${path}`]: () => ({ body: now }),
    [`POST ${path}`]: () => {
      now = { ...asked, due: false, answers: [answer] };
      return { body: now };
    },
  });
  await user.click(await screen.findByRole('radio', { name: 'I feel well' }));
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(document.activeElement).toHaveTextContent('Thank you. You answered'));
  await user.click(screen.getByRole('button', { name: 'Add to my answer' }));
  await waitFor(() => expect(screen.getByRole('radio', { name: 'I feel well' })).toHaveFocus());
});

test('an answer changed after its first version arrived is kept, and sent as another', async () => {
  const user = userEvent.setup();
  const ids: string[] = [];
  show(asked, {
    [`POST ${path}`]: ({ body }) => {
      ids.push((body as { id: string }).id);
      return ids.length === 1
        ? {
            status: 422,
            body: {
              code: 'validation-failed',
              message: '',
              requestId: 'r',
              faults: [{ path: 'id', code: 'key-used', message: '' }],
            },
          }
        : { body: { ...asked, due: false, answers: [answer] } };
    },
  });
  await user.click(await screen.findByRole('radio', { name: 'I feel well' }));
  await user.type(screen.getByLabelText(/^Anything else/), 'Slept well.');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText(/Your earlier answer has already arrived/)).toBeVisible();
  expect(screen.getByLabelText(/^Anything else/)).toHaveValue('Slept well.');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(ids).toHaveLength(2));
  expect(ids[1]).not.toBe(ids[0]);
});
