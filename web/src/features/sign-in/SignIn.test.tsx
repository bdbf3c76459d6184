import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../../test/server.ts';
import { codeIn } from '../../ui/CodeField.tsx';
import SignInForm from './SignInForm.tsx';

await startTestLocales('sign-in');
const signedIn = vi.fn();
let turn = 0;
const sent = (minutes = 5, resendSeconds = 60) => {
  turn += 1;
  return {
    body: {
      details: `challenge ${turn}`,
      challengeMethod: 'EMAIL',
      destination: 'r•••@example.org',
      expiresAt: new Date(Date.now() + minutes * 60_000).toISOString(),
      resendAt: new Date(Date.now() + resendSeconds * 1000).toISOString(),
    },
  };
};
const tokens = () => ({ body: { accessToken: accessToken(), refreshToken: refreshToken() } });
const wrong = { status: 401, body: { code: 'code-wrong', message: '' } };

beforeEach(() => {
  turn = 0;
  signedIn.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
  store.dispatch(signedOut());
});

async function askForCode(answers: Parameters<typeof serve>[0]): Promise<Sent[]> {
  const requests = serve({ 'POST /auth/tenant/sign-in': () => sent(), ...answers });
  renderInApp(<SignInForm onSignedIn={signedIn} />);
  await userEvent.type(screen.getByLabelText('Email address'), 'robin@example.org{Enter}');
  await screen.findByLabelText('One-time code');
  return requests;
}

