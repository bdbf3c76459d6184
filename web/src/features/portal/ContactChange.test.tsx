import type { OwnRecordAnswer } from '@caseway/contract/portal';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import { ContactChange } from './ContactChange.tsx';

await startTestLocales('portal');
afterEach(async () => {
  queryClient.clear();
  await i18next.changeLanguage('en');
});

const own = (email: string | null, phone: string | null): OwnRecordAnswer => ({
  firstName: 'Ana',
  lastName: 'Rivera',
  birthDate: '1984-05-06',
  tenant: 'Gulfstream Department of Health',
  logo: null,
  timeZone: 'America/New_York',
  email,
  phone,
  languageCode: 'en',
  patientNumber: 'ABCD-EFGH',
  visits: false,
  followUp: false,
  vaccinations: true,
  reactions: true,
  consents: [],
});
const words = (key: string, language: string) => i18next.getFixedT(language, 'portal')(key);

const cases = [
  {
    kind: 'PHONE',
    own: own('ana@example.org', null),
    typed: '(813) 555-0142',
    present: 'a•••@e•••',
    by: 'EMAIL',
  },
  { kind: 'EMAIL', own: own(null, '+18135550142'), typed: 'ana@example.org', present: '•••0142', by: 'SMS' },
] as const;

describe.each(['en', 'es', 'ht'])('adding if there is none, %s', (language) => {
  test.each(cases)('$kind: no text mentions an existing one', async ({ kind, own, typed, present, by }) => {
    await i18next.changeLanguage(language);
    const begun = {
      details: 'x',
      present: { by, destination: present },
      expiresAt: new Date(Date.now() + 900_000).toISOString(),
    };
    serve({
      'POST /api/patient/contact': { body: begun },
      'POST /api/patient/contact/confirm': { body: own },
    });
    renderInApp(<ContactChange kind={kind} own={own} onClose={() => {}} />);
    const dialog = screen.getByRole('dialog', { name: words(`contact.add${kind}`, language) });
    const never = [`contact.title${kind}`, 'contact.lead', 'contact.save'].map((key) => words(key, language));
    const marksOfPresent = words('contact.codePresent', language).split('{{place}}')[1]!.trim();
    const expectNothingOfPresent = () => {
      for (const one of never) expect(dialog).not.toHaveTextContent(one);
      expect(marksOfPresent.length).toBeGreaterThan(3);
      expect(dialog).not.toHaveTextContent(marksOfPresent);
    };
    expectNothingOfPresent();
    expect(dialog).toHaveTextContent(words('contact.leadAdd', language));

    await userEvent.type(within(dialog).getByRole('textbox'), `${typed}{Enter}`);
    // The other address is where we reach them now, not the one being replaced.
    const known = words('contact.codeKnown', language).replace('{{place}}', present);
    const fields = await within(dialog).findAllByRole('textbox');
    expect(fields).toHaveLength(2);
    expect(fields[1]).toHaveAccessibleName(known);
    expectNothingOfPresent();
    await userEvent.type(fields[0]!, '123456');
    await userEvent.type(fields[1]!, '123456');
    await userEvent.click(within(dialog).getByRole('button', { name: words('contact.add', language) }));
    await expect
      .poll(() => store.getState().notifications.open.map(({ message }) => message))
      .toContain('portal:contact.added');
    expect(words('contact.added', language)).not.toBe(words('contact.done', language));
  });
});
