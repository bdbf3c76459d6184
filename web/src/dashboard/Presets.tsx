import type { Preset, PresetView } from '@caseway/contract/analytics-presets';
import type { Dashboard } from '@caseway/contract/dashboard';
import { linkToAnalytics } from '@caseway/contract/search-params';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import ListItemButton from '@mui/material/ListItemButton';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { Bookmark, ChevronDown, Lock, Pencil, Trash2 } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { copyLink } from '../data/copy-link.ts';
import { useViewDeeds } from '../data/saved-views.ts';
import { part } from '../loading/part.tsx';
import { notify } from '../session/notify.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { isChangeable, useLockWords, useViewItems, type ViewItem, ViewMenu } from '../ui/ViewMenu.tsx';
import type { DashboardControl } from '../view/dashboard-view.ts';
import { openingIn, ownOpening, useSavedViews } from '../view/opening.ts';
import { endpointsOf, openingKeyOf } from './endpoints.ts';
import { Rename, SavePreset, shownBy } from './PresetForms.tsx';

const RoleOpenings = part('role-openings', () => import('../ui/RoleOpenings.tsx'));
const noOpening = { opensWith: null, roleOpensWith: null };

/**
 * Saved views of the screen: the user's own, and those shared in the organization. An untouched screen opens
 * with the default one. [S4.10]
 */
