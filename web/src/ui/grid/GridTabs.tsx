import type { Grid } from '@caseway/contract/grid';
import type { GridTab } from '@caseway/contract/grid-views';
import { linkToGrid } from '@caseway/contract/search-params';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ChevronDown, Lock, Users } from 'lucide-react';
import { memo, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { copyLink } from '../../data/copy-link.ts';
import { useViewDeeds, viewsOf } from '../../data/saved-views.ts';
import { part, useAhead } from '../../loading/part.tsx';
import { type Tab, type GridTabs as Tabs, viewOf } from '../../view/grid-tabs.ts';
import type { GridControl } from '../../view/grid-view.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { takesFocus, useFocusTaken } from '../use-focus-taken.ts';
import { isChangeable, useLockWords, useViewItems, ViewMenu } from '../ViewMenu.tsx';
import type { ColumnArrangement } from './columns.ts';

const loadDialog = () => import('./ViewDialog.tsx');
const ViewDialog = part('view-dialog', loadDialog);
const RoleOpenings = part('role-openings', () => import('../RoleOpenings.tsx'));

/** This many saved views are visible; the others are in a menu. */
const inSight = 5;

/** The dialog over the tabs: the form of a new or saved view, its roles, or the confirmation before deleting it. */
type Opened = { form: GridTab | null } | { removed: GridTab } | { forRoles: GridTab } | null;

/**
 * A list's views as tabs: the built-in ones, then the reader's own and those shared in the organization. A
 * changed one says so, and can be saved or reset. On a phone they are in a list.
 */
export const GridTabs = memo(function GridTabs({
  grid,
  pathname,
  state,
  tabs: { tabs, open, changed, shown, opensWith, opening, select },
  columns,
  label,
  viewLabel,
}: {
  grid: Grid;
  /** The list's address. */
  pathname: string;
  state: GridControl;
  tabs: Tabs;
  /** The current columns; null for cards, which have none. */
  columns: Pick<ColumnArrangement, 'settings' | 'givenAway'> | null;
  /** The list's name. */
  label: string;
  viewLabel: ((code: string) => string) | undefined;
}) {
  const { t } = useTranslation();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const [opened, setOpened] = useState<Opened>(null);
  const deeds = useViewDeeds(viewsOf(grid));
  const items = useViewItems(deeds, opening);
  const lockWords = useLockWords();
  const { create, change, remove } = deeds;
  useAhead(loadDialog);
  const { frame, take } = useFocusTaken(opened === null ? open.id : null);
  const edit = (form: GridTab | null) => {
    create.reset();
    change.reset();
    setOpened({ form });
  };

  // The records behind a number are not a view of the list.
  if (state.view.behind) return null;
  const nameOf = ({ id, saved }: Tab): string => {
    if (saved) return saved.name;
    if (viewLabel && grid.views?.codes.includes(id)) return viewLabel(id);
    return t(id === 'mine' || id === 'open' ? `gridViews.${id}` : 'gridViews.all');
  };
  /** For screen readers and tooltips: who else sees it, and who locked it. */
  const saysOf = ({ saved }: Tab): string | undefined =>
    saved?.shared
      ? [t('gridViews.shared', { name: saved.name }), lockWords(saved)].filter(Boolean).join(', ')
      : undefined;
  const addressOf = (tab: Tab) => linkToGrid(grid, pathname, viewOf(tab));

  const saved = tabs.filter((tab) => tab.saved);
  const first = saved.slice(0, inSight);
  const isHidden = open.saved !== undefined && !first.some(({ id }) => id === open.id);
  const seen = isHidden ? [...first.slice(0, -1), open] : first;
  const more = saved.filter(({ id }) => !seen.some((tab) => tab.id === id));
  return (
    <Box
      ref={frame}
      className="no-print"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        minWidth: 0,
        width: { xs: '100%', sm: 'auto' },
      }}
    >
      {narrow ? (
        <NativeSelect
          value={open.id}
          onChange={(event) => {
            const tab = tabs.find(({ id }) => id === event.target.value);
            if (tab) select(tab);
          }}
          inputProps={{ 'aria-label': t('gridViews.pick'), ...takesFocus }}
          input={<OutlinedInput sx={{ minHeight: 36, flex: '1 1 0', minWidth: 0, fontWeight: 550 }} />}
        >
          {tabs.map((tab) => (
            <option key={tab.id} value={tab.id}>
              {nameOf(tab)}
            </option>
          ))}
        </NativeSelect>
      ) : (
        <Box component="nav" aria-label={t('gridViews.title', { list: label })} sx={{ minWidth: 0 }}>
          <Box component="ul" sx={tabStyles}>
            {[...tabs.filter((tab) => !tab.saved), ...seen].map((tab) => (
              <li key={tab.id}>
                <Link
                  to={addressOf(tab)}
                  aria-current={tab.id === open.id ? 'true' : undefined}
                  {...(tab.id === open.id && takesFocus)}
                  aria-label={saysOf(tab)}
                  title={saysOf(tab) ?? tab.saved?.name}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
                    event.preventDefault();
                    select(tab);
                  }}
                >
                  <span>{nameOf(tab)}</span>
                  {tab.saved?.locked ? (
                    <Lock size={14} aria-hidden />
                  ) : tab.saved?.shared ? (
                    <Users size={14} aria-hidden />
                  ) : null}
                </Link>
              </li>
            ))}
            {more.length > 0 ? (
              <li>
                <More tabs={more} nameOf={nameOf} onSelect={select} />
              </li>
            ) : null}
          </Box>
        </Box>
      )}
      <ViewMenu
        name={nameOf(open)}
        items={[
          {
            label: t('gridViews.copy'),
            act: () => void copyLink(linkToGrid(grid, pathname, state.view)),
          },
          ...items.forMe(
            { id: open.id, name: nameOf(open) },
            { counts: opensWith ?? tabs[0]!.id, otherwise: opening.roleOpensWith ?? tabs[0]!.id },
          ),
          ...items.lock(open.saved),
          ...items.forRoles(open.saved, () => setOpened({ forRoles: open.saved! })),
          ...(open.saved && isChangeable(open.saved)
            ? [
                {
                  label: t(deeds.mayShare && open.saved.own ? 'gridViews.edit' : 'gridViews.change'),
                  act: () => edit(open.saved!),
                },
                {
                  label: t('gridViews.delete'),
                  act: () => {
                    remove.reset();
                    setOpened({ removed: open.saved! });
                  },
                },
              ]
            : []),
        ]}
      />
      {open.saved?.locked ? (
        <Typography
          variant="body2"
          sx={{ display: 'flex', alignItems: 'center', gap: 1, color: 'text.secondary' }}
        >
          <Lock size={14} aria-hidden />
          {lockWords(open.saved)}
        </Typography>
      ) : null}
      {changed ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, marginLeft: { sm: 2 } }}>
          <Typography variant="body2" role="status" sx={{ color: 'text.secondary', marginRight: 1 }}>
            {t('gridViews.changed')}
          </Typography>
          {open.saved && isChangeable(open.saved) ? (
            <Button
              size="small"
              variant="outlined"
              loading={change.isPending}
              onClick={() => {
                take(open.id);
                deeds.update(open.saved!, shown);
              }}
            >
              {t('gridViews.save')}
            </Button>
          ) : null}
          <Button size="small" variant="outlined" onClick={() => edit(null)}>
            {t('gridViews.saveNew')}
          </Button>
          <Button
            size="small"
            variant="text"
            onClick={() => {
              take(open.id);
              select(open);
            }}
          >
            {t('gridViews.reset')}
          </Button>
        </Box>
      ) : null}
      {opened && 'form' in opened ? (
        <Suspense fallback={null}>
          <ViewDialog
            deeds={deeds}
            stored={opened.form}
            shown={shown}
            columns={columns?.settings ?? null}
            onMade={(made) => {
              if (made.view.columns) columns?.givenAway();
              take(made.id);
              select({ id: made.id, view: made.view, saved: made });
            }}
            onClose={() => {
              if (opened.form) take(opened.form.id);
              setOpened(null);
            }}
          />
        </Suspense>
      ) : null}
      {opened && 'forRoles' in opened ? (
        <Suspense fallback={null}>
          <RoleOpenings
            deeds={deeds}
            view={opened.forRoles}
            views={saved.flatMap((tab) => (tab.saved ? [tab.saved] : []))}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      ) : null}
      {opened && 'removed' in opened ? (
        <ConfirmDialog
          open
          danger
          title={t('gridViews.deleteTitle', { name: opened.removed.name })}
          confirm={t('gridViews.delete')}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            deeds.takeAway(opened.removed, () => {
              setOpened(null);
              take(tabs[0]!.id);
              select(tabs[0]!);
            })
          }
          onClose={() => setOpened(null)}
        >
          {t(opened.removed.shared ? 'gridViews.deleteShared' : 'gridViews.deleteOwn')}
        </ConfirmDialog>
      ) : null}
    </Box>
  );
});

const tabStyles = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: 0.5,
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& a': {
    display: 'flex',
    alignItems: 'center',
    gap: 1,
    minHeight: 32,
    maxWidth: 220,
    padding: '0 12px',
    borderRadius: '6px',
    fontSize: '0.8125rem',
    fontWeight: 550,
    color: 'text.secondary',
    textDecoration: 'none',
  },
  '& a > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& a > svg': { flex: 'none' },
  '& a:hover': { backgroundColor: 'raised', color: 'text.primary' },
  '& a[aria-current]': { backgroundColor: 'tint', color: 'primary.main' },
  '@media (forced-colors: active)': { '& a[aria-current]': { outline: '2px solid Highlight' } },
} as const;

/** The saved views that do not fit. */
function More({
  tabs,
  nameOf,
  onSelect,
}: {
  tabs: readonly Tab[];
  nameOf: (tab: Tab) => string;
  onSelect: (tab: Tab) => void;
}) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        size="small"
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        endIcon={<ChevronDown size={14} aria-hidden />}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('gridViews.more', { count: tabs.length })}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {tabs.map((tab) => (
          <MenuItem
            key={tab.id}
            onClick={() => {
              setAnchor(null);
              onSelect(tab);
            }}
          >
            {nameOf(tab)}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
