import type { Page } from '@playwright/test';
import { expect, settled, signIn, test } from './fixtures.ts';
import { sumOf } from './import-sum.ts';
import { chlamydiaReport, type Person } from './messages.ts';
import { goWithin } from './walk.ts';

const person = (first: string, mrn: string, more: Partial<Person> = {}): Person => ({
  last: 'Thistlewood',
  first,
  birthDate: '19710925',
  sex: 'F',
  mrn: `thistle${mrn}`,
  ...more,
});
const day = '20260211';

/** Drops a file on the imports screen; the import opens automatically. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await goWithin(page, '/imports');
  await settled(page);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
}

test('waiting and refused items are settled: codes, texts, columns, pairs of people', async ({ page, t }) => {
  await signIn(page, 'admin@vendor.caseway.test', { at: '/imports' });
  const counts = () => sumOf(page, t);
  const taken = (messages: number, ...parts: [number, number, number, number]) =>
    expect.poll(counts).toEqual([messages, ...parts]);
  const told = (text: string) => expect(page.getByText(text).first()).toBeVisible();

  await test.step('a file can be tried first, and is then really stored', async () => {
    await settled(page);
    await page.getByRole('checkbox', { name: t('imports:drop.dryRun') }).check();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'tried.hl7',
        mimeType: 'text/plain',
        buffer: Buffer.from(chlamydiaReport('tried-1', person('Prudence', '1'), day, true)),
      });
    await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
    await taken(1, 1, 0, 0, 0);
    await told(t('imports:record.dryRun'));
    await page.getByRole('button', { name: t('imports:record.store') }).click();
    await expect(page.getByText(t('imports:record.dryRun'))).toHaveCount(0);
    await taken(1, 1, 0, 0, 0);
    await expect(page.getByRole('button', { name: t('imports:messages.open', { line: 1 }) })).toBeVisible();
  });

  await test.step('unknown codes: one is a test, one a result, one not a result at all', async () => {
    await drop(
      page,
      'codes.hl7',
      [
        chlamydiaReport('code-1', person('Agatha', '2'), day, true, 'CTH^CT amp in house^L'),
        chlamydiaReport('code-2', person('Beatrix', '3'), day, true, undefined, 'ODD1^Seen by the robot^L'),
        chlamydiaReport('code-3', person('Cordelia', '4'), day, true, undefined, 'ODD2^See the letter^L'),
      ].join(''),
    );
    await taken(3, 0, 3, 0, 0);
    const record = new URL(page.url()).pathname;
    await page
      .getByRole('link', { name: t('imports:reasons.codes') })
      .first()
      .click();
    const code = (text: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader').getByText(text, { exact: true }) });
    const choose = (text: string, named: string) =>
      code(text)
        .getByRole('button', { name: t('imports:codes.chooseOne', { code: named }) })
        .click();

    await choose('CT amp in house', 'CTH');
    await code('CT amp in house').getByRole('combobox').fill('chlamydia');
    await page
      .getByRole('option', { name: /Chlamydia trachomatis/ })
      .first()
      .click();
    await code('CT amp in house')
      .getByRole('button', { name: t('imports:codes.map') })
      .click();
    await expect(code('CT amp in house')).toHaveCount(0);

    await choose('Seen by the robot', 'ODD1');
    await code('Seen by the robot').getByRole('combobox').click();
    await page.getByRole('option', { name: 'Positive', exact: true }).click();
    // After a choice, the button has the focus.
    await page.keyboard.press('Enter');
    await expect(code('Seen by the robot')).toHaveCount(0);

    // Left out, undone, and left out again, all by keyboard.
    await code('See the letter').focus();
    await page.keyboard.press('x');
    await expect(code('See the letter')).toHaveCount(0);
    await page.keyboard.press('z');
    await expect(code('See the letter')).toBeVisible();
    await code('See the letter').focus();
    await page.keyboard.press('x');
    await expect(code('See the letter')).toHaveCount(0);

    await page.getByRole('radio', { name: t('imports:codeState.ignored') }).check();
    await expect(page).toHaveURL(/state=ignored/);
    await expect(code('See the letter')).toBeVisible();
    await goWithin(page, record);
    await settled(page);
    await expect.poll(async () => (await counts())[2]).toBe(0);
    expect((await counts())[1]).toBeGreaterThanOrEqual(2);
  });

  await test.step("a refused message's text is corrected, and it is accepted", async () => {
    const whole = chlamydiaReport('refused-1', person('Dorothea', '5'), day, true);
    await drop(page, 'refused.hl7', whole.replace('|refused-1|', '||'));
    await taken(1, 0, 0, 1, 0);
    await page.getByRole('button', { name: t('imports:messages.open', { line: 1 }) }).click();
    const panel = page.getByRole('complementary');
    await panel.getByRole('button', { name: t('imports:message.correct'), exact: true }).click();
    await panel.getByRole('textbox').fill(whole.replaceAll('\r', '\n'));
    await panel.getByRole('button', { name: t('imports:message.run') }).click();
    await told(t('imports:message.now.taken'));
    await taken(1, 1, 0, 0, 0);
  });

  const header = 'who,dob,assay done,finding,taken on';
  await test.step('a table with unknown headers is explained once', async () => {
    await drop(
      page,
      'unknown.csv',
      `${header}\nThistlewood Edith,1971-09-25,43304-5,Detected,2026-02-11\nThistlewood Flora,1972-01-30,43304-5,Not detected,2026-02-12\n`,
    );
    await taken(2, 0, 2, 0, 0);
    const columns = page.getByRole('region', { name: t('imports:columns.title') });
    const means = async (column: string, field: string) =>
      columns.getByLabel(t('imports:columns.meaning', { column })).selectOption(field);
    await columns.getByRole('radio', { name: t('imports:columns.row.results') }).check();
    await means('who', 'fullName');
    await means('dob', 'birthDate');
    await means('assay done', 'testCode');
    await means('finding', 'result');
    await means('taken on', 'collectedDate');
    await columns.getByRole('button', { name: t('imports:columns.check') }).click();
    await told(t('imports:columns.readable_other', { readable: 2, rows: 2 }));
    await columns.getByRole('button', { name: t('imports:columns.run') }).click();
    await taken(2, 2, 0, 0, 0);
  });
  await test.step('and remembered for the next table with this header', async () => {
    await drop(
      page,
      'remembered.csv',
      `${header}\nThistlewood Greta,1973-03-03,43304-5,Detected,2026-02-13\n`,
    );
    await taken(1, 1, 0, 0, 0);
    await page.getByRole('button', { name: t('imports:columns.show') }).click();
    await told(t('imports:columns.remembered'));
  });

  await test.step('two possible duplicates: kept apart, undone, merged, undone', async () => {
    await drop(
      page,
      'pair.hl7',
      [
        chlamydiaReport('pair-1', person('Henrietta', '6', { last: 'Quickthorn' }), day, true),
        chlamydiaReport('pair-2', person('Henriette', '7', { last: 'Quickthorn' }), day, false),
      ].join(''),
    );
    await taken(2, 2, 0, 0, 0);
    await goWithin(page, '/imports/pairs');
    await settled(page);
    const pair = page.getByRole('region', { name: /Henriett. Quickthorn – Henriett. Quickthorn/ });
    const show = (state: string) =>
      page.getByRole('radio', { name: t(`imports:pairState.${state}`) }).check();
    await pair.getByRole('button', { name: t('imports:pairs.different') }).click();
    await expect(pair).toHaveCount(0);
    await show('different');
    await pair.getByRole('button', { name: t('imports:pairs.undo') }).click();
    await expect(pair).toHaveCount(0);
    await show('open');
    await pair.getByRole('radio', { name: t('imports:pairs.keepOf.newer.name') }).check();
    await pair.getByRole('button', { name: t('imports:pairs.same') }).click();
    await page.getByRole('button', { name: t('imports:pairs.confirm.merge'), exact: true }).click();
    await expect(pair).toHaveCount(0);
    await show('same');
    await pair.getByRole('button', { name: t('imports:pairs.undoSame') }).click();
    await expect(pair).toHaveCount(0);
    await show('open');
    await expect(pair).toBeVisible();
  });
});
