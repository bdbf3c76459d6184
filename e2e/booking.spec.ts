import { clockIn, instantsAt } from '@caseway/contract/zoned-time';
import type { Page } from '@playwright/test';
import { demoId } from '../server/seeds/demo/tenant-parts.ts';
import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';
import { languageNames } from './languages.ts';
import { codeFor } from './outbox.ts';
import { goWithin } from './walk.ts';

test.use({ language: 'en' });

const patient = 'patient@demo.caseway.test';
const born = { year: '1984', month: '5', day: '6' };
const shot = (page: Page, name: string) =>
  process.env.BOOKING_SHOTS
    ? page.screenshot({ path: `${process.env.BOOKING_SHOTS}/${name}.png`, fullPage: true })
    : undefined;

/** Gives a page a camera with a picture and a microphone with a tone, independent of the machine. */
function withDevices(): void {
  const device = (kind: MediaDeviceKind) => ({
    kind,
    deviceId: '',
    groupId: '',
    label: '',
    toJSON: () => ({}),
  });
  navigator.mediaDevices.enumerateDevices = async () => [device('videoinput'), device('audioinput')];
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement('canvas');
    const drawing = canvas.getContext('2d')!;
    drawing.fillStyle = 'teal';
    drawing.fillRect(0, 0, canvas.width, canvas.height);
    const sound = new AudioContext();
    const tone = sound.createOscillator();
    const heard = sound.createMediaStreamDestination();
    tone.connect(heard);
    tone.start();
    return new MediaStream([...canvas.captureStream(10).getTracks(), ...heard.stream.getTracks()]);
  };
}

test('a provider offers times, and staff choose one of them for a visit', async ({ page, t }) => {
  const words = (key: string, values?: Record<string, string>) => t(`telemedicine:${key}`, values);
  const dialog = page.getByRole('dialog');
  await signIn(page, await newAdministrator('booking'));

  await test.step("a provider's hours are changed, and wrong ones are refused at the field", async () => {
    await goWithin(page, '/telemedicine');
    await settled(page);
    await page.getByRole('link', { name: words('availability.open') }).click();
    await settled(page);
    await page.getByLabel(words('column.provider')).selectOption({ label: 'Adaeze Stone' });
    await settled(page);
    await expectAccessible(page);
    await shot(page, 'availability');
    const to = page.getByLabel(words('availability.field.to'), { exact: true }).first();
    await to.fill('08:00');
    await page.getByRole('button', { name: t('action.save') }).click();
    await expect(page.getByText(words('availability.fault.to-before-from')).first()).toBeVisible();
    await expectAccessible(page);
    await to.fill('18:00');
    await page.getByRole('button', { name: t('action.save') }).click();
    await expect(page.getByText(words('availability.saved', { name: 'Adaeze Stone' }))).toBeVisible();
  });

  await test.step('a free time is chosen by keyboard', async () => {
    await goWithin(page, '/patients');
    await settled(page);
    await page.getByRole('grid').getByRole('link').first().click();
    await settled(page);
    await page.getByRole('button', { name: words('edit.add') }).click();
    await dialog.getByLabel(words('column.visitType')).selectOption('follow-up');
    await dialog.getByRole('button', { name: words('edit.next') }).click();
    await settled(page);
    await page.getByRole('button', { name: words('transition.book') }).click();
    const times = dialog.getByRole('radiogroup', { name: words('column.startsAt') });
    await times.getByRole('radio').first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(times.getByRole('radio').nth(1)).toBeChecked();
    await expect(dialog.getByLabel(new RegExp(`^${words('column.minutes')}`))).not.toHaveValue('');
    await expectAccessible(page);
    await shot(page, 'picker');
    await page.setViewportSize({ width: 360, height: 760 });
    await shot(page, 'picker-360');
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: words('transition.book') }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(words('choice.status.booked')).first()).toBeVisible();
  });
});

