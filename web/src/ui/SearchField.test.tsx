import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { SearchField } from './SearchField.tsx';

await startTestLocales();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function searchField() {
  const onSearch = vi.fn();
  const onSubmit = vi.fn((event) => event.preventDefault());
  renderInApp(
    <form onSubmit={onSubmit}>
      <SearchField label="Find a label" onSearch={onSearch} />
    </form>,
  );
  return { onSearch, onSubmit, field: screen.getByRole('searchbox', { name: 'Find a label' }) };
}

test('[S9.4] searches 0.8 seconds after the last letter, and only for the final text', () => {
  const { onSearch, field } = searchField();
  fireEvent.change(field, { target: { value: 'ca' } });
  vi.advanceTimersByTime(799);
  fireEvent.change(field, { target: { value: ' case ' } });
  vi.advanceTimersByTime(799);
  expect(onSearch).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onSearch.mock.calls).toEqual([['case']]);
});

test('Enter searches immediately and does not submit the surrounding form', () => {
  const { onSearch, onSubmit, field } = searchField();
  fireEvent.change(field, { target: { value: 'case' } });
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(false);
  expect(onSearch.mock.calls).toEqual([['case']]);
  expect(onSubmit).not.toHaveBeenCalled();
});
