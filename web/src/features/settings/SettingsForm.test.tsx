import type { SettingsAnswer, TenantSettings } from '@caseway/contract/settings';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { queryClient } from '../../data/api.ts';
import { tokensReceived, userReady } from '../../session/authentication.ts';
import { readDraft } from '../../session/drafts.ts';
import { store } from '../../session/store.ts';
import { leavesUnsaved } from '../../session/unsaved.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import { Calendar, SignInRules } from './forms.tsx';
import { answerOf } from './test-settings.ts';

await startTestLocales('settings');

const init = initAnswer([org('t1', 'Alder Health')]);
beforeEach(() => {
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(init));
});

/** A server whose settings someone else has changed to `now` since version 1 was read. */
const changedTo = (now: SettingsAnswer) =>
  serve({
    'GET /api/auth/initUser': { body: init },
    'GET /api/web/settings': { body: now },
    'PATCH /api/web/settings': ({ body }) => {
      const { version, changes } = body as { version: number; changes: Partial<TenantSettings> };
      return version === now.version
        ? { body: { ...now, version: version + 1, settings: { ...now.settings, ...changes } } }
        : { status: 409, body: { code: 'conflict', message: 'changed meanwhile' } };
    },
  });
const hours = () => screen.getByRole('spinbutton', { name: /sign in again/ });
const save = () => screen.getByRole('button', { name: 'Save' });
const patches = (requests: ReturnType<typeof serve>) =>
  requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

