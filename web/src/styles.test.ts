import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

/** Every file of the browser's program, with its text. */
const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => [file, readFileSync(join(import.meta.dirname, file), 'utf8')] as const);

/*
 * Letters that someone has made larger need lines that grow with them.
 */
test('no line height is fixed in pixels', () => {
  const fixed = sources.flatMap(([file, text]) =>
    [...text.matchAll(/(?:lineHeight|line-height)\s*:\s*['"`]?\d[\d.]*\s*px/g)].map(
      (found) => `${file}: ${found[0]}`,
    ),
  );
  expect(fixed).toEqual([]);
  // Of a number without a unit each line is so many times as high as its letters.
  for (const [name, face] of Object.entries(theme.typography))
    if (typeof face === 'object' && face !== null && 'lineHeight' in face && face.lineHeight !== 'inherit')
      expect(Number(face.lineHeight), name).toBeLessThan(3);
});

test('no letter is sized in pixels', () => {
  const fixed = sources.flatMap(([file, text]) =>
    [...text.matchAll(/fontSize\s*:\s*['"`]\d[\d.]*px/g)].map((found) => `${file}: ${found[0]}`),
  );
  expect(fixed).toEqual([]);
});

test('what only its background distinguishes has an edge in forced colours', () => {
  const { styleOverrides } = theme.components!.MuiCssBaseline!;
  const styles = JSON.stringify((styleOverrides as (current: typeof theme) => object)(theme));
  expect(styles).toContain('@media (forced-colors: active)');
  expect(styles).toContain('ButtonText');
});
