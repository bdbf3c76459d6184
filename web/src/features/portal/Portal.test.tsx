import type { OwnRecordAnswer, OwnResult } from '@caseway/contract/portal';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import {
  nobody,
  patientReady,
  sessionExpired,
  signedOut,
  tokensReceived,
} from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, refreshToken, serve } from '../../test/server.ts';
import { portalScreens } from './OwnRecord.tsx';
import Portal from './Portal.tsx';

await startTestLocales('portal', 'explanations', 'follow-up', 'vaccinations');

const own: OwnRecordAnswer = {
  firstName: 'Ana',
  lastName: 'Rivera',
  birthDate: '1984-05-06',
  tenant: 'Gulfstream Department of Health',
  logo: null,
  timeZone: 'America/New_York',
  email: 'ana@example.org',
  phone: null,
  languageCode: 'en',
  patientNumber: 'ABCD-EFGH',
  visits: true,
  followUp: true,
  vaccinations: true,
  reactions: true,
  consents: [],
};
const resultId = '11111111-1111-4111-8111-111111111111';
const result: OwnResult = {
  id: resultId,
  testName: 'Neisseria gonorrhoeae DNA',
  testNameI18N: {},
  loinc: '43304-5',
  about: { label: 'Gonorrhea', labelI18N: { es: 'Gonorrea', ht: 'Gonore' } },
  explanation: 'gonorrhea.positive',
  mark: 'found',
  answer: { label: 'Positive', labelI18N: { es: 'Positivo', ht: 'Pozitif' } },
  preliminary: false,
  corrected: false,
  value: null,
  position: null,
  collectedOn: '2026-11-01',
  resultedOn: '2026-11-03',
  specimen: null,
  specimenNumber: null,
  facility: 'Harbor Clinic',
  facilityPhone: '+18135550142',
  laboratory: null,
};
const entry = (number: number) => ({
  id: `22222222-2222-4222-8222-00000000000${number}`,
  at: `2026-11-0${number}T12:00:00.000Z`,
  by: 'staff',
  organization: 'Gulfstream Department of Health',
  roles: [],
  deed: 'read',
});
const answers: Parameters<typeof serve>[0] = {
  'GET /api/patient/me': { body: own },
  'GET /api/patient/results': { body: { results: [result] } },
  'GET /api/patient/access-log': ({ query }) => ({
    body: query.before
      ? { entries: [entry(1)], more: false, since: null }
      : { entries: [entry(3), entry(2)], more: true, since: null },
  }),
  'GET /api/patient/sessions': { body: { sessions: [] } },
  'GET /api/patient/vaccinations': { body: { vaccinations: [] } },
  'GET /api/patient/reactions': { body: { today: '2026-11-10', reactions: [], reports: [] } },
  'GET /api/patient/follow-up': {
    body: { from: '2026-11-01', until: '2026-11-20', today: '2026-11-10', due: true, answers: [] },
  },
  'GET /api/patient/visits': {
    body: {
      booking: true,
      left: 2,
      visits: [
        {
          id: resultId,
          version: 2,
          status: 'booked',
          startsAt: '2026-12-01T15:00:00.000Z',
          minutes: 25,
          provider: 'Dr. Rosa Vidal',
          visitType: null,
          mayChange: true,
        },
      ],
    },
  },
  [`GET /api/patient/visits/${resultId}/waiting`]: {
    body: {
      status: 'arrived',
      startsAt: '2026-12-01T15:00:00.000Z',
      minutes: 25,
      provider: 'Dr. Rosa Vidal',
      arrivedAt: '2026-12-01T14:55:00.000Z',
      place: 2,
      expectedMinutes: 5,
      url: null,
      byVideo: true,
    },
  },
  'GET /api/patient/visits/free-times': { body: { times: [], next: null } },
};

