import { beforeAll, beforeEach, expect, test } from 'vitest';
import { showWholeTexts } from './whole-text.ts';

beforeAll(() => showWholeTexts(document));
beforeEach(() => document.body.replaceChildren());

/** A list cell whose text takes `width` of 100 px. */
function cell(width: number, title = '') {
  const outer = document.createElement('div');
  outer.innerHTML =
    '<span style="overflow: hidden; text-overflow: ellipsis"><a>Mangrove Community Clinic</a></span>';
  const cut = outer.querySelector('span')!;
  if (title !== '') cut.title = title;
  const room = { width };
  Object.defineProperties(cut, {
    clientWidth: { get: () => 100 },
    scrollWidth: { get: () => room.width },
  });
  document.body.append(outer);
  const point = () => outer.querySelector('a')!.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
  return { cut, room, point };
}

test('text that is cut off is shown in full on hover', () => {
  const { cut, point } = cell(240);
  expect(cut.title).toBe('');
  point();
  expect(cut.title).toBe('Mangrove Community Clinic');
});

test('text that fits has no title, even once its column has been widened', () => {
  const { cut, room, point } = cell(100);
  point();
  expect(cut.hasAttribute('title')).toBe(false);
  room.width = 240;
  point();
  room.width = 100;
  point();
  expect(cut.hasAttribute('title')).toBe(false);
});

test('the title follows the text, and an existing one stays', () => {
  const { cut, point } = cell(240);
  point();
  cut.textContent = 'Other';
  cut.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
  expect(cut.title).toBe('Other');
  const own = cell(240, 'Mangrove Community Clinic, Leon County');
  own.point();
  expect(own.cut.title).toBe('Mangrove Community Clinic, Leon County');
});
