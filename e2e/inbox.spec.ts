import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, holdNotifications, settled, signIn, test } from './fixtures.ts';
import { goWithin } from './walk.ts';

test.use({ language: 'en' });

test('the new investigator of a case sees the count, opens the case from the bell, and no one else is notified', async ({
  page,
  browser,
  t,
}) => {
  const giver = await newAdministrator('inbox-giver');
  const taker = await newAdministrator('inbox-taker');
  const other = await browser.newContext();
  const theirs = await other.newPage();
  const second = await other.newPage();
  const words = (key: string, values?: Record<string, string>) => t(`inbox:${key}`, values);
  let number = '';

  await test.step('the other person has an empty inbox', async () => {
    await signIn(theirs, taker, { at: '/inbox' });
    await settled(theirs);
    await expect(theirs.getByText(words('none.all'))).toBeVisible();
    await expectAccessible(theirs);
    await second.goto('/inbox');
    await settled(second);
  });

  await test.step('a case is assigned', async () => {
    await signIn(page, giver, { at: '/case-reports?f=status~is~new&view=default' });
    await settled(page);
    const link = page.getByRole('grid').getByRole('link').first();
    number = (await link.textContent())!.trim();
    await link.click();
    await settled(page);
    const name = t('case-reports:transition.assign');
    await page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog', { name });
    const investigator = dialog.getByLabel(new RegExp(`^${t('case-reports:column.investigator')}`));
    await investigator.selectOption({ label: 'inbox-taker Administrator' });
    await dialog.getByRole('button', { name, exact: true }).click();
    await expect(dialog).toHaveCount(0);
  });

  const bell = (at: typeof page) =>
    at.getByRole('button', { name: t('notifications.unread', { number: '1' }) });
  const row = (at: typeof page) =>
    at
      .getByRole('main')
      .getByRole('link', { name: `${words('told.assigned')}: ${words('record.case')} ${number}` });

  await test.step('the count appears without a reload, in each of their tabs', async () => {
    await expect(bell(theirs)).toBeVisible();
    await expect(bell(second)).toBeVisible();
    await expect(row(second)).toBeVisible();
    await expect(bell(page)).toHaveCount(0);
  });

  await test.step('all are marked as read, and that is undone', async () => {
    await second.getByRole('button', { name: words('page.markAll') }).click();
    await expect(bell(second)).toHaveCount(0);
    await expect(bell(theirs)).toHaveCount(0);
    await holdNotifications(second);
    await second
      .getByRole('button', { name: t('history.undo') })
      .last()
      .click();
    await expect(bell(theirs)).toBeVisible();
  });

  await test.step('it is opened from the bell, on a phone too, and is then read', async () => {
    await theirs.setViewportSize({ width: 360, height: 740 });
    await bell(theirs).focus();
    await theirs.keyboard.press('Enter');
    const panel = theirs.getByRole('dialog');
    await expect(panel.getByRole('link', { name: new RegExp(number) })).toBeVisible();
    await expectAccessible(theirs);
    await panel.getByRole('link', { name: new RegExp(number) }).click();
    await expect(theirs).toHaveURL(/\/case-reports\/[0-9a-f-]{36}/);
    await settled(theirs);
    await expect(bell(theirs)).toHaveCount(0);
  });

  await test.step('the way of notification is chosen in the profile', async () => {
    await theirs.setViewportSize({ width: 1280, height: 800 });
    await goWithin(theirs, '/profile');
    await settled(theirs);
    const way = theirs.getByLabel(words('ways.kind.assigned'));
    await way.selectOption('digest');
    await expect(theirs.getByText(words('ways.saved'))).toBeVisible();
    await theirs.reload();
    await settled(theirs);
    await expect(theirs.getByLabel(words('ways.kind.assigned'))).toHaveValue('digest');
    await expectAccessible(theirs);
  });
  await other.close();
});
