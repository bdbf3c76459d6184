import { gridCounts } from '@caseway/contract/grid-counts';
import { patientGrid } from '@caseway/contract/patients';
import { gridRequest, initialGridView } from '@caseway/contract/search-params';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../test/server.ts';
import { FilterBar, type FilterDeclaration, narrowed } from './FilterBar.tsx';

await startTestLocales();
const filters: FilterDeclaration[] = [
  { name: 'programTypeFilter', label: 'Program type', lookup: 'programTypes' },
  { name: 'programFilter', label: 'Program', lookup: 'programs', missing: true },
];
const answers = {
  'GET /api/web/list/options/programTypes': {
    body: {
      options: [
        { id: 't1', label: 'Community' },
        { id: 't2', label: 'School', labelI18N: { es: 'Escuela' } },
      ],
    },
  },
  'GET /api/web/list/options/programs': {
    body: {
      options: [
        { id: 'p1', label: 'Street', within: { programTypes: 't1' } },
        { id: 'p2', label: 'Gymnasium José', within: { programTypes: 't2' } },
      ],
    },
  },
};
const chosen = vi.fn();

function Bar({ initial }: { initial: Record<string, string[]> }) {
  const [values, setValues] = useState<Record<string, string[] | string>>(initial);
  return (
    <FilterBar
      filters={filters}
      values={values}
      onChange={(next) => {
        chosen(next);
        setValues(next);
      }}
      onClear={() => setValues({ programTypeFilter: [], programFilter: [] })}
    />
  );
}

