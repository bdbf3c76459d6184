import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import { ReportIncident } from './ReportIncident.tsx';

await startTestLocales('incident-reports');
afterEach(() => {
  act(() => void store.dispatch(signedOut()));
  queryClient.clear();
});

const about = { id: '11111111-1111-4111-8111-111111111111', label: 'Okafor, Ada' };

function show(permissions: readonly string[]) {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(
      initAnswer([org('t1', 'Alder', { orgType: 'T' })], {
        casbinPolicy: permissions.map((permission) => `p, u1, T, ${permission}, allow`),
      }),
    ),
  );
  const sent = serve({
    ...Object.fromEntries(
      ['facilities', 'programs', 'diseaseFamilies', 'vaxAdverseReactions'].map((lookup) => [
        `GET /api/web/list/options/${lookup}`,
        { body: { options: [] } },
      ]),
    ),
    'POST /api/web/incident-reports': {
      status: 503,
      body: { code: 'unavailable', message: '', requestId: 'r' },
    },
  });
  renderInApp(<ReportIncident about={about} />);
  return sent;
}

test("[S1.2] a report is written from a person's record, about that person", async () => {
  const sent = show(['incident-reports/read', 'incident-reports/write', 'patients/read']);
  await userEvent.click(screen.getByRole('button', { name: 'Report an incident' }));
  const form = within(await screen.findByRole('dialog'));
  expect(form.getByLabelText(/^Person/)).toHaveValue('Okafor, Ada');
  await userEvent.selectOptions(form.getByLabelText(/^Kind/), 'Other incident');
  await userEvent.selectOptions(form.getByLabelText(/^Category/), 'Fall');
  await userEvent.selectOptions(form.getByLabelText(/^Kind of event/), 'It happened');
  await userEvent.type(form.getByLabelText(/^What happened/), 'Fell on the stairs.');
  await userEvent.click(form.getByRole('button', { name: 'Report an incident' }));
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      kind: 'other-incident',
      patient: about.id,
      narrative: 'Fell on the stairs.',
    }),
  );
});

test('users who may not write reports are offered none', () => {
  show(['incident-reports/read']);
  expect(screen.queryByRole('button')).toBeNull();
});
