import type { Preset, PresetView } from '@caseway/contract/analytics-presets';
import { name as presetName } from '@caseway/contract/name';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { becameOld, callApi } from '../data/api.ts';
import type { ViewDeeds } from '../data/saved-views.ts';
import { takeBack } from '../data/take-back.ts';
import { notify } from '../session/notify.ts';
import { ErrorSummary, showFaults, TextField, useSchemaForm } from '../ui/Form.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { DashboardControl } from '../view/dashboard-view.ts';

const nameForm = z.object({ name: presetName(80) });
const presetForm = nameForm.extend({ shared: z.boolean() });
type Deeds = ViewDeeds<PresetView>;

/** What would be saved now. */
export const shownBy = ({
  state: { filters, range, eventDate, granularity },
}: DashboardControl): PresetView => ({
  filters,
  range,
  eventDate,
  granularity,
});

/** Renames a preset in place: Enter saves, Escape cancels. */
export function Rename({ deeds, preset, onClose }: { deeds: Deeds; preset: Preset; onClose: () => void }) {
  const { t } = useTranslation('analytics');
  const { calls, change: call } = deeds;
  const form = useSchemaForm<z.infer<typeof nameForm>>(nameForm, { name: preset.name });
  const undo = async () => {
    const body = { version: preset.version + 1, name: preset.name };
    await callApi(calls.change, { params: { id: preset.id }, body });
    becameOld(calls.list);
  };
  const save = form.handleSubmit(({ name }) => {
    if (name === preset.name) return onClose();
    call.mutate(
      { params: { id: preset.id }, body: { version: preset.version, name } },
      {
        onSuccess: () => {
          onClose();
          notify('success', 'analytics:presets.renamed', {
            values: { before: preset.name, name },
            action: {
              label: 'gridViews.undo',
              run: () => void takeBack(undo, 'gridViews.undone', { name: preset.name }),
            },
          });
        },
        onError: ({ faults }) => {
          showFaults(form, faults);
          deeds.lookAgain();
        },
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
          <Alert severity="error">
            {call.error.code === 'conflict'
              ? t('common:gridViews.conflict', { name: preset.name })
              : t(`common:error.${call.error.code}`)}
          </Alert>
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

/** Saves the current view as a new preset. */
export function SavePreset({
  deeds: { create, mayShare },
  view,
  onClose,
}: {
  deeds: Deeds;
  view: DashboardControl;
  onClose: () => void;
}) {
  const { t } = useTranslation('analytics');
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
        {mayShare ? (
          <FormControlLabel control={<Checkbox {...form.register('shared')} />} label={t('presets.share')} />
        ) : null}
        {create.error && create.error.faults.length === 0 ? (
          <Alert severity="error">{t(`common:error.${create.error.code}`)}</Alert>
        ) : null}
      </FormProvider>
    </FormDialog>
  );
}
