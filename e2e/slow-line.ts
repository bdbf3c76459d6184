import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';

/** A mobile connection: 1.6 Mbit/s, and 150 ms round trip. */
const slowLine = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** A page on a slow line, and the connection to its browser. */
export interface SlowPage {
  page: Page;
  client: CDPSession;
}

export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });

export async function slowPage(context: BrowserContext): Promise<SlowPage> {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Performance.enable');
  await client.send('Network.emulateNetworkConditions', slowLine);
  return { page, client };
}

/**
 * Waits until a page shows more than so many elements. Looks at every frame, because a locator looks at a slow page only
 * twice a second.
 */
export const shown = (page: Page, selector: string, moreThan = 0): Promise<unknown> =>
  page.waitForFunction(
    ([selector, moreThan]) => {
      // The benchmarks are compiled without the types of a browser.
      const { document } = globalThis as unknown as {
        document: { querySelectorAll(selector: string): Iterable<{ checkVisibility(): boolean }> };
      };
      const found = [...document.querySelectorAll(selector)];
      return found.filter((element) => element.checkVisibility()).length > moreThan;
    },
    [selector, moreThan] as const,
  );

/** Restores this machine's line. */
export const undoSlow = (client: CDPSession): Promise<unknown> =>
  client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });

/** Milliseconds the page's main thread was busy since it was opened. */
export async function busyTime(client: CDPSession): Promise<number> {
  const { metrics } = await client.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
}
