import type { CaseReport } from '@caseway/contract/case-reports';
import type { Answers } from '@caseway/contract/form';
import { formOfFamily, type Investigation } from '@caseway/contract/investigation-form';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { leavesUnsaved } from '../../session/unsaved.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import { InvestigationForm } from './InvestigationForm.tsx';

await startTestLocales('case-reports');
const id = '11111111-1111-4111-8111-111111111111';
const path = `/api/web/case-reports/${id}/investigation`;
const report = { id, version: 1 } as CaseReport;

let stored: Investigation;
let sent: { version: number; answers: Answers; complete?: boolean }[];
/** What someone else saves, once, before the next change arrives. */
let meanwhile: Answers | null;
beforeEach(() => {
  sessionStorage.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(initAnswer([org('t1', 'Alder')], { casbinPolicy: ['p, u1, T, case-reports/write, allow'] })),
  );
  sent = [];
  meanwhile = null;
  stored = {
    version: 1,
    form: formOfFamily('syphilis')!,
    facts: {
      sex: 'M',
      condition: 'syphilis-primary',
      classification: 'probable',
      pregnant: null,
      onsetOn: '2026-03-01',
    },
    answers: { examined: 'Y', signs: ['rash'], previous: 'N' },
    records: {},
    completed: null,
  };
  const merge = (answers: Answers) => {
    const all = Object.entries({ ...stored.answers, ...answers }).filter(([, answer]) => answer !== null);
    stored = { ...stored, version: stored.version + 1, answers: Object.fromEntries(all) };
  };
  serve({
    [`GET ${path}`]: () => ({ body: { investigation: stored } }),
    [`PATCH ${path}`]: ({ body }) => {
      const change = body as (typeof sent)[number];
      if (meanwhile) {
        const names = Object.keys(meanwhile).filter((name) => name in change.answers);
        merge(meanwhile);
        meanwhile = null;
        if (names.length > 0)
          return {
            status: 409,
            body: {
              error: 'conflict',
              code: 'conflict',
              message: 'someone else has changed it',
              faults: names.map((name) => ({ path: name, code: 'changed-since', message: 'changed' })),
            },
          };
      }
      sent.push(change);
      merge(change.answers);
      return { body: { investigation: stored } };
    },
  });
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});
const opened = async () => {
  renderInApp(<InvestigationForm report={report} />);
  return within(await screen.findByRole('form', { name: 'Syphilis investigation' }));
};

test('sends changes, and only then removes answers no longer asked for', async () => {
  const form = await opened();
  await userEvent.selectOptions(form.getByLabelText(/^Was the person examined/), 'No');
  await userEvent.selectOptions(form.getByLabelText(/^Nontreponemal/), 'Reactive');
  await userEvent.selectOptions(form.getByLabelText(/^Titer/), '1:32');
  await userEvent.selectOptions(form.getByLabelText(/^Nontreponemal/), 'Not done');
  expect(leavesUnsaved('screen')).toBe(true);
  await userEvent.click(form.getByRole('button', { name: 'Save answers' }));
  await waitFor(() => expect(form.queryByRole('button', { name: 'Save answers' })).toBeNull());
  expect(sent).toEqual([{ version: 1, answers: { examined: 'N', nontreponemal: 'not-done', titer: null } }]);
  expect(leavesUnsaved('screen')).toBe(false);
});

test('is not sent as complete with gaps: each is named at its field', async () => {
  const form = await opened();
  await userEvent.click(form.getByRole('button', { name: 'Complete' }));
  await waitFor(() =>
    expect(form.getByLabelText(/^Treponemal/)).toHaveAccessibleDescription('Fill this in.'),
  );
  expect(sent).toEqual([]);
  await userEvent.type(form.getByLabelText(/^Partners in the last/), 'many');
  await userEvent.click(form.getByRole('button', { name: 'Save answers' }));
  await waitFor(() =>
    expect(form.getByLabelText(/^Partners in the last/)).toHaveAccessibleDescription('This is not valid.'),
  );
  expect(sent).toEqual([]);
});

test("takes over someone else's other answers, and asks whose answer to the same question applies", async () => {
  const form = await opened();
  await userEvent.selectOptions(form.getByLabelText(/^Syphilis before/), 'Yes');
  meanwhile = { treated: 'UNK' };
  await userEvent.click(form.getByRole('button', { name: 'Save answers' }));
  await waitFor(() => expect(form.getByLabelText(/^Was the person treated/)).toHaveValue('UNK'));
  await userEvent.selectOptions(form.getByLabelText(/^Syphilis before/), 'No');
  meanwhile = { previous: 'UNK' };
  await userEvent.click(form.getByRole('button', { name: 'Save answers' }));
  expect(await form.findByText('Syphilis before: Not known')).toBeVisible();
  expect(form.getByLabelText(/^Syphilis before/)).toHaveValue('N');
  await userEvent.click(form.getByRole('button', { name: 'Save answers' }));
  await waitFor(() => expect(form.queryByText('Syphilis before: Not known')).toBeNull());
  expect(stored.answers.previous).toBe('N');
});

test('shows fields of the case, and answers to questions no longer asked', async () => {
  stored.form = {
    ...stored.form,
    items: stored.form.items.map((section) => ({
      ...section,
      items: section.items!.map((item) => (item.linkId === 'jail' ? { ...item, retired: true } : item)),
    })),
  };
  stored.answers = { ...stored.answers, jail: 'Y' };
  const form = await opened();
  expect(form.getByText('03/01/2026')).toBeVisible();
  expect(form.queryByLabelText(/^In jail/)).toBeNull();
  expect(form.getByText('Not asked any more')).toBeVisible();
  expect(form.getByText('In jail or prison').nextSibling).toHaveTextContent('Yes');
});
