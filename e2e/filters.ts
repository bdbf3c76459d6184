import type { Page } from '@playwright/test';

/** Opens the choices of an inactive filter, by its label in the bar. */
export async function openFilter(page: Page, t: (key: string) => string, label: string): Promise<void> {
  await page.getByRole('button', { name: t('filter.addFilter'), exact: true }).click();
  await page
    .getByRole('dialog', { name: t('filter.addFilter') })
    .getByRole('option', { name: label, exact: true })
    .click();
}