beforeEach(() => {
  chosen.mockReset();
  HTMLElement.prototype.scrollIntoView = vi.fn();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
  serve(answers);
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

const empty = { programTypeFilter: [], programFilter: [] };
const adder = () => screen.getByRole('button', { name: 'Add filter' });
const setFilters = () =>
  screen.queryAllByRole('button', { name: /^Remove the filter on/ }).map((button) => button.ariaLabel);

describe('the filter bar', () => {
  test('shows only active filters, and requests no choices until one is opened', async () => {
    const requests = serve(answers);
    renderInApp(<Bar initial={empty} />);
    expect(setFilters()).toEqual([]);
    expect(screen.queryByText('Program')).toBeNull();
    expect(adder()).toBeInTheDocument();
    expect(requests).toEqual([]);
  });

  test('a filter is found by typing and set without a mouse; Escape returns the focus', async () => {
    const user = userEvent.setup();
    renderInApp(<Bar initial={empty} />);
    await user.tab();
    expect(adder()).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('combobox', { name: 'Add filter' })).toHaveFocus();
    await user.keyboard('program{ArrowDown}{Enter}');
    expect(await screen.findByRole('option', { name: 'Street' })).toBeInTheDocument();
    expect(screen.getByRole('combobox', { name: 'Program' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: [], programFilter: ['p1'] });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(adder()).toHaveFocus());
    expect(screen.getByRole('button', { name: 'Program Street' })).toBeInTheDocument();
  });

  test('several entries can be chosen together, found by typing without accents', async () => {
    const user = userEvent.setup();
    renderInApp(<Bar initial={empty} />);
    await user.click(adder());
    await user.click(await screen.findByRole('option', { name: 'Program' }));
    await user.click(await screen.findByRole('option', { name: 'Street' }));
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: [], programFilter: ['p1'] });
    await user.type(screen.getByRole('combobox', { name: 'Program' }), 'jose{Enter}');
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: [], programFilter: ['p1', 'p2'] });
    expect(screen.getByRole('option', { name: 'Gymnasium José' })).toHaveAttribute('aria-selected', 'true');
  });

  test('a chip shows its choices, opens them, and disappears with the last one', async () => {
    const user = userEvent.setup();
    renderInApp(<Bar initial={{ programTypeFilter: ['t2'], programFilter: ['p2'] }} />);
    await user.click(await screen.findByRole('button', { name: 'Program type School' }));
    await user.click(await screen.findByRole('option', { name: 'School' }));
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: [], programFilter: ['p2'] });
    await user.click(screen.getByRole('option', { name: 'Community' }));
    await user.click(screen.getByRole('option', { name: 'Community' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(setFilters()).toEqual(['Remove the filter on Program']));
    await waitFor(() => expect(adder()).toHaveFocus());
  });

  test('a chip is removed by its button or a key, and the focus stays in the bar', async () => {
    const user = userEvent.setup();
    renderInApp(<Bar initial={{ programTypeFilter: ['t2'], programFilter: ['p2'] }} />);
    await user.click(screen.getByRole('button', { name: 'Remove the filter on Program' }));
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: ['t2'], programFilter: [] });
    expect(adder()).toHaveFocus();
    (await screen.findByRole('button', { name: 'Program type School' })).focus();
    await user.keyboard('{Delete}');
    expect(chosen).toHaveBeenLastCalledWith(empty);
    expect(adder()).toHaveFocus();
    expect(setFilters()).toEqual([]);
  });

  test('Clear removes them all', async () => {
    const user = userEvent.setup();
    renderInApp(<Bar initial={{ programTypeFilter: ['t2'], programFilter: ['p2'] }} />);
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(setFilters()).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  });

  test('“not recorded” can be picked if the filter offers it', async () => {
    const user = userEvent.setup();
    renderInApp(<Bar initial={empty} />);
    await user.click(adder());
    await user.click(await screen.findByRole('option', { name: 'Program' }));
    await user.click(await screen.findByRole('option', { name: 'Not recorded' }));
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: [], programFilter: ['missing'] });
  });

  describe('above a list', () => {
    const counts = `POST ${gridCounts(patientGrid).path}`;
    const list = {
      grid: patientGrid,
      request: gridRequest(patientGrid, initialGridView(patientGrid), '2026-03-02'),
    };
    const county: FilterDeclaration = {
      name: 'county',
      label: 'County',
      options: [
        { id: '12001', label: 'Alachua' },
        { id: '12003', label: 'Baker' },
      ],
    };
    const open = async (user: ReturnType<typeof userEvent.setup>) => {
      await user.click(adder());
      await user.click(await screen.findByRole('option', { name: 'County' }));
    };
    const List = () => {
      const [values, setValues] = useState<Record<string, string[] | string>>({ county: [] });
      const filters = values as Record<string, string[]>;
      return (
        <FilterBar
          filters={[county]}
          values={values}
          onChange={setValues}
          counted={{ ...list, request: { ...list.request, filters } }}
        />
      );
    };

    test('each choice has its number of records, requested once when the choices open', async () => {
      const user = userEvent.setup();
      const requests = serve({
        [counts]: { body: { counts: [{ id: '12001', count: 1204 }], complete: true } },
      });
      renderInApp(<List />);
      expect(requests).toEqual([]);
      await open(user);
      await user.click(await screen.findByRole('option', { name: 'Alachua 1,204' }));
      expect(screen.getByRole('option', { name: 'Baker 0' })).toBeInTheDocument();
      expect(screen.getByRole('option', { name: 'Alachua 1,204' })).toHaveAttribute('aria-selected', 'true');
      expect(requests.map(({ body }) => body)).toEqual([
        { filter: 'county', query: expect.objectContaining({ filters: {} }) },
      ]);
    });

    test('a choice beyond the counted ones has no number, and none has if counting fails', async () => {
      const user = userEvent.setup();
      serve({ [counts]: { body: { counts: [{ id: '12001', count: 7 }], complete: false } } });
      renderInApp(<List />);
      await open(user);
      expect(await screen.findByRole('option', { name: 'Alachua 7' })).toBeInTheDocument();
      expect(screen.getByRole('option', { name: 'Baker' })).toBeInTheDocument();
      cleanup();
      queryClient.clear();
      const requests = serve({ [counts]: { status: 503, body: { code: 'query-too-slow' } } });
      renderInApp(<List />);
      await open(user);
      await waitFor(() => expect(requests).not.toEqual([]));
      expect(screen.getByRole('option', { name: 'Alachua' })).toBeInTheDocument();
    });
  });

  test('on a phone the sheet has all filters, active ones first', async () => {
    const user = userEvent.setup();
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('max-width'),
      addListener() {},
      removeListener() {},
      addEventListener() {},
      removeEventListener() {},
    }));
    renderInApp(<Bar initial={{ programTypeFilter: [], programFilter: ['p2'] }} />);
    await user.click(screen.getByRole('button', { name: /^Filters/ }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }));
    const named = sheet.getAllByRole('button', { name: /^Program/ }).map(({ textContent }) => textContent);
    expect(named).toEqual(['Program1', 'Program type']);
    vi.unstubAllGlobals();
  });

  test('an entry is offered only under its chosen parent; earlier choices stay', () => {
    const options = [
      { id: 'p1', label: 'Street', within: { programTypes: 't1' } },
      { id: 'p2', label: 'Gym', within: { programTypes: 't2' } },
      { id: 'p3', label: 'Free' },
    ];
    const ids = (values: Record<string, string[]>) =>
      narrowed(options, 'programFilter', filters, values).map(({ id }) => id);
    expect(ids({ programTypeFilter: ['t1'], programFilter: [] })).toEqual(['p1', 'p3']);
    expect(ids({ programTypeFilter: ['t1'], programFilter: ['p2'] })).toEqual(['p1', 'p2', 'p3']);
    expect(ids({ programTypeFilter: [], programFilter: [] })).toEqual(['p1', 'p2', 'p3']);
  });
});
