import { initialGeo, type State, states } from '@caseway/contract/reference';
import { countriesLoaded } from '../session/geo.ts';
import { store } from '../session/store.ts';
import { apiQuery, cacheMs, queryClient } from './api.ts';

/**
 * Loads the countries at start-up. Without them every screen still works, except that no country can be
 * chosen. [S3.12]
 */
export async function loadCountries(): Promise<void> {
  try {
    const { countries } = await queryClient.fetchQuery({
      ...apiQuery(initialGeo, { query: {} }, true),
      staleTime: cacheMs,
    });
    store.dispatch(countriesLoaded(countries));
  } catch (error) {
    console.error('the countries could not be loaded', error);
  }
}

/**
 * The states of a country, by default the United States. An error is logged and the promise never resolves: a
 * field waiting for states keeps waiting instead of showing a country without any. [S7.6]
 */
export function loadStates(countryId?: string): Promise<State[]> {
  return new Promise((resolve) => {
    queryClient
      .fetchQuery({
        ...apiQuery(states, { query: countryId === undefined ? {} : { countryId } }),
        staleTime: cacheMs,
      })
      .then(
        (answer) => resolve(answer.states),
        (error: unknown) => console.error('the states could not be loaded', error),
      );
  });
}
