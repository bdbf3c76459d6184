import type { SignInAnswer, Tokens } from '@caseway/contract/session';
import { codeFor } from '../e2e/outbox.ts';
import { dataFolder, makeSmallDemo, Product } from '../e2e/product.ts';
import { busyTime, openChromium, shown, slowPage, undoSlow } from '../e2e/slow-line.ts';
import { freePort } from '../server/test/port.ts';
import { type Bench, type Figure, percentile } from './figure.ts';

const account = 'epi@demo.caseway.test';
/** Milliseconds for what a page still loads after it is shown. */
const rest = 4_000;
/** Milliseconds after a key or a page until drawing ends. */
const quiet = 700;

/** Signs the account in with the code that arrives in the outbox. */
async function signIn(url: string, dataDir: string): Promise<Tokens> {
  const post = async <Answer>(path: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const since = Date.now();
  const asked = { origin: 'localhost', username: account, challengeMethod: 'EMAIL' };
  const { details } = await post<SignInAnswer>('/auth/tenant/sign-in', asked);
  return post<Tokens>('/auth/tenant/challenge', { details, secret: await codeFor(account, since, dataDir) });
}

/**
 * What people wait for in a browser: pages on a mobile line (1.6 Mbit/s, 150 ms), the first time and again, and the
 * time for which the page's thread is busy with an arrow key and with another page of a list. Needs the build, and
 * Chromium.
 */
export const pages: Bench = {
  name: 'Pages on a slow line, and keys (Chromium)',
  async run() {
    const { dataDir, remove } = await dataFolder();
    await makeSmallDemo(dataDir);
    const product = await Product.start(dataDir, await freePort());
    const browser = await openChromium();
    try {
      const figures: Figure[] = [];
      const inSlow = { baseURL: product.url, viewport: { width: 1440, height: 900 } };
      for (const [what, address, promised] of [
        ['sign-in, its form shown', '/sign-in', '≤ 1800'],
        ["the patients' door, its form shown", '/patient/sign-in', '≤ 1500'],
      ] as const) {
        const context = await browser.newContext(inSlow);
        const { page } = await slowPage(context);
        const open = async () => {
          const since = performance.now();
          await page.goto(address, { waitUntil: 'commit' });
          await shown(page, 'input');
          return performance.now() - since;
        };
        const since = performance.now();
        const first = await open();
        // The form of the page can be used before that; keys pressed there wait for the program.
        await shown(page, '#root input');
        const answered = performance.now() - since;
        await page.waitForTimeout(rest);
        const again = await open();
        figures.push({
          what,
          value: first,
          unit: 'ms',
          promised,
          against: { what: 'until a button is answered', ratio: answered / first },
        });
        figures.push({ what: `${what} again`, value: again, unit: 'ms' });
        await context.close();
      }
      const context = await browser.newContext(inSlow);
      const slow = await slowPage(context);
      await slow.page.goto('/icon.svg');
      const { refreshToken } = await signIn(product.url, dataDir);
      await slow.page.evaluate(`localStorage.setItem('refresh-token', ${JSON.stringify(refreshToken)})`);
      const rows = slow.page.getByRole('grid').getByRole('row');
      const list = async () => {
        const since = performance.now();
        await slow.page.goto('/case-reports', { waitUntil: 'commit' });
        await shown(slow.page, '[role=grid] [role=row]', 5);
        return performance.now() - since;
      };
      await slow.client.send('Network.clearBrowserCache');
      const first = await list();
      await slow.page.waitForTimeout(rest);
      const again = await list();
      figures.push(
        {
          what: 'the list of cases, its rows shown',
          value: first,
          unit: 'ms',
          promised: '≤ 3000',
          against: { what: 'again', ratio: again / first },
        },
        { what: 'the list of cases again', value: again, unit: 'ms', promised: '≤ 1200' },
      );
      await slow.page.waitForTimeout(rest);
      await undoSlow(slow.client);
      const busyWith = async (times: number, act: () => Promise<void>) => {
        const busy: number[] = [];
        for (let time = 0; time <= times; time++) {
          const before = await busyTime(slow.client);
          await act();
          await slow.page.waitForTimeout(quiet);
          busy.push((await busyTime(slow.client)) - before);
        }
        // The first run also compiles its code.
        return percentile(busy.slice(1), 0.5);
      };
      await rows.nth(1).getByRole('gridcell').first().click();
      const key = await busyWith(20, () => slow.page.keyboard.press('ArrowDown'));
      // By the keyboard, because finding a button by its name uses the page's own thread.
      await slow.page.getByRole('button', { name: 'Next page' }).focus();
      const turned = await busyWith(10, () => slow.page.keyboard.press('Enter'));
      figures.push(
        { what: 'an arrow key in the list, time of the thread', value: key, unit: 'ms', promised: '≤ 16' },
        {
          what: 'the next page of the list, time of the thread',
          value: turned,
          unit: 'ms',
          promised: '≤ 60',
          against: { what: 'an arrow key', ratio: key / turned },
        },
      );
      return figures;
    } finally {
      await browser.close();
      await product.stop();
      await remove();
    }
  },
};