describe('a settings form', () => {
  test('sends changes with the version they are based on; until then they are unsaved, and a draft', async () => {
    const requests = changedTo(answerOf(1));
    renderInApp(<SignInRules answer={answerOf(1)} />);
    expect(save()).toBeDisabled();
    await userEvent.clear(hours());
    await userEvent.type(hours(), '8');
    expect(leavesUnsaved('screen')).toBe(true);
    const drafted = readDraft(
      'settings/secondFactorRequired,sessionIdleMinutes,sessionHours',
      z.object({ first: z.record(z.string(), z.unknown()), values: z.record(z.string(), z.unknown()) }),
    );
    expect(drafted).toMatchObject({ first: { sessionHours: 24 }, values: { sessionHours: 8 } });
    await userEvent.click(save());
    await waitFor(() => expect(save()).toBeDisabled());
    expect(patches(requests)).toEqual([{ version: 1, changes: { sessionHours: 8 } }]);
    expect(leavesUnsaved('screen')).toBe(false);
    expect(hours()).toHaveValue(8);
  });

  test("has the tenant's working days, and refuses an invalid day", async () => {
    const requests = changedTo(answerOf(1));
    renderInApp(<Calendar answer={answerOf(1)} />);
    expect(screen.getByRole('checkbox', { name: 'Monday' })).toBeChecked();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Saturday' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Monday' }));
    const closed = screen.getByLabelText(/^Other days on which you are closed/);
    await userEvent.type(closed, '2026-11-27{Enter}tomorrow');
    await userEvent.click(save());
    await waitFor(() => expect(closed).toHaveAccessibleDescription(/Enter a date that exists/));
    await userEvent.clear(closed);
    await userEvent.type(closed, '2026-11-27');
    await userEvent.click(save());
    await waitFor(() => expect(save()).toBeDisabled());
    expect(patches(requests)).toEqual([
      { version: 1, changes: { workdays: [2, 3, 4, 5, 6], daysOff: ['2026-11-27'] } },
    ]);
  });

  test('names the weekdays that someone else has saved in the meantime', async () => {
    changedTo(answerOf(2, { workdays: [0, 1] }));
    renderInApp(<Calendar answer={answerOf(1)} />);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Saturday' }));
    await userEvent.click(save());
    expect(await screen.findByText(/now Sunday, Monday/)).toBeInTheDocument();
  });

  test('restores a draft from before a reload, on top of what was saved since', async () => {
    const begin = async () => {
      await userEvent.clear(hours());
      await userEvent.type(hours(), '8');
    };
    changedTo(answerOf(1));
    const first = renderInApp(<SignInRules answer={answerOf(1)} />);
    await begin();
    first.unmount();
    // Someone has saved other fields: nothing of either is lost, and nothing is asked.
    const second = renderInApp(<SignInRules answer={answerOf(2, { sessionIdleMinutes: 30 })} />);
    await waitFor(() => expect(hours()).toHaveValue(8));
    expect(screen.getByRole('spinbutton', { name: /after no activity/ })).toHaveValue(30);
    expect(screen.getByRole('alert')).toHaveTextContent('Your earlier entries');
    second.unmount();
    // The same field: theirs is named next to mine.
    const requests = changedTo(answerOf(3, { sessionHours: 12 }));
    renderInApp(<SignInRules answer={answerOf(3, { sessionHours: 12 })} />);
    await waitFor(() => expect(hours()).toHaveValue(8));
    expect(screen.getByText('Ask to sign in again after: was 24, now 12, you entered 8')).toBeInTheDocument();
    await userEvent.click(save());
    await waitFor(() => expect(save()).toBeDisabled());
    expect(patches(requests)).toEqual([{ version: 3, changes: { sessionHours: 8 } }]);
  });

  test('a draft for one organization is not shown for another', async () => {
    changedTo(answerOf(1));
    const first = renderInApp(<SignInRules answer={answerOf(1)} />);
    await userEvent.clear(hours());
    await userEvent.type(hours(), '8');
    first.unmount();
    store.dispatch(userReady(initAnswer([org('t2', 'Birch Health')])));
    const second = renderInApp(<SignInRules answer={answerOf(1)} />);
    expect(hours()).toHaveValue(24);
    second.unmount();
    store.dispatch(userReady(init));
    renderInApp(<SignInRules answer={answerOf(1)} />);
    await waitFor(() => expect(hours()).toHaveValue(8));
  });

  test('keeps text typed while it is being saved', async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    serve({
      'GET /api/auth/initUser': { body: init },
      'PATCH /api/web/settings': async () => {
        await arrived;
        return { body: answerOf(2, { sessionHours: 8 }) };
      },
    });
    renderInApp(<SignInRules answer={answerOf(1)} />);
    await userEvent.clear(hours());
    await userEvent.type(hours(), '8{Enter}');
    const idle = screen.getByRole('spinbutton', { name: /after no activity/ });
    await userEvent.clear(idle);
    await userEvent.type(idle, '45');
    arrive();
    await waitFor(() => expect(save()).toBeEnabled());
    expect(hours()).toHaveValue(8);
    expect(idle).toHaveValue(45);
  });

  test('shows faults before it is sent', async () => {
    const requests = changedTo(answerOf(1));
    renderInApp(<SignInRules answer={answerOf(1)} />);
    await userEvent.clear(hours());
    await userEvent.type(hours(), '25');
    await userEvent.click(save());
    expect(await screen.findByText('Enter at most 24.')).toBeVisible();
    expect(patches(requests)).toEqual([]);
  });

  test('someone else’s changes elsewhere stay, without a question', async () => {
    const requests = changedTo(answerOf(2, { timeZone: 'America/Denver', sessionIdleMinutes: 30 }));
    renderInApp(<SignInRules answer={answerOf(1)} />);
    await userEvent.clear(hours());
    await userEvent.type(hours(), '8');
    await userEvent.click(save());
    await waitFor(() => expect(save()).toBeDisabled());
    expect(patches(requests)).toEqual([
      { version: 1, changes: { sessionHours: 8 } },
      { version: 2, changes: { sessionHours: 8 } },
    ]);
    expect(screen.getByRole('spinbutton', { name: /after no activity/ })).toHaveValue(30);
  });

  test('if both have changed the same field, theirs is shown and mine is kept until it is saved again', async () => {
    const requests = changedTo(answerOf(2, { sessionHours: 12, sessionIdleMinutes: 30 }));
    renderInApp(<SignInRules answer={answerOf(1)} />);
    await userEvent.clear(hours());
    await userEvent.type(hours(), '8');
    await userEvent.click(save());
    const told = await screen.findByRole('alert');
    expect(told).toHaveTextContent('Ask to sign in again after: was 24, now 12, you entered 8');
    expect(told).toHaveTextContent('Sign out after no activity for: now 30');
    expect(hours()).toHaveValue(8);
    expect(screen.getByRole('spinbutton', { name: /after no activity/ })).toHaveValue(30);
    await userEvent.click(save());
    await waitFor(() => expect(save()).toBeDisabled());
    expect(patches(requests).at(-1)).toEqual({ version: 2, changes: { sessionHours: 8 } });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
