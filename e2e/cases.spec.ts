import { readFile } from 'node:fs/promises';
import { filesIn } from '../server/test/xlsx.ts';
import { expectColumnsFit } from './columns.ts';
import { expect, expectAccessible, holdNotifications, settled, signIn, test } from './fixtures.ts';
import { goWithin } from './walk.ts';

// The account's own language is Spanish.
test.use({ language: 'es' });

test('the list of cases can be used by keyboard alone', async ({ page, t }) => {
  await signIn(page, 'investigator@demo.caseway.test', { language: 'es', at: '/case-reports' });
  await settled(page);
  const focused = page.locator(':focus');
  const panel = page.getByRole('complementary');

  await test.step('"/" leads to the search box, Tab past the tools into the list, which is one stop', async () => {
    await page.keyboard.press('/');
    await expect(page.getByPlaceholder(t('case-reports:list.search'))).toBeFocused();
    for (let stop = 0; stop < 5; stop++) await page.keyboard.press('Tab');
    await expect(focused).toHaveAttribute('role', 'columnheader');
  });

  await test.step('Space selects rows, arrows move', async () => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    await expect(page.getByText(t('bulk.chosen_other', { number: 2 }))).toBeVisible();
    await page.keyboard.press(' ');
    await expect(page.getByText(t('bulk.chosen_one', { number: 1 }))).toBeVisible();
  });

  await test.step('Enter opens a record beside the list, J and K move on, Escape closes it', async () => {
    await page.keyboard.press('ArrowRight');
    const first = await focused.innerText();
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('heading', { name: first })).toBeVisible();
    await page.keyboard.press('j');
    await expect(panel.getByRole('heading', { name: first })).toHaveCount(0);
    const second = await focused.innerText();
    expect(second).not.toBe(first);
    await expect(panel.getByRole('heading', { name: second })).toBeVisible();
    await page.keyboard.press('k');
    await expect(panel.getByRole('heading', { name: first })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
  });

  await test.step("on a record's screen, J and K move through the list, and Back returns to it", async () => {
    const list = page.url();
    const place = page.getByRole('navigation', { name: t('listPlace.title') });
    const heading = page.getByRole('heading', { level: 1 });
    await page.keyboard.press('Enter');
    await panel.getByRole('link', { name: t('case-reports:panel.open'), exact: true }).click();
    await expect(place.getByRole('status')).toHaveText(/^2 de /);
    await settled(page);
    await expectAccessible(page);
    const shown = await heading.innerText();
    await page.keyboard.press('j');
    await expect(place.getByRole('status')).toHaveText(/^3 de /);
    await expect(heading).not.toHaveText(shown);
    await place.getByRole('link', { name: t('keys.previousRecord') }).click();
    await expect(heading).toHaveText(shown);
    await page.goBack();
    await expect(page).toHaveURL(list);
    await settled(page);
    await page.keyboard.press('Tab');
    await page.getByRole('columnheader').nth(1).focus();
    await page.keyboard.press('ArrowDown');
  });

  await test.step('Enter on a column sorts by it, Alt and the down arrow open its menu', async () => {
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(focused).toHaveText(t('case-reports:column.lastName'));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/sort=lastName/);
    await expect(focused).toHaveAttribute('aria-sort', 'ascending');
    await page.keyboard.press('Alt+ArrowDown');
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('the current view is saved, becomes a tab, and is deleted', async () => {
    const name = 'Nuevos de la semana';
    const tab = (label: string) => page.getByRole('link', { name: label, exact: true });
    await page.goto('/case-reports?f=status~isAnyOf~new&view=default');
    await settled(page);
    await expect(tab(t('gridViews.all'))).toHaveAttribute('aria-current', 'true');
    await page.getByRole('button', { name: t('gridViews.saveNew') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('gridViews.name')).fill(name);
    await dialog.getByRole('button', { name: t('action.save') }).click();
    await expect(tab(name)).toHaveAttribute('aria-current', 'true');
    await tab(t('gridViews.mine')).click();
    await expect(page).toHaveURL(/f=investigator/);
    await settled(page);
    await tab(name).click();
    await expect(page).toHaveURL(/f=status.*tab=/);
    await settled(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: t('gridViews.options', { name }) }).click();
    await page.getByRole('menuitem', { name: t('gridViews.delete') }).click();
    await dialog.getByRole('button', { name: t('gridViews.delete') }).click();
    await expect(tab(name)).toHaveCount(0);
    await expect(tab(t('gridViews.all'))).toHaveAttribute('aria-current', 'true');
  });

  await test.step('on a phone, rows are cards, filters are in a sheet, and a record leads to the next', async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto('/case-reports?view=default');
    await settled(page);
    const cards = page.getByRole('list', { name: t('case-reports:list.title') });
    await expect(page.getByRole('grid')).toHaveCount(0);
    await cards.getByRole('checkbox').first().check();
    await expect(page.getByText(t('bulk.chosen_one', { number: 1 }))).toBeVisible();
    // Elsewhere the bar may cover half of a card, which is no place to press.
    await page.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await expectAccessible(page);
    await page.getByRole('button', { name: t('filter.title'), exact: true }).click();
    await expectAccessible(page);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('action.close') })
      .click();
    await cards.getByRole('link').nth(1).click();
    const place = page.getByRole('navigation', { name: t('listPlace.title') });
    await expect(place.getByRole('status')).toHaveText(/^2 de /);
    await place.getByRole('link', { name: t('keys.nextRecord') }).click();
    await expect(place.getByRole('status')).toHaveText(/^3 de /);
  });
});

