import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

/** Every source file of the browser program, with its text. */
const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => [file, readFileSync(join(import.meta.dirname, file), 'utf8')] as const);

/* Lines must grow when users enlarge the letters. */
test('no line height is fixed in pixels', () => {
  const fixed = sources.flatMap(([file, text]) =>
    [...text.matchAll(/(?:lineHeight|line-height)\s*:\s*['"`]?\d[\d.]*\s*px/g)].map(
      (found) => `${file}: ${found[0]}`,
    ),
  );
  expect(fixed).toEqual([]);
  // A number without a unit is a multiple of the font size.
  for (const [name, face] of Object.entries(theme.typography))
    if (typeof face === 'object' && face !== null && 'lineHeight' in face && face.lineHeight !== 'inherit')
      expect(Number(face.lineHeight), name).toBeLessThan(3);
});

test('no font size is in pixels', () => {
  const fixed = sources.flatMap(([file, text]) =>
    [...text.matchAll(/fontSize\s*:\s*['"`]\d[\d.]*px/g)].map((found) => `${file}: ${found[0]}`),
  );
  expect(fixed).toEqual([]);
});

test('elements distinguished only by their background have an edge in forced colors', () => {
  const { styleOverrides } = theme.components!.MuiCssBaseline!;
  const styles = JSON.stringify((styleOverrides as (current: typeof theme) => object)(theme));
  expect(styles).toContain('@media (forced-colors: active)');
  expect(styles).toContain('ButtonText');
});
