import { expect, type Page } from '@playwright/test';

/** A Letter page within its margins, in px. */
const paper = { width: 710, height: 950 };

/** Content that is wider than the paper, cut off on it, or useful only on a screen. */
const faultsOnPaper = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.body.querySelectorAll('*')].filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      // Content only for screen readers takes one pixel.
      return element.checkVisibility() && width > 1 && height > 1;
    });
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()} ${(element.textContent ?? '').trim().slice(0, 60)}`;
    return {
      beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      cut: shown
        .filter((element) => {
          const { overflowX, overflowY } = getComputedStyle(element);
          return (
            (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
            (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1)
          );
        })
        .map(named),
      // The name of a layer is a button too; on paper it is just the name.
      controls: shown
        .filter((element) =>
          element.matches('button, [role=button], [role=combobox], input, select, textarea'),
        )
        .filter((element) => !element.closest('[data-chart=legend]'))
        .map(named),
    };
  });

/**
 * Checks a screen as printed: it fits the paper, nothing is cut off, its title is there, and nothing that
 * only works on a screen. `holds` checks what must be on this one.
 */
export async function expectPrinted(page: Page, holds: () => Promise<void>): Promise<void> {
  const { width, height } = page.viewportSize()!;
  // The dark theme prints on white paper too.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  // A browser lays the page out for paper right after this event: charts must be redrawn by then, whatever
  // the screen.
  const widths = await page
    .locator('svg[data-chart=drawing]')
    .evaluateAll((drawings) => drawings.map((drawing) => drawing.getAttribute('width')));
  expect(new Set(widths)).toEqual(new Set(widths.length > 0 ? ['640'] : []));
  await page.setViewportSize(paper);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => faultsOnPaper(page)).toEqual({ beyond: 0, cut: [], controls: [] });
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await holds();
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: null, colorScheme: null });
  await page.setViewportSize({ width, height });
}

/** The smallest distance between two cards of a screen, in px. */
export const leastGap = (page: Page) =>
  page.locator('main section').evaluateAll((cards) => {
    const boxes = cards.map((card) => card.getBoundingClientRect());
    return Math.min(
      ...boxes.flatMap((one, index) =>
        boxes
          .slice(index + 1)
          .map((other) =>
            Math.max(
              Math.max(one.left, other.left) - Math.min(one.right, other.right),
              Math.max(one.top, other.top) - Math.min(one.bottom, other.bottom),
            ),
          ),
      ),
    );
  });
