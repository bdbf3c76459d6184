import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { describe, expect, test } from 'vitest';
import { useAddressChoices } from './address-choices.ts';

const choices = { state: ['open', 'same', 'different'], sender: null } as const;

const at = (address: string) =>
  renderHook(() => ({ ...useAddressChoices(choices), search: useLocation().search }), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <MemoryRouter initialEntries={[`/codes${address}`]}>{children}</MemoryRouter>
    ),
  }).result;

describe('choices in the address of a screen', () => {
  test('are read from it, and a change leads to the first page', () => {
    const screen = at('?state=same&sender=lab-1&page=3&other=kept');
    expect(screen.current).toMatchObject({ chosen: { state: 'same', sender: 'lab-1' }, page: 2 });
    act(() => screen.current.choose({ state: 'different', sender: null }));
    expect(screen.current).toMatchObject({ chosen: { state: 'different', sender: null }, page: 0 });
    expect(screen.current.search).toBe('?state=different&other=kept');
    act(() => screen.current.setPage(1));
    expect(screen.current.search).toBe('?state=different&other=kept&page=2');
  });

  test('are left out where they are the default, and so is the first page', () => {
    const screen = at('?state=same&page=2');
    act(() => screen.current.setPage(0));
    expect(screen.current.search).toBe('?state=same');
    act(() => screen.current.choose({ state: 'open' }));
    expect(screen.current.search).toBe('');
  });

  test.each(['?state=unknown', '?page=0', '?page=-1', '?page=1.5', '?page=x', '?page=1e99'])(
    '%s is the default',
    (address) => {
      expect(at(address).current).toMatchObject({ chosen: { state: 'open', sender: null }, page: 0 });
    },
  );
});
