import type { Treatment } from '@caseway/contract/treatments';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, serve } from '../../test/server.ts';
import { Treatments } from './Treatments.tsx';

await startTestLocales('treatments');
const caseId = '11111111-1111-4111-8111-111111111111';
const treatment: Treatment = {
  id: '22222222-2222-4222-8222-222222222222',
  version: 1,
  caseRecord: caseId,
  drug: 'doxycycline-7-days',
  otherDrug: null,
  startedOn: '2026-03-07',
  endedOn: null,
  adequacy: 'adequate',
  givenAt: null,
  provider: 'Dr. Duval',
  state: 'given',
  source: 'manual',
  createdOn: '2026-03-08',
};
const path = `/api/web/case-reports/${caseId}/treatments`;
beforeEach(() => {
  queryClient.clear();
  store.dispatch(userReady(initAnswer()));
});

test("a case's treatments are shown; readers who may not write have no buttons", async () => {
  serve({ [`GET ${path}`]: { body: { treatments: [treatment] } } });
  renderInApp(<Treatments caseId={caseId} mayWrite={false} />);
  const item = await screen.findByRole('listitem');
  expect(item).toHaveTextContent('Doxycycline, 100 mg twice a day by mouth, 7 days');
  expect(item).toHaveTextContent('Dr. Duval');
  expect(screen.queryByRole('button', { name: 'Add treatment' })).toBeNull();
});

test('one is added; another medicine must be named', async () => {
  const requests = serve({
    [`GET ${path}`]: { body: { treatments: [] } },
    'POST /api/web/treatments': ({ body }) => ({
      body: { ...treatment, ...(body as object) },
    }),
  });
  renderInApp(<Treatments caseId={caseId} mayWrite />);
  await screen.findByText(/^No treatment has been recorded/);
  await userEvent.click(screen.getByRole('button', { name: 'Add treatment' }));
  const form = within(await screen.findByRole('dialog'));
  expect(form.queryByLabelText(/^Which medicine/)).toBeNull();
  await userEvent.selectOptions(form.getByLabelText(/^Medicine/), 'other');
  await userEvent.type(form.getByLabelText(/^Which medicine/), 'Erythromycin');
  await userEvent.type(form.getByLabelText(/^Started on/), '03/07/2026');
  await userEvent.click(form.getByRole('button', { name: 'Add treatment' }));
  const sent = () => requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
  await waitFor(() =>
    expect(sent()).toMatchObject([
      {
        caseRecord: caseId,
        drug: 'other',
        otherDrug: 'Erythromycin',
        startedOn: '2026-03-07',
        state: 'given',
      },
    ]),
  );
});

test('a refusal is shown at its field', async () => {
  serve({
    [`GET ${path}`]: { body: { treatments: [treatment] } },
    [`PATCH /api/web/treatments/${treatment.id}`]: {
      status: 422,
      body: {
        code: 'validation-failed',
        message: '',
        faults: [{ path: 'startedOn', code: 'before-birth', message: '' }],
      },
    },
  });
  renderInApp(<Treatments caseId={caseId} mayWrite />);
  await userEvent.click(await screen.findByRole('button', { name: /^Edit: Doxycycline/ }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.clear(form.getByLabelText(/^Started on/));
  await userEvent.type(form.getByLabelText(/^Started on/), '03/07/1926');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  expect((await form.findAllByText(/before the person was born/)).length).toBeGreaterThan(0);
});

test('one entered in error is marked as such', async () => {
  const requests = serve({
    [`GET ${path}`]: { body: { treatments: [treatment] } },
    [`PATCH /api/web/treatments/${treatment.id}`]: {
      body: { ...treatment, version: 2, state: 'entered-in-error' },
    },
  });
  renderInApp(<Treatments caseId={caseId} mayWrite />);
  await userEvent.click(await screen.findByRole('button', { name: /^Entered in error: Doxycycline/ }));
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { version: 1, state: 'entered-in-error' },
    ]),
  );
});
