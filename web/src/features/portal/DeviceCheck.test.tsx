import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { DeviceCheck } from './DeviceCheck.tsx';

await startTestLocales('portal');

const device = (kind: MediaDeviceKind) => ({ kind, deviceId: '', label: '', groupId: '' });
const both = [device('videoinput'), device('audioinput')];
const failing = (name: string) => () => Promise.reject(Object.assign(new Error(name), { name }));
const withDevices = (devices: object[], getUserMedia: (asked: object) => Promise<unknown>) =>
  vi.stubGlobal('navigator', {
    ...navigator,
    mediaDevices: { enumerateDevices: async () => devices, getUserMedia },
  });
const check = async () => {
  const shown = render(<DeviceCheck />);
  await userEvent.click(screen.getByRole('button', { name: 'Check camera and microphone' }));
  await screen.findByRole('button', { name: 'Check again' });
  return shown;
};
/** An audio system that hears nothing. */
class Silent {
  createAnalyser = () => ({ fftSize: 32, getFloatTimeDomainData: () => {} });
  createMediaStreamSource = () => ({ connect: () => {} });
  close = async () => {};
}

afterEach(() => void vi.unstubAllGlobals());

describe('the device check', () => {
  test('shows the picture and the voice, and releases the camera afterwards', async () => {
    vi.stubGlobal('AudioContext', Silent);
    const stop = vi.fn();
    const asked = vi.fn(async () => ({ getTracks: () => [{ stop }, { stop }] }));
    withDevices(both, asked);
    const { unmount } = await check();
    expect(asked).toHaveBeenCalledWith({ video: true, audio: true });
    expect(screen.getByText('It works. You see yourself here.')).toBeVisible();
    expect(screen.getByLabelText('What your camera sees')).toBeVisible();
    expect(screen.getByRole('progressbar', { name: 'How loud you are' })).toBeVisible();
    unmount();
    expect(stop).toHaveBeenCalledTimes(2);
  });

  test('requests no camera if there is none, and says so', async () => {
    vi.stubGlobal('AudioContext', Silent);
    const asked = vi.fn(async () => ({ getTracks: () => [] }));
    withDevices([device('audioinput')], asked);
    await check();
    expect(asked).toHaveBeenCalledWith({ video: false, audio: true });
    expect(screen.getByText(/^There is no camera\./)).toBeVisible();
    expect(screen.getByText('It works. Say something: the bar moves.')).toBeVisible();
  });

  test('requests nothing if there is neither', async () => {
    const asked = vi.fn();
    withDevices([], asked);
    await check();
    expect(asked).not.toHaveBeenCalled();
    expect(screen.getByText(/^There is no camera\./)).toBeVisible();
    expect(screen.getByText(/^There is no microphone/)).toBeVisible();
  });

  test.each([
    ['NotAllowedError', /^This page may not use your camera and microphone\./],
    ['NotReadableError', /^The camera or the microphone could not be used\./],
  ])('says what to do after %s', async (name, words) => {
    withDevices(both, failing(name));
    await check();
    expect(screen.getByText(words)).toBeVisible();
  });

  test('says that a browser has neither camera nor microphone', async () => {
    vi.stubGlobal('navigator', { ...navigator, mediaDevices: undefined });
    await check();
    expect(screen.getByText(/^This browser cannot use a camera/)).toBeVisible();
  });
});
