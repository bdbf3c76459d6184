import type { CodeMapping } from '@caseway/contract/imports';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { runAction } from '../../session/notify.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, type Sent, serve } from '../../test/server.ts';
import Codes from './Codes.tsx';

await startTestLocales('imports');

const idOf = (number: number) => `0b9f3a52-6c1d-4a44-9a83-3c1f6a1f000${number}`;
const mapping = (given: Partial<CodeMapping>): CodeMapping => ({
  id: idOf(1),
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
const proposal: CodeMapping['proposal'] = {
  target: '94500-6',
  targetLabel: 'SARS-CoV-2 RNA',
  basis: 'own-name',
  mappedBy: null,
};
/** Two codes of one sender and one of another, as the server lists them. */
const three = [
  mapping({ proposal }),
  mapping({ id: idOf(2), code: 'RMK', text: 'Remark' }),
  mapping({ id: idOf(3), sender: 'Bittern Clinic', code: 'FLU', text: 'Flu A', waiting: 1 }),
];
const senders = [
  { sender: 'Anhinga Laboratory', codes: 2, waiting: 4 },
  { sender: 'Bittern Clinic', codes: 1, waiting: 1 },
];

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

/** The screen with a server that stores decisions. */
async function show(rows: readonly CodeMapping[], of = senders, more: Parameters<typeof serve>[0] = {}) {
  const open = new Map(rows.map((row) => [row.id, row]));
  const all = new Map(open);
  const decided = (ids: string[], state: string) => {
    for (const id of ids)
      if (state === 'open') open.set(id, all.get(id)!);
      else open.delete(id);
    return { body: { mapping: all.get(ids[0]!), decided: ids.length, queued: 2 } };
  };
  const sent: Sent[] = serve({
    ...more,
    'GET /api/web/code-mappings': () => ({
      body: { rows: [...open.values()], rowCount: open.size, senders: of },
    }),
    'POST /api/web/code-mappings/decisions': ({ body }: Sent) => {
      const { state, codes } = body as { state: string; codes: { id: string }[] };
      return decided(
        codes.map(({ id }) => id),
        state,
      );
    },
    ...Object.fromEntries(
      rows.map(({ id }) => [
        `PUT /api/web/code-mappings/${id}`,
        ({ body }: Sent) => decided([id], (body as { state: string }).state),
      ]),
    ),
  });
  renderInApp(<Codes />);
  const table = within(await screen.findByRole('treegrid', { name: 'Codes to map' }));
  const row = (text: string) =>
    within(table.getByText(text, { exact: true }).closest<HTMLElement>('[data-code]')!);
  const decisions = () => sent.filter(({ method }) => method === 'PUT' || method === 'POST');
  return { table, row, decisions };
}
const focused = () => (document.activeElement as HTMLElement).dataset.code;

describe('codes to map', () => {
  test('are listed by sender, with what waits and the proposal with its reason', async () => {
    const { table, row } = await show(three);
    expect(table.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Anhinga Laboratory',
      'Bittern Clinic',
    ]);
    expect(table.getByText('2 codes · 4 messages are waiting')).toBeVisible();
    expect(row('SARS-CoV-2 (PCR)').getByText('SARS-CoV-2 RNA (94500-6)')).toBeVisible();
    expect(row('SARS-CoV-2 (PCR)').getByText('The text is Caseway’s own name of this test.')).toBeVisible();
    expect(row('SARS-CoV-2 (PCR)').getByText('COV-19 · L')).toBeVisible();
    expect(row('Remark').getByText('No proposal')).toBeVisible();
  });

  test('show no number that is zero by construction, and none that the reader may not know', async () => {
    const decided = {
      state: 'mapped',
      target: '94500-6',
      targetLabel: 'SARS-CoV-2 RNA',
      waiting: 0,
    } as const;
    const { table, row } = await show(
      [mapping(decided), mapping({ ...decided, id: idOf(2), text: 'Flu A', occurrences: null })],
      [{ sender: 'Anhinga Laboratory', codes: 2, waiting: 0 }],
    );
    expect(row('SARS-CoV-2 (PCR)').getByText('Seen 3 times.')).toBeVisible();
    expect(table.getByText('2 codes')).toBeVisible();
    expect(row('Flu A').queryByText(/^Seen/)).toBeNull();
    expect(table.queryByText(/^0 /)).toBeNull();
  });

  test('a proposal can be to leave a code out, also among several that are accepted', async () => {
    const comment: CodeMapping['proposal'] = {
      target: null,
      targetLabel: null,
      basis: 'comment',
      mappedBy: null,
    };
    const { row, decisions } = await show([
      mapping({ proposal }),
      mapping({ id: idOf(2), code: 'COM1', text: 'Comment', proposal: comment }),
      mapping({ id: idOf(3), code: 'COM2', text: 'Remarks', proposal: comment }),
    ]);
    expect(row('Comment').getByText('Leave out: a comment, not a result')).toBeVisible();
    expect(row('Comment').getByText('The text is the name of a comment.')).toBeVisible();
    await userEvent.click(row('Comment').getByRole('button', { name: /^Accept for/ }));
    await userEvent.click(row('SARS-CoV-2 (PCR)').getByRole('checkbox'));
    await userEvent.click(row('Remarks').getByRole('checkbox'));
    await userEvent.click(screen.getByRole('button', { name: 'Accept 2 proposals' }));
    await waitFor(() =>
      expect(decisions().map(({ path, body }) => [path, body])).toEqual([
        [`/api/web/code-mappings/${idOf(2)}`, { state: 'ignored' }],
        [`/api/web/code-mappings/${idOf(1)}`, { state: 'mapped', target: '94500-6' }],
        [`/api/web/code-mappings/${idOf(3)}`, { state: 'ignored' }],
      ]),
    );
  });

  test('tests of one name are told apart by specimen and method', async () => {
    const chlamydia = { code: 'chlamydia', label: 'Chlamydia' };
    const found = (loinc: string, site: string | null, method = 'naat') => ({
      loinc,
      name: 'Chlamydia trachomatis DNA',
      method,
      site: site === null ? null : { label: site },
      diseaseFamily: chlamydia,
    });
    const { row } = await show([mapping({ text: 'Chlamydia' })], senders, {
      'GET /api/web/laboratory-tests': {
        body: {
          tests: [found('21190-4', 'Cervix'), found('6357-8', 'Urine'), found('6349-5', null, 'culture')],
        },
      },
    });
    await userEvent.click(row('Chlamydia').getByRole('button', { name: /^Choose what/ }));
    await userEvent.type(row('Chlamydia').getByRole('combobox'), 'chlam');
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
      'Chlamydia trachomatis DNA (21190-4)Cervix · NAAT · Chlamydia',
      'Chlamydia trachomatis DNA (6357-8)Urine · NAAT · Chlamydia',
      'Chlamydia trachomatis DNA (6349-5)Any specimen · Culture · Chlamydia',
    ]);
  });

  test("a sender's words without a code are shown as written, never by the key made of them", async () => {
    const { row, table } = await show([mapping({ system: 'text', code: 'sars cov 2 pcr' })]);
    expect(row('SARS-CoV-2 (PCR)').getByRole('button', { name: 'Leave out SARS-CoV-2 (PCR)' })).toBeVisible();
    expect(table.queryByText(/sars cov 2 pcr/)).toBeNull();
  });

  test('say who sees the messages of an undecided code, if the reader sees none', async () => {
    await show([mapping({ waiting: 0 })]);
    expect(screen.getByText(/While a code is unknown/)).toBeVisible();
  });

  test('are decided by keyboard, each key leading to the next code', async () => {
    const user = userEvent.setup();
    const { decisions, table } = await show(three);
    act(() => table.getByText('SARS-CoV-2 (PCR)').closest<HTMLElement>('[data-code]')!.focus());
    await user.keyboard('a');
    await waitFor(() => expect(focused()).toBe(idOf(2)));
    await user.keyboard('x');
    await waitFor(() => expect(focused()).toBe(idOf(3)));
    await user.keyboard('r');
    await waitFor(() =>
      expect(decisions().map(({ body }) => body)).toEqual([
        { state: 'mapped', target: '94500-6' },
        { state: 'ignored' },
        { state: 'mapped', target: 'routine' },
      ]),
    );
    expect(await screen.findByText('No codes are waiting')).toBeVisible();
  });

  test('the arrow keys move from code to code, and Z undoes the last decision', async () => {
    const user = userEvent.setup();
    const { row, table, decisions } = await show(three);
    act(() => table.getByText('SARS-CoV-2 (PCR)').closest<HTMLElement>('[data-code]')!.focus());
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    await waitFor(() => expect(focused()).toBe(idOf(2)));
    await user.keyboard('x');
    await waitFor(() => expect(table.queryByText('Remark')).toBeNull());
    await waitFor(() => expect(store.getState().notifications.past.length).toBeGreaterThan(0));
    await user.keyboard('z');
    await waitFor(() => expect(row('Remark').getByText('No proposal')).toBeVisible());
    expect(decisions().at(-1)!.body).toEqual({ state: 'open' });
  });

  test('a code left out is in that list, even if that list loads before the other is reloaded', async () => {
    const user = userEvent.setup();
    const left = { ...three[1]!, state: 'ignored' as const };
    const never = new Promise<never>(() => {});
    let decided = false;
    serve({
      'GET /api/web/code-mappings': ({ query }: Sent) => {
        if (query.state === 'ignored') return { body: { rows: [left], rowCount: 1, senders } };
        return decided ? never : { body: { rows: three, rowCount: 3, senders } };
      },
      [`PUT /api/web/code-mappings/${idOf(2)}`]: () => {
        decided = true;
        return { body: { mapping: left, queued: 2 } };
      },
    });
    renderInApp(<Codes />);
    await user.click(await screen.findByRole('button', { name: 'Leave out RMK' }));
    await waitFor(() => expect(screen.queryByText('Remark')).toBeNull());
    await user.click(screen.getByRole('radio', { name: 'Left out' }));
    expect(await screen.findByText('Remark')).toBeVisible();
  });

  test('several are left out at once, and reopened from the message', async () => {
    const user = userEvent.setup();
    const { table, row, decisions } = await show(three);
    await user.click(table.getByRole('checkbox', { name: 'Select the codes of Anhinga Laboratory' }));
    expect(screen.getByRole('button', { name: 'Accept 1 proposal' })).toBeEnabled();
    await user.click(screen.getByRole('button', { name: 'Leave them out' }));
    await waitFor(() => expect(table.queryByText('Remark')).toBeNull());
    expect(row('Flu A').getByText('1 message')).toBeVisible();
    await waitFor(() => expect(decisions()).toHaveLength(1));
    expect(decisions()[0]!.body).toEqual({ state: 'ignored', codes: [{ id: idOf(1) }, { id: idOf(2) }] });
    const { action } = store.getState().notifications.past[0]!;
    act(() => runAction(action!));
    await waitFor(() => expect(row('Remark').getByText('No proposal')).toBeVisible());
  });

  test('a code whose decision is refused comes back', async () => {
    const user = userEvent.setup();
    serve({
      'GET /api/web/code-mappings': { body: { rows: three, rowCount: 3, senders } },
      [`PUT /api/web/code-mappings/${idOf(2)}`]: {
        status: 409,
        body: { code: 'conflict', message: 'decided' },
      },
    });
    renderInApp(<Codes />);
    await user.click(await screen.findByRole('button', { name: 'Leave out RMK' }));
    await waitFor(() =>
      expect(store.getState().notifications.past[0]).toMatchObject({
        kind: 'error',
        message: 'error.conflict',
      }),
    );
    expect(await screen.findByText('Remark')).toBeVisible();
  });
});
