import { load } from '../server/test/load.ts';
import { expect, settled, signIn, test } from './fixtures.ts';
import { answered, keepNames, shown } from './late-names.ts';
import { kindOf, linksOf } from './walk.ts';

test('[S1.4] names that could not be loaded or are refused show no key or code', async ({ page, t }) => {
  const names = await keepNames(page);
  const everythingElse = answered(page);
  await signIn(page, 'epi@demo.caseway.test');
  // Loads everything once, to learn which texts are codes.
  await page.goto('/analytics/testing');
  await settled(page);
  await page.goto('/case-reports');
  await settled(page);
  const record = (await linksOf(page)).find((href) => kindOf(href) === '/case-reports/:id')!;
  const missing = page.getByText(t('label.failedTitle'));
  // An error is retried three times, which takes seven seconds each. In `npm test`, a record and numbers are
  // refused, and a list fails.
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
        // A refusal is not temporary: retrying would not help.
        if (status === 500) await expect(missing.first()).toBeVisible();
        else await expect(missing).toHaveCount(0);
        expect({ path, raw: names.rawIn(await shown(page)) }).toEqual({ path, raw: [] });
      });
  await test.step('and appear after another try', async () => {
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
