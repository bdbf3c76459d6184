import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppError } from '../data/transport.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { Answered } from './Answered.tsx';

await startTestLocales();

function show(data: string | undefined, error: AppError | null): void {
  const query = { data, error, isError: error !== null, isFetching: false, refetch() {} };
  renderInApp(<Answered query={query}>{(name) => <p>{name}</p>}</Answered>);
}
const away = new AppError(503, 'unavailable', '');

test('[P6] shown data stays during an outage, and is marked as possibly outdated', () => {
  show('Ada Okafor', away);
  expect(screen.getByText('Ada Okafor')).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent('may be out of date');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
});

test('[P14] refused data is no longer shown', () => {
  show('Ada Okafor', new AppError(403, 'forbidden', ''));
  expect(screen.queryByText('Ada Okafor')).toBeNull();
  expect(screen.getByRole('alert')).toHaveTextContent('do not have the level of access');
});

test('data that could not be reloaded stays, with the error', () => {
  show('Ada Okafor', new AppError(500, 'internal', ''));
  expect(screen.getByText('Ada Okafor')).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong on the server');
});

test('if nothing was loaded before, it says why', () => {
  show(undefined, away);
  expect(screen.getByRole('alert')).toHaveTextContent('Caseway is not available right now');
});
