import { expect, type Page } from '@playwright/test';

/**
 * The faults of the columns of lists on the page: a cut header; a column with more than every fourth text
 * cut; a cut text or number while another column has unused room; a part of the frame without columns; and
 * columns beyond the frame's edge without a shade. Columns are fitted to four of five of the first rows, and
 * others load later.
 */
const faultsOf = (page: Page) =>
  page.evaluate(() => {
    const faults: string[] = [];
    const textWidth = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return Math.max(0, ...[...range.getClientRects()].map(({ width }) => width));
    };
    for (const grid of document.querySelectorAll('[role=grid]')) {
      const headers = [...grid.querySelectorAll<HTMLElement>('[role=columnheader]')];
      // The positions in a box are no list.
      if (headers.every(({ dataset }) => dataset.field === undefined)) continue;
      const filled = headers.reduce((sum, header) => sum + header.getBoundingClientRect().width, 0);
      if (filled < grid.clientWidth - 1) faults.push(`${grid.clientWidth - filled} px are empty`);
      const beyond = grid.scrollWidth - grid.clientWidth - grid.scrollLeft;
      if (beyond > 1 && !grid.parentElement!.querySelector('[data-edge=right]'))
        faults.push(`${beyond} px lie beyond the edge, and nothing says so`);
      const cut: string[] = [];
      const roomy: string[] = [];
      for (const header of headers) {
        const { field } = header.dataset;
        const label = header.firstElementChild;
        if (field === undefined || !label) continue;
        if (label.scrollWidth > label.clientWidth + 1 || label.scrollHeight > label.clientHeight + 2)
          faults.push(`the header ${label.textContent} is cut`);
        const texts = [...grid.querySelectorAll(`[role=gridcell][data-field="${field}"] > span`)];
        if (texts.length === 0) continue;
        const cutHere = texts.filter((text) =>
          [text, ...text.querySelectorAll('*')].some(
            ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1,
          ),
        );
        if (cutHere.length > 0) cut.push(field);
        // The beginning of a long text is enough, and a phone is not wide.
        const usual = header.clientWidth < Math.min(238, grid.clientWidth * 0.5);
        if (usual && cutHere.length > Math.max(1, texts.length * 0.25))
          faults.push(`${cutHere.length} of ${texts.length} texts are cut in ${field}`);
        const most = Math.max(textWidth(label), ...texts.map((text) => text.getBoundingClientRect().width));
        const room = Math.round(header.clientWidth - most - 20);
        // Allows for the sort mark, and for a column without contents, which is never narrower than a word.
        if (room > 40 && texts.some((text) => text.textContent !== '')) roomy.push(`${field} (${room} px)`);
      }
      if (cut.length > 0 && roomy.length > 0)
        faults.push(`${cut.join(', ')} cut, while there is room in ${roomy.join(', ')}`);
    }
    return faults;
  });

/** The columns of every list on the page fit the frame and their contents. */
export const expectColumnsFit = (page: Page) => expect.poll(() => faultsOf(page)).toEqual([]);
