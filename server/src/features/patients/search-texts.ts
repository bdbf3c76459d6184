import type { Beside } from '../../platform/analytics/facts.ts';

const keys = (condition: string) => `string_agg(' ' || k.key, '' order by k.key) filter (where ${condition})`;

/**
 * The search keys `k` of a row `c` of a fact, each with a blank before it. A search looks for the beginning of a
 * key, so it reads either the keys that begin with a letter or those that begin with a digit. open_…: the keys that
 * find the row for readers who may not see restricted families. `ownNumber`: the column whose number finds the row
 * for everyone who sees it.
 */
export const searchTextsOf = ({
  keys: ofRow,
  openly,
  ownNumber,
}: {
  keys: string;
  openly: string;
  ownNumber?: string;
}): Beside => ({
  from: (tenant) => `search_key k where k.tenant_id = ${tenant} and (${ofRow})`,
  columns: {
    search_names: {
      kind: 'text',
      for: ['list'],
      sql: keys(`k.key >= 'a'`),
      // The keys include telephones, addresses and numbers; a person can still be found by name.
      untold: (shown) =>
        `' ' || coalesce(${shown('first_name_key')}, '') || ' ' || coalesce(${shown('last_name_key')}, '')`,
    },
    search_numbers: {
      kind: 'text',
      for: ['list'],
      sql: keys(`k.key < 'a'`),
      untold: () => (ownNumber ? `' ' || replace(${ownNumber}, '-', '')` : 'null'),
      ...(ownNumber && { untoldWithin: true }),
    },
    open_search_names: { kind: 'text', sql: keys(`k.key >= 'a' and c.told_openly and (${openly})`) },
    open_search_numbers: { kind: 'text', sql: keys(`k.key < 'a' and c.told_openly and (${openly})`) },
  },
});
