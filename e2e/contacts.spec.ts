import { addDays, todayIn } from '@caseway/contract/date-range';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';
import { goWithin } from './walk.ts';

// The account's language.
test.use({ language: 'ht' });

test('[S1.2] a disease-intervention specialist adds a contact of a case, records a visit, and sees it leave those due today', async ({
  page,
  t,
}) => {
  const words = (key: string, values?: Record<string, string>) => t(`contacts:${key}`, values);
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByLabel(new RegExp(`^${words(`column.${name}`)}`)).first();
  const who = 'Tall, blue scarf, works at the bakery';
  const row = page.getByRole('grid').getByRole('row').filter({ hasText: who });

  await test.step('the contact is added on the case, without a name', async () => {
    await signIn(page, 'dis@demo.caseway.test', {
      language: 'ht',
      at: '/case-reports?f=condition~is~pertussis&view=default',
    });
    await settled(page);
    await page.getByRole('grid').getByRole('link').first().click();
    await settled(page);
    const contacts = page.getByRole('region', { name: words('list.title') });
    await contacts.getByRole('button', { name: words('edit.add') }).click();
    await field('exposure').selectOption('same-room');
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    // Neither a person nor a description: it says what is missing.
    await expect(dialog.getByText(t('fault.required')).first()).toBeVisible();
    await field('description').fill(who);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    await expect(dialog).toHaveCount(0);
    await contacts.getByRole('link', { name: who }).click();
    await expect(page).toHaveURL(/\/contacts\/[0-9a-f-]{36}/);
    await settled(page);
    await expectAccessible(page);
  });

  await test.step('its follow-up starts, and has a day for each of the 21', async () => {
    await page.getByRole('button', { name: words('transition.start') }).click();
    await field('investigator').selectOption({ index: 1 });
    await dialog.getByRole('button', { name: words('transition.start') }).click();
    await expect(dialog).toHaveCount(0);
    const days = page.getByRole('list', { name: t('follow-up:days.title') });
    await expect(days.getByRole('listitem')).toHaveCount(21);
  });

  await test.step('it is due once its exposure is over, until a visit is recorded', async () => {
    // Exposed today, so the follow-up starts tomorrow.
    await page.getByRole('button', { name: t('record.edit') }).click();
    await field('lastExposedOn').fill(addDays(todayIn('America/New_York'), -3));
    await field('phone').click();
    await dialog.getByRole('button', { name: t('action.save') }).click();
    await expect(dialog).toHaveCount(0);
    await goWithin(page, '/contacts');
    await settled(page);
    await expect(row).toHaveCount(1);
    await expectAccessible(page);
    await row.getByRole('button', { name: words('visit.noteOf', { name: who }) }).click();
    await expect(dialog.getByRole('radio', { name: t('follow-up:state.seen'), exact: true })).toBeChecked();
    await dialog.getByLabel(new RegExp(`^${t('follow-up:column.note')}`)).fill('Feels well.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: t('follow-up:add.submit') }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row).toHaveCount(0);
  });

  await test.step('the finding is on its own screen', async () => {
    await page.getByRole('link', { name: words('view.followed'), exact: true }).click();
    await settled(page);
    await row.getByRole('link').first().click();
    await settled(page);
    await expect(page.getByText('Feels well.')).toBeVisible();
    await expect(
      page
        .getByRole('list', { name: t('follow-up:days.title') })
        .getByText(t('follow-up:state.seen'), { exact: true }),
    ).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the person of a case is followed up in the same way', async () => {
    const own = (key: string, values?: Record<string, string>) => t(`case-follow-ups:${key}`, values);
    await goWithin(page, '/case-reports?f=condition~is~chlamydia&f=status~is~new&view=default');
    await settled(page);
    await page.getByRole('grid').getByRole('link').first().click();
    await settled(page);
    const part = page.getByRole('region', { name: own('ofCase.title') });
    await part.getByRole('button', { name: own('edit.add') }).click();
    const last = addDays(todayIn('America/New_York'), 9);
    await dialog
      .getByLabel(new RegExp(`^${own('column.lastOn')}`))
      .first()
      .fill(last);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: own('edit.add') }).click();
    await expect(dialog).toHaveCount(0);
    const title = await part.getByRole('link').innerText();
    await goWithin(page, '/case-follow-ups');
    await settled(page);
    const followed = page
      .getByRole('grid')
      .getByRole('row')
      .filter({ hasText: title.split(' ').at(-1)! });
    await expectAccessible(page);
    await followed.getByRole('link').first().click();
    await settled(page);
    const days = page.getByRole('list', { name: t('follow-up:days.title') });
    await expect(days.getByRole('listitem')).toHaveCount(10);
    await page.getByRole('button', { name: own('visit.note') }).click();
    await dialog.getByRole('button', { name: t('follow-up:add.submit') }).click();
    await expect(dialog).toHaveCount(0);
    await expect(days.getByText(t('follow-up:state.seen'), { exact: true })).toBeVisible();
    await expectAccessible(page);
    await goWithin(page, '/case-follow-ups');
    await settled(page);
    await expect(followed).toHaveCount(0);
  });
});
