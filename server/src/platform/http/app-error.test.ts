import { expect, it } from 'vitest';
import { AppError, asAppError, isOutage } from './app-error.ts';

const fault = (code: string | undefined, message = 'in the words of the database') =>
  Object.assign(new Error(message), { code });

it.each([
  // A deadlock, a conflict of two transactions, a lost connection, a database that shuts down.
  ['unavailable', fault('40P01')],
  ['unavailable', fault('40001')],
  ['unavailable', fault('08006')],
  ['unavailable', fault('57P01')],
  ['unavailable', fault(undefined, 'Connection terminated unexpectedly')],
  // Citus has no code for a server that is lost while a transaction commits there.
  [
    'unavailable',
    fault('XX000', 'could not commit transaction for shard 102267 on at least one active node'),
  ],
  ['unavailable', fault('XX000', 'postmaster was shut down, exiting')],
  ['unavailable', fault('XX000', 'failure on connection marked as essential: 10.0.0.5:5432')],
  ['disk-full', fault('53100')],
  // Program faults are permanent.
  ['internal', fault('XX000', 'cache lookup failed for relation 16384')],
  ['internal', fault('23505')],
  ['internal', fault(undefined, 'undefined is not a function')],
])('is %s and not a fault of the request: %s [P6, P30]', (code, error) => {
  expect(asAppError(error).code).toBe(code);
});

it.each([
  [true, fault('08006')],
  [true, fault('57P03')],
  [true, fault('ECONNREFUSED')],
  [true, fault('53100')],
  [true, fault(undefined, 'Connection terminated unexpectedly')],
  [true, new AppError('unavailable', { cause: fault('08006') })],
  [true, new AggregateError([fault('08006'), fault('ENOSPC')])],
  // The database answers: a conflict with another transaction, a fault of the program.
  [false, fault('40P01')],
  [false, fault('40001')],
  [false, fault('55P03')],
  [false, asAppError(fault('40P01'))],
  [false, fault('23505')],
  [false, new AggregateError([fault('08006'), fault('23505')])],
  // The mail server is away, not the database.
  [false, fault(undefined, 'the mail server did not take a message (ECONNECTION)')],
])('is an outage: %s, %s [P6, P30]', (expected, error) => {
  expect(isOutage(error)).toBe(expected);
});
