import { addDays, todayIn } from '@caseway/contract/date-range';
import type { Page } from '@playwright/test';
import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';

const pin = '204816';
const today = todayIn('America/New_York');

/** The program's own request headers, so that a story can prepare what it is not about. */
async function asking(page: Page) {
  const asked = page.waitForRequest((request) => request.url().includes('/api/web/grid/'));
  await page.goto('/field-visits');
  const { authorization, 'x-org-token': org } = await (await asked).allHeaders();
  await settled(page);
  return async <T>(path: string, body: object): Promise<T> => {
    const answer = await page.request.post(`/api/web/${path}`, {
      data: body,
      headers: { authorization: authorization!, 'x-org-token': org! },
    });
    expect([path, answer.status(), await answer.text()]).toEqual([path, 200, expect.anything()]);
    return answer.json();
  };
}
type Asking = Awaited<ReturnType<typeof asking>>;
interface Visit {
  id: string;
  number: string;
  version: number;
}
async function visitTo(ask: Asking, patient: string): Promise<Visit> {
  const made = await ask<Visit>('field-visits', {
    ...{ patient, caseRecord: null, visitType: 'interview', plannedFor: today, dueOn: null },
    ...{ address: null, program: null, twoWorkers: false, noLetter: false, note: 'Ring twice.' },
  });
  return ask(`field-visits/${made.id}/transitions/take`, { version: made.version, fields: {} });
}