test('a case is changed, the change undone, and a conflict with someone else resolved field by field', async ({
  page,
  context,
  t,
}) => {
  await signIn(page, 'investigator@demo.caseway.test', { language: 'es', at: '/case-reports' });
  await settled(page);
  await page.getByRole('grid').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/case-reports\/[0-9a-f-]{36}/);
  await settled(page);
  const form = page.getByRole('form', { name: t('case-reports:record.fields') });
  const outcome = form.getByLabel(t('case-reports:column.outcome'));
  const save = form.getByRole('button', { name: t('case-reports:change.save') });
  const timeline = page.getByRole('region', { name: t('case-reports:record.timeline') });
  const before = await outcome.inputValue();
  const [other, third] = ['recovered', 'ill', 'died'].filter((code) => code !== before) as [string, string];

  await test.step('saves, adds an entry to the timeline, and undoes', async () => {
    const entries = await timeline.getByRole('listitem').count();
    await outcome.selectOption(other);
    await save.click();
    await holdNotifications(page);
    await expect(timeline.getByText(t('case-reports:event.updated'))).not.toHaveCount(0);
    await page.getByRole('button', { name: t('history.undo') }).click();
    await expect(outcome).toHaveValue(before);
    await expect(save).toHaveCount(0);
    await expect.poll(() => timeline.getByRole('listitem').count()).toBeGreaterThan(entries);
  });

  await test.step('keeps what someone else has saved in the meantime, and asks whose value applies', async () => {
    const elsewhere = await context.newPage();
    await elsewhere.goto(page.url());
    const there = elsewhere.getByRole('form', { name: t('case-reports:record.fields') });
    await there.getByLabel(t('case-reports:column.outcome')).selectOption(other);
    await outcome.selectOption(third);
    await there.getByRole('button', { name: t('case-reports:change.save') }).click();
    await expect(elsewhere.getByText(t('case-reports:event.updated')).first()).toBeVisible();
    await expect(there.getByRole('button', { name: t('case-reports:change.save') })).toHaveCount(0);
    await elsewhere.close();

    await save.click();
    await expect(page.getByText(t('case-reports:conflict.title'))).toBeVisible();
    await page.getByRole('radio', { name: new RegExp(`^${t('case-reports:conflict.theirs')}`) }).check();
    await expect(outcome).toHaveValue(other);
    await page.getByRole('radio', { name: new RegExp(`^${t('case-reports:conflict.mine')}`) }).check();
    await save.click();
    await expect(page.getByText(t('case-reports:conflict.title'))).toHaveCount(0);
    await expect(save).toHaveCount(0);
    await expect(outcome).toHaveValue(third);
  });

  await test.step('asks before unsaved work is left, by a link and by Back, and keeps it', async () => {
    const record = page.url();
    const note = page.getByLabel(t('case-reports:note.label'), { exact: true });
    const question = page.getByRole('dialog', { name: t('leave.title') });
    await note.fill('Llamar el lunes');
    await page.getByRole('link', { name: t('screen.home'), exact: true }).click();
    await question.getByRole('button', { name: t('leave.stay') }).click();
    await expect(question).toHaveCount(0);
    expect(page.url()).toBe(record);
    await page.evaluate(() => window.history.back());
    await question.getByRole('button', { name: t('leave.stay') }).click();
    await expect(question).toHaveCount(0);
    expect(page.url()).toBe(record);
    await page.evaluate(() => window.history.back());
    await question.getByRole('button', { name: t('leave.go') }).click();
    await expect(page).toHaveURL(/\/case-reports(\?|$)/);
    await page.goForward();
    await expect(note).toHaveValue('Llamar el lunes');
    await page.getByRole('button', { name: t('case-reports:note.add') }).click();
    await expect(timeline.getByText('Llamar el lunes')).toBeVisible();
    await expect(note).toHaveValue('');
  });
});

