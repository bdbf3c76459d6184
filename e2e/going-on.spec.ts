import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { newAdministrator } from './accounts.ts';
import { expect, expectTranslated, settled, signIn, type Translate, test } from './fixtures.ts';
import { chlamydiaReport } from './messages.ts';
import { dataFolder, freePort, Product } from './product.ts';

test.use({ language: 'es' });

/** So many that it takes some seconds. */
const all = 5000;

// A product of its own, which is killed.
test('[P5, P6] an import goes on after database and server were killed, and after an upload was cut off; nothing is lost, nothing twice', async ({
  browser,
  language,
  t,
}) => {
  test.setTimeout(600_000);
  const { dataDir, remove } = await dataFolder();
  const port = await freePort();
  let product = await Product.start(dataDir, port, { DEMO: 'off' });
  const context = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  try {
    await signIn(page, await newAdministrator('ana', 'bay', dataDir), language, dataDir);
    await page.goto('/imports');
    await settled(page);
    await drop(page, 'febrero.hl7', reports(all));
    await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
    const record = new URL(page.url()).pathname;
    // In per cent, as of the batch that was stored last.
    const share = async () => Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'));
    await expect.poll(share, { intervals: [50] }).toBeGreaterThan(0);

    const before = await share();
    await test.step('the database is killed: the import waits for it, and goes on by itself', async () => {
      const { cluster } = JSON.parse(await readFile(path.join(dataDir, 'postgres.json'), 'utf8'));
      const lock = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8');
      process.kill(Number(lock.split('\n')[0]), 'SIGKILL');
      await expect.poll(share, { intervals: [50], timeout: 240_000 }).toBeGreaterThan(before);
    });

    await test.step('the server is killed: the screen keeps what it had', async () => {
      await product.kill();
      expect(await share()).toBeLessThan(100);
      await expect(page.getByRole('heading', { level: 1, name: 'febrero.hl7' })).toBeVisible();
    });

    await test.step('started again, it goes on with the rest, and the open screen tells so', async () => {
      product = await Product.start(dataDir, port, { DEMO: 'off' });
      await expect.poll(() => counts(page, t), { timeout: 240_000 }).toEqual([all, all, 0, 0, 0]);
      await expect(page.getByRole('progressbar')).toHaveCount(0);
      const created = page.getByText(t('imports:effect.resultsCreated'), { exact: true });
      await expect(created.locator('xpath=following-sibling::dd')).toHaveText('5,000');
    });

    await test.step('a file that did not arrive says so, and is sent again', async () => {
      await page.goto('/imports');
      await settled(page);
      await page.route('**/api/web/imports?*', (route) => route.abort('connectionreset'));
      await drop(page, 'marzo.hl7', reports(3));
      const files = page.getByRole('list', { name: t('imports:upload.title') });
      await expect(files.getByText(t('imports:upload.failed'))).toBeVisible();
      await expect(files.getByRole('alert')).toHaveText(t('error.unreachable'));
      await expectTranslated(page, language);
      await page.unroute('**/api/web/imports?*');
      await files.getByRole('button', { name: t('imports:upload.again', { name: 'marzo.hl7' }) }).click();
      await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
      expect(new URL(page.url()).pathname).not.toBe(record);
      // What it holds was in the file before.
      await expect.poll(() => counts(page, t)).toEqual([3, 0, 0, 0, 3]);
    });
    await product.stop();
  } finally {
    await context.close();
    await product.kill();
    await remove();
  }
});

const drop = (page: Page, name: string, text: string) =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** Messages in, taken, waiting, refused and duplicates, as the screen says them. */
async function counts(page: Page, t: Translate): Promise<number[]> {
  const [words] = t('imports:record.sum_other').split('=');
  const text = await page.getByRole('status').filter({ hasText: words!.trim() }).innerText();
  return (text.replaceAll(/[.,\s](?=\d{3})/g, '').match(/\d+/g) ?? []).slice(0, 5).map(Number);
}

/** The first reports of a long row of them, each of somebody else. */
function reports(number: number): string {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru'];
  return Array.from({ length: number }, (_, at) => {
    const name = [...String(at).padStart(4, '0')].map((digit) => syllables[Number(digit)]).join('');
    const person = {
      last: `T${name}`,
      first: `R${[...name].reverse().join('')}`,
      birthDate: `19${String(50 + (at % 50))}${String(1 + (at % 12)).padStart(2, '0')}${String(1 + (at % 28)).padStart(2, '0')}`,
      sex: 'F',
      mrn: `bay${at}`,
    } as const;
    return chlamydiaReport(`bay-${at}`, person, '20260211', at % 20 === 0);
  }).join('');
}
