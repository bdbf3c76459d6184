import { addDays, todayIn } from '@caseway/contract/date-range';
import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';
import { goWithin } from './walk.ts';

test.use({ language: 'en' });

test('[S1.2] a video visit is booked once for one time, the person arrives, is admitted, and the visit ends', async ({
  page,
  t,
}) => {
  const words = (key: string, values?: Record<string, string>) => t(`telemedicine:${key}`, values);
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByLabel(new RegExp(`^${words(`column.${name}`)}`)).first();
  // No one else is booked then, and it is hours away.
  const [day, time] = [addDays(todayIn('America/New_York'), 1), '05:00'];
  /** Requests a visit for the first person of the list, and enters its time. */
  const enterTime = async () => {
    await goWithin(page, '/patients');
    await settled(page);
    await page.getByRole('grid').getByRole('link').first().click();
    await settled(page);
    await page.getByRole('button', { name: words('edit.add') }).click();
    await field('visitType').selectOption('results');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words('edit.next') }).click();
    await expect(page).toHaveURL(/\/telemedicine\/[0-9a-f-]{36}/);
    await settled(page);
    await page.getByRole('button', { name: words('transition.book') }).click();
    await field('provider').selectOption({ label: 'Adaeze Stone' });
    await dialog.getByRole('radio', { name: words('free.other') }).check();
    await field('startsAt').fill(day);
    await dialog.getByLabel(t('instant.timeOf', { label: words('column.startsAt') })).fill(time);
    await field('minutes').fill('20');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words('transition.book') }).click();
  };
  const step = async (name: string, fill?: () => Promise<unknown>) => {
    await page.getByRole('button', { name: words(`transition.${name}`), exact: true }).click();
    await fill?.();
    await dialog.getByRole('button', { name: words(`transition.${name}`) }).click();
    await expect(dialog).toHaveCount(0);
  };

  await signIn(page, await newAdministrator('telemedicine'));
  await enterTime();
  await expect(dialog).toHaveCount(0);
  const address = page.url();
  await expect(page.getByText(words('room.early', { at: '' }).replace(/\.$/, ''))).toBeVisible();

  await test.step('another visit at this time is refused at the field', async () => {
    await enterTime();
    await expect(dialog.getByText(words('fault.taken')).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the person arrives, and is in the waiting room', async () => {
    await page.goto(address);
    await settled(page);
    await step('arrive', () => field('consentVersion').fill('2026-01'));
    await goWithin(page, '/telemedicine');
    await settled(page);
    await expectAccessible(page);
    const waiting = page.getByRole('region', { name: /waiting/ });
    await waiting.locator(`a[href="${new URL(address).pathname}"]`).click();
    await expect(page).toHaveURL(address);
  });

  await test.step('the visit begins and ends', async () => {
    await settled(page);
    await step('admit');
    await step('finish', () => field('connection').selectOption('good'));
    await expect(page.getByText(words('choice.status.fulfilled')).first()).toBeVisible();
    await settled(page);
    await expectAccessible(page);
  });
});