export function Presets({ of, view }: { of: Dashboard; view: DashboardControl }) {
  const { presets: calls } = endpointsOf(of);
  const { t } = useTranslation('analytics');
  const { pathname } = useLocation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [saving, setSaving] = useState(false);
  const [renamed, setRenamed] = useState<Preset | null>(null);
  const [removed, setRemoved] = useState<Preset | null>(null);
  const [forRoles, setForRoles] = useState<Preset | null>(null);
  const query = useSavedViews(calls, openingKeyOf(of));
  const deeds = useViewDeeds(calls);
  const opening = query.data ?? noOpening;
  const items = useViewItems(deeds, opening);
  const { change, remove } = deeds;
  const presets = query.data?.presets ?? [];
  const current = presets.find(({ id }) => id === view.state.presetFilter);
  const shown = shownBy(view);
  const changed = current !== undefined && !isSameView(current.view, shown);
  const opensWith = openingIn(opening, (id) => presets.some((preset) => preset.id === id));
  const first = view.untouched ? opensWith : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it becomes known.
  useEffect(() => {
    const preset = presets.find(({ id }) => id === first);
    if (preset) view.applyPreset(preset.id, preset.view);
  }, [first]);
  const close = () => {
    setAnchor(null);
    setRenamed(null);
  };
  const itemsOf = (preset: Preset): ViewItem[] => [
    ...items.forMe(preset, { counts: opensWith, otherwise: opening.roleOpensWith, none: ownOpening }),
    ...items.lock(preset),
    ...items.forRoles(preset, () => {
      close();
      setForRoles(preset);
    }),
  ];
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        startIcon={<Bookmark size={16} aria-hidden />}
        endIcon={<ChevronDown size={14} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ overflowWrap: 'anywhere' }}
      >
        {current
          ? changed
            ? t('presets.changed', { name: current.name })
            : current.name
          : t('presets.title')}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': t('presets.title'),
            sx: { width: 'min(360px, calc(100vw - 32px))', padding: 2 },
          },
        }}
      >
        {query.isError ? (
          <Typography variant="body2" role="alert" sx={{ padding: 2 }}>
            {t('presets.failed')}
          </Typography>
        ) : presets.length === 0 ? (
          <Typography variant="body2" sx={{ padding: 2, color: 'text.secondary' }}>
            {t('presets.none')}
          </Typography>
        ) : (
          <Box
            component="ul"
            sx={{ margin: 0, padding: 0, listStyle: 'none', maxHeight: 280, overflow: 'auto' }}
          >
            {presets.map((preset) => (
              <Box component="li" key={preset.id}>
                {renamed?.id === preset.id ? (
                  <Rename deeds={deeds} preset={preset} onClose={() => setRenamed(null)} />
                ) : (
                  <Entry
                    preset={preset}
                    selected={preset.id === current?.id}
                    items={itemsOf(preset)}
                    onApply={() => {
                      close();
                      view.applyPreset(preset.id, preset.view);
                      if (preset.retired)
                        notify('info', 'analytics:presets.retired', { values: { name: preset.name } });
                    }}
                    onRename={() => {
                      change.reset();
                      setRenamed(preset);
                    }}
                    onRemove={() => {
                      close();
                      remove.reset();
                      setRemoved(preset);
                    }}
                  />
                )}
              </Box>
            ))}
          </Box>
        )}
        <Divider sx={{ marginBlock: 1 }} />
        {current && isChangeable(current) && changed ? (
          <Button
            variant="text"
            size="small"
            fullWidth
            loading={change.isPending}
            onClick={() => deeds.update(current, shown, close)}
            sx={{ overflowWrap: 'anywhere' }}
          >
            {t('presets.update', { name: current.name })}
          </Button>
        ) : null}
        <Button
          variant="text"
          size="small"
          fullWidth
          onClick={() => {
            close();
            setSaving(true);
          }}
        >
          {t('presets.save')}
        </Button>
        <Button
          variant="text"
          size="small"
          fullWidth
          onClick={() => {
            close();
            void copyLink(linkToAnalytics(of, pathname, view.state));
          }}
        >
          {t('common:gridViews.copy')}
        </Button>
      </Popover>
      {saving ? <SavePreset deeds={deeds} view={view} onClose={() => setSaving(false)} /> : null}
      {forRoles ? (
        <Suspense fallback={null}>
          <RoleOpenings deeds={deeds} view={forRoles} views={presets} onClose={() => setForRoles(null)} />
        </Suspense>
      ) : null}
      {removed ? (
        <ConfirmDialog
          open
          danger
          title={t('presets.deleteTitle', { name: removed.name })}
          confirm={t('presets.deleteIt')}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => deeds.takeAway(removed, () => setRemoved(null))}
          onClose={() => setRemoved(null)}
        >
          {t(removed.shared ? 'presets.deleteShared' : 'presets.deleteOwn')}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** Whether two views show the same. Empty filters and the order of values do not matter. */
function isSameView(one: PresetView, other: PresetView): boolean {
  const text = ({ filters, range, eventDate, granularity }: PresetView) =>
    JSON.stringify([
      Object.keys(filters)
        .filter((filter) => filters[filter]!.length > 0)
        .sort()
        .map((filter) => [filter, [filters[filter]!].flat().sort()]),
      range && Object.entries(range).sort(),
      eventDate,
      granularity,
    ]);
  return text(one) === text(other);
}

/** A preset in the list. People who may change it can rename and delete it, unless it is locked. */
function Entry({
  preset,
  selected,
  items,
  onApply,
  onRename,
  onRemove,
}: {
  preset: Preset;
  selected: boolean;
  items: readonly ViewItem[];
  onApply: () => void;
  onRename: () => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation('analytics');
  const locked = useLockWords()(preset);
  const { name, shared } = preset;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <ListItemButton selected={selected} onClick={onApply} sx={{ minWidth: 0 }}>
        <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography variant="body2">{name}</Typography>
          {shared ? (
            <Typography variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
              {t('presets.shared')}
            </Typography>
          ) : null}
          {locked ? (
            <Typography
              variant="caption"
              sx={{ display: 'flex', alignItems: 'center', gap: 0.5, color: 'text.secondary' }}
            >
              <Lock size={12} aria-hidden />
              {locked}
            </Typography>
          ) : null}
        </Box>
      </ListItemButton>
      {isChangeable(preset) ? (
        <>
          <IconButton size="small" aria-label={t('presets.rename', { name })} onClick={onRename}>
            <Pencil size={16} aria-hidden />
          </IconButton>
          <IconButton size="small" aria-label={t('presets.delete', { name })} onClick={onRemove}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </>
      ) : null}
      {items.length > 0 ? <ViewMenu name={name} items={items} /> : null}
    </Box>
  );
}
