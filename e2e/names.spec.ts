import type { Page, Request, Route } from '@playwright/test';
import { load } from '../server/test/load.ts';
import { expect, settled, signIn, test } from './fixtures.ts';
import { kindOf, linksOf } from './walk.ts';

/*
 * Screens look up names separately from the records that refer to them: an answer can be late, fail, or be refused. A
 * screen must never show a key or a code instead of a name. [S1.4]
 */

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const lookups = '**/api/web/list/options/**';

/** The texts on the screen, and those that a screen reader gets instead, separately. */
const shown = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement!;
      // Codes that are shown as codes on purpose: a message as received, an address.
      if (!parent.closest('script, style, noscript, pre, code'))
        found.push(walker.currentNode.nodeValue!.trim());
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        found.push(element.getAttribute(name)?.trim() ?? '');
    return found.filter(Boolean);
  });

/** Answers the look-ups of a page: immediately, when they are released, or with an error. */
async function keepNames(page: Page) {
  const codes = new Set<string>();
  const names = new Set<string>();
  let held: Route[] | null = null;
  let status: number | null = null;
  const answer = async (route: Route) => {
    const response = await route.fetch();
    if (response.ok()) {
      const { options } = (await response.json()) as { options: { id: string; label: string }[] };
      for (const { id, label } of options) {
        codes.add(id);
        names.add(label);
      }
    }
    await route.fulfill({ response });
  };
  await page.route(lookups, async (route) => {
    if (status) await route.fulfill({ status, json: { code: codeOf[status], message: 'no names' } });
    else if (held) held.push(route);
    else await answer(route);
  });
  return {
    hold: () => {
      held = [];
    },
    release: async () => {
      const waiting = held ?? [];
      held = null;
      await Promise.all(waiting.map(answer));
      return waiting.length;
    },
    answerWith: (other: 403 | 500 | null) => {
      status = other;
    },
    /** Keys and codes that are shown instead of a name. Small numbers are counts. */
    rawIn: (texts: readonly string[]) =>
      texts.filter(
        (text) => uuid.test(text) || (codes.has(text) && !names.has(text) && !/^\d{1,3}$/.test(text)),
      ),
  };
}
const codeOf: Record<number, string> = { 403: 'forbidden', 500: 'internal' };

/** Waits until the screen has every answer except the names, which are held back, and the events, which never end. */
function answered(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (/\/api\/web\/(?!events|list\/options)/.test(request.url())) open.add(request);
  });
  const close = (request: Request) => void open.delete(request);
  page.on('requestfinished', close);
  page.on('requestfailed', close);
  return async () => {
    await expect.poll(() => open.size, { intervals: [50] }).toBe(0);
    // The last answer is drawn.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
  };
}

test('[S1.4] while names are loading no screen shows a key or a code, nor once they are there', async ({
  page,
}) => {
  const names = await keepNames(page);
  const everythingElse = answered(page);
  await signIn(page, 'admin@demo.caseway.test');
  const seen = new Set<string>();
  const raw: { kind: string; when: string; texts: string[] }[] = [];
  let asked = 0;
  const waiting = ['/', '/case-reports', '/analytics/testing'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path);
    if (seen.has(kind)) continue;
    seen.add(kind);
    await test.step(kind, async () => {
      names.hold();
      // Loaded from its address, so that no name is known yet.
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await everythingElse();
      const before = await shown(page);
      asked += await names.release();
      await settled(page);
      for (const [when, texts] of [
        ['before', names.rawIn(before)],
        ['after', names.rawIn(await shown(page))],
      ] as const)
        if (texts.length > 0) raw.push({ kind, when, texts });
      waiting.push(...(await linksOf(page)));
    });
  }
  expect(raw).toEqual([]);
  expect([...seen]).toEqual(
    expect.arrayContaining([
      '/case-reports',
      '/case-reports/:id',
      '/analytics/testing',
      '/facilities',
      '/imports',
    ]),
  );
  expect(asked).toBeGreaterThan(20);
});

test('[S1.4] names that could not be loaded, or that are refused, show no key or code either', async ({
  page,
  t,
}) => {
  const names = await keepNames(page);
  const everythingElse = answered(page);
  await signIn(page, 'epi@demo.caseway.test');
  // Once complete, so that it is known what is a code.
  await page.goto('/analytics/testing');
  await settled(page);
  await page.goto('/case-reports');
  await settled(page);
  const record = (await linksOf(page)).find((href) => kindOf(href) === '/case-reports/:id')!;
  const missing = page.getByText(t('label.failedTitle'));
  // An error is tried three times more, which takes seven seconds each. In `npm test` a record and numbers are refused,
  // and a list fails.
  const paths = {
    403: [record, '/analytics/testing', ...load([], ['/case-reports'])],
    500: [...load([], [record]), '/case-reports'],
  };
  for (const status of [403, 500] as const)
    for (const path of paths[status])
      await test.step(`${status}: ${kindOf(path)}`, async () => {
        names.answerWith(status);
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await everythingElse();
        // A refusal is not temporary: trying again would not help.
        if (status === 500) await expect(missing.first()).toBeVisible();
        else await expect(missing).toHaveCount(0);
        expect({ path, raw: names.rawIn(await shown(page)) }).toEqual({ path, raw: [] });
      });
  await test.step('and are there after another try', async () => {
    names.answerWith(null);
    await page
      .getByRole('alert')
      .filter({ has: missing })
      .getByRole('button', { name: t('action.retry') })
      .first()
      .click();
    await expect(missing).toHaveCount(0);
    await settled(page);
    await expect(page.getByText(t('label.failed'), { exact: true })).toHaveCount(0);
  });
});
