import { phoneShown } from '@caseway/contract/codes';
import type { Browser, Page } from '@playwright/test';
import { load } from '../server/test/load.ts';
import { newAdministrator } from './accounts.ts';
import {
  expect,
  expectAccessible,
  expectTranslated,
  type Language,
  settled,
  signIn,
  test,
  wordsIn,
} from './fixtures.ts';
import { sumOf } from './import-sum.ts';
import { chlamydiaReport, type Person } from './messages.ts';
import { codeFor, invitationFor } from './outbox.ts';
import { goWithin } from './walk.ts';

const person: Person = { last: 'Twohands', first: 'Winifred', birthDate: '19710203', sex: 'F', mrn: 'TWO1' };
/** As written in the message. */
const phone = '+18135550142';

/** Imports a case report as the signed-in user, who is on the imports screen. */
async function bringIn(page: Page, who: Person = person): Promise<void> {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  await settled(page);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: `${who.mrn}.hl7`,
      mimeType: 'text/plain',
      buffer: Buffer.from(chlamydiaReport(`invited-${who.mrn}`, who, day, true)),
    });
  await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
  await expect.poll(() => sumOf(page, wordsIn('en'))).toEqual([1, 1, 0, 0, 0]);
}

/** The person's case, from the list. */
async function openCase(page: Page, search: string, who: Person = person): Promise<void> {
  await goWithin(page, '/case-reports');
  await settled(page);
  await page.getByPlaceholder(search).fill(who.last);
  // The full list has the case too: a click is lost when the search redraws the rows under it.
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2');
  await page.getByRole('row').filter({ hasText: who.last }).getByRole('link').first().click();
  await settled(page);
}

async function somebodyElse(
  browser: Browser,
  name: string,
  how: { language?: Language; at?: string } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await signIn(page, await newAdministrator(name), how);
  return page;
}

