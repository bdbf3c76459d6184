import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

test('[S2.1] until the program draws something, the page says in every language that it is loading', async () => {
  const page = await readFile(path.resolve(import.meta.dirname, '../index.html'), 'utf8');
  const given = new DOMParser().parseFromString(page, 'text/html');
  document.head.append(...given.querySelectorAll('head > style'));
  document.body.innerHTML = given.body.innerHTML;
  const waiting = document.getElementById('waiting')!;
  const display = () => getComputedStyle(waiting).display;
  expect([...waiting.querySelectorAll('[lang]')].map(({ textContent }) => textContent)).toEqual([
    'Loading…',
    'Cargando…',
    'N ap chaje…',
  ]);
  expect(display()).toBe('block');
  // If the program fails to load, only that is shown.
  document.getElementById('unloaded')!.hidden = false;
  expect(display()).toBe('none');
  document.getElementById('unloaded')!.hidden = true;
  document.getElementById('root')!.append('a screen');
  expect(display()).toBe('none');
});
