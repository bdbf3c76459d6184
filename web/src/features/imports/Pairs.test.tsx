import type { MatchPerson, PatientMatch } from '@caseway/contract/matches';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { NotificationStack } from '../../shell/NotificationStack.tsx';
import { screenToScroll } from '../../test/list-room.ts';
import { startTestLocales } from '../../test/locales.ts';
import { holdNotifications, renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import Pairs from './Pairs.tsx';

await startTestLocales('imports');

const person = (id: string, firstName: string, lastName: string, createdAt: string): MatchPerson => ({
  id,
  lastName,
  firstName,
  middleName: null,
  suffix: null,
  otherNames: [],
  birthDate: '1968-03-26',
  bornFrom: null,
  bornTo: null,
  sex: 'F',
  phones: [],
  street: null,
  city: null,
  state: null,
  postalCode: null,
  identifiers: [],
  results: 1,
  cases: 0,
  createdAt,
});
const withNumber = (one: MatchPerson, assigner: string): MatchPerson => ({
  ...one,
  identifiers: [{ kind: 'MR', assigner, value: 'A-1007' }],
});
const older = person('0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0001', 'Carol', 'Caddis', '2026-01-02T12:00:00.000Z');
const newer = person('0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0002', 'Sandy', 'Parmanti', '2026-03-04T12:00:00.000Z');
const pair: PatientMatch = {
  id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0003',
  state: 'open',
  score: 0.6,
  parts: { lastName: 0, firstName: 0, birthDate: 1 },
  patient: newer,
  candidate: older,
  kept: { name: 'older', birth: 'older', sex: 'older', address: 'newer' },
  createdAt: '2026-03-04T12:00:00.000Z',
  decidedAt: null,
  decidedBy: null,
  moved: null,
};

beforeEach(() => {
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(initAnswer([org('t1', 'Alder')], { casbinPolicy: ['p, u1, T, patient-matches/write, allow'] })),
  );
  screenToScroll();
});
afterEach(() => void act(() => void store.dispatch(signedOut())));

