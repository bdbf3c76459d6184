import { expect, type Page } from '@playwright/test';

/** Texts on the page that are partly cut off and that no title shows in full on hover. */
const unreadable = (page: Page) =>
  page.evaluate(() => {
    const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    const faults: string[] = [];
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
      const wide = scrollWidth > clientWidth + 1;
      const high = scrollHeight > clientHeight + 2;
      // Text only for screen readers is one pixel large.
      if ((!wide && !high) || clientWidth <= 1 || clientHeight <= 1) continue;
      const { overflowX, overflowY, textOverflow, webkitLineClamp, visibility } = getComputedStyle(element);
      const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
      const cutWide =
        wide && hides(overflowX) && (textOverflow === 'ellipsis' || element.children.length === 0);
      const cutHigh = high && hides(overflowY) && webkitLineClamp !== 'none';
      const text = plain(element.textContent);
      if ((!cutWide && !cutHigh) || text === '' || visibility === 'hidden') continue;
      // In a field, the arrow keys reach the rest.
      if (element.matches('input, textarea, select')) continue;
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      const titles = [element, ...element.querySelectorAll<HTMLElement>('[title]')];
      for (let above = element.parentElement; above && titles.length < 12; above = above.parentElement)
        titles.push(above);
      if (!titles.some(({ title }) => title !== '' && plain(title).includes(text)))
        faults.push(
          `${text.slice(0, 60)} in ${element.tagName.toLowerCase()}.${element.className.toString().slice(0, 80)}`,
        );
    }
    return faults;
  });

/** Every text cut off for lack of space can be read in full somewhere. */
export const expectTextsReadable = (page: Page) => expect.poll(() => unreadable(page)).toEqual([]);
