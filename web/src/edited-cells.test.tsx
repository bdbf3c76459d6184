import { caseFollowUpGrid } from '@caseway/contract/case-follow-ups';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { contactGrid } from '@caseway/contract/contacts';
import { documentGrid } from '@caseway/contract/documents';
import { fieldVisitGrid } from '@caseway/contract/field-visits';
import type { Grid } from '@caseway/contract/grid';
import { incidentGrid } from '@caseway/contract/incident-reports';
import { partnerGrid } from '@caseway/contract/partner-services';
import { patientGrid } from '@caseway/contract/patients';
import { permissions } from '@caseway/contract/permission';
import { shipmentGrid } from '@caseway/contract/sample-shipments';
import { telemedicineGrid } from '@caseway/contract/telemedicine';
import { vaccinationGrid } from '@caseway/contract/vaccinations';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { queryClient } from './data/api.ts';
import { screens } from './routes.tsx';
import { signedOut, tokensReceived, userReady } from './session/authentication.ts';
import { store } from './session/store.ts';
import { roomForRows } from './test/list-room.ts';
import { startTestLocales } from './test/locales.ts';
import { renderInApp } from './test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from './test/server.ts';

vi.mock('./shell/Shell.tsx', () => ({ default: () => null }));
vi.mock('./features/sign-in/SignIn.tsx', () => ({ SignIn: () => null }));

const grids = Object.fromEntries(
  [
    caseReportGrid,
    workTaskRecord.grid,
    patientGrid,
    contactGrid,
    caseFollowUpGrid,
    partnerGrid,
    fieldVisitGrid,
    incidentGrid,
    vaccinationGrid,
    documentGrid,
    telemedicineGrid,
    shipmentGrid,
  ].map((grid: Grid) => [`/${grid.id}`, grid]),
);
const id = '11111111-1111-4111-8111-111111111111';
const day = '2026-03-04';
const candidates = [null, id, '', 1, day, `${day}T12:00:00.000Z`, [], {}, false];
/** A row that the list accepts, with whatever each of its columns accepts. */
const rowOf = (path: string, row: object) => {
  const { shape } = grids[path]!.row as unknown as z.ZodObject;
  const known: Readonly<Record<string, unknown>> = { id, version: 1, active: true, ...row };
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      known[name] ?? candidates.find((one) => schema.safeParse(one).success),
    ]),
  );
};
const at = (path: string) => screens.find((one) => one.path === path)!;

/** A row of each list, in a state in which it can be changed, and the columns that are edited in it. */
const lists: Record<string, { row: object; cells: string[] }> = {
  '/case-reports': {
    row: { answers: {}, classification: 'probable', status: 'new' },
    cells: ['classification'],
  },
  '/work-tasks': { row: { state: 'open', work: 'investigate' }, cells: ['dueOn', 'priority', 'account'] },
  '/patients': { row: {}, cells: ['sex', 'city', 'county'] },
  '/contacts': { row: { status: 'identified' }, cells: ['risk', 'exposure', 'lastExposedOn'] },
  '/case-follow-ups': { row: {}, cells: ['purpose'] },
  '/partner-services': { row: { index: null }, cells: ['referralBasis'] },
  '/field-visits': { row: { status: 'planned' }, cells: ['visitType', 'plannedFor', 'dueOn'] },
  '/incident-reports': {
    row: { kind: 'other-incident', stage: 'received' },
    cells: ['receivedOn', 'category', 'harm'],
  },
  '/vaccinations': {
    row: { vaccine: 'mmr', state: 'given' },
    cells: ['givenOn', 'dose', 'manufacturer', 'lot', 'facility', 'source'],
  },
  '/documents': {
    row: { state: 'filed', fileType: 'pdf', category: 'letter' },
    cells: ['category', 'documentedOn'],
  },
  '/telemedicine': {
    row: { status: 'proposed' },
    cells: ['visitType', 'taskCategory', 'language', 'interpreter'],
  },
  '/sample-shipments': {
    row: { state: 'draft', side: 'origin' },
    cells: ['destination', 'carrier', 'trackingNumber', 'expectedOn'],
  },
};
const names = Object.keys(lists).map((path) => path.slice(1));
await startTestLocales(...names, 'break-glass', 'follow-up', 'patient-portal', 'treatments');

