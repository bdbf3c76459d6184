import type { Preset, PresetView } from '@caseway/contract/analytics-presets';
import type { Dashboard } from '@caseway/contract/dashboard';
import { name as presetName } from '@caseway/contract/name';
import { linkToAnalytics } from '@caseway/contract/search-params';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Divider from '@mui/material/Divider';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import ListItemButton from '@mui/material/ListItemButton';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { Bookmark, ChevronDown, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { z } from 'zod';
import { becameOld, callApi, useApi, useCall } from '../data/api.ts';
import { copyLink } from '../data/copy-link.ts';
import { takeBack } from '../data/take-back.ts';
import { notify } from '../session/notify.ts';
import { useMay } from '../session/permissions.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { ErrorSummary, showFaults, TextField, useSchemaForm } from '../ui/Form.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { DashboardControl } from '../view/dashboard-view.ts';
import { endpointsOf } from './endpoints.ts';

const nameForm = z.object({ name: presetName(80) });
const presetForm = nameForm.extend({ shared: z.boolean() });
type PresetCalls = ReturnType<typeof endpointsOf>['presets'];

/** Saved views of the screen: the user's own, and those shared in the organization. [S4.10] */
export function Presets({ of, view }: { of: Dashboard; view: DashboardControl }) {
  const { presets: calls } = endpointsOf(of);
  const invalidates = [calls.list];
  const { t } = useTranslation('analytics');
  const { pathname } = useLocation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [saving, setSaving] = useState(false);
  const [renamed, setRenamed] = useState<Preset | null>(null);
  const [removed, setRemoved] = useState<Preset | null>(null);
  const query = useApi(calls.list);
  const change = useCall(calls.change, { invalidates });
  const remove = useCall(calls.remove, { invalidates });
  const presets = query.data?.presets ?? [];
  const current = presets.find(({ id }) => id === view.state.presetFilter);
  const shown = shownBy(view);
  const changed = current !== undefined && !isSameView(current.view, shown);
  const close = () => {
    setAnchor(null);
    setRenamed(null);
  };

  const update = (preset: Preset) =>
    change.mutate(
      { params: { id: preset.id }, body: { view: shown } },
      {
        onSuccess: () => {
          close();
          notify('success', 'analytics:presets.updated', {
            values: { name: preset.name },
            action: {
              label: 'analytics:presets.undo',
              run: () => void undo(calls, preset.id, { view: preset.view }, preset.name),
            },
          });
        },
      },
    );
  const takeAway = (preset: Preset) =>
    remove.mutate(
      { params: { id: preset.id } },
      {
        onSuccess: () => {
          setRemoved(null);
          notify('success', 'analytics:presets.deleted', { values: { name: preset.name } });
        },
      },
    );
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
                  <Rename calls={calls} preset={preset} onClose={() => setRenamed(null)} />
                ) : (
                  <Entry
                    preset={preset}
                    selected={preset.id === current?.id}
                    onApply={() => {
                      close();
                      view.applyPreset(preset.id, preset.view);
                      if (preset.retired)
                        notify('info', 'analytics:presets.retired', { values: { name: preset.name } });
                    }}
                    onRename={() => setRenamed(preset)}
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
        {change.error ? (
          <Alert severity="error" sx={{ marginBottom: 1 }}>
            {t(`common:error.${change.error.code}`)}
          </Alert>
        ) : null}
        {current?.own && changed ? (
          <Button
            variant="text"
            size="small"
            fullWidth
            loading={change.isPending}
            onClick={() => update(current)}
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
      {saving ? <SavePreset calls={calls} view={view} onClose={() => setSaving(false)} /> : null}
      {removed ? (
        <ConfirmDialog
          open
          danger
          title={t('presets.deleteTitle', { name: removed.name })}
          confirm={t('presets.deleteIt')}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => takeAway(removed)}
          onClose={() => setRemoved(null)}
        >
          {t(removed.shared ? 'presets.deleteShared' : 'presets.deleteOwn')}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

const shownBy = ({ state: { filters, range, eventDate, granularity } }: DashboardControl): PresetView => ({
  filters,
  range,
  eventDate,
  granularity,
});

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

/** Restores a preset and says so. */
const undo = (calls: PresetCalls, id: string, body: { name?: string; view?: PresetView }, name: string) =>
  takeBack(
    async () => {
      await callApi(calls.change, { params: { id }, body });
      becameOld(calls.list);
    },
    'analytics:presets.undone',
    { name },
  );

/** A preset in the list. Its owner can rename and delete it. */
function Entry({
  preset: { name, shared, own },
  selected,
  onApply,
  onRename,
  onRemove,
}: {
  preset: Preset;
  selected: boolean;
  onApply: () => void;
  onRename: () => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation('analytics');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <ListItemButton selected={selected} onClick={onApply} sx={{ minWidth: 0 }}>
        <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography variant="body2">{name}</Typography>
          {shared ? (
            <Typography variant="caption" sx={{ color: 'text.secondary' }}>
              {t('presets.shared')}
            </Typography>
          ) : null}
        </Box>
      </ListItemButton>
      {own ? (
        <>
          <IconButton size="small" aria-label={t('presets.rename', { name })} onClick={onRename}>
            <Pencil size={16} aria-hidden />
          </IconButton>
          <IconButton size="small" aria-label={t('presets.delete', { name })} onClick={onRemove}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </>
      ) : null}
    </Box>
  );
}

/** Renames a preset in place: Enter saves, Escape cancels. */
function Rename({ calls, preset, onClose }: { calls: PresetCalls; preset: Preset; onClose: () => void }) {
  const { t } = useTranslation('analytics');
  const call = useCall(calls.change, { invalidates: [calls.list] });
  const form = useSchemaForm<z.infer<typeof nameForm>>(nameForm, { name: preset.name });
  const save = form.handleSubmit(({ name }) => {
    if (name === preset.name) return onClose();
    call.mutate(
      { params: { id: preset.id }, body: { name } },
      {
        onSuccess: () => {
          onClose();
          notify('success', 'analytics:presets.renamed', {
            values: { before: preset.name, name },
            action: {
              label: 'analytics:presets.undo',
              run: () => void undo(calls, preset.id, { name: preset.name }, preset.name),
            },
          });
        },
        onError: ({ faults }) => showFaults(form, faults),
      },
    );
  });
  return (
    <FormProvider {...form}>
      <Box
        component="form"
        noValidate
        aria-label={t('presets.rename', { name: preset.name })}
        onSubmit={(event) => void save(event)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Keeps the list open.
          event.stopPropagation();
          onClose();
        }}
        sx={{ display: 'grid', gap: 2, padding: 2 }}
      >
        <ErrorSummary labels={{ name: t('presets.name') }} />
        <TextField name="name" label={t('presets.name')} autoFocus disabled={call.isPending} />
        {call.error && call.error.faults.length === 0 ? (
          <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert>
        ) : null}
        <Box sx={{ display: 'flex', gap: 2 }}>
          <Button type="submit" size="small" variant="contained" loading={call.isPending}>
            {t('presets.keep')}
          </Button>
          <Button size="small" variant="text" disabled={call.isPending} onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
        </Box>
      </Box>
    </FormProvider>
  );
}

function SavePreset({
  calls,
  view,
  onClose,
}: {
  calls: PresetCalls;
  view: DashboardControl;
  onClose: () => void;
}) {
  const { t } = useTranslation('analytics');
  const may = useMay();
  const create = useCall(calls.create, { invalidates: [calls.list] });
  const form = useSchemaForm<z.infer<typeof presetForm>>(presetForm, { name: '', shared: false });
  const save = form.handleSubmit((values) =>
    create.mutate(
      { body: { ...values, view: shownBy(view) } },
      {
        onSuccess: (preset) => {
          view.applyPreset(preset.id, preset.view);
          notify('success', 'analytics:presets.saved', { values: { name: preset.name } });
          onClose();
        },
        onError: ({ faults }) => showFaults(form, faults),
      },
    ),
  );
  return (
    <FormDialog
      title={t('presets.save')}
      submit={t('presets.keep')}
      busy={create.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <ErrorSummary labels={{ name: t('presets.name') }} />
        <TextField name="name" label={t('presets.name')} autoFocus />
        {may('presets/share') ? (
          <FormControlLabel control={<Checkbox {...form.register('shared')} />} label={t('presets.share')} />
        ) : null}
        {create.error && create.error.faults.length === 0 ? (
          <Alert severity="error">{t(`common:error.${create.error.code}`)}</Alert>
        ) : null}
      </FormProvider>
    </FormDialog>
  );
}
