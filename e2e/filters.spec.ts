import { newAdministrator } from './accounts.ts';
import { openFilter } from './filters.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';

test('a list is filtered by keyboard, and shows only active filters', async ({ page, t }) => {
  await signIn(page, await newAdministrator('filters'), { at: '/case-reports?view=default&range=all' });
  await settled(page);
  const bar = page.getByRole('group', { name: t('filter.title') });
  const adder = bar.getByRole('button', { name: t('filter.addFilter') });
  const removers = bar.getByRole('button', { name: t('filter.remove', { name: '' }) });
  await expect(removers).toHaveCount(0);

  await test.step('a filter and its choice are found by typing', async () => {
    await adder.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: t('filter.addFilter') }).waitFor();
    await expectAccessible(page);
    await page.keyboard.type(t('case-reports:column.program').slice(0, 4));
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: t('case-reports:column.program') }).waitFor();
    await page.keyboard.type(t('filter.missing').slice(0, 6));
    await expect(page.getByRole('option', { name: t('filter.missing') })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect(adder).toBeFocused();
    await expect(page).toHaveURL(/programFilter=missing/);
  });
  const chip = bar.getByRole('button', {
    name: `${t('case-reports:column.program')} ${t('filter.missing')}`,
  });

  await test.step('the address restores the chip, which opens its choices', async () => {
    await page.reload();
    await settled(page);
    await chip.click();
    await expect(page.getByRole('option', { name: t('filter.missing') })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.keyboard.press('Escape');
    await expect(chip).toBeFocused();
  });

  await test.step('Delete removes it, and the focus stays in the bar', async () => {
    await page.keyboard.press('Delete');
    await expect(removers).toHaveCount(0);
    await expect(adder).toBeFocused();
    await expect(page).not.toHaveURL(/programFilter/);
  });

  await test.step('on a phone, a chip is below its button in the filter sheet', async () => {
    await openFilter(page, t, t('case-reports:column.program'));
    await page.getByRole('option', { name: t('filter.missing') }).click();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 360, height: 780 });
    await expect(page.getByRole('button', { name: `${t('filter.title')} 1` })).toBeVisible();
    await expect(
      page.getByRole('button', { name: `${t('case-reports:column.program')} ${t('filter.missing')}` }),
    ).toBeVisible();
    await expectAccessible(page);
  });
});

test('conditions are put into a group, which the address and a chip keep', async ({ page, t }) => {
  await signIn(page, await newAdministrator('groups'), { at: '/case-reports?view=default&range=all' });
  await settled(page);
  await page.getByRole('button', { name: t('filter.conditions'), exact: true }).click();
  await page.getByRole('button', { name: t('filter.addGroup') }).click();
  const group = page.getByRole('group', { name: t('filter.group', { number: 1 }) });
  const condition = (number: number) =>
    group.getByRole('group', { name: t('filter.condition', { number }), exact: true });
  const ask = async (number: number, column: string, operator: string) => {
    const name = t(`case-reports:column.${column}`);
    await condition(number)
      .getByRole('combobox', { name: t('filter.column') })
      .fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await condition(number)
      .getByLabel(t('filter.operator'))
      .selectOption({ label: t(`operator.${operator}`) });
  };
  await ask(1, 'investigator', 'isEmpty');
  await group.getByRole('button', { name: t('filter.add') }).click();
  await ask(2, 'createdOn', 'within');
  await condition(2)
    .getByLabel(t('filter.value'))
    .selectOption({ label: t('date.relative.last-30-days') });
  await expectAccessible(page);
  await expect(page).toHaveURL(/g=f%3Dinvestigator/);
  await page.keyboard.press('Escape');
  await page.reload();
  await settled(page);
  const chip = page.getByRole('button', { name: new RegExp(`^${t('filter.group', { number: 1 })} `) });
  await expect(chip).toBeVisible();
  await expectAccessible(page);
  await page
    .getByRole('button', { name: t('filter.remove', { name: t('filter.group', { number: 1 }) }) })
    .click();
  await expect(page).not.toHaveURL(/[?&]g=/);
});

test('rows are grouped by status, and a group is closed by keyboard', async ({ page, t }) => {
  await signIn(page, await newAdministrator('grouped'), { at: '/case-reports?view=default&range=all' });
  await settled(page);
  const status = t('case-reports:column.status');
  await page.getByRole('button', { name: t('grid.group'), exact: true }).click();
  await page.getByRole('option', { name: status, exact: true }).click();
  await expect(page).toHaveURL(/group=status/);
  await settled(page);
  const heading = page.getByRole('gridcell', { name: new RegExp(`^${status} `) }).first();
  await expect(heading).toHaveAttribute('aria-expanded', 'true');
  await expectAccessible(page);
  const before = await page.getByRole('status').filter({ hasText: /\d/ }).first().textContent();
  await heading.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/closed=/);
  await settled(page);
  await expect(heading).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('status').filter({ hasText: before! })).toHaveCount(0);
  await page.reload();
  await settled(page);
  await expect(heading).toHaveAttribute('aria-expanded', 'false');
});
