import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signedOut, userReady } from '../session/authentication.ts';
import { noteOrg } from '../session/recent-orgs.ts';
import { page } from '../session/session.ts';
import { storageKeys } from '../session/storage-keys.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { initAnswer, org } from '../test/server.ts';
import OrgPanel from './OrgPanel.tsx';

await startTestLocales();

const hundreds = [
  org('t1', 'Alder'),
  ...Array.from({ length: 499 }, (_, index) =>
    org(`o${index}`, `Clinic ${String(index).padStart(3, '0')}`, { orgType: index % 2 ? 'F' : 'O' }),
  ),
];

beforeEach(() => {
  HTMLElement.prototype.scrollIntoView = vi.fn();
  page.reloadAtRoot = vi.fn();
});
afterEach(() => void store.dispatch(signedOut()));

function show(orgs = hundreds): void {
  const answer = initAnswer(orgs);
  store.dispatch(userReady(answer));
  renderInApp(<OrgPanel anchor={document.body} org={answer.selectedOrg!} onClose={() => undefined} />);
}
const names = () => screen.getAllByRole('option').map((one) => one.textContent);

describe('[S2.5, S4.6] choosing among hundreds of organizations', () => {
  test('recently used ones are first, the others by name', () => {
    noteOrg('u1', 'F:o7');
    noteOrg('u1', 'O:o400');
    noteOrg('another person', 'O:o2');
    show();
    expect(screen.getByText('Recent')).toBeInTheDocument();
    expect(names().slice(0, 4)).toEqual([
      'Clinic 400Organization',
      'Clinic 007Facility',
      'AlderTenant',
      'Clinic 000Organization',
    ]);
  });

  test('words find one, in any order; Enter selects it', async () => {
    show();
    await userEvent.type(screen.getByRole('combobox'), '431 clin');
    expect(names()).toEqual(['Clinic 431Facility']);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(page.reloadAtRoot).toHaveBeenCalledOnce());
    expect(sessionStorage.getItem(storageKeys.lastUsedOrg)).toBe('F:o431');
  });

  test('one kind can be shown on its own', async () => {
    show();
    await userEvent.click(screen.getByRole('radio', { name: 'Tenant' }));
    expect(names()).toEqual(['AlderTenant']);
    expect(within(screen.getByRole('listbox')).getAllByRole('option')).toHaveLength(1);
  });

  test('a user with few organizations sees a plain list', () => {
    noteOrg('u1', 'T:t2');
    show([org('t1', 'Alder'), org('t2', 'Birch')]);
    expect(screen.queryByText('Recent')).toBeNull();
    expect(screen.queryByRole('radio')).toBeNull();
    expect(names()).toEqual(['AlderTenant', 'BirchTenant']);
  });
});
