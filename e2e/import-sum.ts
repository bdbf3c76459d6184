import type { Page } from '@playwright/test';
import type { Translate } from './fixtures.ts';

/** The counts on an import's screen: messages in, accepted, waiting, refused and duplicates. */
export async function sumOf(page: Page, t: Translate): Promise<number[]> {
  const [words] = t('imports:record.sum_other').split('=');
  const sum = page.getByRole('status').filter({ hasText: new RegExp(`\\d ${words!.trim()} =`) });
  const text = await sum.innerText();
  return (text.replaceAll(/[.,\s](?=\d{3})/g, '').match(/\d+/g) ?? []).slice(0, 5).map(Number);
}
