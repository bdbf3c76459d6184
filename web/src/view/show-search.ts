import type { FoundKind } from '@caseway/contract/search';
import { gridCodec, initialGridView } from '@caseway/contract/search-params';
import { store } from '../session/store.ts';
import { viewSet } from './views.ts';

/**
 * What a list shows when it is opened next: everything that matches words, of every day and in every tab. No address has
 * the words. [P16]
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