test.describe('the list of cases', () => {
  test.use({ language: 'en' });

  test('changes many cases at once: counts them first, reports the outcome, and undoes it', async ({
    page,
    t,
  }) => {
    const list = '/case-reports?f=condition~is~pertussis&view=default';
    const recovered = '/case-reports?f=condition~is~pertussis&f=outcome~is~recovered&view=default';
    const rows = async () => Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
    await signIn(page, 'entry@demo.caseway.test', { at: recovered });
    await settled(page);
    const before = await rows();
    await page.goto(list);
    await settled(page);
    const bar = page.getByRole('region', { name: t('bulk.label') });
    const dialog = page.getByRole('dialog');
    const all = await rows();
    expect(all).toBeGreaterThan(25);

    await test.step('the page, then all matching cases except one', async () => {
      await page.getByRole('checkbox', { name: t('grid.selectPage') }).check();
      await expect(bar.getByText(t('bulk.chosen_other', { number: 25 }))).toBeVisible();
      await bar.getByRole('button', { name: t('bulk.selectAll_other', { number: all }) }).click();
      await expect(bar.getByText(t('bulk.chosen_other', { number: all }))).toBeVisible();
      const first = page.getByRole('grid').getByRole('checkbox').nth(1);
      await first.uncheck();
      await expect(bar.getByText(t('bulk.chosen_other', { number: all - 1 }))).toBeVisible();
      await first.check();
      await expect(bar.getByText(t('bulk.chosen_other', { number: all }))).toBeVisible();
    });
    const go = dialog.getByRole('button', { name: /^Change \d/ });
    await test.step('says first how many would change', async () => {
      await bar.getByRole('button', { name: t('bulk.change') }).click();
      // People who only enter data set fields, and do no transitions.
      await expect(dialog.getByLabel(t('bulk.deed'))).toHaveCount(0);
      await dialog
        .getByLabel(t('case-reports:column.outcome'))
        .selectOption({ label: t('case-reports:outcome.recovered') });
      await expect(go).toBeEnabled();
    });
    const changed = Number((await go.innerText()).replaceAll(/\D/g, ''));
    expect(changed).toBe(all - before);
    await test.step('changes them in the background, and reports the result even after leaving the page', async () => {
      await go.click();
      await goWithin(page, '/');
      await goWithin(page, list);
      await expect(bar.getByText(t('bulk.done_other', { changed, number: all }))).toBeVisible();
      await page.reload();
      await expect(bar.getByText(t('bulk.done_other', { changed, number: all }))).toBeVisible();
      await page.goto(recovered);
      await expect.poll(rows).toBe(all);
    });
    await test.step('and undoes it', async () => {
      await bar.getByRole('button', { name: t('bulk.undo') }).click();
      await expect(bar.getByText(t('bulk.undone_other', { changed, number: changed }))).toBeVisible();
      await expect.poll(rows).toBe(before);
      await bar.getByRole('button', { name: t('action.close') }).click();
      await expect(bar).toHaveCount(0);
    });
  });

  for (const left of [false, true])
    test(`has columns that fit although the font loads after the list${left ? ', while another screen is open' : ''}`, async ({
      page,
    }) => {
      const { promise: fontsMayCome, resolve: letFontsCome } = Promise.withResolvers<void>();
      await page.route('**/*.woff2', async (route) => {
        await fontsMayCome;
        await route.continue();
      });
      await signIn(page, 'employer@demo.caseway.test', { at: '/case-reports' });
      await settled(page);
      if (left) await goWithin(page, '/');
      letFontsCome();
      await page.evaluate(() => document.fonts.ready);
      if (left) await goWithin(page, '/case-reports');
      await settled(page);
      await expectColumnsFit(page);
    });

  test('is exported as a table of what it shows', async ({ page, t }) => {
    await signIn(page, 'programs@demo.caseway.test', {
      at: '/case-reports?f=classification~is~probable&view=default',
    });
    await settled(page);
    const all = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
    const heads = await page.getByRole('columnheader').allInnerTexts();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: t('common:export.menu') }).click();
    await page.getByRole('menuitem', { name: t('common:export.csv') }).click();
    const lines = await linesOf(await (await download).path());
    expect(lines[0]).toBe(heads.join(','));
    expect(lines).toHaveLength(all + 1);

    const workbook = page.waitForEvent('download');
    await page.getByRole('button', { name: t('common:export.menu') }).press('Enter');
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect((await workbook).suggestedFilename()).toMatch(/^case-reports-.*\.xlsx$/);
    const parts = filesIn(await readFile(await (await workbook).path()));
    const sheet = String(parts.get('xl/worksheets/sheet1.xml'));
    expect(sheet.match(/<row /g)).toHaveLength(all + 1);
    // Without permission to change, rows have no checkboxes.
    await expect(page.getByRole('checkbox', { name: t('grid.selectPage') })).toHaveCount(0);
  });
});

