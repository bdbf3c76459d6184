import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Experience } from '@caseway/contract/session';
import { waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { initAnswer, org } from '../test/server.ts';

const locales = join(import.meta.dirname, '../../public/locales');
const read = (path: string) => readFileSync(join(locales, path.replace('/locales/', '')), 'utf8');

/** The locale server's next answers by path; otherwise the real files. */
const answers = new Map<string, () => Response | Error>();
const requests: { path: string; language: string | null; at: number }[] = [];
vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
  requests.push({ path, language: new Headers(init?.headers).get('Accept-Language'), at: Date.now() });
  const answer = answers.get(path)?.() ?? new Response(read(path));
  if (answer instanceof Error) throw answer;
  return answer;
});

const { chooseLanguage, adoptAccountLanguage, language, languageOf, overrideLabels, startI18n } =
  await import('./i18n.ts');
const { hasWords } = await import('./lost-words.ts');
const { formatsFor } = await import('./formats.ts');
const { dayPattern, dayText, parseDayText } = await import('../ui/day-text.ts');
const { signedOut, userReady } = await import('../session/authentication.ts');
const { store } = await import('../session/store.ts');
const instance = await startI18n();

beforeEach(async () => {
  await chooseLanguage('en');
  localStorage.clear();
  answers.clear();
  requests.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the language', () => {
  test('[S9.14] without a saved locale it is American English', () => {
    expect(language()).toBe('en');
    expect(document.documentElement.lang).toBe('en-US');
  });

  test('is recognized by its tag or by the base before the dash', () => {
    expect(languageOf('es-MX')).toBe('es');
    expect(languageOf('en-gb')).toBe('en-GB');
    expect(languageOf('en-US')).toBe('en');
    expect(languageOf('fr')).toBeUndefined();
    expect(languageOf(null)).toBeUndefined();
  });

  test('is switched in place, remembered, and set on the document', async () => {
    await chooseLanguage('es');
    expect(instance.t('user.signOut')).toBe('Cerrar sesión');
    expect(localStorage.getItem('caseway.locale')).toBe('es');
    expect(document.documentElement.lang).toBe('es');
  });

  test('[S9.14] the account’s language is used only if this browser has none saved', async () => {
    await adoptAccountLanguage('xx', 'ht');
    expect(language()).toBe('ht');
    localStorage.setItem('caseway.locale', 'ht');
    await adoptAccountLanguage('es', 'en');
    expect(language()).toBe('ht');
  });

  test('British English has only what differs and takes the rest from English', async () => {
    await chooseLanguage('en-GB');
    expect(instance.t('org.title')).toBe('Change organisation');
    expect(instance.t('user.signOut')).toBe('Sign out');
  });
});

describe("the selected organization's experience", () => {
  const act = (experience: string) => {
    const of = { ...org('o1', 'Osprey'), experience: experience as Experience };
    store.dispatch(userReady(initAnswer([of])));
  };
  afterEach(() => {
    store.dispatch(signedOut());
  });
  const add = (words: Record<string, string>) => {
    for (const [key, text] of Object.entries(words))
      instance.addResource('en', 'common', `test.${key}`, text);
  };

  test('[S1.5] words every text that has a variant for it, without the caller’s doing', () => {
    add({ person: 'patient', person_EDUCATION: 'student', place: 'place' });
    expect(instance.t('test.person')).toBe('patient');
    act('EDUCATION');
    expect(instance.t('test.person')).toBe('student');
    expect(instance.getFixedT('en', 'common')('test.person')).toBe('student');
    expect(instance.t('test.person', 'nobody')).toBe('student');
    // A key without a variant does not change, and neither does the default of a missing key.
    expect(instance.t('test.place')).toBe('place');
    expect(instance.t('test.nothing', { defaultValue: 'nobody' })).toBe('nobody');
    act('HEALTH_CARE');
    expect(instance.t('test.person')).toBe('patient');
  });

  test('[S1.5] works with numbers, with a text inside a text, and with the fallback language', async () => {
    add({
      rows_one: '{{count}} patient',
      rows_other: '{{count}} patients',
      rows_CORRECTIONS_one: '{{count}} resident',
      rows_CORRECTIONS_other: '{{count}} residents',
      noun: 'patient',
      noun_CORRECTIONS: 'resident',
      sentence: 'One $t(test.noun)',
    });
    act('CORRECTIONS');
    expect(instance.t('test.rows', { count: 1 })).toBe('1 resident');
    expect(instance.t('test.rows', { count: 5 })).toBe('5 residents');
    expect(instance.t('test.sentence')).toBe('One resident');
    await chooseLanguage('en-GB');
    expect(instance.t('test.noun')).toBe('resident');
  });

  test('[S1.5] keeps a context that the caller passes', () => {
    add({ said: 'said', said_EDUCATION: 'said at school', said_loud: 'shouted' });
    act('EDUCATION');
    expect(instance.t('test.said', { context: 'loud' })).toBe('shouted');
  });

  test('[S1.5] comes from the locale files: the program lists none', () => {
    add({ person: 'patient', person_HARBOUR: 'sailor' });
    act('HARBOUR');
    expect(instance.t('test.person')).toBe('sailor');
  });

  test('[S1.5] changes the texts on the screen as soon as another organization is selected', () => {
    const changes: string[] = [];
    const count = () => changes.push(instance.t('org.type.F'));
    instance.on('languageChanged', count);
    act('EDUCATION');
    act('EDUCATION');
    act('WORKPLACE');
    instance.off('languageChanged', count);
    expect(changes).toEqual(['School', 'Worksite']);
  });

  test('[S1.5] can be reworded by a tenant', async () => {
    act('EDUCATION');
    await overrideLabels({ en: { 'common:org.type.F_EDUCATION': 'Campus' } });
    expect(instance.t('org.type.F')).toBe('Campus');
    act('PUBLIC_HEALTH');
    expect(instance.t('org.type.F')).toBe('Facility');
    await overrideLabels({});
  });
});

