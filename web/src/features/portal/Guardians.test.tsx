import type { Guardian, GuardiansAnswer } from '@caseway/contract/guardians';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import { Guardians } from './Guardians.tsx';

await startTestLocales('patient-portal');

const id = '11111111-1111-4111-8111-111111111111';
const linked: Guardian = {
  id: '22222222-2222-4222-8222-222222222222',
  personId: '33333333-3333-4333-8333-333333333333',
  firstName: 'Marisol',
  lastName: 'Rivera',
  relation: 'parent',
  evidence: 'document',
  from: '2026-01-02',
  until: null,
  state: 'active',
  madeBy: 'Sam Ortiz',
  madeAt: '2026-01-02T15:00:00.000Z',
  endedBy: null,
  endedAt: null,
  endReason: null,
};
const answer: GuardiansAnswer = {
  bar: null,
  closesOn: '2028-05-06',
  today: '2026-06-01',
  guardians: [linked],
};
const path = `/api/web/patients/${id}/guardians`;

function OfChild({ mayWrite = true }) {
  const [linking, setLinking] = useState(false);
  return <Guardians patientId={id} mayWrite={mayWrite} linking={linking} onLinking={setLinking} />;
}
beforeEach(() => queryClient.clear());

test('who is a guardian is read with the evidence, and ended with a reason', async () => {
  const requests = serve({
    [`GET ${path}`]: { body: answer },
    [`POST ${path}/${linked.id}/end`]: {
      body: {
        ...answer,
        guardians: [
          {
            ...linked,
            state: 'ended',
            endedBy: 'Sam Ortiz',
            endedAt: '2026-06-01T15:00:00.000Z',
            endReason: 'Court',
          },
        ],
      },
    },
  });
  renderInApp(<OfChild />);
  expect(await screen.findByText('Marisol Rivera, Parent')).toBeTruthy();
  expect(screen.getByText(/By a document\. Linked by Sam Ortiz/)).toBeTruthy();

  await userEvent.click(screen.getByRole('button', { name: 'End: Marisol Rivera' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'End' }));
  expect(dialog.getByText('Write why it ends.')).toBeTruthy();
  await userEvent.type(dialog.getByLabelText(/Reason/), 'Court');
  await userEvent.click(dialog.getByRole('button', { name: 'End' }));
  expect(await screen.findByText(/Ended by Sam Ortiz.*: Court/)).toBeTruthy();
  expect(requests.at(-1)!.body).toEqual({ reason: 'Court' });
  expect(screen.queryByRole('button', { name: /^End/ })).toBeNull();
});

test('what is missing from a new link is said at its field; of an adult nothing is offered', async () => {
  serve({ [`GET ${path}`]: { body: { ...answer, guardians: [] } } });
  const { unmount } = renderInApp(<OfChild />);
  await userEvent.click(await screen.findByRole('button', { name: 'Link a guardian' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Link a guardian' }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
  unmount();

  queryClient.clear();
  const requests = serve({
    [`GET ${path}`]: { body: { ...answer, bar: 'too-old', closesOn: '2020-05-06', guardians: [] } },
  });
  renderInApp(<OfChild />);
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Link a guardian' })).toBeNull();
});

test('readers without the permission change nothing', async () => {
  serve({ [`GET ${path}`]: { body: answer } });
  renderInApp(<OfChild mayWrite={false} />);
  expect(await screen.findByText('Marisol Rivera, Parent')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
