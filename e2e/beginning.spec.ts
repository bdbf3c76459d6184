import type { Page } from '@playwright/test';
import {
  test as base,
  expect,
  expectAccessible,
  expectTranslated,
  settled,
  signIn,
  signInByForm,
  type Translate,
  wordsIn,
} from './fixtures.ts';
import { invitationFor } from './outbox.ts';
import { keepRecoveryCodes, namedHost, openProfile, signOut, withAuthenticator } from './passkeys.ts';
import { goWithin } from './walk.ts';

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern.
  baseURL: async ({}, use) => use(namedHost()),
});
const es = wordsIn('es');
const lola = 'lola@lagoon.example.test';
const ines = 'ines@lagoon.example.test';

test('[S6.8] a tenant is created: its administrator is led through the first steps and invites someone, who signs in by passkey', async ({
  page,
  t,
  browser,
  baseURL,
}) => {
  await signIn(page, 'sysadmin@demo.caseway.test', { at: '/admin/tenants' });
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: t('system:tenants.make') }).click();
  const form = page.getByRole('dialog', { name: t('system:make.title') });
  await form.getByLabel(t('system:field.name'), { exact: true }).fill('Lagoon Department of Health');
  await expect(form.getByLabel(t('system:field.slug'))).toHaveValue('lagoon-department-of-health');
  // Missing values are reported before anything is sent.
  await form.getByRole('button', { name: t('system:make.submit') }).click();
  await expect(form.getByRole('alert')).toContainText(t('system:field.email'));
  await expectAccessible(page);
  await form.getByLabel(t('system:field.state')).selectOption({ label: 'Florida' });
  await form.getByLabel(t('system:field.firstName')).fill('Lola');
  await form.getByLabel(t('system:field.lastName')).fill('Lagoon');
  await form.getByLabel(t('system:field.email'), { exact: true }).fill(lola);
  await form.getByLabel(t('system:field.language'), { exact: true }).selectOption('es');
  const madeAt = Date.now();
  await form.getByRole('button', { name: t('system:make.submit') }).click();
  const row = page.getByRole('row', { name: /Lagoon Department of Health/ });
  await expect(row).toContainText(t('system:tenants.invited'));
  expect(await invitationFor(lola, madeAt)).toBe(`${baseURL}/es/sign-in`);

  const hers = await (await browser.newContext({ baseURL: baseURL! })).newPage();
  await signInByForm(hers, lola, { language: 'es' });
  await expect(hers.getByText('Lagoon Department of Health').first()).toBeVisible();
  const guide = hers.getByRole('region', { name: es('settings:guide.title') });
  const step = (name: string) =>
    guide
      .getByRole('listitem')
      .filter({ has: hers.getByRole('link', { name: es(`settings:guideStep.${name}`) }) });
  const state = (name: string, is: string) =>
    expect(step(name).getByRole('img', { name: es(`settings:guideState.${is}`) })).toBeVisible();
  const goHome = () =>
    hers
      .getByRole('link', { name: es('screen.home'), exact: true })
      .first()
      .click();
  /** Follows the first steps. */
  const follow = async (name: string) => {
    await goHome();
    await state(name, 'open');
    await step(name).getByRole('link').click();
    await settled(hers);
  };

  await test.step('the first steps lead to organization, facility and jurisdiction', async () => {
    await follow('places');
    await addPlace(hers, 'organizations', 'Clínicas de la Laguna');
    await goWithin(hers, '/facilities');
    await addPlace(hers, 'facilities', 'Clínica Garza');
    await follow('jurisdictions');
    await addPlace(hers, 'jurisdictions', 'Dos Bahías', ['Hillsborough', 'Pinellas']);
    const panel = hers.getByRole('complementary');
    await expect(panel.getByText('Condado de Hillsborough, Condado de Pinellas')).toBeVisible();
    await expectTranslated(hers, 'es');
  });

  const invitedAt = Date.now();
  await test.step('and to inviting someone to the facility, by email', async () => {
    await follow('people');
    await hers.getByRole('button', { name: es('users:list.invite') }).click();
    const dialog = hers.getByRole('dialog', { name: es('users:invite.title') });
    const fill = (field: string, value: string) =>
      dialog.getByRole('textbox', { name: es(`users:field.${field}`), exact: true }).fill(value);
    await fill('firstName', 'Inés');
    await fill('lastName', 'Garza');
    await fill('email', ines);
    await dialog.getByLabel(es('users:field.orgType')).selectOption('F');
    // The only facility is chosen automatically.
    await expect(dialog.getByRole('combobox', { name: es('users:field.org'), exact: true })).toHaveValue(
      'Clínica Garza',
    );
    await dialog.getByRole('checkbox', { name: 'Personal del establecimiento' }).check();
    await expectAccessible(hers, ['light']);
    await expectTranslated(hers, 'es');
    await dialog.getByRole('button', { name: es('users:invite.send') }).click();
    await expect(hers.getByRole('complementary').getByText(ines)).toBeVisible();
    await goHome();
    for (const name of ['places', 'jurisdictions', 'people']) await state(name, 'done');
  });

  await test.step('[P21] the invited person opens the link, signs in, adds a passkey, and signs in with it', async () => {
    const link = new URL(await invitationFor(ines, invitedAt));
    expect(link.pathname).toBe('/es/sign-in');
    const context = await browser.newContext({ baseURL: link.origin });
    const theirs = await context.newPage();
    await withAuthenticator(context, theirs);
    await signInByForm(theirs, ines, { language: 'es' });
    await expect(theirs.getByText('Clínica Garza').first()).toBeVisible();
    await openProfile(theirs, es);
    await theirs.getByRole('button', { name: es('profile:passkeys.add') }).click();
    await keepRecoveryCodes(theirs, es);
    await signOut(theirs, es);
    await theirs.getByRole('button', { name: es('sign-in:way.PASSKEY') }).click();
    await expect(theirs.getByText('Clínica Garza').first()).toBeVisible();
    await expectTranslated(theirs, 'es');
    await context.close();
  });

  await test.step('when the tenant is suspended, she sees the reason in its administrator’s words', async () => {
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
  });

  await goWithin(page, '/admin/system');
  await settled(page);
  await expect(page.getByRole('region', { name: t('system:health.replicas') }).last()).toContainText(
    'Gulfstream',
  );
  await expectAccessible(page);
});

/** Adds a place on its screen; it opens next to the list. */
async function addPlace(page: Page, kind: string, name: string, counties: string[] = []): Promise<void> {
  const t: Translate = es;
  await settled(page);
  await page.getByRole('button', { name: t(`places:kind.${kind}.add`) }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('places:field.name'), { exact: true }).fill(name);
  for (const county of counties) {
    await dialog.getByRole('combobox', { name: t('places:field.counties'), exact: true }).fill(county);
    await page.getByRole('option', { name: new RegExp(county) }).click();
  }
  if (counties.length > 0) await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: t('places:form.make'), exact: true }).click();
  await expect(page.getByRole('complementary').getByRole('heading', { name })).toBeVisible();
}
