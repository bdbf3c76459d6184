import { screen, waitFor } from '@testing-library/react';
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
  serve({
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
  });
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

describe('the filter bar', () => {
  test('several entries can be chosen together, found by typing without accents', async () => {
    const user = userEvent.setup();
    renderInApp(<Bar initial={{ programTypeFilter: [], programFilter: [] }} />);
    await user.click(screen.getByRole('button', { name: 'Program' }));
    await user.click(await screen.findByRole('option', { name: 'Street' }));
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: [], programFilter: ['p1'] });
    await user.type(screen.getByRole('combobox', { name: 'Program' }), 'jose{Enter}');
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: [], programFilter: ['p1', 'p2'] });
    expect(screen.getByRole('option', { name: 'Gymnasium José' })).toHaveAttribute('aria-selected', 'true');
  });

  test('choices are always visible and can be removed', async () => {
    const user = userEvent.setup();
    renderInApp(<Bar initial={{ programTypeFilter: ['t2'], programFilter: ['p2'] }} />);
    expect(await screen.findByText('School')).toBeInTheDocument();
    expect(await screen.findByText('Gymnasium José')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Remove the filter on Program' }));
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: ['t2'], programFilter: [] });
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(screen.queryByText('School')).toBeNull());
  });

  test('“not recorded” can be picked if the filter offers it', async () => {
    const user = userEvent.setup();
    renderInApp(<Bar initial={{ programTypeFilter: [], programFilter: [] }} />);
    await user.click(screen.getByRole('button', { name: 'Program' }));
    await user.click(await screen.findByRole('option', { name: 'Not recorded' }));
    expect(chosen).toHaveBeenLastCalledWith({ programTypeFilter: [], programFilter: ['missing'] });
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
