import type { TelemedicineVisit } from '@caseway/contract/telemedicine';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import { Room } from './Room.tsx';

await startTestLocales('telemedicine');

afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

test('the room is requested when it opens, not every minute before that', async () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const opensAt = '2026-12-01T14:30:00.000Z';
  vi.useFakeTimers({
    now: Date.parse(opensAt) - 150_000,
    toFake: ['Date', 'setInterval', 'clearInterval'],
  });
  const url = 'https://meet.example.test/0123';
  const room = vi.fn(() => ({
    body:
      Date.now() < Date.parse(opensAt)
        ? { url: null, closed: 'early', opensAt }
        : { url, closed: null, opensAt: null },
  }));
  serve({ [`GET /api/web/telemedicine/${id}/room`]: room });
  const row = { id, version: 2, status: 'booked', active: true, endsAt: '2026-12-01T15:20:00.000Z' };
  renderInApp(<Room row={row as TelemedicineVisit} />);
  await screen.findByText(/^The video room opens/);
  act(() => void vi.advanceTimersByTime(120_000));
  expect(room).toHaveBeenCalledTimes(1);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(await screen.findByRole('link')).toHaveAttribute('href', url);
  act(() => void vi.advanceTimersByTime(600_000));
  expect(room).toHaveBeenCalledTimes(2);
});
