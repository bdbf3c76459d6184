import { confirmFacility, mergeFacility } from '@caseway/contract/places';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import { inUse, useLookup } from '../../data/use-lookup.ts';
import { refresh } from '../../record/offer-undo.ts';
import { notify } from '../../session/notify.ts';
import { type Choice, ChoiceField } from '../../ui/ChoiceField.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useFormats } from '../../words/formats.ts';
import { oldPlaces } from './EditPlace.tsx';
import type { PlaceRecord } from './kinds.ts';

/** A facility from an import: whether it is new, or another one under a different name. */
export function WaitingFacility({ record, onOpen }: { record: PlaceRecord; onOpen: (id: string) => void }) {
  const { t } = useTranslation('places');
  const formats = useFormats();
  const confirm = useCall(confirmFacility, { invalidates: oldPlaces });
  const [merging, setMerging] = useState(false);
  const name = String(record.name);
  const results = Number(record.results ?? 0);
  return (
    <Alert severity="warning">
      <Typography variant="body1">
        {t('waiting.text', { count: results, number: formats.count(results) })}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, marginTop: 2 }}>
        <Button
          variant="contained"
          size="small"
          loading={confirm.isPending}
          onClick={() =>
            confirm.mutate(
              { params: { id: record.id }, body: { version: record.version } },
              { onSuccess: () => notify('success', 'places:done.confirmed', { values: { name } }) },
            )
          }
        >
          {t('waiting.confirm')}
        </Button>
        <Button variant="outlined" size="small" color="inherit" onClick={() => setMerging(true)}>
          {t('waiting.merge')}
        </Button>
      </Box>
      {confirm.error ? (
        <Typography variant="body2" role="alert" sx={{ marginTop: 2 }}>
          {t(`common:error.${confirm.error.code}`)}
        </Typography>
      ) : null}
      {merging ? <MergeFacility record={record} onOpen={onOpen} onClose={() => setMerging(false)} /> : null}
    </Alert>
  );
}

function MergeFacility({
  record,
  onOpen,
  onClose,
}: {
  record: PlaceRecord;
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('places');
  const { options, loading } = useLookup('facilities');
  const merge = useCall(mergeFacility);
  const [into, setInto] = useState<Choice | null>(null);
  const [wanted, setWanted] = useState(false);
  const name = String(record.name);
  return (
    <FormDialog
      title={t('merge.title', { name })}
      lead={t('merge.lead')}
      submit={t('merge.confirm')}
      busy={merge.isPending}
      onSubmit={() => {
        setWanted(true);
        if (into === null) return;
        merge.mutate(
          { params: { id: record.id }, body: { version: record.version, into: into.id } },
          {
            onSuccess: (target) => {
              notify('success', 'places:done.merged', { values: { name, into: target.name } });
              // The removed record must not be reloaded.
              flushSync(() => onOpen(target.id));
              void refresh(oldPlaces);
            },
          },
        );
      }}
      onClose={onClose}
    >
      <ChoiceField
        label={t('merge.into')}
        placeholder={t('merge.placeholder')}
        value={into}
        options={inUse(options).filter(({ id }) => id !== record.id)}
        loading={loading}
        onChange={setInto}
      />
      {wanted && into === null ? <Alert severity="error">{t('merge.needed')}</Alert> : null}
      {into === null ? null : <Alert severity="warning">{t('merge.text', { name, into: into.label })}</Alert>}
      {merge.error ? (
        <Alert severity="error">
          {merge.error.faults.length > 0
            ? merge.error.faults.map(({ code }) => t(`common:fault.${code}`)).join(' ')
            : t(`common:error.${merge.error.code}`)}
        </Alert>
      ) : null}
    </FormDialog>
  );
}