test("[S1.2] [P20] today's list is taken along and works offline: nothing is lost, and nothing overwritten unseen", async ({
  page,
  context,
  browser,
  baseURL,
  t,
}) => {
  const words = (key: string, values?: Record<string, string | number>) => t(`field-visits:${key}`, values);
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByLabel(new RegExp(`^${words(`column.${name}`)}`)).first();
  const list = page.getByRole('list', { name: words('kept.list') });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const notSent = (count: number) => page.getByText(new RegExp(`^${words('kept.notSent_other', { count })}`));
  const open = async () => {
    await page.getByLabel(words('kept.pin')).fill(pin);
    await button(words('kept.open')).click();
    await expect(page.getByLabel(words('kept.pin'))).toHaveCount(0);
  };
  const note = async (nth: number, text: string, outcome: string) => {
    await list.getByRole('link').nth(nth).click();
    await button(words('attempt.add')).click();
    await field('day').fill(addDays(today, -1));
    await field('outcome').selectOption(outcome);
    await field('note').fill(text);
  };
  const keep = async () => {
    await dialog.getByRole('button', { name: words('kept.keep') }).click();
    await expect(dialog).toHaveCount(0);
  };
  const back = () => page.getByRole('link', { name: t('record.back') }).click();

  await signIn(page, await newAdministrator('kept'));
  const ask = await asking(page);
  const { rows } = await ask<{ rows: { id: string }[] }>('grid/patients/search', {
    paginationModel: { page: 0, pageSize: 2 },
  });
  const visits = [await visitTo(ask, rows[0]!.id), await visitTo(ask, rows[1]!.id)].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  await page.setViewportSize({ width: 360, height: 740 });

  await test.step('a list is taken with a PIN that is not easy to guess', async () => {
    await page.goto('/field-visits');
    await settled(page);
    await page.getByRole('link', { name: words('kept.take') }).click();
    await expectAccessible(page);
    await page.getByLabel(words('kept.newPin')).fill('123456');
    await page.getByLabel(words('kept.pinAgain')).fill('123456');
    await button(words('kept.take')).click();
    await expect(page.getByText(words('kept.pinFault.weak'))).toBeVisible();
    await page.getByLabel(words('kept.newPin')).fill(pin);
    await page.getByLabel(words('kept.pinAgain')).fill(pin);
    await button(words('kept.take')).click();
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await expectAccessible(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    // No person's data is on the disk in clear text.
    const stored = await page.evaluate(async () => {
      const opening = indexedDB.open('caseway-kept');
      const database = await new Promise<IDBDatabase>((resolve) => {
        opening.onsuccess = () => resolve(opening.result);
      });
      const all = database.transaction('list').objectStore('list').getAll();
      const values = await new Promise<unknown[]>((resolve) => {
        all.onsuccess = () => resolve(all.result);
      });
      database.close();
      return values.map((value) =>
        typeof value === 'object' && value && 'bytes' in value
          ? new TextDecoder('latin1').decode(value.bytes as ArrayBuffer)
          : JSON.stringify(value),
      );
    });
    expect(stored).toHaveLength(5);
    expect(stored.join('')).not.toContain('Ring twice');
    expect(stored.join('')).not.toContain(visits[0]!.number);
    const cached = await page.evaluate(async () => {
      const names = await caches.keys();
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(cached.filter((path) => path.startsWith('/api/') || path.startsWith('/auth/'))).toEqual([]);
    expect(cached).toContain('/field-visits/kept');
  });

  await test.step('offline it opens again, and attempts are stored', async () => {
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(words('kept.offline'))).toBeVisible();
    await page.getByLabel(words('kept.pin')).fill('999999');
    await button(words('kept.open')).click();
    await expect(page.getByText(words('kept.wrongPin_other', { count: 4 }))).toBeVisible();
    await open();
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await note(0, 'Nobody opened.', 'nobody');
    await expectAccessible(page);
    await keep();
    await expect(page.getByText('Nobody opened.').first()).toBeVisible();
    await expectAccessible(page);
    await back();
    await note(1, 'Half of it', 'moved-unknown');
    // The page dies halfway: stored and typed data are still there.
    await page.waitForTimeout(1000);
    await page.reload();
    await open();
    await expect(field('note')).toHaveValue('Half of it');
    await expect(field('outcome')).toHaveValue('moved-unknown');
    await field('note').fill('Half of it, and the rest.');
    await keep();
    await back();
    await expect(notSent(2)).toBeVisible();
    await page.goto('/');
    await open();
    await expect(notSent(2)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('in the meantime someone else moves one of them to another day', async () => {
    const other = await browser.newContext({ baseURL: baseURL! });
    const planner = await other.newPage();
    await signIn(planner, await newAdministrator('planner'));
    const asPlanner = await asking(planner);
    const { id, version } = visits[1]!;
    const change = { version, fields: { worker: await ownId(planner), plannedFor: addDays(today, 1) } };
    await asPlanner(`field-visits/${id}/transitions/assign`, change);
    await other.close();
  });

  await test.step('online again, one is sent, and the other waits for a decision, field by field', async () => {
    await context.setOffline(false);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    const bar = page.getByText(new RegExp(words('kept.asks_one', { count: 1 })));
    await expect(bar).toBeVisible();
    await page.getByRole('link', { name: words('kept.show') }).click();
    await settled(page);
    await expect(page.getByText(words('kept.conflict'))).toBeVisible();
    await expect(
      page
        .getByRole('listitem')
        .filter({ hasText: words('column.plannedFor') })
        .last(),
    ).toBeVisible();
    await expect(page.getByText('Half of it, and the rest.')).toBeVisible();
    await expect(page.getByText('Nobody opened.')).toHaveCount(0);
    await expectAccessible(page);
    await button(words('kept.sendAnyway')).click();
    await expect(page.getByText(words('kept.conflict'))).toHaveCount(0);
    await expect(list.getByRole('listitem')).toHaveCount(1);
    for (const [index, text] of ['Nobody opened.', 'Half of it, and the rest.'].entries()) {
      await page.goto(`/field-visits/${visits[index]!.id}`);
      await settled(page);
      await expect(page.getByText(text)).toHaveCount(1);
    }
  });

  await test.step('signing out leaves nothing on the device, and asks first if something is unsent', async () => {
    // Online, the page is the server's, a new one each time.
    const nonce = () => page.locator('meta[property="csp-nonce"]').getAttribute('content');
    await page.goto('/field-visits/kept');
    const first = await nonce();
    await page.goto('/field-visits/kept');
    expect(await nonce()).not.toBe(first);
    await open();
    await context.setOffline(true);
    await note(0, 'Not sent.', 'nobody');
    await keep();
    const signOut = async () => {
      await page.getByRole('button', { name: new RegExp(t('user.open').trim()) }).click();
      await page.getByRole('menuitem', { name: t('user.signOut') }).click();
    };
    await signOut();
    await expect(dialog.getByText(t('leave.unsent'))).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: t('leave.stay') }).click();
    await context.setOffline(false);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(notSent(1)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await signOut();
    await expect(page.getByRole('textbox', { name: t('signIn.email') })).toBeVisible();
    expect(await left(page)).toEqual([null]);
  });
});

test('[P20] a lost phone deletes the list when its session is ended from elsewhere, and after five wrong PINs', async ({
  page,
  browser,
  baseURL,
  t,
}) => {
  const words = (key: string) => t(`field-visits:${key}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const account = await newAdministrator('lost');
  const take = async () => {
    await page.getByLabel(words('kept.newPin')).fill(pin);
    await page.getByLabel(words('kept.pinAgain')).fill(pin);
    await button(words('kept.take')).click();
    await expect(button(words('kept.lock'))).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  };
  await signIn(page, account, { at: '/field-visits/kept' });

  await test.step('after five wrong PINs', async () => {
    await take();
    await button(words('kept.lock')).click();
    for (let tries = 1; tries <= 5; tries += 1) {
      const entered = page.getByLabel(words('kept.pin'));
      await entered.fill('135791');
      await button(words('kept.open')).click();
      if (tries < 5) await expect(entered).toHaveValue('');
    }
    await expect(page.getByText(words('kept.wiped'))).toBeVisible();
    await expect.poll(() => left(page)).toEqual([null]);
  });

  await test.step('when its session is ended', async () => {
    await take();
    const other = await browser.newContext({ baseURL: baseURL! });
    const elsewhere = await other.newPage();
    const asked = elsewhere.waitForRequest((request) => request.url().includes('/api/web/'));
    await signIn(elsewhere, account);
    const { authorization } = await (await asked).allHeaders();
    const ended = await elsewhere.request.post('/api/profile/sessions/end-others', {
      data: {},
      headers: { authorization: authorization! },
    });
    expect(await ended.json()).toEqual({ ended: 1 });
    await other.close();
    // No one touches it: the server reports it.
    await expect.poll(() => left(page)).toEqual([null]);
  });
});

/** The parts of a list on the device. */
const left = (page: Page) =>
  page.evaluate(async () => [
    ...(await indexedDB.databases()).map(({ name }) => name),
    ...(await caches.keys()),
    ...(await navigator.serviceWorker.getRegistrations()),
    localStorage.getItem('caseway.kept'),
  ]);

/** The signed-in account. */
const ownId = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const [, payload] = localStorage.getItem('refresh-token')!.split('.');
    return JSON.parse(atob(payload!.replaceAll('-', '+').replaceAll('_', '/'))).sub as string;
  });
