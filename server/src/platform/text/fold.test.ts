import { describe, expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import {
  fold,
  foldGermanWords,
  foldLabel,
  foldPlace,
  foldUpper,
  foldWords,
  matchName,
  withoutAccents,
} from './fold.ts';

const { superuserUrl } = await createTestDatabase();

describe('folding a text', () => {
  test.each([
    ['MÜLLER', 'muller'],
    ['José', 'jose'],
    ['Jose\u0301', 'jose'],
    ['Łukasz Đorđević', 'lukasz dordevic'],
    ['Weiß', 'weiss'],
    ['O’Brien', "o'brien"],
    ['ΝΊΚΟΣ', 'νικοσ'],
    ['Щукин', 'щукин'],
    ['Nguyễn', 'nguyen'],
    ['50 %_\\', '50 %_\\'],
  ])('%s is compared as %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  test('the database folds every letter as the program does', async () => {
    const letters: string[] = [];
    for (let code = 1; code <= 0xffff; code++)
      if (code < 0xd800 || code > 0xdfff) letters.push(`a${String.fromCodePoint(code)}Z`);
    const rows = await asSuperuser<{ folded: string }>(
      'select app_fold(letter) as folded from unnest($1::text[]) with ordinality as u (letter, place) order by place',
      [letters],
      superuserUrl,
    );
    const different = letters.filter((letter, index) => rows[index]!.folded !== fold(letter));
    expect(different.map((letter) => letter.codePointAt(1)!.toString(16))).toEqual([]);
  });
});

test.each([
  {
    text: 'Müller-Ødegård',
    fold: 'muller-odegard',
    foldWords: 'muller odegard',
    foldGermanWords: 'mueller odegard',
    matchName: 'muller ødegard',
    foldUpper: 'MULLER-ØDEGARD',
    foldLabel: 'müller-ødegård',
    foldPlace: 'muller degard',
    withoutAccents: 'Muller-Ødegard',
  },
  {
    text: ' Saint  Mary’s & Co. ',
    fold: " saint  mary's & co. ",
    foldWords: 'saint marys co',
    foldGermanWords: 'saint marys co',
    matchName: 'saint marys co',
    foldUpper: 'SAINT MARY’S & CO.',
    foldLabel: 'saint mary’s & co.',
    foldPlace: 'st mary s and co',
    withoutAccents: ' Saint  Mary’s & Co. ',
  },
])('each way to compare $text does what it is for', ({ text, ...ways }) => {
  expect({
    fold: fold(text),
    foldWords: foldWords(text),
    foldGermanWords: foldGermanWords(text),
    matchName: matchName(text),
    foldUpper: foldUpper(text),
    foldLabel: foldLabel(text),
    foldPlace: foldPlace(text),
    withoutAccents: withoutAccents(text),
  }).toEqual(ways);
});
