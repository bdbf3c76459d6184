import { addDays, todayIn } from '@caseway/contract/date-range';
import { load } from '../server/test/load.ts';
import { openFilter } from './filters.ts';
import { expect, settled, signInByForm, test } from './fixtures.ts';
import { sumOf } from './import-sum.ts';
import { admission, chlamydiaReport } from './messages.ts';
import { goWithin } from './walk.ts';

// The main job, end to end: from laboratory messages to a case list and a positivity curve.
for (const language of load<('en' | 'es')[]>(['es'], ['en', 'es'])) {
  test.describe(`the main job, ${language}`, () => {
    test.use({ language });

    test('an epidemiologist imports results, finds the cases and sees them in the numbers', async ({
      page,
      t,
    }) => {
      await test.step('signs in with a code from the outbox [S4.1]', () =>
        signInByForm(page, 'epi@demo.caseway.test', { language }));

      await test.step('testing analytics opens with 30 days before today [S9.6, S9.17]', async () => {
        const asking = page.waitForRequest('**/api/web/analytics/testing');
        await goWithin(page, '/analytics/testing');
        // Earlier stories have imported too, and their results reach the numbers a little later.
        const asked = Date.now();
        const request = await asking;
        await expect(async () => {
          const { asOf } = (await (await page.request.fetch(request)).json()) as { asOf: string };
          expect(Date.parse(asOf)).toBeGreaterThan(asked);
        }).toPass();
        await expect(
          page.getByRole('heading', { level: 1, name: t('screen.testingAnalytics') }),
        ).toBeVisible();
        await expect(tile('tests')).toHaveText(/\d/);
      });

      // From here on with fixed days: at midnight, the 30 days before today change.
      const today = todayIn('America/New_York');
      const numbers = `/analytics/testing?range=${addDays(today, -30)}..${today}`;
      await page.goto(numbers);
      await settled(page);
      const before = await count('tests');
      const family = language === 'en' ? 'Quillfeather' : 'Plumanueva';
      const day = addDays(today, -2).replaceAll('-', '');
      const person = (first: string, mrn: string) =>
        ({ last: family, first, birthDate: '19960214', sex: 'F', mrn: `${language}${mrn}` }) as const;
      const file = [
        chlamydiaReport(`${language}-1`, person('Ottoline', '1'), day, true),
        chlamydiaReport(`${language}-2`, person('Wilhelmina', '2'), day, true),
        chlamydiaReport(`${language}-3`, person('Euphemia', '3'), day, false),
        chlamydiaReport(
          `${language}-4`,
          person('Clementine', '4'),
          day,
          true,
          `CTX${language}^CT in house^L`,
        ),
        admission(`${language}-5`, day),
      ].join('');

      await test.step('drops a file of messages and sees the outcome of each', async () => {
        await goWithin(page, '/imports');
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page
          .locator('input[type=file]')
          .first()
          .setInputFiles({ name: `${language}.hl7`, mimeType: 'text/plain', buffer: Buffer.from(file) });
        await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
        // in = accepted + waiting + refused + duplicates: three reports, an unknown code, an admission.
        await expect.poll(() => sumOf(page, t)).toEqual([5, 3, 1, 1, 0]);
        await expect(page.getByText('ADT^A01').first()).toBeVisible();
      });

      await test.step('the same file again changes nothing', async () => {
        await goWithin(page, '/imports');
        await page
          .locator('input[type=file]')
          .first()
          .setInputFiles({
            name: `${language}-again.hl7`,
            mimeType: 'text/plain',
            buffer: Buffer.from(file),
          });
        await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
        await expect.poll(async () => (await sumOf(page, t))[4]).toBeGreaterThanOrEqual(4);
        expect((await sumOf(page, t))[1]).toBe(0);
      });

      await test.step('finds the new cases by name, and opens one: person, result, timeline', async () => {
        await goWithin(page, '/case-reports');
        await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
        await page
          .getByRole('searchbox')
          .or(page.getByPlaceholder(t('case-reports:list.search')))
          .first()
          .fill(family);
        // The full list has the new cases too: a click is lost when the search redraws the rows under it.
        await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3');
        await expect(page.getByRole('gridcell', { name: family })).toHaveCount(2);
        await page.getByRole('grid').getByRole('link').first().click();
        await expect(page.getByText('Chlamydia trachomatis').first()).toBeVisible();
        await expect(page.getByText(/Ottoline|Wilhelmina/).last()).toBeVisible();
      });

      await test.step("a list of treatments reaches its person's case", async () => {
        const case_ = new URL(page.url()).pathname;
        const started = addDays(today, -1);
        const row = (first: string) =>
          `${family},${first},1996-02-14,Chlamydia,Doxycycline,100 mg BID,7,${started},Dr. Duval`;
        const columns = 'last_name,first_name,dob,condition,medication,dose,duration,treatment date,provider';
        await goWithin(page, '/imports');
        await page
          .locator('input[type=file]')
          .first()
          .setInputFiles({
            name: `${language}.csv`,
            mimeType: 'text/csv',
            buffer: Buffer.from([columns, row('Ottoline'), row('Wilhelmina'), row('Nobody')].join('\n')),
          });
        await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
        // No one of this name has a case.
        await expect.poll(() => sumOf(page, t)).toEqual([3, 2, 1, 0, 0]);
        await goWithin(page, case_);
        const treatments = page.getByRole('region', { name: t('treatments:screen.title') });
        await expect(treatments.getByText(t('treatments:drug.doxycycline-7-days'))).toBeVisible();
        await expect(treatments.getByText('Dr. Duval')).toBeVisible();
      });

      await test.step('the imported results are in the numbers', async () => {
        await goWithin(page, numbers);
        await expect.poll(() => count('tests')).toBe(before + 3);
      });

      await test.step('filters by a disease family, and the address keeps it [S3.11]', async () => {
        const all = await count('tests');
        await openFilter(page, t, t('analytics:filter.diseaseFamily'));
        await page.getByRole('option').nth(1).click();
        await page.keyboard.press('Escape');
        await expect(page).toHaveURL(/diseaseFamilyFilter=/);
        await expect.poll(() => count('tests')).toBeLessThan(all);
      });

      await test.step('a number opens exactly its records', async () => {
        const positive = await count('positive');
        await tile('positive').click();
        await expect(page).toHaveURL(/\/analytics\/testing\/records\?/);
        await expect(page.getByText(new RegExp(`[^\\d]${positive}[^\\d]`)).first()).toBeVisible();
        await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
        await page.goBack();
        await expect.poll(() => count('positive')).toBe(positive);
      });

      await test.step('a bar opens exactly its records, by keyboard', async () => {
        const chart = page.getByRole('listbox', {
          name: new RegExp(t('dashboards/testing:series.resultCategory.title')),
        });
        await chart.focus();
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
        await expect(page).toHaveURL(/behind=.*resultCategory/);
        await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
        await page.goBack();
      });

      await test.step('Clear empties the filters and keeps the dates [S4.9]', async () => {
        await page.getByRole('button', { name: t('filter.clear') }).click();
        await expect(page).not.toHaveURL(/diseaseFamilyFilter=/);
      });

      function tile(measure: string) {
        const title = t(`dashboards/testing:measure.${measure}.title`);
        return page
          .getByRole('region', { name: title, exact: true })
          .locator('a, button:not([aria-haspopup]), p')
          .first();
      }
      async function count(measure: string): Promise<number> {
        return Number((await tile(measure).innerText()).replaceAll(/\D/g, ''));
      }
    });
  });
}
