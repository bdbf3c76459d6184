import type { OwnWaiting } from '@caseway/contract/own-waiting';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import { OwnWaitingRoom } from './OwnWaitingRoom.tsx';

await startTestLocales('portal');

const id = '11111111-1111-4111-8111-111111111111';
const start = '2026-12-01T15:00:00.000Z';
const booked: OwnWaiting = {
  status: 'booked',
  startsAt: start,
  minutes: 20,
  provider: 'Rosa Vidal',
  arrivedAt: null,
  place: null,
  expectedMinutes: null,
  url: null,
  byVideo: true,
};
const arrived: OwnWaiting = {
  ...booked,
  status: 'arrived',
  arrivedAt: '2026-12-01T14:50:00.000Z',
  place: 3,
  expectedMinutes: 12,
};
const address = 'https://meet.example.test/0123';
const show = (waiting: OwnWaiting, more: Parameters<typeof serve>[0] = {}) => {
  serve({ [`GET /api/patient/visits/${id}/waiting`]: { body: waiting }, ...more });
  const routes = (
    <Routes>
      <Route path="/portal/visits/:id/waiting" element={<OwnWaitingRoom />} />
    </Routes>
  );
  renderInApp(routes, { path: `/portal/visits/${id}/waiting` });
};
const heading = (name: string) => screen.findByRole('heading', { level: 2, name });
const at = (minutes: number) =>
  vi.useFakeTimers({ now: Date.parse(start) + minutes * 60_000, toFake: ['Date'] });

beforeEach(() => void at(-10));
afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

describe('the waiting room', () => {
  test('is entered with the consent to a video visit', async () => {
    let now = booked;
    show(booked, {
      [`GET /api/patient/visits/${id}/waiting`]: () => ({ body: now }),
      [`POST /api/patient/visits/${id}/arrive`]: ({ body }) => {
        expect(body).toEqual({ consent: 'portal-1' });
        now = arrived;
        return { body: { id } };
      },
    });
    await heading('Before you go in');
    expect(screen.getByText(/^A visit by video is like a visit at the clinic\./)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'I agree, and I am here' }));
    await heading('You are in the waiting room');
    expect(screen.getByText('2 people are before you.')).toBeVisible();
    expect(screen.getByText('You probably wait 12 more minutes.')).toBeVisible();
    await waitFor(() =>
      expect(screen.getAllByRole('status')[0]).toHaveTextContent(/You are in the waiting room\..*2 people/),
    );
  });

  test('polls only the place while the person waits, and everything once they are admitted', async () => {
    vi.useFakeTimers({
      now: Date.parse(start) - 10 * 60_000,
      toFake: ['Date', 'setInterval', 'clearInterval'],
    });
    let now: OwnWaiting = arrived;
    const whole = vi.fn(() => ({ body: now }));
    show(arrived, {
      [`GET /api/patient/visits/${id}/waiting`]: whole,
      [`GET /api/patient/visits/${id}/queue`]: () => ({
        body: { status: now.status, place: now.place, expectedMinutes: now.expectedMinutes },
      }),
    });
    await screen.findByText('2 people are before you.');
    now = { ...arrived, place: 1, expectedMinutes: 4 };
    act(() => void vi.advanceTimersByTime(15_000));
    await screen.findByText('You are next.');
    expect(screen.getByText('You probably wait 4 more minutes.')).toBeVisible();
    expect(whole).toHaveBeenCalledTimes(1);
    now = { ...arrived, status: 'in-progress', place: null, expectedMinutes: null, url: address };
    act(() => void vi.advanceTimersByTime(15_000));
    await screen.findByRole('link', { name: 'Join the video visit' });
    expect(whole).toHaveBeenCalledTimes(2);
  });

  test('says when it opens, and when it is too late', async () => {
    at(-16);
    show(booked);
    await heading('The waiting room is not open yet');
    expect(screen.queryByRole('button', { name: 'I agree, and I am here' })).toBeNull();
  });

  test('is closed once the time of the visit is over', async () => {
    at(20);
    show(booked);
    await heading('The time of this visit is over');
    expect(screen.queryByRole('button', { name: 'I agree, and I am here' })).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Check your camera and sound' })).toBeNull();
  });

  test('says nothing about an unknown wait', async () => {
    show({ ...arrived, place: 1, expectedMinutes: null });
    await screen.findByText('You are next.');
    expect(screen.queryByText(/probably/)).toBeNull();
  });

  test('has the address once the person is admitted', async () => {
    show({ ...arrived, status: 'in-progress', place: null, expectedMinutes: null, url: address });
    await heading('It is your turn: Rosa Vidal is ready for you');
    expect(screen.getByRole('link', { name: 'Join the video visit' })).toHaveAttribute('href', address);
    // The visit needs the camera.
    expect(screen.queryByRole('heading', { name: 'Check your camera and sound' })).toBeNull();
  });

  test('says that the clinic phones if there is no video', async () => {
    show({ ...arrived, byVideo: false });
    await screen.findByText(/^Your clinic phones you when it is your turn\./);
    expect(screen.queryByRole('heading', { name: 'Check your camera and sound' })).toBeNull();
  });

  test('of another patient, or of no visit, cannot be found', async () => {
    show(booked, {
      [`GET /api/patient/visits/${id}/waiting`]: { status: 404, body: { code: 'not-found', message: '' } },
    });
    expect(await screen.findByText('We cannot find this visit.')).toBeVisible();
  });

  test('says at the button why it cannot be entered', async () => {
    show(booked, {
      [`POST /api/patient/visits/${id}/arrive`]: {
        status: 422,
        body: {
          code: 'validation-failed',
          message: '',
          faults: [{ path: 'status', code: 'not-open', message: '' }],
        },
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'I agree, and I am here' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'This visit is not booked any more, or its time is over. Call your clinic.',
    );
  });
});
