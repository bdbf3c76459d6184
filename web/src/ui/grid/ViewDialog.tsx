import type { ColumnSettings } from '@caseway/contract/grid-columns';
import type { GridTab, SavedGridView } from '@caseway/contract/grid-views';
import { name as viewName } from '@caseway/contract/name';
import Alert from '@mui/material/Alert';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { ViewDeeds } from '../../data/saved-views.ts';
import type { AppError } from '../../data/transport.ts';
import { ErrorSummary, showFaults, TextField, useSchemaForm } from '../Form.tsx';
import { FormDialog } from '../FormDialog.tsx';

const viewForm = z.object({ name: viewName(80), shared: z.boolean(), columns: z.boolean() });

/** A view's name, audience and columns: a new one saves the current view, a saved one is edited. */
export default function ViewDialog({
  deeds,
  stored,
  shown,
  columns,
  onMade,
  onClose,
}: {
  deeds: ViewDeeds<SavedGridView>;
  /** Null for a new one. */
  stored: GridTab | null;
  shown: SavedGridView;
  /** The current columns; null if there are none to save. */
  columns: ColumnSettings | null;
  onMade: (made: GridTab) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { create, change, mayShare } = deeds;
  const form = useSchemaForm<z.infer<typeof viewForm>>(viewForm, {
    name: stored?.name ?? '',
    shared: stored?.shared ?? false,
    columns: stored ? stored.view.columns !== undefined : true,
  });
  const then = {
    onSuccess: (view: GridTab) => {
      if (!stored) onMade(view);
      deeds.saysSaved(view.name);
      onClose();
    },
    onError: ({ faults }: AppError) => {
      showFaults(form, faults);
      if (stored) deeds.lookAgain();
    },
  };
  /** With its own columns, the current ones, or none. */
  const withColumns = ({ columns: had, ...view }: SavedGridView, keeps: boolean): SavedGridView => {
    const kept = keeps ? (had ?? columns) : null;
    return { ...view, ...(kept && { columns: kept }) };
  };
  const save = form.handleSubmit(({ columns: keeps, ...values }) =>
    stored
      ? change.mutate(
          {
            params: { id: stored.id },
            body: { version: stored.version, ...values, view: withColumns(stored.view, keeps) },
          },
          then,
        )
      : create.mutate({ body: { ...values, view: withColumns(shown, keeps) } }, then),
  );
  const error = create.error ?? change.error;
  return (
    <FormDialog
      title={t(
        stored ? (mayShare && stored.own ? 'gridViews.edit' : 'gridViews.change') : 'gridViews.saveNew',
      )}
      submit={t('action.save')}
      busy={create.isPending || change.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <ErrorSummary labels={{ name: t('gridViews.name') }} />
        <TextField name="name" label={t('gridViews.name')} autoFocus />
        {mayShare && (!stored || stored.own) ? (
          <FormControlLabel
            control={<Checkbox {...form.register('shared')} defaultChecked={stored?.shared ?? false} />}
            label={t('gridViews.share')}
          />
        ) : null}
        {columns ? (
          <FormControlLabel
            control={
              <Checkbox
                {...form.register('columns')}
                defaultChecked={form.formState.defaultValues?.columns ?? false}
              />
            }
            label={t('gridViews.columns')}
          />
        ) : null}
        {stored ? null : (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('gridViews.leftOut')}
          </Typography>
        )}
        {error && error.faults.length === 0 ? (
          <Alert severity="error">
            {stored && error.code === 'conflict'
              ? t('gridViews.conflict', { name: stored.name })
              : t(`error.${error.code}`)}
          </Alert>
        ) : null}
      </FormProvider>
    </FormDialog>
  );
}
