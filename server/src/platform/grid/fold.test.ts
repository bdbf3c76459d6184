import { describe, expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { fold } from './fold.ts';

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