test('an investigation form is answered, completed and reopened', async ({ page, t }) => {
  await signIn(page, 'investigator@demo.caseway.test', {
    language: 'es',
    at: '/case-reports?f=condition~is~syphilis-unknown-stage&f=sex~is~M&view=default',
  });
  await settled(page);
  await page.getByRole('grid').getByRole('link').first().click();
  const form = page.getByRole('form', { name: 'Investigación de sífilis' });
  const button = (name: string) => form.getByRole('button', { name: t(name) });
  const choose = (question: RegExp, answer: string) => form.getByLabel(question).selectOption(answer);

  await test.step('asks questions that fit the answers, and keeps answers hidden by mistake', async () => {
    await choose(/^¿Se examinó/, 'Y');
    await form.getByRole('checkbox', { name: 'Erupción en la piel' }).check();
    await choose(/^¿Se examinó/, 'N');
    await expect(form.getByRole('checkbox', { name: 'Erupción en la piel' })).toHaveCount(0);
    await choose(/^¿Se examinó/, 'Y');
    await expect(form.getByRole('checkbox', { name: 'Erupción en la piel' })).toBeChecked();
    await choose(/^¿Se examinó/, 'N');
  });

  await test.step('is saved with gaps, but is not complete with them', async () => {
    await button('case-reports:investigation.save').click();
    await expect(button('case-reports:investigation.save')).toHaveCount(0);
    await button('case-reports:investigation.complete').click();
    await expect(form.getByRole('alert').getByRole('button', { name: /^Prueba treponémica/ })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('is complete with an answer to each required question, until it is reopened', async () => {
    for (const question of [/^Signos en el sistema/, /^Signos en los ojos/, /^Signos en los oídos/])
      await choose(question, 'none');
    for (const question of [/^Prueba no trepo/, /^Prueba trepo/]) await choose(question, 'not-done');
    for (const question of [/^Sífilis anter/, /^Sexo con hom/, /^Sexo con muj/]) await choose(question, 'N');
    await choose(/^¿Recibió/, 'UNK');
    await button('case-reports:investigation.complete').click();
    await expect(form.getByText(/^Completado el/)).toBeVisible();
    await button('case-reports:investigation.reopen').click();
    await expect(form.getByText(/^Completado el/)).toHaveCount(0);
    await button('common:history.show').click();
    await expect(form.getByText('Sífilis anteriormente: – → No')).toBeVisible();
  });
});

const linesOf = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8'))
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
