import type { ReportedJurisdiction, Reporting as State } from '@caseway/contract/places';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import { placeKind } from './kinds.ts';
import { PlacePanel } from './PlacePanel.tsx';
import Reporting from './Reporting.tsx';

await startTestLocales('places');
const id = '11111111-1111-4111-8111-111111111111';
const bay: ReportedJurisdiction = {
  id,
  version: 4,
  name: 'Bay Region',
  counties: ['12057', '12103'],
  managedBy: 'Gulfstream',
  own: false,
  open: true,
  reporting: null,
  since: null,
};

/** An administrator with or without the permission for restricted families. */
const actAs = (...permissions: string[]) =>
  store.dispatch(
    userReady(
      initAnswer([org(id, 'Alder Health')], {
        casbinPolicy: [...permissions.map((one) => `p, role:admin, T, ${one}, allow`), 'g, u1, role:admin'],
      }),
    ),
  );
beforeEach(() => {
  queryClient.clear();
  actAs('settings/write', 'restricted-families/read');
});

/** A server with one jurisdiction that stores the decisions about it. */
function served(first: ReportedJurisdiction, refusal?: { status: number; code: string }) {
  let now = first;
  return {
    meet(other: ReportedJurisdiction) {
      now = other;
    },
    requests: serve({
      'GET /api/web/reporting': () => ({ body: { jurisdictions: [now], total: 1 } }),
      'GET /api/web/list/options/counties': {
        body: { options: [{ id: '12057', label: 'Hillsborough' }] },
      },
      [`PUT /api/web/reporting/${id}`]: ({ body }) => {
        if (refusal) return { status: refusal.status, body: { code: refusal.code, message: 'refused' } };
        now = { ...now, reporting: (body as { after: State | null }).after };
        return { body: now };
      },
    }),
  };
}
const sent = (requests: ReturnType<typeof serve>) =>
  requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const dialog = () => screen.getByRole('dialog');
const confirm = (name: string) => userEvent.click(within(dialog()).getByRole('button', { name }));
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('reporting to jurisdictions [S6.9]', () => {
  test('begins after showing what it means: who manages it, which counties, and no restricted families', async () => {
    const { requests } = served(bay);
    renderInApp(<Reporting />);
    const item = await screen.findByRole('listitem');
    expect(item).toHaveTextContent('2 counties · Managed by Gulfstream');
    expect(item).toHaveTextContent('Not reporting');
    await press('Start reporting: Bay Region');
    expect(dialog()).toHaveTextContent('It is managed by Gulfstream.');
    expect(await within(dialog()).findByText('Hillsborough; Not in the list')).toBeVisible();
    await confirm('Start reporting');
    await closed();
    expect(sent(requests)).toEqual([{ version: 4, before: null, after: { restrictedFamilies: false } }]);
    expect(await screen.findByText('Restricted disease families are left out')).toBeVisible();
  });

  test('[P18] restricted families are included by users who may see them, and excluded again', async () => {
    const { requests } = served({ ...bay, reporting: { restrictedFamilies: false } });
    renderInApp(<Reporting />);
    await press('Include restricted families: Bay Region');
    expect(dialog()).toHaveTextContent('such as HIV, with names and birth dates');
    await confirm('Include them');
    await closed();
    await press('Leave out restricted families: Bay Region');
    await confirm('Leave them out');
    await closed();
    expect(sent(requests)).toEqual([
      { version: 4, before: { restrictedFamilies: false }, after: { restrictedFamilies: true } },
      { version: 4, before: { restrictedFamilies: true }, after: { restrictedFamilies: false } },
    ]);
  });

  test('[P18] a user who may not see restricted families sees that, and can start without them', async () => {
    actAs('settings/write');
    served(bay);
    renderInApp(<Reporting />);
    await press('Start reporting: Bay Region');
    expect(screen.getByRole('checkbox', { name: 'Include restricted disease families' })).toBeDisabled();
    expect(screen.getByText(/Only people who may see restricted/)).toBeVisible();
    await confirm('Start reporting');
    await closed();
    expect(await screen.findByRole('button', { name: 'Stop reporting: Bay Region' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Include restricted/ })).toBeNull();
  });

  test('ends after confirmation, even for a jurisdiction that no one can work for', async () => {
    const { requests } = served({ ...bay, open: false, reporting: { restrictedFamilies: true } });
    renderInApp(<Reporting />);
    expect(await screen.findByText(/Nobody can work for it at present/)).toBeVisible();
    await press('Stop reporting: Bay Region');
    await userEvent.keyboard('{Escape}');
    await closed();
    expect(sent(requests)).toEqual([]);
    await press('Stop reporting: Bay Region');
    await confirm('Stop reporting');
    await closed();
    expect(sent(requests)).toEqual([{ version: 4, before: { restrictedFamilies: true }, after: null }]);
  });

  test("someone else's change is shown and reloaded before the decision", async () => {
    const { requests, meet } = served(bay, { status: 409, code: 'conflict' });
    renderInApp(<Reporting />);
    await press('Start reporting: Bay Region');
    meet({ ...bay, version: 5, counties: ['12057', '12086'] });
    await confirm('Start reporting');
    expect(await within(dialog()).findByText('Someone else has changed this in the meantime.')).toBeVisible();
    expect(await within(dialog()).findByText('Hillsborough; Not in the list')).toBeVisible();
    await confirm('Start reporting');
    await waitFor(() => expect(sent(requests)).toHaveLength(2));
    expect(sent(requests)[1]).toMatchObject({ version: 5 });
  });

  test('an empty list and a search without a match say so, and a refused request can be retried', async () => {
    let fails = true;
    const requests = serve({
      'GET /api/web/reporting': () =>
        fails
          ? { status: 403, body: { code: 'forbidden', message: 'not any more' } }
          : { body: { jurisdictions: [], total: 0 } },
    });
    renderInApp(<Reporting />);
    const again = await screen.findByRole('button', { name: 'Try again' });
    fails = false;
    await userEvent.click(again);
    expect(await screen.findByText('No jurisdiction yet')).toBeVisible();
    await userEvent.type(screen.getByRole('searchbox'), 'nowhere{Enter}');
    expect(await screen.findByText('No matches.')).toBeVisible();
    expect(requests.at(-1)!.query).toEqual({ words: 'nowhere' });
  });
});

test('the manager of a jurisdiction sees which tenants report to it, and what is included [S6.9, P18]', async () => {
  const { version, name, counties } = bay;
  serve({
    [`GET /api/web/jurisdictions/${id}`]: {
      body: { id, version, name, counties, parent: null, reporting: true, active: true, status: 'active' },
    },
    [`GET /api/web/jurisdictions/${id}/reporting`]: {
      body: {
        tenants: [
          {
            id: id.replace('1', '2'),
            name: 'Brightwell',
            active: true,
            restrictedFamilies: true,
            since: '2026-03-02T15:00:00Z',
          },
          {
            id: id.replace('1', '3'),
            name: 'Alder Health',
            active: false,
            restrictedFamilies: false,
            since: null,
          },
        ],
      },
    },
  });
  renderInApp(<PlacePanel kind={placeKind('jurisdictions')} id={id} onOpen={() => {}} onClose={() => {}} />);
  const [first, second] = await screen.findAllByRole('listitem');
  expect(first).toHaveTextContent(
    'BrightwellReporting since 03/02/2026, 10:00 AM · Restricted disease families are included',
  );
  expect(second).toHaveTextContent('Alder Health (inactive)Restricted disease families are left out');
});
