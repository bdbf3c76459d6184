import type { Page } from '@playwright/test';

/** Opens the choices of a filter that is not set yet, by the label that the bar gives it. */
export async function openFilter(page: Page, t: (key: string) => string, label: string): Promise<void> {
  await page.getByRole('button', { name: t('filter.addFilter'), exact: true }).click();
  await page
    .getByRole('dialog', { name: t('filter.addFilter') })
    .getByRole('option', { name: label, exact: true })
    .click();
}
