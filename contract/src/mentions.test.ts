import { expect, test } from 'vitest';
import { mentionedIn, mentionOf, piecesOf, withMentions } from './mentions.ts';

const ada = { id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0001', name: 'Ada Okafor' };
const adaSmith = { id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0002', name: 'Ada Okafor Smith' };

test('the names of chosen colleagues become mentions, and nothing else does', () => {
  const stored = withMentions('@Ada Okafor Smith, ask @Ada Okafor; not @Ada Okaforson or @Bo. Ada Okafor', [
    ada,
    adaSmith,
  ]);
  expect(stored).toBe(
    `${mentionOf(adaSmith.id)}, ask ${mentionOf(ada.id)}; not @Ada Okaforson or @Bo. Ada Okafor`,
  );
  expect(mentionedIn(`${stored} ${mentionOf(ada.id)}`)).toEqual([adaSmith.id, ada.id]);
  expect(piecesOf(`Ask ${mentionOf(ada.id)}!`)).toEqual(['Ask ', { id: ada.id }, '!']);
  expect(piecesOf('@[someone] a@b.test')).toEqual(['@[someone] a@b.test']);
});
