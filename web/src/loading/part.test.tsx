import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { loadPartsAgain, part } from './part.tsx';

test('[S2.3] a part that failed is loaded again when its boundary tries again, and loaded once when it succeeds', async () => {
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
