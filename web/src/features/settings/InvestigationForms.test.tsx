import type { FormExtension } from '@caseway/contract/form';
import type { PublishedForm } from '@caseway/contract/form-settings';
import { formOfFamily } from '@caseway/contract/investigation-form';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { leavesUnsaved } from '../../session/unsaved.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test/server.ts';
import { InvestigationForms } from './InvestigationForms.tsx';

await startTestLocales('settings');
type Extension = Pick<FormExtension, 'after' | 'hidden'>;
let versions: Extension[];
beforeEach(() => {
  sessionStorage.clear();
  versions = [];
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
  const published = (): PublishedForm => ({
    family: 'syphilis',
    form: formOfFamily('syphilis')!,
    version: versions.length,
    extension: versions.at(-1) ?? { after: {}, hidden: [] },
    published: versions
      .map((_, index) => ({ version: index + 1, at: '2026-03-01T12:00:00Z', by: 'Ada Stone' }))
      .reverse(),
  });
  serve({
    'GET /api/web/settings/forms': () => ({ body: { languages: ['en', 'es'], forms: [published()] } }),
    'POST /api/web/settings/forms/syphilis': ({ body }) => {
      versions.push((body as { extension: Extension }).extension);
      return { body: published() };
    },
  });
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});
const button = (name: string) => screen.getByRole('button', { name });
const publish = async () => {
  await userEvent.click(button('Publish'));
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Publish' }));
  await screen.findByRole('heading', { name: 'Published versions' });
};

test('a question is added in every language of the tenant, tried in the preview and published', async () => {
  renderInApp(<InvestigationForms />);
  await userEvent.click(
    await screen.findByRole('button', { name: 'Add a question after “Used methamphetamine”' }),
  );
  const dialog = within(screen.getByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Apply' }));
  // Each missing text is named at its field.
  expect(dialog.getByLabelText('Question in English (US)')).toHaveAccessibleDescription('Fill this in.');
  await userEvent.type(dialog.getByLabelText('Question in English (US)'), 'Used fentanyl');
  await userEvent.type(dialog.getByLabelText('Question in Español'), 'Usó fentanilo');
  const answer = (number: number) => within(dialog.getByRole('group', { name: `Answer ${number}` }));
  await userEvent.type(answer(1).getByLabelText('English (US)'), 'Yes');
  await userEvent.type(answer(1).getByLabelText('Español'), 'Sí');
  await userEvent.click(answer(2).getByRole('button', { name: 'Remove answer 2' }));
  await userEvent.selectOptions(dialog.getByLabelText('Asked'), 'Used methamphetamine');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Answer' }), 'Yes');
  await userEvent.click(dialog.getByRole('button', { name: 'Apply' }));
  expect(leavesUnsaved('screen')).toBe(true);

  await userEvent.click(screen.getByRole('radio', { name: 'Preview' }));
  expect(screen.queryByLabelText(/^Used fentanyl/)).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText(/^Used methamphetamine/), 'Yes');
  expect(screen.getByLabelText(/^Used fentanyl/)).toBeVisible();

  await publish();
  const [added] = versions[0]!.after.meth!;
  expect(added).toEqual({
    linkId: expect.stringMatching(/^x-[0-9a-f]{12}$/),
    type: 'choice',
    words: { label: 'Used fentanyl', labelI18N: { es: 'Usó fentanilo' } },
    answers: [
      { code: expect.stringMatching(/^[0-9a-f]{8}$/), words: { label: 'Yes', labelI18N: { es: 'Sí' } } },
    ],
    when: { field: 'meth', is: 'Y' },
  });
  expect(leavesUnsaved('screen')).toBe(false);
});

test('a question that was begun is still there after a reload, until it is cancelled', async () => {
  const add = 'Add a question after “Used methamphetamine”';
  const text = () => screen.getByLabelText('Question in English (US)');
  renderInApp(<InvestigationForms />);
  await userEvent.click(await screen.findByRole('button', { name: add }));
  expect(leavesUnsaved('screen')).toBe(false);
  await userEvent.type(text(), 'Used fentanyl');
  await userEvent.click(button('Add an answer'));
  cleanup();
  renderInApp(<InvestigationForms />);
  await userEvent.click(await screen.findByRole('button', { name: add }));
  expect(text()).toHaveValue('Used fentanyl');
  expect(screen.getByRole('group', { name: 'Answer 3' })).toBeVisible();
  await userEvent.click(button('Cancel'));
  await userEvent.click(await screen.findByRole('button', { name: add }));
  expect(text()).toHaveValue('');
  expect(leavesUnsaved('screen')).toBe(false);
});

test('a published question is retired, an unpublished one is removed', async () => {
  const own = { linkId: 'x-a', type: 'text', words: { label: 'Mine', labelI18N: { es: 'Mía' } } } as const;
  versions = [{ after: { meth: [own] }, hidden: [] }];
  renderInApp(<InvestigationForms />);
  await userEvent.click(await screen.findByRole('button', { name: 'Retire “Mine”' }));
  expect(screen.queryByRole('button', { name: 'Change “Mine”' })).toBeNull();
  await userEvent.click(button('Discard changes'));
  await userEvent.click(button('Change “Mine”'));
  expect(screen.getByLabelText('Kind of answer')).toBeDisabled();
});

test('a question that no fact or guide needs can be hidden, and shown again', async () => {
  renderInApp(<InvestigationForms />);
  await userEvent.click(await screen.findByRole('button', { name: 'Do not ask “Sex without a condom”' }));
  expect(screen.queryByRole('button', { name: 'Do not ask “Sex with men”' })).toBeNull();
  await publish();
  expect(versions[0]).toEqual({ after: {}, hidden: ['without-condom'] });
  await userEvent.click(await screen.findByRole('button', { name: 'Ask again: “Sex without a condom”' }));
  await publish();
  expect(versions[1]).toEqual({ after: {}, hidden: [] });
});