test('a patient books a visit, moves and cancels it, and is admitted to another one from the waiting room', async ({
  page,
  browser,
  baseURL,
  t,
}) => {
  const words = (key: string) => t(`portal:visits.${key}`);
  await page.addInitScript(withDevices);
  await page.goto('/patient/sign-in');
  // Chosen, because otherwise a patient sees the language of their record.
  await page.getByRole('button', { name: /^EN,/ }).click();
  await page.getByRole('menuitemradio', { name: languageNames.en }).click();
  const since = Date.now();
  await page.getByLabel(t('portal:signIn.who')).fill(patient);
  await page.getByRole('button', { name: t('portal:signIn.send') }).click();
  await page.getByLabel(t('signIn.code')).fill(await codeFor(patient, since));
  for (const [part, value] of Object.entries(born))
    await page.getByRole('textbox', { name: t(`portal:signIn.${part}`) }).fill(value);
  await page.getByRole('button', { name: t('portal:signIn.seeResults') }).click();
  await page.getByRole('link', { name: t('portal:nav.visits'), exact: true }).click();
  await settled(page);
  await expectAccessible(page);
  await shot(page, 'portal-empty');

  const choose = async (submit: string) => {
    await settled(page);
    const times = page.getByRole('radiogroup', { name: words('time') });
    await times.getByRole('radio').nth(3).check();
    await expectAccessible(page);
    await shot(page, `portal-${submit}`);
    await page.setViewportSize({ width: 360, height: 760 });
    await shot(page, `portal-${submit}-360`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: words(submit) }).click();
    await expect(page).toHaveURL(/\/portal\/visits$/);
    await settled(page);
  };
  await page.getByRole('link', { name: words('book') }).click();
  await choose('submit');
  await expect(page.getByText(words('state.booked')).first()).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 760 });
  await shot(page, 'portal-booked-360');
  await page.setViewportSize({ width: 1440, height: 900 });
  await shot(page, 'portal-booked');
  await page.getByRole('link', { name: new RegExp(`^${words('move')}`) }).click();
  await choose('submitMove');
  await page.getByRole('button', { name: new RegExp(`^${words('cancel')}`) }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(new RegExp(`^${words('why')}`)).fill('I have to work.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: words('cancel') }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(words('state.cancelled')).first()).toBeVisible();

  const staff = await (await browser.newContext({ baseURL: baseURL! })).newPage();
  await test.step('staff book a visit that is about to begin', async () => {
    const telemedicine = (key: string) => t(`telemedicine:${key}`);
    const dialog = staff.getByRole('dialog');
    const field = (name: string) =>
      dialog.getByLabel(new RegExp(`^${telemedicine(`column.${name}`)}`)).first();
    await signIn(staff, await newAdministrator('waiting-room'), {
      at: `/patients/${demoId('demo/patient/portal')}`,
    });
    await settled(staff);
    await staff.getByRole('button', { name: telemedicine('edit.add') }).click();
    await dialog.getByRole('button', { name: telemedicine('edit.next') }).click();
    await settled(staff);
    await staff.getByRole('button', { name: telemedicine('transition.book') }).click();
    const self = field('provider').locator('option', { hasText: /^waiting-room/ });
    await field('provider').selectOption((await self.getAttribute('value'))!);
    await dialog.getByRole('radio', { name: telemedicine('free.other') }).check();
    const zone = 'America/New_York';
    const startsAt = new Date((Math.floor(Date.now() / 300_000) + 1) * 300_000).toISOString();
    const start = clockIn(zone, startsAt);
    await field('startsAt').fill(start.day);
    await dialog.getByLabel(t('instant.timeOf', { label: telemedicine('column.startsAt') })).fill(start.time);
    // In the repeated hour in fall, the form asks which of the two it is.
    const meant = instantsAt(zone, start.day, start.time);
    if (meant.length > 1)
      await dialog
        .getByRole('radio', { name: t(meant[0] === startsAt ? 'instant.first' : 'instant.second') })
        .check();
    await field('minutes').fill('30');
    await dialog.getByRole('button', { name: telemedicine('transition.book') }).click();
    await expect(dialog).toHaveCount(0);
  });

  const waiting = (key: string, values?: Record<string, string>) => t(`portal:waiting.${key}`, values);
  const bothWidths = async (name: string) => {
    await expectAccessible(page);
    await shot(page, name);
    await page.setViewportSize({ width: 360, height: 760 });
    await expectAccessible(page);
    await shot(page, `${name}-360`);
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  await test.step('the patient agrees, and waits', async () => {
    await page.reload();
    await settled(page);
    await page.getByRole('link', { name: new RegExp(`^${waiting('go')}`) }).click();
    await settled(page);
    await bothWidths('waiting-before');
    await page.getByRole('button', { name: t('portal:devices.start') }).click();
    await expect(page.getByText(t('portal:devices.cameraWorks'))).toBeVisible();
    await expect(page.getByText(t('portal:devices.microphoneWorks'))).toBeVisible();
    await bothWidths('waiting-devices');
    await page.getByRole('button', { name: waiting('enter') }).click();
    await expect(page.getByRole('heading', { name: waiting('arrived') })).toBeVisible();
    await expect(page.getByText(waiting('next'), { exact: true })).toBeVisible();
    await bothWidths('waiting-arrived');
  });

  await test.step('staff see them waiting, and admit them', async () => {
    await staff.reload();
    await settled(staff);
    await expect(staff.getByText(/Waiting for \d+ minutes? · arrived/)).toBeVisible();
    await shot(staff, 'staff-waits');
    const admit = t('telemedicine:transition.admit');
    await staff.getByRole('button', { name: admit, exact: true }).click();
    await staff.getByRole('dialog').getByRole('button', { name: admit }).click();
    await expect(staff.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('the patient gets the address', async () => {
    await expect(page.getByRole('link', { name: waiting('join') })).toHaveAttribute(
      'href',
      /^https:\/\/meet\.example\.test\/[0-9a-f]{32}$/,
    );
    await bothWidths('waiting-admitted');
  });
});
