import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';
import { goWithin } from './walk.ts';

test.use({ language: 'en' });

test('[S1.2] a laboratorian sends a box, receives it by scanning, and explains what is missing', async ({
  page,
  t,
}) => {
  const words = (key: string, values?: Record<string, string>) => t(`sample-shipments:${key}`, values);
  const dialog = page.getByRole('dialog');
  const step = async (name: string, fill?: () => Promise<unknown>) => {
    const label = words(`transition.${name}`);
    await page.getByRole('button', { name: label, exact: true }).click();
    await fill?.();
    await dialog.getByRole('button', { name: label, exact: true }).click();
    await expect(dialog).toHaveCount(0);
  };
  /** A scanner types the number and presses Enter; the field already has the focus. */
  const scan = async (code: string) => {
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
  };
  const contents = page.getByRole('region', { name: words('record.contents') });
  const row = (code: string) =>
    contents.getByRole('listitem').filter({ has: page.getByText(code, { exact: true }) });
  let codes: string[] = [];

  await test.step('specimens in no shipment are listed with their age', async () => {
    await signIn(page, 'lab@demo.caseway.test', { at: '/sample-shipments/unassigned?view=default' });
    await settled(page);
    const numbers = page.getByRole('grid').locator('.mono');
    await expect(numbers.nth(2)).toBeVisible();
    codes = [...new Set(await numbers.allTextContents())].slice(0, 3);
    expect(codes).toHaveLength(3);
    await expectAccessible(page);
  });

  await test.step('a box is packed by number, closed and sent, and is then locked', async () => {
    await goWithin(page, '/sample-shipments');
    await settled(page);
    await page.getByRole('button', { name: words('edit.add') }).click();
    for (const [end, place] of [
      ['origin', 'Mangrove Community Clinic Ybor City'],
      ['destination', 'Gulfstream State Public Health Laboratory'],
    ] as const) {
      await dialog.getByRole('combobox', { name: words(`column.${end}`) }).fill(place);
      await page.getByRole('option', { name: place, exact: true }).click();
    }
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    await expect(page).toHaveURL(/\/sample-shipments\/[0-9a-f-]{36}/);
    await expect(page.getByLabel(words('pack.code'))).toBeFocused();
    for (const code of codes) await scan(code);
    await expect(contents.getByRole('listitem')).toHaveCount(3);
    await scan('no-such-number');
    await expect(page.getByText(words('fault.unknown-specimen'))).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: words('label.action') }).click();
    await dialog.getByRole('radio', { name: words('label.of.tubes') }).check();
    await expectAccessible(page);
    const file = page.waitForEvent('download');
    await dialog.getByRole('button', { name: words('label.download') }).click();
    expect((await file).suggestedFilename()).toMatch(/^labels-.+\.pdf$/);
    await dialog.getByRole('button', { name: t('action.cancel') }).click();
    await step('pack');
    await step('send', () => dialog.getByLabel(words('column.carrier')).fill('FedEx'));
    await expect(page.getByText(words('choice.state.in-transit')).first()).toBeVisible();
    await expect(page.getByRole('button', { name: t('record.edit'), exact: true })).toHaveCount(0);
  });

  await test.step('the reception is interrupted and continues; one tube is missing, one is unexpected', async () => {
    await step('receive');
    await expect(page.getByLabel(words('scan.code'))).toBeFocused();
    await scan(codes[0]!);
    await expect(row(codes[0]!)).toContainText(words('choice.reception.received'));
    await page.reload();
    await settled(page);
    await expect(row(codes[0]!)).toContainText(words('choice.how.scanned'));
    await row(codes[1]!)
      .getByRole('button', { name: words('scan.tickOf', { code: codes[1]! }) })
      .click();
    await expect(row(codes[1]!)).toContainText(words('choice.how.ticked'));
    await page.getByLabel(words('scan.code')).focus();
    await scan('PX-99');
    await expect(row('PX-99')).toContainText(words('choice.reception.unexpected'));
    await expectAccessible(page);
    await step('complete');
    await expect(row(codes[2]!)).toContainText(words('choice.reception.missing'));
  });

  await test.step('it is reconciled once each discrepancy has a note', async () => {
    await page.getByRole('button', { name: t('transition.all') }).click();
    const reconcile = page.getByRole('menuitem', { name: words('transition.reconcile') });
    await expect(reconcile).toContainText(words('fault.unexplained'));
    await page.keyboard.press('Escape');
    for (const code of [codes[2]!, 'PX-99']) {
      await page.getByRole('button', { name: words('note.addOf', { code }) }).click();
      await dialog.getByLabel(words('note.text')).fill('The clinic was called.');
      await dialog.getByRole('button', { name: words('note.save') }).click();
      await expect(dialog).toHaveCount(0);
    }
    await step('reconcile');
    await expect(page.getByText(words('choice.state.reconciled')).first()).toBeVisible();
    await expect(
      page
        .getByRole('region', { name: words('record.custody') })
        .getByRole('listitem')
        .first(),
    ).toContainText(words('choice.deed.reconcile'));
    await expectAccessible(page);
  });

  await test.step('what was received is stored at the next free position, and its custody has no gap', async () => {
    const storage = (key: string, values?: Record<string, string>) => t(`storage:${key}`, values);
    await goWithin(page, '/sample-shipments/storage');
    await settled(page);
    await page.getByRole('link', { name: storage('level.box', { name: 'B1' }), exact: true }).click();
    await expect(page.getByLabel(storage('put.code'))).toBeFocused();
    await scan(codes[0]!);
    const stored = page.getByRole('gridcell', { name: new RegExp(`specimen ${codes[0]}, received`) });
    await expect(stored).toBeVisible();
    await stored.press('Enter');
    await expectAccessible(page);
    await page.getByRole('link', { name: storage('place.custody') }).click();
    await expect(page.getByText(storage('deed.stored'), { exact: true })).toBeVisible();
    await expect(page.getByText(storage('report.complete'))).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('many are received at once: it says in advance which stay and why, and is undone', async () => {
    await goWithin(page, '/sample-shipments');
    await settled(page);
    const bar = page.getByRole('region', { name: t('bulk.label') });
    await page.getByRole('checkbox', { name: t('grid.selectPage') }).press('Space');
    await bar.getByRole('button', { name: t('bulk.change') }).press('Enter');
    await dialog.getByLabel(t('bulk.deed')).selectOption({ label: words('transition.receive') });
    // Drafts and received shipments stay: each is listed with its number and the reason.
    await expect(dialog.getByRole('listitem').first()).toContainText(
      /cannot be done in the status “.+”\. You can: |nothing you can do in the status “/,
    );
    await expect(dialog.getByRole('listitem').first()).toContainText(/SS-/);
    await expectAccessible(page);
    const go = dialog.getByRole('button', { name: /^Change \d/ });
    const changed = Number((await go.innerText()).replaceAll(/\D/g, ''));
    expect(changed).toBeGreaterThan(1);
    await go.press('Enter');
    const undo = bar.getByRole('button', { name: t('bulk.undo') });
    await expect(undo).toBeVisible();
    await expect(page.getByRole('grid').getByText(words('choice.state.receiving'))).toHaveCount(changed);
    await expectAccessible(page);
    await undo.press('Enter');
    await expect(bar.getByText(new RegExp(`^Change undone for ${changed}\\b`))).toBeVisible();
    await expect(page.getByRole('grid').getByText(words('choice.state.lost'))).toBeVisible();
  });
});
