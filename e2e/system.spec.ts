import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';
import { goWithin } from './walk.ts';

test('[P18, P14] a hidden record is opened for a reason, and a privacy officer ends the access', async ({
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
  // Someone who sees restricted families reads out the number, as on the telephone.
  const investigator = await somebody(await newAdministrator('teller'));
  const asking = investigator.waitForRequest(/grid\/case-reports\/search/);
  await goWithin(investigator, '/case-reports');
  const headers = await (await asking).allHeaders();
  const found = await investigator.request.post('/api/web/grid/case-reports/search', {
    headers: { authorization: headers.authorization!, 'x-org-token': headers['x-org-token']! },
    data: { filterModel: { items: [{ field: 'diseaseFamily', operator: 'is', value: 'hiv' }] } },
  });
  const { caseId } = ((await found.json()) as { rows: { caseId: string }[] }).rows[0]!;
  await investigator.context().close();

  await signIn(page, 'clinician@demo.caseway.test', { at: '/case-reports' });
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