test('inviting a patient takes two people: one requests it, another confirms whose number it is', async ({
  page,
  browser,
  t,
}) => {
  const word = (key: string, values = {}) => t(`patient-portal:${key}`, values);
  const search = t('case-reports:list.search');

  await test.step('the person who imported the number can request it, but not confirm it', async () => {
    await signIn(page, await newAdministrator('invites'), { at: '/imports' });
    await bringIn(page);
    await openCase(page, search);
    await page.getByRole('button', { name: word('access.invite') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(word('access.to')).selectOption({ label: phoneShown(phone) });
    await expect(dialog.getByText(word('access.inviteByTwo'))).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: word('access.ask') }).click();
    await expect(page.getByText(word('access.asked'))).toBeVisible();
    await expect(page.getByText(word('fault.asked-for-it'))).toBeVisible();
    await expect(page.getByRole('button', { name: word('waiting.confirm') })).toHaveCount(0);
    await expect(page.getByRole('button', { name: word('waiting.withdraw') })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('someone else finds it, states how the patient was asked, and sends it', async () => {
    const es = wordsIn('es');
    const other = (key: string, values = {}) => es(`patient-portal:${key}`, values);
    const second = await somebodyElse(browser, 'confirms', { language: 'es', at: '/case-reports' });
    await settled(second);
    await second.getByRole('button', { name: other('waiting.list_one', { count: 1 }) }).click();
    await expectAccessible(second);
    await expectTranslated(second, 'es');
    await second
      .getByRole('dialog')
      .getByRole('link', { name: `${person.first} ${person.last}` })
      .click();
    await settled(second);
    await second.getByRole('button', { name: other('waiting.confirm') }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByRole('button', { name: other('waiting.send') }).click();
    await expect(dialog.getByText(es('fault.required'))).toBeVisible();
    await expectAccessible(second);
    await expectTranslated(second, 'es');
    await dialog.getByLabel(other('waiting.how')).selectOption('in-person');
    await dialog.getByRole('button', { name: other('waiting.send') }).click();
    await expect(second.getByText(other('access.sent'))).toBeVisible();
    await expect(second.getByText(other('is.invited'))).toBeVisible();
    await expect(second.getByText(other('waiting.title'))).toHaveCount(0);
    await second.context().close();
  });

  await test.step('to a confirmed number it is sent again at once', async () => {
    await page.reload();
    await settled(page);
    await page.getByRole('button', { name: word('access.inviteAgain') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(word('access.to')).selectOption({ label: phoneShown(phone) });
    await dialog.getByRole('button', { name: word('access.send'), exact: true }).click();
    await expect(page.getByText(word('access.sent'))).toBeVisible();
  });
});

/** Two people who differ in every part, because similar ones would be joined. */
const invitees = {
  es: { last: 'Invitadez', first: 'Consuelo', birthDate: '19820614' },
  ht: { last: 'Envitelus', first: 'Mirlande', birthDate: '19790925' },
} as const;

for (const language of load<('es' | 'ht')[]>(['es'], ['es', 'ht']))
  test(`the link of an invitation in ${language} leads the patient to their results`, async ({
    page,
    browser,
    t,
  }) => {
    const invited: Person = {
      ...invitees[language],
      sex: 'F',
      mrn: `LINK${language}`,
      email: `linked.${language}@example.org`,
    };
    const word = (key: string, values = {}) => t(`patient-portal:${key}`, values);
    const search = t('case-reports:list.search');
    await signIn(page, await newAdministrator(`asks-${language}`), { at: '/imports' });
    await bringIn(page, invited);
    await openCase(page, search, invited);
    await page.getByRole('button', { name: word('access.invite') }).click();
    const asked = page.getByRole('dialog');
    await asked.getByLabel(word('access.to')).selectOption({ label: invited.email! });
    await asked.getByLabel(word('access.language')).selectOption(language);
    await asked.getByRole('button', { name: word('access.ask') }).click();
    await expect(page.getByText(word('access.asked'))).toBeVisible();

    const second = await somebodyElse(browser, `sends-${language}`);
    await openCase(second, search, invited);
    const since = Date.now();
    await second.getByRole('button', { name: word('waiting.confirm') }).click();
    await second.getByRole('dialog').getByLabel(word('waiting.how')).selectOption('in-person');
    await second
      .getByRole('dialog')
      .getByRole('button', { name: word('waiting.send') })
      .click();
    await expect(second.getByText(word('access.sent'))).toBeVisible();
    await second.context().close();

    // The patient, in a browser that has never been here.
    const link = await invitationFor(invited.email!, since);
    expect(new URL(link).pathname).toBe(`/${language}/patient/sign-in`);
    const own = wordsIn(language);
    const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
    const phone = await context.newPage();
    await phone.goto(new URL(new URL(link).pathname, page.url()).href);
    await expect(phone.getByRole('heading', { level: 1, name: own('portal:signIn.title') })).toBeVisible();
    const codeSince = Date.now();
    await phone.getByLabel(own('portal:signIn.who')).fill(invited.email!);
    await phone.getByRole('button', { name: own('portal:signIn.send') }).click();
    await phone.getByLabel(own('signIn.code')).fill(await codeFor(invited.email!, codeSince));
    const born = /(\d{4})(\d\d)(\d\d)/.exec(invited.birthDate)!;
    for (const [at, part] of [
      [1, 'year'],
      [2, 'month'],
      [3, 'day'],
    ] as const)
      await phone.getByRole('textbox', { name: own(`portal:signIn.${part}`) }).fill(born[at]!);
    await phone.getByRole('button', { name: own('portal:signIn.seeResults') }).click();
    await expect(phone.getByRole('heading', { level: 1, name: own('portal:list.title') })).toBeVisible();
    await expectTranslated(phone, language);
    // Followed again, the link finds the patient signed in.
    await phone.goto(new URL(new URL(link).pathname, page.url()).href);
    await expect(phone.getByRole('heading', { level: 1, name: own('portal:list.title') })).toBeVisible();
    await context.close();
  });
