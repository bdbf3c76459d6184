import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { loadAhead, loadPartsAgain, part } from './part.tsx';

test('[S2.3] a failed part is loaded again when its boundary retries, and loaded once when it succeeds', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let there = false;
  const load = vi.fn(async () => {
    if (!there) throw new TypeError('Failed to fetch');
    return { default: ({ name }: { name: string }) => <p>Here is {name}</p> };
  });
  const Guide = part('guide', load);
  render(
    <ErrorBoundary
      fallback={(error, forget) => (
        <button
          type="button"
          onClick={() => {
            loadPartsAgain();
            forget();
          }}
        >
          {error.message}
        </button>
      )}
    >
      <Suspense fallback={null}>
        <Guide name="the guide" />
      </Suspense>
    </ErrorBoundary>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Loading chunk guide failed.' }));
  expect(await screen.findByRole('button')).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(2);
  there = true;
  await userEvent.click(screen.getByRole('button'));
  expect(await screen.findByText('Here is the guide')).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(3);
});

test('a preloaded part is shown at once, without the placeholder', async () => {
  const load = vi.fn(async () => ({ default: () => <p>Here is the list</p> }));
  const List = part('list', load);
  loadAhead(load);
  await load.mock.results[0]!.value;
  const waits = vi.fn(() => null);
  const Waits = () => waits();
  render(
    <Suspense fallback={<Waits />}>
      <List />
    </Suspense>,
  );
  expect(screen.getByText('Here is the list')).toBeInTheDocument();
  expect(waits).not.toHaveBeenCalled();
  expect(load).toHaveBeenCalledOnce();
});

test('[S2.3] a part whose preload failed is loaded when it is shown', async () => {
  const load = vi.fn(async () => {
    if (load.mock.calls.length === 1) throw new TypeError('Failed to fetch');
    return { default: () => <p>Here is the list</p> };
  });
  const List = part('list', load);
  loadAhead(load);
  render(
    <Suspense fallback={null}>
      <List />
    </Suspense>,
  );
  expect(await screen.findByText('Here is the list')).toBeInTheDocument();
});
