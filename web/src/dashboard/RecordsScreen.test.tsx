import { testingRecords, textOfTestingRecord } from '@caseway/contract/testing-analytics';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../test/server.ts';
import { RecordsScreen } from './RecordsScreen.tsx';

await startTestLocales('analytics');
beforeEach(() => {
  queryClient.clear();
  HTMLElement.prototype.scrollTo = vi.fn() as never;
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
  }));
});
afterEach(() => void act(() => void store.dispatch(signedOut())));

function show(...permissions: string[]) {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  const casbinPolicy = permissions.map((permission) => `p, u1, T, ${permission}, allow`);
  store.dispatch(userReady(initAnswer([org('t1', 'Alder')], { casbinPolicy })));
  serve({ 'POST /api/web/grid/testing-records/search': { body: { rows: [], rowCount: 0 } } });
  renderInApp(
    <RecordsScreen
      grid={testingRecords}
      title="Tests"
      lead="Each row is one test."
      column={(field) => field}
      textOf={textOfTestingRecord}
    />,
  );
}

test("readers of patients see that a row opens its person's record", async () => {
  show('line-lists/read', 'patients/read');
  expect(
    await screen.findByText('Each row is one test. A row opens the patient’s record.'),
  ).toBeInTheDocument();
});

test('… and others do not', async () => {
  show('line-lists/read');
  expect(await screen.findByText('Each row is one test.')).toBeInTheDocument();
});
