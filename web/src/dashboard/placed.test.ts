import { expect, test } from 'vitest';
import { placed } from './placed.ts';

const bars = { form: 'bars' } as const;
const wide = { form: 'trend', wide: true } as const;
const pyramid = { form: 'pyramid' } as const;

test('charts are in pairs', () => {
  expect(placed([bars, bars, pyramid, bars])).toEqual(['half', 'half', 'half', 'half']);
});

test('an odd one takes a whole row, even before a wide one', () => {
  expect(placed([bars, bars, bars])).toEqual(['half', 'half', 'row']);
  expect(placed([bars, wide, bars, bars])).toEqual(['row', 'row', 'half', 'half']);
  expect(placed([bars])).toEqual(['row']);
});

test('a pyramid beside two others is as tall as both', () => {
  expect(placed([pyramid, bars, bars])).toEqual(['tall', 'half', 'half']);
  expect(placed([wide, bars, pyramid, bars])).toEqual(['row', 'half', 'tall', 'half']);
});

test('a pyramid at the end has nothing beside it', () => {
  expect(placed([bars, bars, pyramid])).toEqual(['half', 'half', 'row']);
});
