import type { Grid } from '@caseway/contract/grid';
import { type GridTab, gridViews, type SavedGridView } from '@caseway/contract/grid-views';
import { notify } from '../session/notify.ts';
import { useMay } from '../session/permissions.ts';
import { becameOld, type Change, callApi, useCall } from './api.ts';
import { ofGrid } from './of-grid.ts';
import { takeBack } from './take-back.ts';
import type { AppError } from './transport.ts';

type Calls = ReturnType<typeof gridViews>;

/** The endpoints of a list's saved views, created once. */
export const viewsOf = ofGrid((grid: Grid) => gridViews(grid));

/** The actions on a list's saved views; each confirms what it did. */
export interface ViewDeeds {
  /** Whether the user may share views in the organization. */
  mayShare: boolean;
  create: Change<Calls['create']>;
  change: Change<Calls['change']>;
  remove: Change<Calls['remove']>;
  /** Confirms that a view is saved. */
  saysSaved(name: string): void;
  /** Updates a saved view to what is shown. */
  update(view: GridTab, shown: SavedGridView): void;
  takeAway(view: GridTab, done: () => void): void;
  /**
   * Makes this view the list's default; null restores the built-in one. `instead`: it replaces another
   * default.
   */
  openWith(id: string | null, name: string, instead: boolean): void;
}

const refused = ({ code }: AppError) => notify('error', `error.${code}`);

export function useViewDeeds(grid: Grid): ViewDeeds {
  const calls = viewsOf(grid);
  const invalidates = [calls.list];
  const create = useCall(calls.create, { invalidates });
  const change = useCall(calls.change, { invalidates });
  const remove = useCall(calls.remove, { invalidates });
  const open = useCall(calls.open, { invalidates });
  const mayShare = useMay()('presets/share');
  return {
    mayShare,
    create,
    change,
    remove,
    saysSaved: (name) => notify('success', 'gridViews.saved', { values: { name } }),
    update: ({ id, name, view }, shown) => {
      const undo = async () => {
        await callApi(calls.change, { params: { id }, body: { view } });
        becameOld(calls.list);
      };
      change.mutate(
        { params: { id }, body: { view: shown } },
        {
          onSuccess: () =>
            notify('success', 'gridViews.saved', {
              values: { name },
              action: {
                label: 'gridViews.undo',
                run: () => void takeBack(undo, 'gridViews.undone', { name }),
              },
            }),
          onError: refused,
        },
      );
    },
    takeAway: ({ id, name }, done) =>
      remove.mutate(
        { params: { id } },
        {
          onSuccess: () => {
            done();
            notify('success', 'gridViews.deleted', { values: { name } });
          },
        },
      ),
    openWith: (id, name, instead) =>
      open.mutate(
        { body: { opensWith: id } },
        {
          onSuccess: () =>
            notify('success', instead ? 'gridViews.opensAsBefore' : 'gridViews.opensWith', {
              values: { name },
            }),
          onError: refused,
        },
      ),
  };
}
