import { newAdministrator } from './accounts.ts';
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

test('[P18, P14] a hidden record is opened for a reason, and a privacy officer ends it', async ({
  page,
  t,
  browser,
  baseURL,
}) => {
  const somebody = async (username: string) => {
    const context = await browser.newContext({ baseURL: baseURL! });
    const theirs = await context.newPage();
    await signIn(theirs, username);
    return theirs;
  };
  // Whoever sees restricted families tells the number, as it would be told by telephone.
  const investigator = await somebody(await newAdministrator('teller'));
  const asking = investigator.waitForRequest(/grid\/case-reports\/search/);
  await investigator.goto('/case-reports');
  const headers = await (await asking).allHeaders();
  const found = await investigator.request.post('/api/web/grid/case-reports/search', {
    headers: { authorization: headers.authorization!, 'x-org-token': headers['x-org-token']! },
    data: { filterModel: { items: [{ field: 'diseaseFamily', operator: 'is', value: 'hiv' }] } },
  });
  const { caseId } = ((await found.json()) as { rows: { caseId: string }[] }).rows[0]!;
  await investigator.context().close();

  await signIn(page, 'clinician@demo.caseway.test');
  await page.goto('/case-reports');
  await settled(page);
  await page.getByRole('button', { name: t('break-glass:open.button') }).click();
  const form = page.getByRole('dialog', { name: t('break-glass:open.title') });
  await expectAccessible(page);
  await form.getByLabel(t('break-glass:field.caseNumber')).fill(caseId);
  await form.getByLabel(t('break-glass:field.kind')).selectOption('treatment');
  await form
    .getByLabel(t('break-glass:field.reason'), { exact: true })
    .fill('In our emergency room, unconscious.');
  await form.getByRole('button', { name: t('break-glass:open.submit') }).click();
  await expect(page.getByRole('heading', { name: t('case-reports:record.title', { caseId }) })).toBeVisible();
  await expect(page.getByText(/In our emergency room, unconscious\./)).toBeVisible();
  await expectAccessible(page);

  const officer = await somebody('privacy@demo.caseway.test');
  await officer
    .getByRole('link', { name: t('screen.privacy') })
    .first()
    .click();
  await settled(officer);
  const access = officer.getByRole('listitem').filter({ hasText: caseId });
  await expect(access).toContainText('Clara Whitcomb');
  await expect(access).toContainText('In our emergency room, unconscious.');
  await expectAccessible(officer);
  await access.getByRole('button', { name: t('break-glass:revoke.button') }).click();
  await officer
    .getByRole('dialog')
    .getByRole('button', { name: t('break-glass:revoke.button') })
    .click();
  await expect(access).toContainText(t('break-glass:state.revoked'));
  await expect(page.getByText(t('break-glass:ended.title'))).toBeVisible();
  await officer.context().close();
});
