import type { GridQuery } from '@caseway/contract/grid';
import type { InitUserAnswer } from '@caseway/contract/session';
import type { storageKeys } from '../session/storage-keys.ts';
import type { Begun } from './ahead.ts';

/** The first page of an unchanged list, as the page requests it. */
export interface RowsAhead extends Pick<GridQuery, 'sortModel' | 'paginationModel' | 'filters'> {
  grid: string;
  permission: string;
  /** The first and last day of its range: fixed, or as days after today. */
  days?: readonly [start: string | number, end: string | number];
}

interface Asked {
  /** When, in milliseconds. */
  at: number;
  /** The headers of each request. */
  headers: Record<string, string>;
  /** By method, address and body. */
  answers: Map<string, Promise<Response | null>>;
}

declare global {
  interface Window {
    rowsAhead?: Asked | undefined;
  }
}

/**
 * Requests the first page of the list at the current address, with its columns and views, as soon as the page
 * knows who is signed in: on a slow line, the rows arrive before the program that draws them. Only if the
 * program would request the same; otherwise it does so itself.
 *
 * The build writes this function into index.html as text, so it may not use anything outside itself.
 */
export function askRowsAhead({ list, language }: Begun, keys: typeof storageKeys): void {
  const ahead = window.sessionAhead;
  if (!list || !ahead || window.location.search !== '') return;
  const { grid, permission, days, sortModel, paginationModel, filters } = list;
  const stored = (open: () => Storage, key: string) => {
    try {
      return JSON.parse(open().getItem(key) ?? '{}');
    } catch {
      // The browser may block its storage, or hold something unreadable.
      return {};
    }
  };
  const isTouched = stored(() => window.sessionStorage, keys.views).views?.[grid] !== undefined;
  const opensOtherwise = stored(() => window.localStorage, keys.preferences).opened?.includes(grid);
  if (isTouched || opensOtherwise) return;
  const dayIn = (timeZone: string, day: string | number) =>
    typeof day === 'string'
      ? day
      : new Date(
          Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now())) + day * 86_400_000,
        )
          .toISOString()
          .slice(0, 10);
  // Does not wait for anything else, because the program asks a moment later.
  const ask = (accessToken: string, person: Pick<InitUserAnswer, 'selectedOrg' | 'casbinPolicy'>) => {
    const { selectedOrg, casbinPolicy } = person;
    if (!selectedOrg || !casbinPolicy.some((line) => line.includes(permission))) return;
    const { timeZone, token } = selectedOrg;
    const headers = {
      'Accept-Language': language,
      Authorization: `Bearer ${accessToken}`,
      'X-Org-Token': token,
    };
    const answers: Asked['answers'] = new Map();
    const send = (method: string, part: string, query?: object) => {
      const address = `/api/web/grid/${grid}/${part}`;
      const body = query && JSON.stringify(query);
      const answer = fetch(address, {
        method,
        headers: {
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body ?? null,
      });
      // The program retries failures and reports them.
      answers.set(
        `${method} ${address} ${body ?? ''}`,
        answer.catch(() => null),
      );
    };
    send('POST', 'search', {
      filterModel: { items: [], logicOperator: 'and' },
      sortModel,
      paginationModel,
      filters,
      ...(days && {
        dateRangeValue: { start: dayIn(timeZone, days[0]), end: dayIn(timeZone, days[1]) },
      }),
    });
    send('GET', 'columns');
    send('GET', 'views');
    window.rowsAhead = { at: Date.now(), headers, answers };
  };
  void ahead.tokens.then((tokens) =>
    ahead.person.then((person) => {
      if (tokens && person) ask(tokens.accessToken, person as InitUserAnswer);
    }),
  );
}

/** How long a preloaded page of a list counts as fresh, in milliseconds. */
export const aheadMs = 15_000;

/** The page's answer to a request, if it made exactly that one. Works once. */
export async function answerAhead(
  method: string,
  address: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Response | undefined> {
  const ahead = window.rowsAhead;
  if (!ahead) return undefined;
  if (Date.now() - ahead.at > aheadMs) {
    window.rowsAhead = undefined;
    return undefined;
  }
  if (Object.entries(ahead.headers).some(([name, value]) => headers[name] !== value)) return undefined;
  const request = `${method} ${address} ${body ? JSON.stringify(body) : ''}`;
  const answer = ahead.answers.get(request);
  ahead.answers.delete(request);
  const response = await answer;
  return response?.ok ? response : undefined;
}
