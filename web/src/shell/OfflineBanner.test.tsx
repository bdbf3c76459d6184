import { findCaseColleagues } from '@caseway/contract/case-reports';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { callApi } from '../data/api.ts';
import { signedOut, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { initAnswer, org, serve } from '../test/server.ts';
import { OfflineBanner } from './OfflineBanner.tsx';

await startTestLocales();
afterEach(() => void store.dispatch(signedOut()));

const id = '11111111-1111-4111-8111-111111111111';
const address = `GET /api/web/case-reports/${id}/colleagues`;
const ask = () =>
  act(() =>
    callApi(findCaseColleagues, { params: { id }, query: { words: 'ada' } }).catch((error: Error) => error),
  );
const banner = () => screen.getByRole('status').textContent;

test('a server that does not answer is reported until it answers, by whatever status', async () => {
  store.dispatch(userReady(initAnswer([org(id, 'Alder Health')])));
  renderInApp(<OfflineBanner />);
  expect(banner()).toBe('');
  serve({ [address]: new TypeError('failed to fetch') });
  await ask();
  expect(banner()).toBe('Caseway is not available right now. It keeps trying.');
  serve({ [address]: { status: 422, body: { code: 'validation-failed', message: 'no', faults: [] } } });
  await ask();
  expect(banner()).toBe('');
});

test('a form for signing in says so itself', async () => {
  renderInApp(<OfflineBanner />);
  serve({ [address]: new TypeError('failed to fetch') });
  await ask();
  expect(banner()).toBe('');
});
