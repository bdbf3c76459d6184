import type { CodeMapping } from '@caseway/contract/imports';
import { act, cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import Codes from './Codes.tsx';

await startTestLocales('imports');

const mapping = (given: Partial<CodeMapping>): CodeMapping => ({
  id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0001',
  kind: 'test',
  sender: 'Anhinga Laboratory',
  system: 'L',
  code: 'COV-19',
  text: 'SARS-CoV-2 (PCR)',
  state: 'open',
  target: null,
  targetLabel: null,
  proposal: null,
  occurrences: 3,
  waiting: 2,
  ...given,
});

beforeEach(() => {
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(
      initAnswer([org('t1', 'Alder')], {
        casbinPolicy: ['imports/read', 'mappings/write'].map((one) => `p, u1, T, ${one}, allow`),
      }),
    ),
  );
  vi.stubGlobal('matchMedia', () => ({ matches: false, addListener() {}, removeListener() {} }));
});
afterEach(() => void act(() => void store.dispatch(signedOut())));

const show = async (given: Partial<CodeMapping>) => {
  serve({ 'GET /api/web/code-mappings': { body: { rows: [mapping(given)], rowCount: 1 } } });
  renderInApp(<Codes />);
  return within(within(await screen.findByRole('list', { name: 'Codes to map' })).getByRole('listitem'));
};

test('words that a sender gave no code are shown as it wrote them, and never by the key made of them', async () => {
  const card = await show({ system: 'text', code: 'sars cov 2 pcr' });
  expect(card.getByLabelText('Laboratory test that SARS-CoV-2 (PCR) stands for')).toBeVisible();
  expect(card.getByRole('button', { name: 'Leave it out: SARS-CoV-2 (PCR)' })).toBeVisible();
  expect(card.queryByText(/sars cov 2 pcr/)).toBeNull();
});

test('a code is shown as its sender gave it, with its system', async () => {
  const card = await show({});
  expect(card.getByLabelText('Laboratory test that COV-19 stands for')).toBeVisible();
  expect(card.getByRole('heading', { name: 'SARS-CoV-2 (PCR)' })).toBeVisible();
  expect(card.getByText('COV-19 · L')).toBeVisible();
});

test('only a code without a decision says who sees the messages that wait for it', async () => {
  const open = await show({ waiting: 0 });
  expect(open.getByText(/While a code is unknown/)).toBeVisible();
  cleanup();
  queryClient.clear();
  const mapped = await show({ waiting: 0, state: 'mapped', target: 'a', targetLabel: 'SARS-CoV-2 RNA' });
  expect(mapped.getByText('Seen 3 times.')).toBeVisible();
});
