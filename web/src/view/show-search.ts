import type { FoundKind } from '@caseway/contract/search';
import { gridCodec, initialGridView } from '@caseway/contract/search-params';
import { store } from '../session/store.ts';
import { viewSet } from './views.ts';

/**
 * Makes a list show all matches of these words when it is next opened, for every day and in every tab. No
 * address contains the words. [P16]
 */
export async function showSearch(kind: FoundKind, words: readonly string[]): Promise<void> {
  const { searchLists } = await import('@caseway/contract/search-lists');
  const { grid } = searchLists[kind];
  store.dispatch(
    viewSet(gridCodec(grid), {
      ...initialGridView(grid),
      filterModel: { items: [], logicOperator: 'and', quickFilterValues: [...words] },
      filters: grid.views?.codes.includes('all') ? { [grid.views.of]: ['all'] } : {},
      range: grid.defaultRange ? 'all' : null,
    }),
  );
}
