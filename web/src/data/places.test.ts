import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { accessToken, initAnswer, refreshToken, serve } from '../test/server.ts';
import { queryClient } from './api.ts';
import { loadCountries, loadStates } from './places.ts';

const usa = { id: 'US', code: 'US', label: 'United States' };
const oregon = { id: '41', code: '41', label: 'Oregon', countryId: 'US', abbreviation: 'OR' };

beforeEach(() => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

describe('places', () => {
  test('[S3.12] the geo state has the countries of the initial look-up', async () => {
    serve({
      'GET /api/web/list/initialGeo': { body: { countries: [usa], states: [], citiesDistricts: [] } },
    });
    await loadCountries();
    expect(store.getState().geo.countryList).toEqual([usa]);
  });

  test('[S7.6] the states of a country', async () => {
    const requests = serve({ 'GET /api/web/list/states': { body: { states: [oregon] } } });
    expect(await loadStates('US')).toEqual([oregon]);
    expect(requests[0]!.query).toEqual({ countryId: 'US' });
  });

  test('[S7.6] an error is logged, and the promise never resolves', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    serve({ 'GET /api/web/list/states': { status: 400, body: { code: 'malformed-request', message: '' } } });
    const settled = vi.fn();
    void loadStates('XX').then(settled, settled);
    await waitFor(() => expect(logged).toHaveBeenCalledOnce());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(settled).not.toHaveBeenCalled();
  });
});
