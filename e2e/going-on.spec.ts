import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { connected } from '../server/src/platform/db/roles.ts';
import { load } from '../server/test/load.ts';
import { freePort } from '../server/test/port.ts';
import { newAdministrator } from './accounts.ts';
import { expect, expectTranslated, settled, signIn, test } from './fixtures.ts';
import { sumOf } from './import-sum.ts';
import { chlamydiaReport } from './messages.ts';
import { dataFolder, Product } from './product.ts';
import { goWithin } from './walk.ts';

test.use({ language: 'es' });

/** Four batches, or seven. */
const all = load(2500, 5000);

// A separate product, because it is killed.
test('[P5, P6] an import continues after database and server were killed, and after an upload was cut off; nothing is lost or stored twice', async ({
  browser,
  language,
  t,
}) => {
  const { dataDir, remove } = await dataFolder();
  const port = await freePort();
  let product = await Product.start(dataDir, port, { DEMO: 'off' });
  const context = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  try {
    await signIn(page, await newAdministrator('ana', 'bay', dataDir), { language, dataDir, at: '/imports' });
    await settled(page);
    // A batch is stored only once it is let through, so that the next steps happen during the import, however
    // fast it is; at first only the one that starts the file. A sequence changes at once, and outlasts
    // killing the database.
    await asOwner(
      dataDir,
      `create sequence let_through_before;
       create function wait_its_turn() returns trigger language plpgsql security definer set search_path from current as $$
         begin
           while (select last_value from let_through_before) <= old.next_index loop perform pg_sleep(0.05); end loop;
           return new;
         end $$;
       create trigger wait_its_turn before update on import for each row
         when (new.next_index > old.next_index) execute function wait_its_turn()`,
    );
    /** Lets batches through that begin before a message, once the database is up. */
    const letThroughBefore = (message: number) =>
      expect(() => asOwner(dataDir, `select setval('let_through_before', ${message})`)).toPass();
    await drop(page, 'febrero.hl7', reports(all));
    await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
    const record = new URL(page.url()).pathname;
    const bar = page.getByRole('progressbar');
    // In percent, as of the last stored batch.
    const share = () => bar.getAttribute('aria-valuenow', { timeout: 5000 }).then(Number, () => Number.NaN);
    await expect.poll(share, { timeout: 300_000 }).toBeGreaterThan(0);

    const before = await share();
    await test.step('the database is killed: the import waits for it, and continues automatically', async () => {
      const { cluster } = await clusterOf(dataDir);
      const lock = await readFile(path.join(path.resolve(dataDir, cluster), 'postmaster.pid'), 'utf8');
      process.kill(Number(lock.split('\n')[0]), 'SIGKILL');
      await letThroughBefore(all / 2);
      await expect.poll(share, { timeout: 300_000 }).toBeGreaterThan(before);
    });

    await test.step('the server is killed: the screen keeps its data', async () => {
      await product.kill();
      expect(await share()).toBeLessThan(100);
      await expect(page.getByRole('heading', { level: 1, name: 'febrero.hl7' })).toBeVisible();
    });

    await test.step('after a restart the import continues with the rest, and the open screen shows it', async () => {
      const starting = Product.start(dataDir, port, { DEMO: 'off' });
      await letThroughBefore(all);
      product = await starting;
      await expect.poll(() => sumOf(page, t), { timeout: 300_000 }).toEqual([all, all, 0, 0, 0]);
      await expect(bar).toHaveCount(0);
      const created = page.getByText(t('imports:effect.resultsCreated'), { exact: true });
      await expect(created.locator('xpath=following-sibling::dd')).toHaveText(all.toLocaleString('en-US'));
    });

    await test.step('a file that did not arrive says so, and is sent again', async () => {
      await goWithin(page, '/imports');
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
      // Its contents were in the file before.
      await expect.poll(() => sumOf(page, t)).toEqual([3, 0, 0, 0, 3]);
    });
    await product.stop();
  } finally {
    await context.close();
    await product.kill();
    await remove();
  }
});

/** A product's database connection. */
const clusterOf = async (
  dataDir: string,
): Promise<{ cluster: string; port: number; ownerPassword: string }> =>
  JSON.parse(await readFile(path.join(dataDir, 'postgres.json'), 'utf8'));

/** Runs statements as the role that owns a product's tables. */
async function asOwner(dataDir: string, statements: string): Promise<void> {
  const { port, ownerPassword } = await clusterOf(dataDir);
  const url = `postgres://caseway_owner:${ownerPassword}@127.0.0.1:${port}/caseway`;
  await connected(url, 'the story', (client) => client.query(statements));
}

const drop = (page: Page, name: string, text: string) =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** The first reports of a long series, each about someone else. */
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
