import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { newAdministrator } from './accounts.ts';
import { openFilter } from './filters.ts';
import { expect, settled, signIn, type Translate, test } from './fixtures.ts';
import { expectPrinted, leastGap } from './paper.ts';

const numbers = '**/api/web/analytics/testing';

/** Holds the numbers back until the returned function is called. */
async function holdNumbers(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(numbers, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

async function chooseChlamydia(page: Page, t: Translate): Promise<void> {
  await openFilter(page, t, t('analytics:filter.diseaseFamily'));
  await page.getByRole('option', { name: 'Chlamydia', exact: true }).click();
  await page.keyboard.press('Escape');
}

/** A chart as a file: CSV, SVG or PNG. */
async function saveChart(chart: Locator, t: Translate, title: string, kind: string): Promise<Buffer> {
  await chart.getByRole('button', { name: t('charts:chart.download', { title }) }).click();
  const download = chart.page().waitForEvent('download');
  await chart.page().getByRole('menuitem', { name: kind }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${kind.toLowerCase()}$`));
  return readFile(await file.path());
}

// Testing analytics are exported with everything needed to read them on their own.
test('a chart is exported as CSV, SVG and PNG, and is also a table', async ({ page, t }) => {
  await signIn(page, 'lab@demo.caseway.test', { at: '/analytics/testing' });
  await settled(page);
  const title = t('dashboards/testing:series.resultCategory.title');
  const chart = page.getByRole('region', { name: title });
  const save = (kind: string) => saveChart(chart, t, title, kind);
  const firstBar = async () =>
    (await chart
      .getByText(/^\d[\d,]*$/)
      .first()
      .textContent())!;
  const filteredBy = /Chlamydia/;
  const all = await firstBar();

  await test.step('the old numbers keep their old headings until the new ones arrive', async () => {
    const answer = await holdNumbers(page);
    await chooseChlamydia(page, t);
    await expect(page).toHaveURL(/diseaseFamilyFilter=chlamydia/);
    const before = (await save('CSV')).toString('utf8');
    expect(before.replaceAll('"', '')).toContain(all);
    expect(before).not.toMatch(filteredBy);
    answer();
    await settled(page);
  });
  const positive = await firstBar();
  expect(positive).not.toBe(all);

  await test.step('CSV: the caption, then the numbers', async () => {
    const text = (await save('CSV')).toString('utf8');
    expect(text).toContain(title);
    expect(text).toMatch(filteredBy);
    expect(text.replaceAll('"', '')).toContain(positive);
  });
  // A picture has its own paper size, so that its labels are complete even on a narrow screen.
  let width = 0;
  await test.step('SVG: a separate document', async () => {
    const text = (await save('SVG')).toString('utf8');
    expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(text).toContain(title);
    expect(text).toMatch(filteredBy);
    expect(text).toContain(`>${positive}<`);
    width = Number(/^<svg [^>]*?\bwidth="(\d+)"/.exec(text)![1]);
    expect(width).toBeGreaterThan((await chart.locator('svg[data-chart=drawing]').boundingBox())!.width);
  });
  await test.step('PNG: the same picture at twice the size', async () => {
    const bytes = await save('PNG');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.readUInt32BE(16)).toBe(width * 2);
  });
  await test.step('its cards do not overlap', async () => {
    await expect.poll(() => leastGap(page)).toBeGreaterThanOrEqual(12);
  });
  await test.step('on paper: every chart complete with its legend, and the query', async () => {
    await expectPrinted(page, async () => {
      const context = page.locator('[data-print=context]');
      await expect(context).toContainText('Chlamydia');
      await expect(context).toContainText(t('analytics:screen.asOf').trim());
      await expect(context).toContainText(t('analytics:eventDate.collected'));
      const definitions = page.locator('[data-print=definitions]');
      await expect(definitions).toContainText(t('dashboards/testing:measure.tests.counted'));
      await expect(definitions).toContainText(t('analytics:measure.positivity.outOf'));
      const charts = page.locator('section:has([data-chart=drawing]) h3');
      await expect(charts).toHaveCount(12);
      for (const heading of await charts.all()) await expect(heading).toBeVisible();
      const legends = page.locator('[data-chart=legend]');
      await expect(legends.nth(2)).toBeVisible();
      for (const legend of await legends.all()) await expect(legend).toBeVisible();
    });
    await settled(page);
  });
  await test.step('as a table', async () => {
    await chart.getByRole('button', { name: t('charts:chart.as-table', { title }) }).click();
    await expect(chart.getByRole('cell', { name: positive, exact: true }).first()).toBeVisible();
  });
});

test('when a failed request is retried, old numbers do not appear under its headings', async ({
  page,
  t,
}) => {
  await signIn(page, await newAdministrator('once-more'), { at: '/analytics/testing' });
  await settled(page);
  const title = t('dashboards/testing:series.resultCategory.title');
  const chart = page.getByRole('region', { name: title });
  const caption = async () => (await saveChart(chart, t, title, 'CSV')).toString('utf8');
  await page.route(numbers, (route) => route.fulfill({ status: 400, json: { code: 'bad-request' } }));
  await chooseChlamydia(page, t);
  const again = page.getByRole('button', { name: t('action.retry') });
  await expect(again).toBeVisible();
  await page.unroute(numbers);
  const answer = await holdNumbers(page);
  await again.click();
  expect(await caption()).not.toMatch(/Chlamydia/);
  answer();
  await settled(page);
  expect(await caption()).toMatch(/Chlamydia/);
});

test('days chosen in a chart are shown alone, and Back shows all of them again', async ({ page, t }) => {
  await signIn(page, await newAdministrator('some-days'), { at: '/analytics/testing' });
  await settled(page);
  const before = page.url();
  const title = t('dashboards/testing:series.trend.title');
  const chart = page.getByRole('region', { name: title }).getByRole('listbox');
  await chart.focus();
  for (const key of ['End', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter'])
    await page.keyboard.press(key);
  await expect(page).toHaveURL(/[?&]range=/);
  await settled(page);
  await chart.focus();
  await page.keyboard.press('End');
  const read = page.getByRole('region', { name: title }).locator('[role=option]');
  await expect(read).toHaveAttribute('aria-setsize', '3');
  await page.goBack();
  await expect(page).toHaveURL(before);
  await settled(page);
});

test('the tile of people says that it opens their tests, and does', async ({ page, t }) => {
  await signIn(page, 'lab@demo.caseway.test', { at: '/analytics/testing' });
  await settled(page);
  const tests = page.getByRole('region', { name: t('dashboards/testing:measure.tests.title'), exact: true });
  const number = (await tests.getByRole('link').innerText()).replaceAll(/\D/g, '');
  await page.getByRole('link', { name: new RegExp(t('dashboards/testing:measure.people.records')) }).click();
  await expect(page.getByText(t('testing-analytics:records.lead'))).toBeVisible();
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(Number(number) + 1));
});
