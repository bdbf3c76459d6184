import type { Grid } from '@caseway/contract/grid';
import { gridViews } from '@caseway/contract/grid-views';
import type { SavedView, SavedViewCalls } from '@caseway/contract/saved-views';
import { notify } from '../session/notify.ts';
import { useMay } from '../session/permissions.ts';
import { useAppSelector } from '../session/store.ts';
import { becameOld, type Change, callApi, useCall } from './api.ts';
import { ofGrid } from './of-grid.ts';
import { takeBack } from './take-back.ts';
import type { AppError } from './transport.ts';

/** The endpoints of a list's saved views, created once. */
export const viewsOf = ofGrid((grid: Grid) => gridViews(grid));

/** A saved view without what it shows. */
export type NamedView = Pick<SavedView<unknown>, 'id' | 'name' | 'version'>;

/** The actions on a screen's saved views; each confirms what it did. */
export interface ViewDeeds<View> {
  calls: SavedViewCalls<View>;
  /** Whether the user may share views in the organization, and lock and unlock shared ones. */
  mayShare: boolean;
  /** Whether the user may choose the default of roles. */
  mayOpenForRoles: boolean;
  create: Change<SavedViewCalls<View>['create']>;
  change: Change<SavedViewCalls<View>['change']>;
  remove: Change<SavedViewCalls<View>['remove']>;
  /** Confirms that a view is saved. */
  saysSaved(name: string): void;
  /** Confirms that the default of roles is saved. */
  saysRolesSaved(): void;
  /** After a refused change: loads the views as they are now. */
  lookAgain(): void;
  /** Updates a saved view to what is shown. */
  update(view: SavedView<View>, shown: View, done?: () => void): void;
  lock(view: SavedView<View>): void;
  takeAway(view: NamedView, done: () => void): void;
  /**
   * Makes this view the screen's default for the user; null leaves it to their roles and the screen.
   * `instead`: it replaces another default.
   */
  openWith(id: string | null, name: string, instead: boolean): void;
}

export function useViewDeeds<View>(calls: SavedViewCalls<View>): ViewDeeds<View> {
  const invalidates = [calls.list];
  const create = useCall(calls.create, { invalidates });
  const change = useCall(calls.change, { invalidates });
  const remove = useCall(calls.remove, { invalidates });
  const open = useCall(calls.open, { invalidates });
  const may = useMay();
  const isWhole = useAppSelector(({ authentication }) => authentication.selectedTenantOrg?.orgType === 'T');
  const lookAgain = () => becameOld(calls.list);
  const refused = ({ code }: AppError, name: string) => {
    notify('error', code === 'conflict' ? 'gridViews.conflict' : `error.${code}`, { values: { name } });
    lookAgain();
  };
  return {
    calls,
    mayShare: may('presets/share'),
    mayOpenForRoles: isWhole && may('settings/write'),
    create,
    change,
    remove,
    lookAgain,
    saysSaved: (name) => notify('success', 'gridViews.saved', { values: { name } }),
    saysRolesSaved: () => notify('success', 'gridViews.rolesSaved'),
    update: ({ id, name, version, view }, shown, done) => {
      const undo = async () => {
        await callApi(calls.change, { params: { id }, body: { version: version + 1, view } });
        becameOld(calls.list);
      };
      change.mutate(
        { params: { id }, body: { version, view: shown } },
        {
          onSuccess: () => {
            done?.();
            notify('success', 'gridViews.saved', {
              values: { name },
              action: {
                label: 'gridViews.undo',
                run: () => void takeBack(undo, 'gridViews.undone', { name }),
              },
            });
          },
          onError: (error) => refused(error, name),
        },
      );
    },
    lock: ({ id, name, version, locked }) =>
      change.mutate(
        { params: { id }, body: { version, locked: !locked } },
        {
          onSuccess: () =>
            notify('success', locked ? 'gridViews.unlockedNow' : 'gridViews.lockedNow', {
              values: { name },
            }),
          onError: (error) => refused(error, name),
        },
      ),
    takeAway: ({ id, name, version }, done) =>
      remove.mutate(
        { params: { id }, query: { version } },
        {
          onSuccess: () => {
            done();
            notify('success', 'gridViews.deleted', { values: { name } });
          },
          onError: lookAgain,
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
          onError: (error) => refused(error, name),
        },
      ),
  };
}