let sent: ReturnType<typeof serve> = [];
beforeEach(() => {
  queryClient.clear();
  roomForRows();
});
afterEach(() => act(() => void store.dispatch(signedOut())));

async function show(
  path: string,
  may: readonly string[],
  row: object,
  answers: Parameters<typeof serve>[0] = {},
) {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(
      initAnswer([org(id, 'Alder', { orgType: 'T' })], {
        casbinPolicy: may.map((one) => `p, u1, T, ${one}, allow`),
      }),
    ),
  );
  const rows = [rowOf(path, row)];
  sent = serve({
    [`POST /api/web/grid${path}/search`]: { body: { rows, rowCount: 1 } },
    [`GET /api/web${path}/bulk`]: { body: { action: null } },
    ...answers,
  });
  const { default: List } = await at(path).load();
  const { container } = renderInApp(<List />, { path });
  await waitFor(() => expect(container.querySelector('[role=gridcell]')).not.toBeNull());
  return (selector: string) =>
    [...container.querySelectorAll<HTMLElement>(`[role=gridcell]${selector}`)].map(
      ({ dataset }) => dataset.field,
    );
}
const reading = permissions.filter((one) => one.endsWith('/read'));

test('includes every list of records in the menu', () => {
  const others = ['/', '/imports'];
  const work = screens.flatMap(({ menu, path }) =>
    menu?.group === 'work' && !others.includes(path) ? [path] : [],
  );
  expect(work.sort()).toEqual(Object.keys(lists).sort());
});

test.each(Object.entries(lists))(
  'of the shown columns of %s, people who may change records edit these',
  async (path, { row, cells }) => {
    const shown = await show(path, permissions, row);
    expect(shown('[aria-readonly=false]').sort()).toEqual([...cells].sort());
  },
);

test.each(Object.entries(lists))('people who may only read %s edit none', async (path, { row }) => {
  const shown = await show(path, reading, row);
  expect(shown('[aria-readonly=false]')).toEqual([]);
  expect(shown('').length).toBeGreaterThan(3);
  expect(screen.getByRole('grid')).toHaveAttribute('aria-readonly', 'true');
});

test.each([
  ['a sent shipment', { state: 'in-transit', side: 'origin' }],
  ['a shipment of someone else', { state: 'draft', side: 'destination' }],
])('%s is not edited, and F2 says so', async (_, row) => {
  const shown = await show('/sample-shipments', permissions, row);
  expect(shown('[aria-readonly=false]')).toEqual([]);
  const carrier = document.querySelector<HTMLElement>('[role=gridcell][data-field=carrier]')!;
  act(() => carrier.focus());
  fireEvent.keyDown(carrier, { key: 'F2' });
  expect(store.getState().notifications.open.at(-1)).toMatchObject({
    message: 'sample-shipments:fault.locked',
  });
});

const contact = { ...rowOf('/contacts', { status: 'identified', number: 'C-1', risk: 'low' }) };
const one = `/api/web/contacts/${id}`;
/** The list of one contact; `later`: what others have made of it by the time it is saved. */
async function showContact(save: Parameters<typeof serve>[0][string], later: object = contact) {
  let reads = 0;
  await show('/contacts', permissions, contact, {
    [`GET ${one}`]: () => {
      reads += 1;
      return { body: reads === 1 ? contact : later };
    },
    [`PATCH ${one}`]: save,
  });
}
const cellOf = (field: string) =>
  document.querySelector<HTMLElement>(`[role=gridcell][data-field="${field}"]`)!;
const listSearches = () => sent.filter(({ path }) => path.endsWith('/search')).length;
const changes = () => sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
async function begin(field: string) {
  await userEvent.dblClick(cellOf(field));
  return within(await screen.findByRole('dialog'));
}

