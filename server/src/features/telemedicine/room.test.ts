import { describe, expect, test } from 'vitest';
import { roomOf } from './room.ts';

const at = (time: string) => `2026-03-10T${time}:00.000Z`;
const visit = { status: 'booked', startsAt: at('14:00'), endsAt: at('14:30') };
const room = '0123456789abcdef0123456789abcdef';
const asked = (time: string, more: object = {}, server: string | undefined = 'https://meet.example.test/') =>
  roomOf({ ...visit, ...more }, room, server, Date.parse(at(time)));

describe('the room of a visit', () => {
  test('is open from half an hour before its start until its end', () => {
    const open = { url: `https://meet.example.test/${room}`, closed: null, opensAt: null };
    expect(asked('13:29')).toEqual({ url: null, closed: 'early', opensAt: at('13:30') });
    expect(asked('13:30')).toEqual(open);
    expect(asked('14:29', { status: 'arrived' })).toEqual(open);
    expect(asked('14:30')).toEqual({ url: null, closed: 'over', opensAt: null });
  });

  test('is open while a visit is held', () => {
    expect(asked('14:50', { status: 'in-progress' }).url).not.toBeNull();
    expect(asked('13:00', { status: 'in-progress' }).url).not.toBeNull();
    expect(asked('14:10', { status: 'fulfilled' }).closed).toBe('not-booked');
  });

  test('does not exist without a server, or before it is booked', () => {
    expect(roomOf(visit, room, undefined, Date.parse(at('14:00'))).closed).toBe('no-server');
    expect(asked('14:00', { status: 'proposed', startsAt: null, endsAt: null }).closed).toBe('not-booked');
  });
});
