import type { DemoMessage } from '@caseway/contract/demo';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test/server.ts';
import DemoMessages from './DemoMessages.tsx';
import { SignIn } from './SignIn.tsx';

await startTestLocales('sign-in');

/** What the server wrote into the page. */
function configured(config: object): void {
  const meta = document.createElement('meta');
  meta.name = 'caseway-config';
  meta.content = JSON.stringify(config);
  document.head.append(meta);
}
beforeEach(() => configured({ demo: true, demoMessages: true }));
afterEach(() => {
  document.querySelector('meta[name="caseway-config"]')?.remove();
  queryClient.clear();
  store.dispatch(signedOut());
});

const to = 'analyst@demo.caseway.test';
const message = (more: Partial<DemoMessage> = {}): DemoMessage => ({
  id: 'one',
  at: new Date().toISOString(),
  to,
  subject: 'Your sign-in code',
  text: 'This is your code:\n\n246810\n\nIt works once.',
  code: '246810',
  ...more,
});
const answers = (messages: () => DemoMessage[]) => ({
  'POST /auth/tenant/sign-in': () => ({
    body: {
      details: 'challenge',
      challengeMethod: 'EMAIL',
      destination: 'a•••@demo.caseway.test',
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      resendAt: new Date(Date.now() + 60_000).toISOString(),
    },
  }),
  'GET /auth/demo/messages': () => ({ body: { messages: messages() } }),
  'POST /auth/tenant/challenge': () => ({
    body: { accessToken: accessToken(), refreshToken: refreshToken() },
  }),
  'GET /api/auth/initUser': { body: initAnswer() },
});
const show = (path = '/sign-in', doors: Parameters<typeof SignIn>[0]['doors'] = []) =>
  renderInApp(<SignIn doors={doors} recovery="/sign-in/recovery" demoPage="/sign-in/demo" />, { path });
const signsIn = () => waitFor(() => expect(store.getState().authentication.authenticated).toBe(true));

describe('the demo', () => {
  test('one click on an account signs in, with the code of this sign-in [S10.8]', async () => {
    const old = message({ id: 'old', at: new Date(Date.now() - 60_000).toISOString(), code: '111111' });
    const other = message({ id: 'other', to: 'lab@demo.caseway.test', code: '222222' });
    let asked = 0;
    const requests = serve(
      answers(() => {
        asked += 1;
        return asked === 1 ? [other, old] : [message(), other, old];
      }),
    );
    show();
    await userEvent.click(screen.getByRole('button', { name: 'analyst' }));
    await signsIn();
    const of = (path: string) => requests.filter((one) => one.path === path).map(({ body }) => body);
    expect(of('/auth/tenant/sign-in')).toEqual([
      { origin: window.location.hostname, username: to, challengeMethod: 'EMAIL' },
    ]);
    expect(of('/auth/tenant/challenge')).toEqual([{ details: 'challenge', secret: '246810' }]);
  });

  test('a code requested by the user is shown, and used when they say so', async () => {
    const requests = serve(answers(() => [message()]));
    show();
    await userEvent.type(screen.getByLabelText('Email address'), `${to.toUpperCase()}{Enter}`);
    expect(await screen.findByText('The code in the message is 246810.')).toBeVisible();
    expect(requests.filter(({ path }) => path === '/auth/tenant/challenge')).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Use this code' }));
    await signsIn();
  });

  test("a real person's account is never looked up", async () => {
    const requests = serve(answers(() => [message()]));
    show();
    await userEvent.type(screen.getByLabelText('Email address'), 'robin@health.gov{Enter}');
    await screen.findByLabelText('One-time code');
    expect(requests.map(({ path }) => path)).toEqual(['/auth/tenant/sign-in']);
  });

  test('without readable messages, an account still requests its code', async () => {
    document.querySelector<HTMLMetaElement>('meta[name="caseway-config"]')!.content = '{"demo":true}';
    const requests = serve(answers(() => []));
    show();
    expect(screen.queryByRole('link', { name: /All accounts/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'analyst' }));
    await screen.findByLabelText('One-time code');
    expect(requests.map(({ path }) => path)).toEqual(['/auth/tenant/sign-in']);
  });

  test('its page has every account, and the messages sent to them', async () => {
    serve(
      answers(() => [
        message(),
        message({ id: 'two', to: '+18505550123', subject: '', text: 'Code:\n\n135790', code: '135790' }),
      ]),
    );
    show('/sign-in/demo', [{ path: '/sign-in/demo', title: 'signIn.demoTitle', form: DemoMessages }]);
    const messages = await screen.findByRole('region', { name: 'Messages' });
    expect(await within(messages).findByText('Your sign-in code')).toBeVisible();
    expect(within(messages).getByText('Text message')).toBeVisible();
    expect(within(messages).getByText(/246810/)).toBeInTheDocument();
    const accounts = screen.getByRole('region', { name: 'Accounts' });
    expect(within(accounts).getAllByRole('link')).toHaveLength(23);
    await userEvent.click(within(accounts).getByRole('link', { name: to }));
    await signsIn();
  });

  test('its page says so when there is nothing, or no answer', async () => {
    serve(answers(() => []));
    const { unmount } = renderInApp(<DemoMessages />);
    expect(await screen.findByText('Nothing has been sent yet.')).toBeVisible();
    unmount();
    queryClient.clear();
    serve({ 'GET /auth/demo/messages': { status: 403, body: { code: 'forbidden', message: '' } } });
    renderInApp(<DemoMessages />);
    expect(await screen.findByText('The messages cannot be loaded right now.')).toBeVisible();
  });

  test('its page is empty on a product that is no demo', () => {
    document.querySelector<HTMLMetaElement>('meta[name="caseway-config"]')!.content = '{}';
    renderInApp(<DemoMessages />);
    expect(screen.getByText('There is no demo here.')).toBeVisible();
    expect(screen.queryByRole('link')).toBeNull();
  });
});
