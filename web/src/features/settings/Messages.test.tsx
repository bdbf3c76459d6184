import type { Message } from '@caseway/contract/settings';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { leavesUnsaved } from '../../session/unsaved.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test/server.ts';
import { Messages } from './Messages.tsx';

await startTestLocales('settings');
beforeEach(() => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

test('keeps text typed while a message is being saved, which stays unsaved', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const message: Message = {
    kind: 'invitation',
    language: 'en',
    builtIn: { subject: 'Welcome', body: 'Sign in at {{address}} as {{email}}' },
    own: null,
  };
  let own: Message['own'] = null;
  serve({
    'GET /api/web/settings/messages': () => ({
      body: { address: 'https://caseway.example', messages: [{ ...message, own }] },
    }),
    'PUT /api/web/settings/messages': async ({ body }) => {
      await arrived;
      own = (body as { text: Message['own'] }).text;
      return { body: { ...message, own } };
    },
  });
  renderInApp(<Messages />);
  const body = await screen.findByLabelText(/^Text/);
  await userEvent.type(body, ' first');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.type(body, ' second');
  arrive();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Restore the original wording' })).toBeEnabled(),
  );
  expect(body).toHaveValue('Sign in at {{address}} as {{email}} first second');
  expect(leavesUnsaved('screen')).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(leavesUnsaved('screen')).toBe(false));
  expect(own).toEqual({ subject: 'Welcome', body: 'Sign in at {{address}} as {{email}} first second' });
});

test('another text saved in the meantime is shown next to mine; saving again replaces it, and can be undone', async () => {
  const message: Message = {
    kind: 'invitation',
    language: 'en',
    builtIn: { subject: 'Welcome', body: 'Sign in at {{address}} as {{email}}' },
    own: null,
  };
  let own: Message['own'] = null;
  const sent = serve({
    'GET /api/web/settings/messages': () => ({
      body: { address: 'https://caseway.example', messages: [{ ...message, own }] },
    }),
    'PUT /api/web/settings/messages': ({ body }) => {
      const { text, before } = body as { text: Message['own']; before: Message['own'] };
      if (JSON.stringify(before) !== JSON.stringify(own))
        return { status: 409, body: { code: 'conflict', message: '', faults: [] } };
      own = text;
      return { body: { ...message, own } };
    },
  });
  renderInApp(<Messages />);
  const subject = await screen.findByLabelText(/^Subject/);
  await userEvent.clear(subject);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(subject).toHaveAccessibleDescription('Fill this in.');
  await userEvent.type(subject, 'Mine');
  own = { subject: 'Theirs', body: 'At {{address}} as {{email}}' };
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Subject: was Welcome, now Theirs, you entered Mine')).toBeVisible();
  // What only they have changed is taken over.
  expect(screen.getByLabelText(/^Text/)).toHaveValue('At {{address}} as {{email}}');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(own).toEqual({ subject: 'Mine', body: 'At {{address}} as {{email}}' }));
  await waitFor(() =>
    expect(store.getState().notifications.open.at(-1)).toMatchObject({
      message: 'settings:done.saved',
      action: expect.stringMatching(/history.undo$/),
    }),
  );
  expect(sent.filter(({ method }) => method === 'PUT')).toHaveLength(2);
});
