import { readFile } from 'node:fs/promises';
import { expect, expectAccessible, holdNotifications, settled, signIn, test } from './fixtures.ts';
import { goWithin } from './walk.ts';

test.use({ language: 'en' });

test('[S1.2] a person is found, corrected and restored, and a new one may exist already', async ({
  page,
  t,
}) => {
  await signIn(page, 'entry@demo.caseway.test', { at: '/patients' });
  await settled(page);
  const grid = page.getByRole('grid');
  await grid.getByRole('link').nth(2).click();
  await expect(page).toHaveURL(/\/patients\/[0-9a-f-]{36}/);
  await settled(page);
  await expectAccessible(page);
  const [lastName, firstName] = (await page.getByRole('heading', { level: 1 }).innerText()).split(', ') as [
    string,
    string,
  ];
  const correct = page.getByRole('button', { name: t('patients:edit.change'), exact: true });
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByLabel(new RegExp(`^${t(`patients:column.${name}`)}`));

  await test.step('the correction is shown, is in the history, and is undone', async () => {
    await correct.click();
    await expectAccessible(page);
    await field('lastName').fill(`${lastName}-Correcta`);
    await dialog.getByRole('button', { name: t('action.save') }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${lastName}-Correcta, ${firstName}`);
    await page
      .getByRole('button', { name: t('history.show') })
      .first()
      .click();
    await expect(page.getByRole('list', { name: t('history.title') })).toContainText(`${lastName}-Correcta`);
    await holdNotifications(page);
    await page
      .getByRole('button', { name: t('history.undo'), exact: true })
      .last()
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${lastName}, ${firstName}`);
  });

  await test.step('a document is added, downloaded as it was, and retracted with a reason', async () => {
    const add = t('documents:screen.add');
    const letter = 'Discharge letter';
    const bytes = Buffer.from('%PDF-1.4\n%%EOF\n');
    await page.getByRole('button', { name: add }).click();
    await dialog
      .getByTestId('file-input')
      .setInputFiles({ name: `${letter}.pdf`, mimeType: 'application/pdf', buffer: bytes });
    await expect(dialog.getByRole('status')).toContainText(letter);
    await expectAccessible(page);
    const ofDocument = (name: string) => dialog.getByLabel(new RegExp(`^${t(`documents:column.${name}`)}`));
    await expect(ofDocument('title')).toHaveValue(letter);
    await ofDocument('category').selectOption('letter');
    await dialog.getByRole('button', { name: add }).click();
    const download = page.getByRole('button', { name: t('documents:screen.downloadOf', { title: letter }) });
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
    expect(file.suggestedFilename()).toBe(`${letter}.pdf`);
    expect(await readFile(await file.path())).toEqual(bytes);
    await page.getByRole('button', { name: t('documents:screen.retractOf', { title: letter }) }).click();
    await ofDocument('retractReason').fill('Of her sister.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: t('documents:screen.retract') }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('Of her sister.')).toBeVisible();
    await expect(download).toHaveCount(0);
  });

  await test.step('entering the same name shows a notice, and a new person is found at once', async () => {
    const birth = await page
      .getByRole('term')
      .filter({ hasText: t('patients:column.birthDate') })
      .count();
    expect(birth).toBe(1);
    await goWithin(page, '/patients');
    await settled(page);
    await page.getByRole('button', { name: t('patients:edit.add') }).click();
    await field('lastName').fill('Quillfeather');
    await field('firstName').fill('Ottoline');
    await field('phones').fill('+1 813 555 0188');
    await dialog.getByRole('button', { name: t('patients:edit.add') }).click();
    await expect(page).toHaveURL(/\/patients\/[0-9a-f-]{36}/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quillfeather, Ottoline');
    await goWithin(page, '/patients');
    await page.getByRole('searchbox').fill('quillf');
    await expect(grid.getByRole('link', { name: /Quillfeather/ })).toHaveCount(1);
    await page.getByRole('button', { name: t('patients:edit.add') }).click();
    await field('lastName').fill('Quillfeather');
    await field('phones').fill('+1 813 555 0188');
    await expect(dialog.getByRole('status')).toContainText('Quillfeather, Ottoline');
    await expectAccessible(page);
  });
});

test("a result's row opens its person's record, by click and by keyboard", async ({ page, t }) => {
  await signIn(page, 'programs@demo.caseway.test', { at: '/analytics/testing/records' });
  const grid = page.getByRole('grid');
  const link = grid.getByRole('link').first();
  const address = await link.getAttribute('href');
  expect(address).toMatch(/^\/patients\/[0-9a-f-]{36}$/);
  await link.click();
  await expect(page).toHaveURL(new RegExp(`${address}$`));
  await settled(page);
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(t('screen.notFoundTitle'));
  await page.goBack();
  await grid.getByRole('row').nth(2).getByRole('gridcell').nth(1).click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/patients\/[0-9a-f-]{36}$/);
});
