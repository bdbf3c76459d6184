import { describe, expect, test } from 'vitest';
import { placeInQueue, type QueuedVisit } from './visit-queue.ts';

const at = (time: string) => `2026-03-10T${time}:00.000Z`;
const visit = (
  id: string,
  start: string,
  { arrived = start, joined, minutes = 20 }: { arrived?: string; joined?: string; minutes?: number } = {},
): QueuedVisit => ({
  id,
  startsAt: at(start),
  minutes,
  arrivedAt: at(arrived),
  joinedAt: joined === undefined ? null : at(joined),
});
const asked = (time: string, ...visits: QueuedVisit[]) => placeInQueue(visits, 'own', Date.parse(at(time)));

describe("the place in a provider's queue", () => {
  test('is by the start or the arrival, whichever is later', () => {
    const own = visit('own', '10:20', { arrived: '10:05' });
    const early = visit('early', '10:00', { arrived: '09:50' });
    // Booked earlier, but arrived after the start of the patient's own visit.
    const late = visit('late', '10:00', { arrived: '10:25' });
    expect(asked('10:10', own).place).toBe(1);
    expect(asked('10:10', own, early).place).toBe(2);
    expect(asked('10:26', own, early, late).place).toBe(2);
    expect(asked('10:26', own, late, visit('joined', '10:00', { joined: '10:20' })).place).toBe(1);
  });

  test('is null for someone who is not waiting', () => {
    expect(asked('10:10', visit('other', '10:00'))).toEqual({ place: null, minutes: null });
    expect(asked('10:10', visit('own', '10:00', { joined: '10:05' }))).toEqual({
      place: null,
      minutes: null,
    });
  });
});

describe('the expected wait', () => {
  test('lasts until the booked start while the provider is free', () => {
    expect(asked('09:52', visit('own', '10:00', { arrived: '09:50' }))).toEqual({ place: 1, minutes: 8 });
  });

  test('lasts until the current visit ends, by its booked length', () => {
    const held = visit('held', '09:40', { joined: '09:50', minutes: 20 });
    expect(asked('10:01', visit('own', '10:00'), held).minutes).toBe(9);
  });

  test('adds the booked lengths of earlier visits, none before its start', () => {
    const own = visit('own', '10:40', { arrived: '10:10' });
    const first = visit('first', '10:00', { minutes: 15 });
    const second = visit('second', '10:25', { arrived: '10:05', minutes: 30 });
    // 10:12 plus 15 minutes is 10:27, which is after 10:25; plus 30 minutes is 10:57.
    expect(asked('10:12', own, second, first)).toEqual({ place: 3, minutes: 45 });
    // The second one begins at 10:25 and ends at 10:55.
    expect(asked('10:12', own, second)).toEqual({ place: 2, minutes: 43 });
  });

  test('is unknown while a visit takes longer than booked', () => {
    const held = visit('held', '09:30', { joined: '09:30', minutes: 20 });
    expect(asked('09:55', visit('own', '10:00', { arrived: '09:55' }), held)).toEqual({
      place: 1,
      minutes: null,
    });
  });

  test('is unknown once the provider is free and the visit should have begun', () => {
    expect(asked('10:00', visit('own', '10:00'))).toEqual({ place: 1, minutes: null });
    expect(asked('10:07', visit('own', '10:00'))).toEqual({ place: 1, minutes: null });
  });

  test('ignores visits whose end no one recorded', () => {
    const forgotten = [visit('a', '05:00', { joined: '05:59' }), visit('b', '05:59')];
    expect(asked('10:00', visit('own', '10:10', { arrived: '10:00' }), ...forgotten)).toEqual({
      place: 1,
      minutes: 10,
    });
  });
});