describe("the tenant's texts", () => {
  test('[S1.5, S7.7] replace the product’s own, loaded already or later, and can be removed', async () => {
    let changes = 0;
    const count = () => {
      changes += 1;
    };
    instance.on('languageChanged', count);
    await overrideLabels({
      en: { 'common:user.signOut': 'Leave', 'users:list.invite': 'Bring somebody in' },
      'en-GB': { 'common:user.title': 'Your account' },
      es: { 'common:user.signOut': 'Salir' },
    });
    // The open screen changes its texts.
    expect(changes).toBe(1);
    instance.off('languageChanged', count);
    expect(instance.t('user.signOut')).toBe('Leave');
    await instance.loadNamespaces('users');
    expect(instance.t('users:list.invite')).toBe('Bring somebody in');
    await chooseLanguage('es');
    expect(instance.t('user.signOut')).toBe('Salir');
    // British English lacks one of the keys, and the other's whole branch.
    await chooseLanguage('en-GB');
    expect([instance.t('user.signOut'), instance.t('user.title')]).toEqual(['Leave', 'Your account']);
    await overrideLabels({});
    expect([instance.t('user.signOut'), instance.t('user.title')]).toEqual(['Sign out', 'Account']);
    expect(instance.t('org.title')).toBe('Change organisation');
  });
});

describe('Haitian Creole', () => {
  test('[S1.4] has one form for every number, whatever the machine’s language', async () => {
    await chooseLanguage('ht');
    expect(instance.t('form.summary', { count: 1 })).toBe('Gen pwoblèm ak 1 repons');
    expect(instance.t('form.summary', { count: 5 })).toBe('Gen pwoblèm ak 5 repons');
  });

  test('[S9.15] writes dates and numbers as in French, with Creole words', async () => {
    await chooseLanguage('ht');
    const formats = formatsFor('America/New_York');
    expect(formats.day('2024-03-10')).toBe('10 mas 2024');
    expect(formats.dayInWords('2024-03-10')).toBe('10 mas 2024');
    expect(formats.share(0.1234).replaceAll(/\s/g, ' ')).toBe('12,3 %');
  });
});

