import { type ErrorCode, errorStatus } from '@caseway/contract/error';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { type Sent, serve } from '../../test/server.ts';
import { signInSteps, signInTrouble } from '../../ui/sign-in-trouble.ts';
import { PatientSignIn } from './PatientSignIn.tsx';

await startTestLocales('portal');

let turn = 0;
/** A challenge that lasts this many minutes; another code can be requested after this many seconds. */
const challenge = (minutes = 5, resendSeconds = 0) => {
  turn += 1;
  return {
    details: `challenge ${turn}`,
    challengeMethod: 'EMAIL',
    destination: 'a•••@e•••',
    expiresAt: new Date(Date.now() + minutes * 60_000).toISOString(),
    resendAt: new Date(Date.now() + resendSeconds * 1000).toISOString(),
  };
};
const refusal = (code: ErrorCode) => ({ status: errorStatus[code], body: { code, message: '' } });
const birth = () => ({ body: { ...challenge(), challengeMethod: 'BIRTH_DATE', proofs: ['BIRTH_DATE'] } });

beforeEach(() => {
  turn = 0;
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

const who = () => screen.getByLabelText('Email, phone or patient number');
const code = () => screen.getByLabelText('One-time code');
const button = (name: string | RegExp) => screen.getByRole('button', { name });

async function untilCode(answers: Parameters<typeof serve>[0] = {}): Promise<Sent[]> {
  const requests = serve({ 'POST /auth/patient/sign-in': () => ({ body: challenge() }), ...answers });
  renderInApp(<PatientSignIn expired={false} />);
  await userEvent.type(who(), 'ana@example.org{Enter}');
  await screen.findByLabelText('One-time code');
  return requests;
}
async function untilBirth(after: Parameters<typeof serve>[0][string]): Promise<Sent[]> {
  let asked = 0;
  const requests = await untilCode({
    'POST /auth/patient/challenge': (request: Sent) => {
      asked += 1;
      return asked === 1 ? birth() : typeof after === 'function' ? after(request) : after;
    },
  });
  await userEvent.type(code(), '123456');
  await screen.findByLabelText('Month');
  return requests;
}
async function giveBirthDate(): Promise<void> {
  await userEvent.type(screen.getByLabelText('Month'), '5');
  await userEvent.type(screen.getByLabelText('Day'), '6');
  await userEvent.type(screen.getByLabelText('Year'), '1984');
  await userEvent.click(button('See my results'));
}

describe('a patient who signs in never reaches a dead end', () => {
  test('a person who waits for a code in vain reads what to do', async () => {
    await untilCode();
    expect(screen.getByText(/^No code after a few minutes\?.*call your clinic/)).toBeInTheDocument();
  });

  test('offline, the screen says that the request is waiting, and sends it later', async () => {
    const requests = serve({ 'POST /auth/patient/sign-in': () => ({ body: challenge() }) });
    renderInApp(<PatientSignIn expired={false} />);
    act(() => onlineManager.setOnline(false));
    await userEvent.type(who(), 'ana@example.org{Enter}');
    expect(screen.getByText(/^You are offline/)).toBeInTheDocument();
    expect(requests).toHaveLength(0);
    act(() => onlineManager.setOnline(true));
    await screen.findByLabelText('One-time code');
    expect(screen.queryByText(/^You are offline/)).toBeNull();
    expect(requests).toHaveLength(1);
  });

  const codes = Object.keys(errorStatus) as ErrorCode[];

  test.each(signInSteps)('every refusal at the step %s has a sentence in every language', (step) => {
    for (const language of ['en', 'es', 'ht'])
      for (const one of [...codes, 'unreachable', 'broken-off'] as const) {
        const key = signInTrouble(step, one);
        const text = i18next.getFixedT(language)(key);
        expect(text, `${language} ${key}`).not.toBe(key);
        expect(text, `${language} ${key}`).toMatch(/\p{L}+ \p{L}+/u);
      }
    // The text for an expired code depends on what can be done about it.
    expect(new Set(signInSteps.map((one) => signInTrouble(one, 'code-expired'))).size).toBe(3);
    expect(signInTrouble('birth', 'code-wrong')).not.toBe(signInTrouble('sent', 'code-wrong'));
  });

  /** A text that says what happened, and a button that can be pressed. */
  async function expectWayOn(): Promise<void> {
    expect((await screen.findByRole('alert')).textContent).toMatch(/\p{L}+ \p{L}+/u);
    await waitFor(() => expect(document.body).not.toHaveFocus());
    const ways = within(screen.getByRole('main')).getAllByRole('button');
    expect(ways.some((one) => !one.hasAttribute('disabled'))).toBe(true);
  }

  test.each(codes)('%s, whichever step it comes at', async (refused) => {
    serve({ 'POST /auth/patient/sign-in': refusal(refused) });
    const { unmount } = renderInApp(<PatientSignIn expired={false} />);
    await userEvent.type(who(), 'ana@example.org{Enter}');
    await expectWayOn();
    unmount();
    queryClient.clear();

    const second = await untilCode({ 'POST /auth/patient/challenge': refusal(refused) });
    await userEvent.type(code(), '123456');
    await expectWayOn();
    expect(second.at(-1)!.body).toMatchObject({ secret: '123456' });
    await waitFor(() => expect(code()).toHaveFocus());
    // After an outage the code is not wrong, and can be sent again.
    const isKept = refused === 'unavailable';
    expect(code()).toHaveValue(isKept ? '123456' : '');
    expect(code()).toHaveAttribute('aria-invalid', String(!isKept));
  });

  test('a wrong birth date: shows what was wrong, with the focus where it is corrected', async () => {
    await untilBirth(refusal('code-wrong'));
    await giveBirthDate();
    expect(await screen.findByRole('alert')).toHaveTextContent(/Check the date of birth/);
    await waitFor(() => expect(screen.getByLabelText('Month')).toHaveFocus());
    expect(screen.getByLabelText('Month')).toHaveAttribute('aria-invalid', 'true');
    expect(button('See my results')).toBeEnabled();
  });

  test('an impossible date: the focus is where it is corrected', async () => {
    await untilBirth(refusal('code-wrong'));
    await userEvent.type(screen.getByLabelText('Month'), '13');
    await userEvent.click(button('See my results'));
    expect(screen.getByLabelText('Month')).toHaveFocus();
    expect(screen.getByText(/Enter a real date/)).toBeInTheDocument();
  });

  test('a date that was wrong too often: a new code, to the same address', async () => {
    const requests = await untilBirth(refusal('code-expired'));
    await giveBirthDate();
    expect(await screen.findByRole('alert')).toHaveTextContent(/wrong too often/);
    await userEvent.click(button('Send a new code'));
    await waitFor(() => expect(code()).toHaveFocus());
    expect(requests.at(-1)!.body).toMatchObject({ email: 'ana@example.org', challengeMethod: 'EMAIL' });
  });

  test('an expired code: a new one, and the old digits are gone', async () => {
    const requests = await untilCode({ 'POST /auth/patient/challenge': refusal('code-expired') });
    await userEvent.type(code(), '123456');
    expect(await screen.findByRole('alert')).toHaveTextContent(/no longer works/);
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
    await userEvent.click(button('Send a new code'));
    await waitFor(() => expect(requests.filter(({ path }) => path.endsWith('/sign-in'))).toHaveLength(2));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(code()).toHaveValue('');
    expect(code()).toHaveFocus();
  });

  test('a new code only after a while, with a countdown', async () => {
    await untilCode({ 'POST /auth/patient/sign-in': () => ({ body: challenge(5, 40) }) });
    expect(button(/New code in 0:\d\d/)).toBeDisabled();
  });

  test('a mistyped address is corrected, not typed again', async () => {
    await untilCode();
    await userEvent.click(button('Change email, phone or number'));
    expect(who()).toHaveValue('ana@example.org');
    expect(who()).toHaveFocus();
  });

  test.each([
    ['555 0177', /area code is missing/],
    ['marisol', /not an email address, phone number or patient number/],
    ['ana@example', /not a complete email address/],
    [' ', /Enter your email address/],
  ])('%j is refused at its field, with what is missing', async (typed, words) => {
    const requests = serve({});
    renderInApp(<PatientSignIn expired={false} />);
    await userEvent.type(who(), `${typed}{Enter}`);
    expect(who()).toHaveAccessibleDescription(words);
    expect(who()).toHaveAttribute('aria-invalid', 'true');
    expect(who()).toHaveFocus();
    expect(requests).toEqual([]);
  });
});
