import { expect, type Page, type Request, type Route } from '@playwright/test';

/*
 * Screens look up names separately from the records that refer to them, so an answer can be late, fail, or be
 * refused. A screen must never show a key or code in place of a name. [S1.4]
 */

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const lookups = '**/api/web/list/options/**';
const codeOf: Record<number, string> = { 403: 'forbidden', 500: 'internal' };

/** The texts on the screen, and separately those that a screen reader gets instead. */
export const shown = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement!;
      // Codes shown on purpose: a message as received, an address, the rows of a box.
      if (!parent.closest('script, style, noscript, pre, code, tspan, [role=rowheader]'))
        found.push(walker.currentNode.nodeValue!.trim());
    }
    // The lines of a chart label are one text: a single line can be a word that is also a code.
    for (const text of document.querySelectorAll('text:has(tspan)'))
      found.push([...text.querySelectorAll('tspan')].map((line) => line.textContent!.trim()).join(' '));
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        found.push(element.getAttribute(name)?.trim() ?? '');
    return found.filter(Boolean);
  });

/** Answers a page's look-ups: immediately, when released, or with an error. */
export async function keepNames(page: Page) {
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
    /** Keys and codes shown in place of a name. Small numbers are counts. */
    rawIn: (texts: readonly string[]) =>
      texts.filter(
        (text) => uuid.test(text) || (codes.has(text) && !names.has(text) && !/^\d{1,3}$/.test(text)),
      ),
  };
}

/**
 * Waits until the screen has every answer except the names, which are held back, and the events, which never
 * end.
 */
export function answered(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (/\/api\/web\/(?!events|list\/options)/.test(request.url())) open.add(request);
  });
  const close = (request: Request) => void open.delete(request);
  page.on('requestfinished', close);
  page.on('requestfailed', close);
  return async () => {
    await expect.poll(() => open.size, { intervals: [50] }).toBe(0);
    // The last answer has been rendered.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
  };
}