describe('signing in', () => {
  test('[S4.1, S7.3, S7.4] requests a code with the host name, then answers the challenge with it', async () => {
    const requests = await askForCode({
      'POST /auth/tenant/challenge': tokens,
      'GET /api/auth/initUser': { body: initAnswer() },
    });
    expect(requests[0]!.body).toEqual({
      origin: window.location.hostname,
      username: 'robin@example.org',
      challengeMethod: 'EMAIL',
    });
    expect(screen.getByText(/r•••@example.org/)).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('One-time code'), '123456');
    await waitFor(() => expect(signedIn).toHaveBeenCalledOnce());
    expect(requests[1]!.body).toEqual({ details: 'challenge 1', secret: '123456' });
    expect(store.getState().authentication.authenticated).toBe(true);
  });

  test('a malformed address is refused at its field, before anything is sent', async () => {
    const requests = serve({});
    renderInApp(<SignInForm onSignedIn={signedIn} />);
    await userEvent.type(screen.getByLabelText('Email address'), 'robin{Enter}');
    expect(screen.getByLabelText('Email address')).toHaveAccessibleDescription(/Enter an email address/);
    expect(screen.getByLabelText('Email address')).toHaveFocus();
    expect(requests).toEqual([]);
  });

  test('a wrong code is reported, and the field is empty and ready again', async () => {
    await askForCode({ 'POST /auth/tenant/challenge': wrong });
    await userEvent.type(screen.getByLabelText('One-time code'), '123456');
    expect(await screen.findByRole('alert')).toHaveTextContent(/code is wrong/);
    expect(screen.getByLabelText('One-time code')).toHaveValue('');
    expect(screen.getByLabelText('One-time code')).toHaveFocus();
    expect(signedIn).not.toHaveBeenCalled();
  });

  test.each([
    [
      'the database is away',
      { status: 503, body: { code: 'unavailable', message: '' } },
      /not available right now/,
    ],
    ['the server is not reached', new TypeError('fetch failed'), /cannot be reached/],
  ])(
    '[P6] %s: the code stays as it was typed, is not called wrong, and can be sent again',
    async (_, away, words) => {
      let gone = true;
      const requests = await askForCode({
        'POST /auth/tenant/challenge': () => (gone ? away : tokens()),
        'GET /api/auth/initUser': { body: initAnswer() },
      });
      await userEvent.type(screen.getByLabelText('One-time code'), '123456');
      expect(await screen.findByRole('alert')).toHaveTextContent(words);
      expect(screen.getByLabelText('One-time code')).toHaveValue('123456');
      expect(screen.getByLabelText('One-time code')).toHaveAttribute('aria-invalid', 'false');
      gone = false;
      await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
      await waitFor(() => expect(signedIn).toHaveBeenCalledOnce());
      expect(
        requests.filter(({ path }) => path === '/auth/tenant/challenge').map(({ body }) => body),
      ).toEqual([
        { details: 'challenge 1', secret: '123456' },
        { details: 'challenge 1', secret: '123456' },
      ]);
    },
  );

  test('a code can be pasted with the text around it', async () => {
    const requests = await askForCode({
      'POST /auth/tenant/challenge': tokens,
      'GET /api/auth/initUser': { body: initAnswer() },
    });
    await userEvent.click(screen.getByLabelText('One-time code'));
    await userEvent.paste('Your code: 004217. It expires in 5 minutes.');
    await waitFor(() => expect(requests[1]?.body).toEqual({ details: 'challenge 1', secret: '004217' }));
  });

  test('the code in a pasted text', () => {
    expect(codeIn('004217')).toBe('004217');
    expect(codeIn('code 004217, case 12345678')).toBe('004217');
    expect(codeIn('004 217')).toBe('004217');
    expect(codeIn('none')).toBe('');
  });

  test('another code can be requested after a while, as a new challenge', async () => {
    // A stopped clock, until the seconds have been seen.
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const requests = await askForCode({ 'POST /auth/tenant/challenge': wrong });
    expect(screen.getByRole('button', { name: 'New code in 1:00' })).toBeDisabled();
    act(() => vi.advanceTimersByTime(59_000));
    expect(screen.getByRole('button', { name: 'New code in 0:01' })).toBeDisabled();
    act(() => vi.advanceTimersByTime(1000));
    await userEvent.click(screen.getByRole('button', { name: 'Send a new code' }));
    await waitFor(() => expect(requests).toHaveLength(2));
    await userEvent.type(await screen.findByLabelText('One-time code'), '123456');
    await waitFor(() => expect(requests[2]?.body).toEqual({ details: 'challenge 2', secret: '123456' }));
  });

  test('the time left for a code is shown by the second, and read aloud by the minute', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    await askForCode({});
    const field = screen.getByLabelText('One-time code');
    for (const [seconds, seen, readOut] of [
      [0, '5:00', '5 minutes'],
      [30, '4:30', '5 minutes'],
      [30, '4:00', '4 minutes'],
      [181, '0:59', '1 minute'],
      [58, '0:01', '1 minute'],
    ] as const) {
      act(() => vi.advanceTimersByTime(seconds * 1000));
      expect(screen.getByText(`The code expires in ${seen}.`)).toBeInTheDocument();
      expect(field).toHaveAccessibleDescription(`The code expires in less than ${readOut}.`);
    }
  });

  test('[P11] when no more messages are sent for a while, the page says when to ask again', async () => {
    serve({ 'POST /auth/tenant/sign-in': () => sent(5, 14 * 60) });
    renderInApp(<SignInForm onSignedIn={signedIn} />);
    await userEvent.type(screen.getByLabelText('Email address'), 'robin@example.org{Enter}');
    expect(await screen.findByText(/at most three codes .* ask for a new code at \d/)).toBeInTheDocument();
  });

  test('[P21] a second factor is required after the code, in the way the user chooses', async () => {
    const further = {
      body: {
        ...sent().body,
        details: 'second challenge',
        challengeMethod: 'TOTP',
        destination: null,
        proofs: ['TOTP', 'RECOVERY_CODE'],
      },
    };
    let answered = 0;
    const requests = await askForCode({
      'POST /auth/tenant/challenge': () => {
        answered += 1;
        return [further, wrong, wrong, tokens()][answered - 1]!;
      },
      'GET /api/auth/initUser': { body: initAnswer() },
    });
    await userEvent.type(screen.getByLabelText('One-time code'), '123456');
    expect(await screen.findByRole('heading', { name: 'Two-step sign-in' })).toBeInTheDocument();
    expect(signedIn).not.toHaveBeenCalled();
    await userEvent.type(screen.getByLabelText('One-time code'), '654321');
    expect(await screen.findByRole('alert')).toHaveTextContent(/code is wrong/);
    await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
    await userEvent.type(screen.getByLabelText('Recovery code'), 'abcde-fghjk{Enter}');
    await waitFor(() => expect(screen.getByLabelText('Recovery code')).toHaveValue(''));
    await userEvent.type(screen.getByLabelText('Recovery code'), 'lmnpq-rstuv{Enter}');
    await waitFor(() => expect(signedIn).toHaveBeenCalledOnce());
    expect(requests.filter(({ path }) => path === '/auth/tenant/challenge').map(({ body }) => body)).toEqual([
      { details: 'challenge 2', secret: '123456' },
      { details: 'second challenge', secret: '654321' },
      { details: 'second challenge', secret: 'abcde-fghjk' },
      { details: 'second challenge', secret: 'lmnpq-rstuv' },
    ]);
  });

  test('[S10.3] a text message or the authenticator app can be the first step', async () => {
    const requests = serve({
      'POST /auth/tenant/sign-in': () => ({
        body: { ...sent().body, challengeMethod: 'SMS', destination: null },
      }),
    });
    renderInApp(<SignInForm onSignedIn={signedIn} />);
    await userEvent.type(screen.getByLabelText('Email address'), 'robin@example.org');
    await userEvent.click(screen.getByRole('button', { name: 'Other ways to sign in' }));
    expect(screen.getByRole('button', { name: 'Begin with the authenticator app' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Send the code by text message' }));
    expect(await screen.findByText(/by text message/)).toBeInTheDocument();
    expect(requests[0]!.body).toMatchObject({ challengeMethod: 'SMS', username: 'robin@example.org' });
  });

  test('too many attempts are reported where the account is entered', async () => {
    serve({ 'POST /auth/tenant/sign-in': { status: 429, body: { code: 'too-many-requests', message: '' } } });
    renderInApp(<SignInForm onSignedIn={signedIn} />);
    await userEvent.type(screen.getByLabelText('Email address'), 'robin@example.org{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(/Too many attempts/);
  });

  test.each([
    [20, 'Too many attempts. Wait 1 minute, then try again.'],
    [200, 'Too many attempts. Wait 4 minutes, then try again.'],
  ])('[P25] too many attempts say how long to wait: %i seconds', async (retryAfter, words) => {
    const body = { code: 'too-many-requests', message: '', retryAfter };
    serve({ 'POST /auth/tenant/sign-in': { status: 429, body } });
    renderInApp(<SignInForm onSignedIn={signedIn} />);
    await userEvent.type(screen.getByLabelText('Email address'), 'robin@example.org{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
  });
});