const signIn = () => {
  store.dispatch(
    tokensReceived({ refreshToken: refreshToken({ patient: true }), accessToken: accessToken() }),
  );
  store.dispatch(patientReady({ id: 'p1', email: own.email }));
};
beforeEach(() => {
  document.title = 'Caseway';
  signIn();
});
afterEach(async () => {
  queryClient.clear();
  store.dispatch(signedOut());
  await i18next.changeLanguage('en');
});

const at = (path: string) => path.replace(':id', resultId);
const heading = () => screen.findByRole('heading', { level: 1 });
/** The announcement of the content to a screen reader. */
const told = () => screen.getAllByRole('status').map(({ textContent }) => textContent);

test('the logo of the department is at the top, named by it, and the sign of the product if it does not load', async () => {
  const logo = '/api/logo/x';
  serve({ ...answers, 'GET /api/patient/me': { body: { ...own, logo } } });
  renderInApp(<Portal />, { path: '/portal' });
  const image = await screen.findByRole('img', { name: 'Gulfstream Department of Health' });
  expect(image).toHaveAttribute('src', logo);
  fireEvent.error(image);
  expect(screen.queryByRole('img', { name: 'Gulfstream Department of Health' })).toBeNull();
});

/** Each screen's window title and heading. The title names no disease, because others see it on a phone. */
const expected: Readonly<
  Record<(typeof portalScreens)[number]['path'], { window: string; heading: string }>
> = {
  '/portal': { window: 'Results · My health results', heading: 'Your results' },
  '/portal/results/:id': { window: 'Test result · My health results', heading: 'Gonorrhea' },
  '/portal/follow-up': { window: 'How I feel · My health results', heading: 'How are you today?' },
  '/portal/vaccinations': { window: 'Vaccines · My health results', heading: 'Your vaccines' },
  '/portal/vaccinations/reaction': {
    window: 'Vaccines · My health results',
    heading: 'Report a reaction to a vaccine',
  },
  '/portal/visits': { window: 'Visits · My health results', heading: 'Your video visits' },
  '/portal/visits/book': { window: 'Visits · My health results', heading: 'Book a visit' },
  '/portal/visits/:id': { window: 'Visits · My health results', heading: 'Choose another time' },
  '/portal/visits/:id/waiting': { window: 'Visits · My health results', heading: 'Waiting room' },
  '/portal/me': { window: 'My details · My health results', heading: 'My details' },
  '/portal/access': {
    window: 'Who saw my record · My health results',
    heading: 'Who looked at my record',
  },
};

