import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { loadParts } from './load-parts.ts';

const asked: string[] = [];
let answer: (path: string, signal: AbortSignal) => Response | Promise<Response>;
beforeEach(() => {
  asked.length = 0;
  answer = () => new Response('');
  vi.stubGlobal('fetch', async (path: string, { signal }: { signal: AbortSignal }) => {
    asked.push(path);
    return answer(path, signal);
  });
});

describe('a part of the program', () => {
  test('[S2.3] is imported only once all its files are loaded, each requested once', async () => {
    const load = vi.fn(async () => 'the part');
    expect(await loadParts(load, ['assets/a.js', 'assets/b.js'])).toBe('the part');
    expect(await loadParts(load, ['assets/b.js'])).toBe('the part');
    expect(asked).toEqual(['/assets/a.js', '/assets/b.js']);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['is refused', () => new Response('', { status: 503 })],
    [
      'is out of reach',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
  ])('[S2.3] that %s is never imported, so the browser has no failure to remember', async (name, fails) => {
    const load = vi.fn(async () => 'the part');
    answer = fails;
    await expect(loadParts(load, [`assets/${name}.js`])).rejects.toThrow(TypeError);
    expect(load).not.toHaveBeenCalled();
    answer = () => new Response('');
    expect(await loadParts(load, [`assets/${name}.js`])).toBe('the part');
    expect(asked).toHaveLength(2);
  });

  test('[S2.3] is given up if it has not loaded after 120 s, so the next attempt requests it again', async () => {
    vi.useFakeTimers();
    try {
      answer = (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      const hanging = loadParts(async () => 'the part', ['assets/hanging.js']).catch((error) => error);
      await vi.advanceTimersByTimeAsync(119_999);
      answer = () => new Response('');
      const joined = loadParts(async () => 'the part', ['assets/hanging.js']).catch((error) => error);
      expect(asked).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect((await hanging).name).toBe('AbortError');
      expect((await joined).name).toBe('AbortError');
      expect(await loadParts(async () => 'the part', ['assets/hanging.js'])).toBe('the part');
      expect(asked).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test('files that the page itself names are not requested again', async () => {
    document.head.innerHTML = '<link rel="modulepreload" href="/assets/first.js">';
    await loadParts(async () => {}, ['assets/first.js']);
    expect(asked).toEqual([]);
  });

  test('[S2.3] a stylesheet that fails to load is also retried', async () => {
    const styles = () => document.head.querySelector('link[rel=stylesheet]') as HTMLLinkElement | null;
    const first = loadParts(async () => 'the part', ['assets/map.css']);
    await waitFor(() => expect(styles()).not.toBeNull());
    styles()!.onerror!(new Event('error'));
    await expect(first).rejects.toThrow('/assets/map.css did not load');
    const second = loadParts(async () => 'the part', ['assets/map.css']);
    await waitFor(() => expect(styles()).not.toBeNull());
    styles()!.onload!(new Event('load'));
    expect(await second).toBe('the part');
  });
});