test('a double click opens the field, Enter saves it, and the row stays until the list is loaded again', async () => {
  await showContact(() => ({ body: { ...contact, version: 2, risk: 'high' } }));
  const before = listSearches();
  const dialog = await begin('risk');
  await userEvent.selectOptions(await dialog.findByRole('combobox', { name: /^Risk/ }), 'high');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(cellOf('risk')).toHaveTextContent('High'));
  expect(changes()).toEqual([{ risk: 'high', version: 1, seen: { risk: 'low' } }]);
  expect(listSearches()).toBe(before);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(cellOf('risk')).toHaveFocus();
  expect(store.getState().notifications.open.at(-1)).toMatchObject({ message: 'contacts:edit.saved' });
});

test('Tab saves and goes on to the next cell that can be edited', async () => {
  await showContact(() => ({ body: { ...contact, version: 2, risk: 'high' } }));
  const dialog = await begin('risk');
  await userEvent.selectOptions(await dialog.findByRole('combobox', { name: /^Risk/ }), 'high');
  await userEvent.tab();
  await waitFor(() => expect(cellOf('exposure')).toHaveFocus());
  expect(changes()).toHaveLength(1);
});

test('Escape gives up, and nothing is sent or kept', async () => {
  await showContact(() => ({ body: contact }));
  const dialog = await begin('risk');
  await userEvent.selectOptions(await dialog.findByRole('combobox', { name: /^Risk/ }), 'high');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(cellOf('risk')).toHaveFocus());
  expect(changes()).toEqual([]);
  const again = await begin('risk');
  expect(await again.findByRole('combobox', { name: /^Risk/ })).toHaveValue('low');
});

test('a refusal stands beside the cell, and what was typed stays', async () => {
  await showContact(() => ({
    status: 400,
    body: {
      code: 'validation-failed',
      message: 'no',
      faults: [{ path: 'lastExposedOn', code: 'future', message: 'no' }],
    },
  }));
  const dialog = await begin('lastExposedOn');
  const field = await dialog.findByRole('textbox', { name: /^Last exposure/ });
  await userEvent.clear(field);
  await userEvent.type(field, '03/05/2026{Enter}');
  expect((await dialog.findAllByText(/in the future/)).length).toBeGreaterThan(0);
  expect(changes()).toEqual([
    { lastExposedOn: '2026-03-05', version: 1, seen: { lastExposedOn: '2026-03-04' } },
  ]);
  expect(field).toHaveDisplayValue(/5/);
});

test('a day that cannot be read is not sent', async () => {
  await showContact(() => ({ body: contact }));
  const dialog = await begin('lastExposedOn');
  const field = await dialog.findByRole('textbox', { name: /^Last exposure/ });
  await userEvent.clear(field);
  await userEvent.type(field, '45 March{Enter}');
  expect(await dialog.findByText('Enter a date that exists.')).toBeInTheDocument();
  expect(changes()).toEqual([]);
});

test('if someone else has changed the same field, both values are said', async () => {
  await showContact(
    () => ({
      status: 409,
      body: {
        code: 'conflict',
        message: 'no',
        faults: [{ path: 'risk', code: 'changed-since', message: 'no' }],
      },
    }),
    { ...contact, version: 2, risk: 'medium' },
  );
  const dialog = await begin('risk');
  await userEvent.selectOptions(await dialog.findByRole('combobox', { name: /^Risk/ }), 'high');
  await userEvent.keyboard('{Enter}');
  const both = await dialog.findByRole('listitem');
  expect(both).toHaveTextContent(/Medium/);
  expect(both).toHaveTextContent(/High/);
});

test('a click focuses a cell that can be edited, and one on its pencil opens the field', async () => {
  await showContact(() => ({ body: contact }));
  const cell = cellOf('risk');
  vi.spyOn(cell, 'getBoundingClientRect').mockReturnValue({ left: 100, right: 200 } as DOMRect);
  await userEvent.pointer({ keys: '[MouseLeft]', target: cell, coords: { clientX: 120 } });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(cell).toHaveFocus();
  await userEvent.pointer({ keys: '[MouseLeft]', target: cell, coords: { clientX: 190 } });
  expect(await screen.findByRole('dialog', { name: 'Risk' })).toBeInTheDocument();
});