describe('every screen of the portal is accessible to screen readers [S4.1]', () => {
  test.each(portalScreens.map(({ path }) => path))(
    '%s names its window and announces its content',
    async (path) => {
      const waiting = Promise.withResolvers<void>();
      const late = Object.fromEntries(
        Object.entries(answers).map(([address, answer]) => [
          address,
          async (sent: Parameters<Extract<typeof answer, (...given: never) => unknown>>[0]) => {
            await waiting.promise;
            return typeof answer === 'function' ? answer(sent) : answer;
          },
        ]),
      );
      serve(late);
      renderInApp(<Portal />, { path: at(path) });
      await heading();
      expect(document.title).toBe(expected[path].window);
      expect(told().join('')).toBe('');
      waiting.resolve();
      await waitFor(() => expect(told().join('')).not.toBe(''));
      expect(await heading()).toHaveTextContent(expected[path].heading);
      expect(told().join(' ')).toContain(path === '/portal' ? '1 result' : expected[path].heading);
      expect(document.title).toBe(expected[path].window);
      // A newly opened page is read from its beginning, with the skip link as its first stop.
      expect(document.body).toHaveFocus();
      await userEvent.tab();
      expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      expect(screen.getByRole('main')).toHaveFocus();
    },
  );

  test.each(portalScreens.map(({ path }) => path))('%s says if its content does not load', async (path) => {
    const refused = { status: 500, body: { code: 'internal', message: '' } };
    serve(Object.fromEntries(Object.keys(answers).map((address) => [address, refused])));
    queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
    renderInApp(<Portal />, { path: at(path) });
    expect((await screen.findAllByRole('alert'))[0]).toHaveTextContent(/\p{L}+ \p{L}+/u);
    expect(document.title).toBe(expected[path].window);
    expect(await heading()).toBeInTheDocument();
    expect(told().join('')).toBe('');
  });

  test('opening another screen moves the focus to its heading, also when going back', async () => {
    serve(answers);
    renderInApp(<Portal />, { path: '/portal' });
    const titles = new Set<string>();
    for (const [link, name] of [
      [/Gonorrhea/, 'Gonorrhea'],
      ['All results', 'Your results'],
      ['My details', 'My details'],
      ['Who saw my record', 'Who looked at my record'],
      ['Results', 'Your results'],
    ] as const) {
      await userEvent.click(await screen.findByRole('link', { name: link }));
      await waitFor(async () => expect(await heading()).toHaveTextContent(name));
      await waitFor(async () => expect(await heading()).toHaveFocus());
      titles.add(document.title);
    }
    expect(titles.size).toBe(4);
  });

  test('an old link to a missing result is a screen like the others', async () => {
    serve({ ...answers, 'GET /api/patient/results': { body: { results: [] } } });
    renderInApp(<Portal />, { path: at('/portal/results/:id') });
    await waitFor(() => expect(told().join('')).toBe('We cannot find this result.'));
    expect(await heading()).toHaveTextContent('We cannot find this result.');
    expect(document.title).toBe('Test result · My health results');
  });

  test('after a refusal no disease is named [P14]', async () => {
    serve({ ...answers, 'GET /api/patient/results': { body: { results: [result] } } });
    renderInApp(<Portal />, { path: at('/portal/results/:id') });
    await waitFor(async () => expect(await heading()).toHaveTextContent('Gonorrhea'));
    serve({
      ...answers,
      'GET /api/patient/results': { status: 403, body: { code: 'forbidden', message: '' } },
    });
    void queryClient.invalidateQueries();
    await waitFor(async () => expect(await heading()).toHaveTextContent('Test result'));
    expect(document.body).not.toHaveTextContent('Gonorrhea');
  });

  test('after signing in again, the focus is on the heading', async () => {
    serve(answers);
    renderInApp(<Portal />, { path: '/portal/me' });
    await screen.findByText('ana@example.org');
    store.dispatch(sessionExpired());
    await screen.findByLabelText('Email, phone or patient number');
    signIn();
    await waitFor(async () => expect(await heading()).toHaveTextContent('My details'));
    expect(await heading()).toHaveFocus();
  });

  test('more entries take the focus of the button that requested them', async () => {
    serve(answers);
    renderInApp(<Portal />, { path: '/portal/access' });
    await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(3));
    expect(screen.getAllByRole('list').at(-1)).toHaveFocus();
  });

  test('the steps of signing in have their own titles', async () => {
    store.dispatch(signedOut());
    store.dispatch(nobody());
    const times = {
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      resendAt: new Date().toISOString(),
    };
    serve({
      'POST /auth/patient/sign-in': {
        body: { details: 'one', challengeMethod: 'EMAIL', destination: 'a•••@e•••', ...times },
      },
      'POST /auth/patient/challenge': {
        body: {
          details: 'two',
          challengeMethod: 'BIRTH_DATE',
          destination: null,
          proofs: ['BIRTH_DATE'],
          ...times,
        },
      },
    });
    renderInApp(<Portal />, { path: '/patient/sign-in' });
    const first = (await heading()).textContent;
    expect(document.title).toBe(`${first} · Caseway`);
    await userEvent.type(screen.getByLabelText('Email, phone or patient number'), 'ana@example.org{Enter}');
    await userEvent.type(await screen.findByLabelText('One-time code'), '123456');
    await screen.findByLabelText('Month');
    expect(document.title).toBe(`${(await heading()).textContent} · Caseway`);
    expect(document.title).not.toContain(first);
  });
});