describe('dates and numbers', () => {
  test('a small part is not written as nothing, nor almost all as all', async () => {
    await chooseLanguage('en');
    const { share, rate } = formatsFor('America/New_York');
    expect([0, 0.00049, 0.0005, 0.9994, 0.9995, 1].map(share)).toEqual([
      '0.0%',
      '<0.1%',
      '0.1%',
      '99.9%',
      '>99.9%',
      '100.0%',
    ]);
    expect([0, 0.049, 0.05, 21].map(rate)).toEqual(['0.0', '<0.1', '0.1', '21.0']);
  });

  test('an instant is written in the tenant’s time zone, not the machine’s', () => {
    // 2024-03-10 07:30 UTC is 02:30 EST, but the clocks in New York have already gone forward to 03:30.
    expect(formatsFor('America/New_York').instant('2024-03-10T06:30:00Z')).toBe('03/10/2024, 1:30 AM');
    expect(formatsFor('America/New_York').instant('2024-03-10T07:30:00Z')).toBe('03/10/2024, 3:30 AM');
    expect(formatsFor('Asia/Tokyo').instant('2024-03-10T07:30:00Z')).toBe('03/10/2024, 4:30 PM');
  });
  test('each language has its own', async () => {
    expect(formatsFor('UTC').count(1234567)).toBe('1,234,567');
    await chooseLanguage('es');
    expect(formatsFor('UTC').dayInWords('2024-03-10')).toBe('10 mar 2024');
    await chooseLanguage('en-GB');
    expect(formatsFor('UTC').day('2024-03-10')).toBe('10 Mar 2024');
  });
  test.each(['en-GB', 'es', 'ht'] as const)(
    'no day in %s can be read as another in American English',
    async (one) => {
      await chooseLanguage(one);
      const formats = formatsFor('UTC');
      for (let month = 1; month <= 12; month++)
        for (const number of [1, 5, 12]) {
          const day = `1984-${String(month).padStart(2, '0')}-${String(number).padStart(2, '0')}`;
          for (const text of [
            formats.day(day),
            formats.dayInWords(day),
            formats.instant(`${day}T10:00:00Z`),
            dayText(day),
          ]) {
            expect(text).not.toMatch(/\d+\/\d+/);
            expect(text).toMatch(/\p{L}{2}/u);
          }
          // The text in the field can also be typed into it.
          expect(parseDayText(dayText(day))).toBe(day);
        }
    },
  );
  test.each([
    ['en', 'MM/DD/YYYY', '03/10/1984'],
    ['en-GB', 'DD/MM/YYYY', '10/03/1984'],
    ['es', 'DD/MM/AAAA', '10/03/1984'],
    ['ht', 'JJ/MM/AAAA', '10/03/1984'],
  ] as const)('in %s a day is typed as %s', async (one, pattern, typed) => {
    await chooseLanguage(one);
    expect(dayPattern()).toBe(pattern);
    expect(parseDayText(typed)).toBe('1984-03-10');
  });
  test('the formats of a zone and language are created once', async () => {
    const first = formatsFor('Asia/Tokyo');
    const make = vi.spyOn(Intl, 'DateTimeFormat');
    expect(formatsFor('Asia/Tokyo')).toBe(first);
    expect(first.today).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(first.today).toBe(formatsFor('Asia/Tokyo').today);
    expect(make.mock.calls.length).toBeLessThanOrEqual(1);
    await chooseLanguage('es');
    expect(formatsFor('Asia/Tokyo')).not.toBe(first);
  });
});

describe('loading', () => {
  /** Loads one language again and returns what failed. */
  const load = async (wanted: string) => {
    instance.removeResourceBundle(wanted, 'common');
    const failures: string[] = [];
    const note = (_lng: string, _ns: string, message: string) => failures.push(message);
    instance.on('failedLoading', note);
    await instance.reloadResources([wanted], ['common']);
    instance.off('failedLoading', note);
    return failures;
  };

  test('[S7.7, S7.1] loads /locales/{lng}/{ns}.json, with the current language', async () => {
    await load('es');
    expect(requests).toMatchObject([{ path: '/locales/es/common.json', language: 'en' }]);
  });

  test('[S7.9, S8.4] a 5xx is retried five times, from 350 ms doubling', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    answers.set('/locales/es/common.json', () => new Response('', { status: 503 }));
    const loading = load('es');
    await vi.advanceTimersByTimeAsync(60_000);
    await loading;
    expect(requests).toHaveLength(6);
    const gaps = requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
    expect(gaps).toEqual([350, 700, 1400, 2800, 5600]);
  });

  test('[S8.4] an answer without a status is retried', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    let asked = 0;
    answers.set('/locales/es/common.json', () => {
      asked += 1;
      return asked === 1 ? new TypeError('Failed to fetch') : new Response(read('es/common.json'));
    });
    const loading = load('es');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await loading).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  test('[S8.4] a 4xx is not', async () => {
    answers.set('/locales/es/common.json', () => new Response('', { status: 404 }));
    expect(await load('es')).toEqual(['failed loading /locales/es/common.json; status code: 404']);
    expect(requests).toHaveLength(1);
  });

  test('[S8.4] a file that cannot be parsed is reported', async () => {
    answers.set('/locales/es/common.json', () => new Response('{"a":'));
    expect(await load('es')).toEqual(['failed parsing /locales/es/common.json to json']);
    expect(requests).toHaveLength(1);
  });

  test('[S8.4] missing texts are reported, never shown as keys, and load when the connection is back', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    answers.set('/locales/en/imports.json', () => new Response('', { status: 404 }));
    await instance.loadNamespaces('imports');
    expect(said).toHaveBeenCalledWith(
      'the words of imports in en did not load: failed loading /locales/en/imports.json; status code: 404',
    );
    expect(hasWords('imports')).toBe(false);
    expect(instance.t('imports:screen.lead')).toBe('');
    answers.clear();
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(hasWords('imports')).toBe(true));
    expect(instance.t('imports:screen.lead')).not.toBe('');
  });

  test('[S7.9] loads at most ten at the same time', () => {
    const connector = i18next.services.backendConnector as { maxParallelReads: number };
    expect(connector.maxParallelReads).toBe(10);
  });
});