test("a pair's title has the order of its columns: older, then newer", async () => {
  serve({ 'GET /api/web/patient-matches': { body: { rows: [pair], rowCount: 1 } } });
  renderInApp(<Pairs />);
  const card = await screen.findByRole('region', { name: 'Carol Caddis – Sandy Parmanti' });
  expect(within(card).getByRole('heading')).toHaveTextContent('Carol Caddis – Sandy Parmanti');
  const columns = within(card)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
  const names = within(within(card).getByRole('row', { name: /Last name/ }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(columns.slice(1)).toEqual(['Older record', 'Newer record']);
  expect(names).toEqual([expect.stringMatching(/^Caddis/), expect.stringMatching(/^Parmanti/)]);
});

const numbersOf = async (assigners: readonly [string, string], parts: PatientMatch['parts']) => {
  const rows = [
    {
      ...pair,
      parts,
      candidate: withNumber(older, assigners[0]),
      patient: withNumber(newer, assigners[1]),
    },
  ];
  serve({ 'GET /api/web/patient-matches': { body: { rows, rowCount: 1 } } });
  renderInApp(<Pairs />);
  const card = await screen.findByRole('region', { name: 'Carol Caddis – Sandy Parmanti' });
  return within(card).getByRole('row', { name: /A-1007/ });
};

test.each([
  ['was compared', { ...pair.parts, identifier: 1 }],
  ['was not known yet when the two were compared', pair.parts],
])('a record number given to both by one place agrees, also where it %s', async (_, parts) => {
  expect(await numbersOf(['clinic', 'Clinic'], parts)).toHaveTextContent('Agrees');
});

test.each([
  ['of which nobody knows who gave it', ['', '']],
  ['that two places gave', ['2.16.840.1', '2.16.840.2']],
  ['that a named and an unnamed place gave', ['clinic', '']],
] as const)('the same number on both sides %s says why it does not count', async (_, assigners) => {
  const row = await numbersOf(assigners, pair.parts);
  expect(row).toHaveTextContent('Same number, but not known to come from the same place');
  expect(row).not.toHaveTextContent('Agrees');
});

test('a merge is undone from its message, or the message says why not', async () => {
  let answer: { status?: number; body: unknown } = { body: { ...pair, state: 'open' } };
  const path = `/api/web/patient-matches/${pair.id}`;
  const sent = serve({
    'GET /api/web/patient-matches': { body: { rows: [pair], rowCount: 1 } },
    [`POST ${path}`]: ({ body }) =>
      (body as { decision: string }).decision === 'open' ? answer : { body: { ...pair, state: 'same' } },
  });
  renderInApp(
    <>
      <Pairs />
      <NotificationStack />
    </>,
  );
  holdNotifications();
  const merge = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Same person: merge' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Merge' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo the merge' }));
  };
  await merge();
  expect(await screen.findByText('Pair reopened.')).toBeInTheDocument();
  answer = { status: 503, body: { code: 'unavailable', message: 'busy', requestId: 'r' } };
  await merge();
  expect(await screen.findByText(/^Caseway is not available/)).toBeInTheDocument();
  expect(sent.filter((one) => one.path === path).map(({ body }) => body)).toEqual(
    ['same', 'open', 'same', 'open'].map((decision) =>
      decision === 'same' ? { decision, values: {} } : { decision },
    ),
  );
});

test('equal values that were not compared say so', async () => {
  const rows = [
    {
      ...pair,
      candidate: { ...older, street: '12 Example St' },
      patient: { ...newer, street: '12 Example St' },
    },
  ];
  serve({ 'GET /api/web/patient-matches': { body: { rows, rowCount: 1 } } });
  renderInApp(<Pairs />);
  const card = await screen.findByRole('region', { name: 'Carol Caddis – Sandy Parmanti' });
  expect(within(card).getByRole('row', { name: /12 Example St/ })).toHaveTextContent(
    'The same, but not counted',
  );
  expect(within(card).getByRole('row', { name: /Date of birth/ })).toHaveTextContent('Agrees');
});

/** The requests that decide the pair, once the screen shows it. */
const decidedOf = async (match: PatientMatch, title = 'Carol Caddis – Sandy Parmanti') => {
  const path = `/api/web/patient-matches/${match.id}`;
  const sent = serve({
    'GET /api/web/patient-matches': { body: { rows: [match], rowCount: 1 } },
    [`POST ${path}`]: { body: { ...match, state: 'same' } },
  });
  renderInApp(<Pairs />);
  const card = within(await screen.findByRole('region', { name: title }));
  return { card, decisions: () => sent.filter((one) => one.path === path).map(({ body }) => body) };
};

test('a contradictory pair is merged only after a confirmation that names the differences', async () => {
  const { card, decisions } = await decidedOf(pair);
  expect(card.getByText('Agree: date of birth. Differ: last name, first name.')).toBeVisible();
  await userEvent.click(card.getByRole('button', { name: 'Same person: merge' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge Carol Caddis – Sandy Parmanti?' }));
  expect(dialog.getByText(/^The two records differ in: last name, first name\./)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Go back' }));
  expect(decisions()).toEqual([]);
  await userEvent.click(await card.findByRole('button', { name: 'Same person: merge' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Merge' }));
  expect(decisions()).toEqual([{ decision: 'same', values: {} }]);
});

test('a pair without differences is merged at once', async () => {
  const { card, decisions } = await decidedOf({ ...pair, parts: { birthDate: 1 } });
  await userEvent.click(card.getByRole('button', { name: 'Same person: merge' }));
  expect(decisions()).toEqual([{ decision: 'same', values: {} }]);
});

test('kept values can be chosen only where the two differ', async () => {
  const match = {
    ...pair,
    parts: { birthDate: 1 },
    candidate: { ...older, street: '12 Oak St' },
    patient: { ...newer, street: '9 Elm St', middleName: 'Q' },
  };
  const { card, decisions } = await decidedOf(match);
  // Both have the same birth date; the middle name belongs to the name.
  expect(card.getAllByRole('radio').map((radio) => radio.getAttribute('aria-label'))).toEqual([
    'Keep the name of the older record',
    'Keep the name of the newer record',
    'Keep the address of the older record',
    'Keep the address of the newer record',
  ]);
  expect(card.getByRole('radio', { name: 'Keep the name of the older record' })).toBeChecked();
  expect(card.getByRole('radio', { name: 'Keep the address of the newer record' })).toBeChecked();
  await userEvent.click(card.getByRole('radio', { name: 'Keep the name of the newer record' }));
  await userEvent.click(card.getByRole('button', { name: 'Same person: merge' }));
  // Values without a choice are left to the merge rules.
  expect(decisions()).toEqual([{ decision: 'same', values: { name: 'newer' } }]);
});

test('its summary has the words of the table, and the choice is where the two differ', async () => {
  const { card } = await decidedOf(
    {
      ...pair,
      parts: { lastName: 1, firstName: 0.6, birthDate: 1, address: 0 },
      candidate: { ...older, firstName: 'Sandi', lastName: 'Parmanti', street: '12 Oak St' },
      patient: { ...newer, street: '9 Elm St' },
    },
    'Sandi Parmanti – Sandy Parmanti',
  );
  expect(
    card.getByText('Agree: last name, date of birth. Partly agree: first name. Differ: address.'),
  ).toBeVisible();
  expect(card.getByRole('row', { name: /^First name/ })).toHaveTextContent(/Partly.*Keep this name/);
  const lastName = card.getByRole('row', { name: /^Last name/ });
  expect(lastName).toHaveTextContent('Agrees');
  expect(lastName).not.toHaveTextContent('Keep this name');
});

test('a merged pair shows no comparison of what the merge has made alike', async () => {
  const { card } = await decidedOf({
    ...pair,
    state: 'same',
    // The merge added the number of the newer record to the older one, and moved what it contained.
    candidate: { ...withNumber(older, 'clinic'), results: 2, cases: 1 },
    patient: { ...withNumber(newer, 'clinic'), results: 0, cases: 0 },
    moved: { results: 1, cases: 1 },
    decidedAt: '2026-03-05T15:00:00.000Z',
    decidedBy: 'Robin Wren',
  });
  // As stored when the newer record arrived.
  expect(card.getByText('Agree: date of birth. Differ: last name, first name.')).toBeVisible();
  expect(card.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Part',
    'Merged record, as it is now',
    'Newer record, as it was',
  ]);
  expect(card.queryByText('Agrees')).toBeNull();
  expect(card.queryByText('Contains')).toBeNull();
  expect(card.getByText(/ The merge moved 1 result and 1 case\.$/)).toBeVisible();
});

test('a merged pair says who merged it, when and into which', async () => {
  const { card } = await decidedOf({
    ...pair,
    state: 'same',
    decidedAt: '2026-03-05T15:00:00.000Z',
    decidedBy: 'Robin Wren',
  });
  expect(
    card.getByText(/^Robin Wren merged the newer record into the older one, 03\/05\/2026/),
  ).toBeVisible();
  expect(card.queryByRole('radio')).toBeNull();
});
