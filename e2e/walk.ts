import { expect, type Page } from '@playwright/test';

/** Goes to a client address without a page load, as links do; resolves when something else is shown. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => {
    for (const element of document.querySelectorAll('main *')) element.setAttribute('data-before', '');
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await expect(page.locator('main :not([data-before])').first()).toBeAttached();
  // Some redirect to their first part.
  await expect.poll(() => new URL(page.url()).pathname).toContain(path.replace(/[?#].*/, ''));
}

/** The screen of an address: `/case-reports/:id`. */
export const kindOf = (path: string) =>
  path.replace(/\?.*/, '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id') || '/';

/** The targets of a screen's links. */
export const linksOf = (page: Page) =>
  page
    .locator('a[href^="/"]')
    .evaluateAll((links) =>
      links.map((link) => link.getAttribute('href')!).filter((href) => href !== '/sign-in'),
    );
