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

const viewForm = z.object({ name: viewName(80), shared: z.boolean() });

/** The name of a view, and who sees it: of a new one, which keeps what is shown, or of a saved one. */
export default function ViewDialog({
  deeds,
  stored,
  shown,
  onMade,
  onClose,
}: {
  deeds: ViewDeeds;
  /** Null for a new one. */
  stored: GridTab | null;
  shown: SavedGridView;
  onMade: (made: GridTab) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { create, change, mayShare } = deeds;
  const form = useSchemaForm<z.infer<typeof viewForm>>(viewForm, {
    name: stored?.name ?? '',
    shared: stored?.shared ?? false,
  });
  const then = {
    onSuccess: (view: GridTab) => {
      if (!stored) onMade(view);
      deeds.saysSaved(view.name);
      onClose();
    },
    onError: ({ faults }: AppError) => showFaults(form, faults),
  };
  const save = form.handleSubmit((values) =>
    stored
      ? change.mutate({ params: { id: stored.id }, body: values }, then)
      : create.mutate({ body: { ...values, view: shown } }, then),
  );
  const error = create.error ?? change.error;
  return (
    <FormDialog
      title={t(stored ? (mayShare ? 'gridViews.edit' : 'gridViews.rename') : 'gridViews.saveNew')}
      submit={t('action.save')}
      busy={create.isPending || change.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <ErrorSummary labels={{ name: t('gridViews.name') }} />
        <TextField name="name" label={t('gridViews.name')} autoFocus />
        {mayShare ? (
          <FormControlLabel
            control={<Checkbox {...form.register('shared')} defaultChecked={stored?.shared ?? false} />}
            label={t('gridViews.share')}
          />
        ) : null}
        {stored ? null : (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('gridViews.leftOut')}
          </Typography>
        )}
        {error && error.faults.length === 0 ? (
          <Alert severity="error">{t(`error.${error.code}`)}</Alert>
        ) : null}
      </FormProvider>
    </FormDialog>
  );
}
