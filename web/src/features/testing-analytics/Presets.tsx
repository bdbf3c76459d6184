import type { Preset } from '@caseway/contract/analytics-presets';
import { testingPresets } from '@caseway/contract/testing-analytics';
import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Divider from '@mui/material/Divider';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { Bookmark, ChevronDown, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../api.ts';
import type { AnalyticsControl } from '../../session/analytics-view.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { TextField } from '../../ui/Form.tsx';
import { presetForm } from './preset-form.ts';

/** Saved views of the screen: the person's own, and those shared in the organisation. [S4.10] */
export function Presets({ view }: { view: AnalyticsControl }) {
  const { t } = useTranslation('testing-analytics');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [saving, setSaving] = useState(false);
  const query = useApi(testingPresets.list);
  const remove = useCall(testingPresets.remove, { invalidates: [testingPresets.list] });
  const presets = query.data?.presets ?? [];
  const current = presets.find(({ id }) => id === view.state.presetFilter);
  const close = () => setAnchor(null);

  const apply = (preset: Preset) => {
    close();
    view.applyPreset(preset.id, preset.view);
  };
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
      >
        {current?.name ?? t('presets.title')}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': t('presets.title'), sx: { width: 300, padding: 2 } },
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
              <ListItem
                key={preset.id}
                disablePadding
                secondaryAction={
                  preset.own ? (
                    <IconButton
                      size="small"
                      edge="end"
                      aria-label={t('presets.delete', { name: preset.name })}
                      onClick={() =>
                        remove.mutate(
                          { params: { id: preset.id } },
                          { onError: () => notify('error', 'testing-analytics:presets.failed') },
                        )
                      }
                    >
                      <Trash2 size={16} aria-hidden />
                    </IconButton>
                  ) : undefined
                }
              >
                <ListItemButton selected={preset.id === current?.id} onClick={() => apply(preset)}>
                  <Box>
                    <Typography variant="body2">{preset.name}</Typography>
                    {preset.shared ? (
                      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                        {t('presets.shared')}
                      </Typography>
                    ) : null}
                  </Box>
                </ListItemButton>
              </ListItem>
            ))}
          </Box>
        )}
        <Divider sx={{ marginBlock: 1 }} />
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
      </Popover>
      {saving ? <SavePreset view={view} onClose={() => setSaving(false)} /> : null}
    </>
  );
}

function SavePreset({ view, onClose }: { view: AnalyticsControl; onClose: () => void }) {
  const { t } = useTranslation('testing-analytics');
  const may = useMay();
  const create = useCall(testingPresets.create, { invalidates: [testingPresets.list] });
  const form = useForm({ resolver: zodResolver(presetForm), defaultValues: { name: '', shared: false } });
  const { filters, range, eventDate } = view.state;
  const save = form.handleSubmit((values) =>
    create.mutate(
      { body: { ...values, view: { filters, range, eventDate } } },
      {
        onSuccess: (preset) => {
          view.applyPreset(preset.id, preset.view);
          notify('success', 'testing-analytics:presets.saved', { values: { name: preset.name } });
          onClose();
        },
        onError: () => notify('error', 'testing-analytics:presets.failed'),
      },
    ),
  );
  return (
    <Dialog open onClose={onClose} aria-labelledby="save-preset" maxWidth="xs" fullWidth>
      <FormProvider {...form}>
        <form onSubmit={save} noValidate>
          <DialogTitle id="save-preset">{t('presets.save')}</DialogTitle>
          <DialogContent sx={{ display: 'grid', gap: 3 }}>
            <TextField name="name" label={t('presets.name')} required autoFocus />
            {may('presets/share') ? (
              <FormControlLabel
                control={<Checkbox {...form.register('shared')} />}
                label={t('presets.share')}
              />
            ) : null}
          </DialogContent>
          <DialogActions>
            <Button variant="text" onClick={onClose}>
              {t('presets.cancel')}
            </Button>
            <Button type="submit" variant="contained" loading={create.isPending}>
              {t('presets.keep')}
            </Button>
          </DialogActions>
        </form>
      </FormProvider>
    </Dialog>
  );
}
