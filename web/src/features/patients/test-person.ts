import type { PersonAnswer } from '@caseway/contract/patients';
import { act } from '@testing-library/react';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { roomForRows } from '../../test/list-room.ts';
import { accessToken, initAnswer, org, refreshToken } from '../../test/server.ts';

/* What the tests of the patient screens share. */

export const id = '11111111-1111-4111-8111-111111111111';
export const otherId = '22222222-2222-4222-8222-222222222222';

export const person: PersonAnswer = {
  id,
  version: 2,
  lastName: 'Okafor',
  firstName: 'Ada',
  middleName: null,
  nameSuffix: null,
  otherNames: ['Bello, Ada'],
  birthDate: '1990-05-01',
  birthDatePrecision: 'day',
  sex: 'F',
  gender: null,
  race: null,
  ethnicity: null,
  language: null,
  street: '1 Bay St',
  street2: null,
  city: 'Tampa',
  county: '12057',
  state: '12',
  postalCode: '33602',
  phone: '555 x12',
  phones: ['555 x12', '+18135550101'],
  email: null,
  emails: [],
  deceased: null,
  deceasedOn: null,
  identifiers: null,
  numbers: [],
  cases: 1,
  results: 2,
  lastResultOn: '2026-03-04',
  told: true,
};

const options = (...entries: [string, string][]) => ({
  body: { options: entries.map(([entry, label]) => ({ id: entry, label })) },
});
/** The look-ups the form chooses from. */
export const lookups = {
  'GET /api/web/list/options/sex': options(['F', 'Female'], ['M', 'Male']),
  'GET /api/web/list/options/gender': options(['non-binary', 'Non-binary']),
  'GET /api/web/list/options/counties': options(['12057', 'Hillsborough']),
  'GET /api/web/list/options/states': options(['12', 'Florida']),
  'GET /api/web/list/options/languages': options(['en', 'English']),
  'GET /api/web/list/options/race': options(['2054-5', 'Black']),
  'GET /api/web/list/options/ethnicity': options(['2186-5', 'Not Hispanic']),
};

/** A user with these permissions, of a tenant or another kind of organization. */
export function signIn(permissions: readonly string[], orgType: 'T' | 'PHJ' = 'T'): void {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(
      initAnswer([org('t1', 'Alder', { orgType })], {
        casbinPolicy: permissions.map((permission) => `p, u1, ${orgType}, ${permission}, allow`),
      }),
    ),
  );
}

export function begin(): void {
  queryClient.clear();
  roomForRows();
}
export const end = () => act(() => void store.dispatch(signedOut()));
