import { wavesLogo } from '../server/seeds/demo/logos.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';
import { goWithin } from './walk.ts';

test('[S1.6, S7.7] an administrator sets the tenant up: first steps, time zone, a label, a message', async ({
  page,
  browser,
  t,
}) => {
  await signIn(page, 'admin@vendor.caseway.test');
  const guide = page.getByRole('region', { name: t('settings:guide.title') });
  const step = (state: string) => guide.getByRole('img', { name: t(`settings:guideState.${state}`) });

  await test.step('the home screen says what is left to do', async () => {
    await expect(step('open')).not.toHaveCount(0);
    const done = await step('done').count();
    expect(done).toBeGreaterThan(2);
    const basics = t('settings:guide.checkOf', { step: t('settings:guideStep.basics') });
    await guide.getByRole('button', { name: basics }).click();
    await expect(step('checked')).toHaveCount(1);
    await guide.getByRole('link', { name: t('settings:guideStep.basics') }).click();
    await settled(page);
  });

  await test.step("the time zone applies at once, on other users' screens too", async () => {
    const zone = page.getByLabel(t('settings:field.timeZone'), { exact: true });
    await zone.fill('denver');
    await page.getByRole('option', { name: /\(Denver\)$/ }).click();
    await page.getByRole('link', { name: t('settings:section.labels') }).click();
    // Leaving unsaved changes asks first.
    await page
      .getByRole('dialog', { name: t('leave.title') })
      .getByRole('button', { name: t('leave.stay') })
      .click();
    await page.getByRole('button', { name: t('action.save') }).click();
    await expect(page.getByText(t('settings:done.saved'))).toBeVisible();
  });

  await test.step('a file that is no PNG is refused; a logo is shown before it is saved, and at the top after that', async () => {
    const logo = page.getByRole('region', { name: t('settings:logo.title'), exact: true });
    const file = logo.getByTestId('file-input');
    await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await expect(logo.getByRole('alert')).toHaveText(t('settings:logo.fault.logo-svg'));
    const former = await logo.getByRole('img').getAttribute('src');
    await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await wavesLogo() });
    const dialog = page.getByRole('dialog', { name: t('settings:logo.replaceTitle') });
    await expect(dialog.getByRole('img', { name: 'Brightwell Diagnostics' })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: t('action.save') }).click();
    await expect(page.getByText(t('settings:logo.saved'))).toBeVisible();
    const top = page.getByRole('banner').locator('img');
    await expect(top).toHaveAttribute('src', /^\/api\/logo\//);
    await expect(top).not.toHaveAttribute('src', former!);
    await expect.poll(() => top.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96);
    await page.getByRole('button', { name: t('history.undo') }).click();
    await expect(logo.getByRole('img')).toHaveAttribute('src', former!);
  });

  const colleague = await browser.newContext();
  const other = await colleague.newPage();
  await test.step("a label changes on a colleague's open screen", async () => {
    await signIn(other, 'lab@vendor.caseway.test');
    await expect(other.getByText(/\(Denver\)/)).toBeVisible();
    await page.getByRole('link', { name: t('settings:section.labels') }).click();
    await page.getByLabel(t('settings:labels.find')).fill('screen.imports');
    await page.getByLabel(t('settings:labels.find')).press('Enter');
    const imports = t('settings:labels.changeOf', { label: t('screen.imports') });
    await page.getByRole('button', { name: imports, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: imports });
    await dialog.getByRole('textbox').fill('Inbox of results');
    await dialog.getByRole('button', { name: t('action.save') }).click();
    const menu = (where: typeof page) =>
      where.getByRole('navigation', { name: t('shell.navigation') }).getByRole('link');
    await expect(menu(page).filter({ hasText: 'Inbox of results' })).toBeVisible();
    await expect(menu(other).filter({ hasText: 'Inbox of results' })).toBeVisible();

    await page
      .getByRole('button', { name: /Inbox of results/ })
      .first()
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('settings:action.putBack') })
      .click();
    await expect(menu(other).filter({ hasText: t('screen.imports') })).toBeVisible();
    await colleague.close();
  });

  await test.step('a message without its code is refused, and restored after a change', async () => {
    await page.getByRole('link', { name: t('settings:section.messages') }).click();
    await page.getByRole('combobox', { name: t('settings:messages.kind') }).selectOption('sign-in-code');
    const body = page.getByLabel(t('settings:messages.body'), { exact: true });
    await body.fill('Your code.');
    await page.getByRole('button', { name: t('action.save') }).click();
    await expect(page.getByText(t('fault.placeholder-missing'))).toBeVisible();
    await body.fill('From Brightwell:\n\n');
    await page
      .getByRole('button', { name: t('settings:messages.needed', { value: t('settings:value.code') }) })
      .click();
    await expect(page.getByRole('region', { name: t('settings:messages.preview') })).toContainText(/\d{6}/);
    await page.getByRole('button', { name: t('action.save') }).click();
    await page.getByRole('button', { name: t('settings:action.putBack') }).click();
    await expect(body).toHaveValue(/Caseway/);
  });

  const goHome = () =>
    page
      .getByRole('link', { name: t('screen.home'), exact: true })
      .first()
      .click();
  await test.step('the first steps are hidden, and shown again from the settings', async () => {
    await goHome();
    await guide.getByRole('button', { name: t('settings:guide.hide') }).click();
    await expect(guide).toHaveCount(0);
    await goWithin(page, '/admin/settings/guide');
    await page.getByRole('button', { name: t('settings:guide.showHome') }).click();
    await goHome();
    await expect(guide).toBeVisible();
  });
});
