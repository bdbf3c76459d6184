import { type Vaccination, vaccinationRecord, vaccinationsOfPatient } from '@caseway/contract/vaccinations';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi, useApi, useCall } from '../../data/api.ts';
import { offerUndo } from '../../record/offer-undo.ts';
import { ReasonDialog } from '../../record/ReasonDialog.tsx';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { RecordItem, RecordItems } from '../../record/RecordItems.tsx';
import { useRecordText } from '../../record/use-record-text.ts';
import { useMay } from '../../session/permissions.ts';
import { Facts } from '../../ui/Facts.tsx';
import { EditVaccination, oldVaccinations as old, vaccination as record } from './EditVaccination.tsx';
import { useVaccinationWords, vaccineName } from './vaccination-words.ts';

const { endpoints } = vaccinationRecord;

/** A person's vaccinations. Users who may write add and change them, and mark those entered in error. */
export function VaccinationsOf({ patientId }: { patientId: string }) {
  const { t } = useTranslation('vaccinations');
  const query = useApi(vaccinationsOfPatient, { params: { id: patientId } }, { keepPrevious: false });
  const mayWrite = useMay()('vaccinations/write');
  const [edited, setEdited] = useState<Vaccination | 'new' | null>(null);
  const [wrong, setWrong] = useState<Vaccination | null>(null);
  return (
    <>
      <RecordItems
        query={query}
        itemsOf={({ vaccinations }) => vaccinations}
        none={t('screen.none')}
        add={t('screen.add')}
        onAdd={mayWrite ? () => setEdited('new') : undefined}
      >
        {(one) => (
          <One
            key={one.id}
            vaccination={one}
            mayWrite={mayWrite}
            onEdit={() => setEdited(one)}
            onError={() => setWrong(one)}
          />
        )}
      </RecordItems>
      {edited ? (
        <EditVaccination
          stored={edited === 'new' ? null : edited}
          patientId={patientId}
          onClose={() => setEdited(null)}
        />
      ) : null}
      {wrong ? <MarkError vaccination={wrong} onClose={() => setWrong(null)} /> : null}
    </>
  );
}

const details = ['dose', 'manufacturer', 'lot', 'site', 'route', 'facility', 'provider', 'source'] as const;

function One({
  vaccination,
  mayWrite,
  onEdit,
  onError,
}: {
  vaccination: Vaccination;
  mayWrite: boolean;
  onEdit: () => void;
  onError: () => void;
}) {
  const { t } = useTranslation('vaccinations');
  const words = useVaccinationWords();
  const text = useRecordText(record, words);
  const { id, vaccine, givenOn, state, errorReason } = vaccination;
  const isError = state === 'entered-in-error';
  const name = vaccineName(vaccination, words);
  return (
    <RecordItem title={name} days={text('givenOn', givenOn)} isVoid={isError}>
      <Facts
        facts={[
          ...(isError
            ? ([
                [words.column('state'), words.choice('state', state)],
                [words.column('errorReason'), errorReason],
              ] as const)
            : []),
          ...details.map((field) => [words.column(field), text(field, vaccination[field])] as const),
          [t('screen.cvx'), vaccine === 'other' ? null : vaccine],
        ]}
      />
      {mayWrite ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          <Button
            size="small"
            variant="outlined"
            aria-label={t('screen.editOf', { vaccine: name })}
            onClick={onEdit}
          >
            {t('screen.edit')}
          </Button>
          {isError ? null : (
            <Button
              size="small"
              variant="text"
              aria-label={t('screen.errorOf', { vaccine: name })}
              onClick={onError}
            >
              {t('screen.error')}
            </Button>
          )}
        </Box>
      ) : null}
      <RecordHistory
        record={record}
        id={id}
        label={words.column}
        text={text}
        mayUndo={mayWrite}
        invalidates={old}
      />
    </RecordItem>
  );
}

const undo = ({ id, version }: Pick<Vaccination, 'id' | 'version'>) =>
  callApi(endpoints.undo, { params: { id }, body: { version } });

/** Asks why a vaccination is an error, and marks it. */
function MarkError({
  vaccination: { id, version, ...vaccination },
  onClose,
}: {
  vaccination: Vaccination;
  onClose: () => void;
}) {
  const { t } = useTranslation('vaccinations');
  const words = useVaccinationWords();
  const change = useCall(endpoints.change, { invalidates: old });
  const mark = (errorReason: string) =>
    change.mutate(
      { params: { id }, body: { version, state: 'entered-in-error', errorReason } },
      {
        onSuccess: (changed) => {
          offerUndo('vaccinations:done.marked', () => undo(changed as Vaccination), { old });
          onClose();
        },
      },
    );
  return (
    <ReasonDialog
      title={t('screen.errorTitle')}
      confirm={t('screen.error')}
      label={words.column('errorReason')}
      lacking={t('fault.required')}
      busy={change.isPending}
      error={change.error}
      onReason={mark}
      onClose={onClose}
    >
      <Typography sx={{ fontWeight: 550 }}>{vaccineName(vaccination, words)}</Typography>
      <Typography>{t('screen.errorText')}</Typography>
    </ReasonDialog>
  );
}
