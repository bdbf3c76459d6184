import { expect, expectAccessible, expectTranslated, settled, signIn, test, wordsIn } from './fixtures.ts';

test('[S6.8] a system administrator makes a tenant from nothing, and its administrator lands in it', async ({
  page,
  t,
  browser,
  baseURL,
}) => {
  await signIn(page, 'sysadmin@demo.caseway.test');
  await page.goto('/admin/tenants');
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: t('system:tenants.make') }).click();
  const form = page.getByRole('dialog', { name: t('system:make.title') });
  await form.getByLabel(t('system:field.name'), { exact: true }).fill('Lagoon Department of Health');
  await expect(form.getByLabel(t('system:field.slug'))).toHaveValue('lagoon-department-of-health');
  // What is missing is told before anything is sent.
  await form.getByRole('button', { name: t('system:make.submit') }).click();
  await expect(form.getByRole('alert')).toContainText(t('system:field.email'));
  await expectAccessible(page);
  await form.getByLabel(t('system:field.firstName')).fill('Lola');
  await form.getByLabel(t('system:field.lastName')).fill('Lagoon');
  await form.getByLabel(t('system:field.email'), { exact: true }).fill('lola@lagoon.example.test');
  await form.getByLabel(t('system:field.language'), { exact: true }).selectOption('es');
  await form.getByRole('button', { name: t('system:make.submit') }).click();
  const row = page.getByRole('row', { name: /Lagoon Department of Health/ });
  await expect(row).toContainText(t('system:tenants.invited'));

  const es = wordsIn('es');
  const hers = await (await browser.newContext({ baseURL: baseURL! })).newPage();
  await signIn(hers, 'lola@lagoon.example.test', 'es');
  await expect(hers.getByText('Lagoon Department of Health').first()).toBeVisible();
  await hers
    .getByRole('link', { name: es('screen.users') })
    .first()
    .click();
  await settled(hers);
  await expect(hers.getByText('Lagoon, Lola')).toBeVisible();

  // Suspended, she is told so, in its administrator's words, once she has signed in.
  await row.getByRole('button', { name: /^Suspend/ }).click();
  await page.getByLabel(t('system:suspend.reason')).fill('It was for show alone.');
  await page
    .getByRole('button', { name: t('system:suspend.submit'), exact: true })
    .last()
    .click();
  await expect(row).toContainText('It was for show alone.');
  await hers.goto('/');
  await expect(hers.getByText('It was for show alone.')).toBeVisible();
  await expectTranslated(hers, 'es');
  await hers.context().close();

  await page.goto('/admin/system');
  await settled(page);
  await expect(page.getByRole('region', { name: t('system:health.replicas') }).last()).toContainText(
    'Gulfstream',
  );
  await expectAccessible(page);
});
