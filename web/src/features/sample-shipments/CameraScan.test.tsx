import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { CameraScan } from './CameraScan.tsx';

await startTestLocales('sample-shipments');

/** What is in front of the camera. */
let seen: string[] = [];
const stopped = vi.fn();
function withCamera(open: () => Promise<MediaStream>) {
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      detect = async () => seen.map((rawValue) => ({ rawValue }));
    },
  );
  vi.stubGlobal('navigator', Object.assign(navigator, { mediaDevices: { getUserMedia: open } }));
  HTMLMediaElement.prototype.play = async () => {};
}
const camera = async () => ({ getTracks: () => [{ stop: stopped }] }) as unknown as MediaStream;
const button = (name: string) => userEvent.click(screen.getByRole('button', { name }));

afterEach(() => {
  seen = [];
  stopped.mockClear();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

test('is not offered by a browser that cannot read symbols', () => {
  renderInApp(<CameraScan onCode={vi.fn()} />);
  expect(screen.queryByRole('button')).toBeNull();
});

test('reads each label once while it is in front of the camera, and releases the camera', async () => {
  withCamera(camera);
  const onCode = vi.fn();
  renderInApp(<CameraScan onCode={onCode} />);
  seen = ['A-1'];
  await button('Scan with the camera');
  expect(await screen.findByText('Read: A-1')).toBeInTheDocument();
  seen = ['A-1', ' B-2 '];
  expect(await screen.findByText('Read: B-2')).toBeInTheDocument();
  expect(onCode.mock.calls).toEqual([['A-1'], ['B-2']]);
  await button('Close the camera');
  expect(stopped).toHaveBeenCalledOnce();
});

test('says what to do if the camera may not or cannot be used', async () => {
  withCamera(() => Promise.reject(Object.assign(new Error('no'), { name: 'NotAllowedError' })));
  const { unmount } = renderInApp(<CameraScan onCode={vi.fn()} />);
  await button('Scan with the camera');
  expect(await screen.findByRole('alert')).toHaveTextContent(/may not use the camera/);
  unmount();
  withCamera(() => Promise.reject(Object.assign(new Error('no'), { name: 'NotReadableError' })));
  renderInApp(<CameraScan onCode={vi.fn()} />);
  await button('Scan with the camera');
  expect(await screen.findByRole('alert')).toHaveTextContent(/could not be used/);
});
