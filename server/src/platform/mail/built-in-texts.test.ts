import { filled, type MailKind, mailKinds } from '@caseway/contract/mail-text';
import { experiences } from '@caseway/contract/session';
import { describe, expect, test } from 'vitest';
import { officersWords } from '../../features/break-glass/officers.ts';
import { toldIn } from '../../features/inbox/mail-words.ts';
import { recoveryWords } from '../../features/recovery/words.ts';
import { retentionWords } from '../../features/settings/retention-words.ts';
import { accountNotices, noticeIn } from '../auth/account-notices.ts';
import { addressFor, builtInText } from './mail-texts.ts';
import { asTexted } from './texter.ts';

const languages = ['en', 'es', 'ht'] as const;
type Language = (typeof languages)[number];

/** Values of a typical message. */
const host = 'caseway.example.org';
const valuesIn = (language: Language, path = '') => ({
  code: '123456',
  minutes: '15',
  host,
  address: `${addressFor(`https://${host}`, language)}${path}`,
  name: 'Ada',
  email: 'ada@example.org',
  organizations: '  Gulfstream Department of Health',
  tenant: 'Gulfstream Department of Health',
  number: 'ABCD-EFGH',
});

/** Every built-in message with its values, and whether it also goes as a text message. */
function everyMessage(): { what: string; language: Language; text: string; texted: boolean }[] {
  return languages.flatMap((language) => {
    const { host, address, tenant } = valuesIn(language);
    const ofKind = mailKinds.flatMap((kind) =>
      experiences.flatMap((experience) => {
        const { body } = builtInText(kind, language, experience).text;
        const values = valuesIn(language, kind.startsWith('patient-') ? '/patient/sign-in' : '');
        const notices = /notice$/.test(kind) ? [...accountNotices, 'email-changed' as const] : [null];
        return notices.map((notice) => ({
          what: kind as string,
          text: filled(body, {
            ...values,
            ...(kind === 'inbox' && { what: toldIn(language, new Map([['assigned', [1, 2]]])) }),
            ...(notice && { what: noticeIn(language, notice, kind === 'patient-notice') }),
          }),
          texted: /text$|contact-/.test(kind),
        }));
      }),
    );
    const { words } = recoveryWords(language);
    const [from, until] = ['2026-11-23 14:00 (America/New York)', '2026-11-24 14:00 (America/New York)'];
    const code = 'abcd-efgh-jkmn-pqrs';
    const ofRecovery = {
      'recovery-code': words.code({ host, address, code, from, until }),
      'recovery-approved': words.approved({ host, address, code, from }),
      'recovery-completed': words.completed({ host }),
      'recovery-requested': words.requested({ address }),
      'recovery-cancelled': words.cancelled({ address }),
    };
    return [
      ...ofKind,
      ...Object.entries(ofRecovery).map(([what, { text }]) => ({
        what,
        text,
        texted: /approved|completed/.test(what),
      })),
      {
        what: 'retention',
        text: retentionWords(language).words.text({ tenant, lines: '- x', from: '2026-12-01', address }),
        texted: false,
      },
      { what: 'hidden record', text: officersWords[language].text(tenant, address), texted: false },
    ].map((message) => ({ ...message, language }));
  });
}
const messages = everyMessage();

test('no address is followed by punctuation, which telephones treat as part of the link', () => {
  const links = /(?:https:\/\/)?(?:ada@)?(?:caseway\.)?example\.org[^\s]*/g;
  const found = messages.flatMap(({ what, language, text }) =>
    (text.match(links) ?? []).map((link) => ({ what: `${language} ${what}`, link })),
  );
  expect(new Set(found.map(({ what }) => what)).size).toBeGreaterThan(60);
  expect(found.filter(({ link }) => !/[\p{L}\p{N}]$/u.test(link))).toEqual([]);
});

/** The characters that count once in a text message, and those that count twice. GSM 03.38. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extended = '^{}\\[~]|€';

/** The number of parts of a text. Each part costs money. */
function partsOf(text: string): number {
  const signs = [...text];
  if (signs.every((sign) => basic.includes(sign) || extended.includes(sign))) {
    const places = signs.reduce((sum, sign) => sum + (extended.includes(sign) ? 2 : 1), 0);
    return places <= 160 ? 1 : Math.ceil(places / 153);
  }
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
}

describe('text messages', () => {
  test.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    // è and à are in the alphabet of text messages; ó is not, and makes every character count twice.
    ['è'.repeat(160), 1],
    [`${'€'.repeat(80)}`, 1],
    [`${'€'.repeat(80)}a`, 2],
    ['ó'.repeat(70), 1],
    [`ó${'a'.repeat(70)}`, 2],
    [`ó${'a'.repeat(134)}`, 3],
  ])('%j takes %i', (text, parts) => {
    expect(partsOf(text)).toBe(parts);
  });

  /*
   * These are longer: they are rare, and repeat what the mail says to do about an account in danger. In Spanish each
   * has an `ó` or an `í`, which halves the space.
   */
  const longer: Partial<Record<string, Partial<Record<Language, number>>>> = {
    'contact-new': { es: 4 },
    'contact-present': { es: 5 },
    'patient-contact-new': { es: 4 },
    'patient-contact-present': { es: 5 },
    'recovery-approved': { en: 4, es: 8, ht: 3 },
    'recovery-completed': { es: 5 },
  };

  test('are sent in two parts at most, in every language and experience', () => {
    const sent = messages.filter(({ texted }) => texted);
    const kinds: MailKind[] = ['sign-in-text', 'patient-text', 'patient-invitation-text'];
    expect(sent.map(({ what }) => what)).toEqual(expect.arrayContaining(kinds));
    const over = sent
      .map(({ what, language, text }) => ({
        what: `${language} ${what}`,
        parts: partsOf(asTexted(text)),
        limit: longer[what]?.[language] ?? 2,
      }))
      .filter(({ parts, limit }) => parts > limit);
    expect(over).toEqual([]);
  });

  test('are written with plain apostrophes, quotes and dashes, and keep their letters', () => {
    expect(asTexted('“Your school’s nurse” – ¡Adiós, Nuñez!')).toBe(
      '"Your school\'s nurse" - ¡Adiós, Nuñez!',
    );
  });
});
