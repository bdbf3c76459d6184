import type { SettingsAnswer } from '@caseway/contract/settings';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { NotificationStack } from '../../shell/NotificationStack.tsx';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import { Logo } from './Logo.tsx';
import { answerOf } from './test-settings.ts';

await startTestLocales('settings');

const init = initAnswer([org('t1', 'Alder Health')]);
const withLogo = (logo: string | null): SettingsAnswer => ({ ...answerOf(1), logo });
const there = '/api/logo/former';

beforeEach(() => {
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(init));
});

/** The beginning of a PNG of these sides, which is all that the browser reads. */
function png(width: number, height: number): File {
  const start = new Uint8Array(60);
  start.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(start.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return new File([start], 'logo.png', { type: 'image/png' });
}
const choose = (file: File) =>
  fireEvent.change(screen.getByTestId('file-input'), { target: { files: [file] } });
const shown = (logo: string | null, answers: Parameters<typeof serve>[0] = {}) => {
  const requests = serve({
    'GET /api/auth/initUser': { body: init },
    [`GET ${there}`]: { raw: 'former image' },
    'PUT /api/web/settings/logo': ({ body }) => ({
      body: withLogo((body as { image: string | null }).image === null ? null : '/api/logo/new'),
    }),
    ...answers,
  });
  renderInApp(
    <>
      <Logo answer={withLogo(logo)} />
      <NotificationStack />
    </>,
  );
  return () => requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);
};

describe('the logo of a tenant', () => {
  test('is shown before it is saved, named by the tenant, and the change can be undone', async () => {
    const user = userEvent.setup();
    const puts = shown(there);
    expect(screen.getByRole('img', { name: 'Alder Health' })).toHaveAttribute('src', there);
    choose(png(64, 64));
    const dialog = await screen.findByRole('dialog', { name: 'Replace the logo with this one?' });
    const image = within(dialog).getByRole('img', { name: 'Alder Health' });
    expect(image.getAttribute('src')).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await screen.findByText('The logo was saved.');
    const sent = image.getAttribute('src')!.split(',')[1];
    expect(puts()).toEqual([{ image: sent, before: there }]);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByText('The logo is as it was before.');
    expect(puts()[1]).toEqual({ image: btoa('former image'), before: '/api/logo/new' });
  });

  test('is removed after a question', async () => {
    const user = userEvent.setup();
    const puts = shown(there);
    await user.click(screen.getByRole('button', { name: 'Remove the logo' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove the logo of Alder Health?' });
    expect(puts()).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Remove the logo' }));
    await screen.findByText('The logo was removed.');
    expect(puts()).toEqual([{ image: null, before: there }]);
  });

  test.each([
    ['an SVG', new File(['<svg xmlns="…"/>'], 'logo.png'), 'SVG files can contain scripts'],
    ['a JPEG', new File([new Uint8Array([255, 216, 255])], 'logo.png'), 'This is not a PNG'],
    ['one that is too wide', png(2001, 64), 'from 32 to 2,000 pixels'],
    [
      'one that is too large',
      new File([png(64, 64), new Uint8Array(200_000)], 'x.png'),
      'larger than 200 kB',
    ],
  ])('%s is refused beside the field, and nothing is sent', async (_, file, words) => {
    const puts = shown(null);
    expect(screen.getByText('No logo yet. The name is shown alone.')).toBeVisible();
    choose(file);
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(puts()).toEqual([]);
    // Another file ends it.
    choose(png(64, 64));
    await screen.findByRole('dialog', { name: 'Add this logo?' });
    expect(screen.queryByRole('alert', { hidden: true })).toBeNull();
  });

  test.each([
    [
      'what the server finds in the image',
      {
        status: 422,
        body: {
          code: 'validation-failed',
          message: 'x',
          faults: [{ path: 'image', code: 'logo-broken', message: 'x' }],
        },
      },
      'The image is damaged or incomplete.',
    ],
    [
      'that someone else has changed it',
      { status: 409, body: { code: 'conflict', message: 'x' } },
      /changed/,
    ],
  ])('the dialog says %s, and stays', async (_, answer, words) => {
    const user = userEvent.setup();
    shown(null, { 'PUT /api/web/settings/logo': answer });
    choose(png(64, 64));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(words);
  });

  test('that cannot be loaded leaves the name', () => {
    shown(there);
    fireEvent.error(screen.getByRole('img', { name: 'Alder Health' }));
    expect(screen.queryByRole('img', { name: 'Alder Health' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Remove the logo' })).toBeVisible();
  });
});
