import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';
import { signOut } from './passkeys.ts';

test.use({ language: 'en' });

test('[S1.2] a clinician reports a reaction to a vaccine, and a supervisor closes the report', async ({
  page,
  t,
}) => {
  const words = (key: string, values?: Record<string, string>) => t(`incident-reports:${key}`, values);
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByLabel(new RegExp(`^${words(`column.${name}`)}`)).first();
  let address = '';

  await test.step('the form asks only what applies, and says what is missing', async () => {
    await signIn(page, 'clinician@demo.caseway.test', { at: '/incident-reports' });
    await settled(page);
    await page.getByRole('button', { name: words('edit.add') }).click();
    await expect(field('category')).toHaveCount(0);
    await field('kind').selectOption('other-incident');
    await expect(field('category')).toBeVisible();
    await expect(dialog.getByRole('group', { name: words('column.vaccines') })).toHaveCount(0);
    await field('kind').selectOption('vaccine-adverse-event');
    await field('narrative').fill('Hives on both arms an hour after the vaccine.');
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    await expect(dialog.getByText(words('fault.required'))).toBeVisible();
    await dialog
      .getByRole('button', { name: t('answers.addTo', { list: words('column.vaccines') }) })
      .click();
    await field('vaccine').selectOption('influenza');
    await field('lot').fill('UT8007AB');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    await expect(page).toHaveURL(/\/incident-reports\/[0-9a-f-]{36}/);
    await expect(page.getByText('UT8007AB')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    address = page.url();
    // A clinician may take only the next step, so there is no menu of others.
    await expect(page.getByRole('button', { name: words('transition.review') })).toBeVisible();
    await expect(page.getByRole('button', { name: t('transition.more') })).toHaveCount(0);
  });

  await test.step('a supervisor reviews and closes it', async () => {
    await signOut(page, t);
    await signIn(page, await newAdministrator('incidents'), { at: address });
    await settled(page);
    const step = async (name: string, fill?: () => Promise<unknown>) => {
      await page.getByRole('button', { name: words(`transition.${name}`), exact: true }).click();
      await fill?.();
      await dialog.getByRole('button', { name: words(`transition.${name}`) }).click();
      await expect(dialog).toHaveCount(0);
    };
    await step('review', () => field('investigator').selectOption({ index: 1 }));
    await expect(page.getByText(words('choice.stage.in-review')).first()).toBeVisible();
    await step('report');
    await step('close', async () => {
      await field('classification').selectOption('related');
      await field('outcome').selectOption('recovered');
    });
    await expect(page.getByText(words('choice.stage.final')).first()).toBeVisible();
    await expectAccessible(page);
  });
});

test('VAERS files are checked, imported and exported again', async ({ page, t }) => {
  const words = (key: string, values?: Record<string, string>) => t(`incident-reports:${key}`, values);
  const [year, month, day] = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10).split('-');
  const received = `${month}/${day}/${year}`;
  const data = `VAERS_ID,RECVDATE,STATE,AGE_YRS,CAGE_YR,CAGE_MO,SEX,RPT_DATE,SYMPTOM_TEXT,DIED,DATEDIED,L_THREAT,ER_VISIT,HOSPITAL,HOSPDAYS,X_STAY,DISABLE,RECOVD,VAX_DATE,ONSET_DATE,NUMDAYS,LAB_DATA,V_ADMINBY,V_FUNDBY,OTHER_MEDS,CUR_ILL,HISTORY,PRIOR_VAX,SPLTTYPE\r\n0777001,${received},FL,33.0,33,,F,,"Hives, gone after an hour.",,,,,,,,,Y,13/45/2026,,,,PHM,,,,,,\r\n`;
  const vaccines =
    'VAERS_ID,VAX_TYPE,VAX_MANU,VAX_LOT,VAX_DOSE,VAX_ROUTE,VAX_SITE,VAX_NAME\r\n0777001,MMR,MERCK & CO. INC.,0333P,,SC,LA,MMR II\r\n';
  const symptoms =
    'VAERS_ID,SYMPTOM1,SYMPTOMVERSION1,SYMPTOM2,SYMPTOMVERSION2,SYMPTOM3,SYMPTOMVERSION3,SYMPTOM4,SYMPTOMVERSION4,SYMPTOM5,SYMPTOMVERSION5\r\n0777001,Urticaria,28.0,,,,,,,,\r\n';
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const dialog = page.getByRole('dialog');

  await signIn(page, await newAdministrator('vaers'), { at: '/incident-reports' });
  await settled(page);
  await page.getByRole('button', { name: words('vaers.open') }).click();
  await dialog
    .getByTestId('file-input')
    .setInputFiles([file('a.csv', data), file('b.csv', vaccines), file('c.csv', symptoms)]);
  await expect(dialog.getByText(words('vaers.problem.no-day'))).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: words('vaers.submit_one', { number: '1' }) }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('searchbox').fill('0333P');
  await page.getByText('0333P').first().waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: t('export.menu') }).click();
  await page.getByRole('menuitem', { name: t('export.vaers-1') }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^vaers-1-\d{4}-\d\d-\d\d\.zip$/);
  await page.getByText(words('choice.kind.vaccine-adverse-event')).first().waitFor();
});
