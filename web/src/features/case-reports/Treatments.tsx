import { anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import { type Treatment, treatmentRecord, treatmentsOfCase } from '@caseway/contract/treatments';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { callApi, useApi, useCall } from '../../data/api.ts';
import { type AnyAnswer, answered, EditRecord } from '../../record/EditRecord.tsx';
import type { FormValues } from '../../record/form-values.ts';
import { offerUndo } from '../../record/offer-undo.ts';
import { RecordFields } from '../../record/RecordFields.tsx';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { RecordItem, RecordItems } from '../../record/RecordItems.tsx';
import { useRecordText } from '../../record/use-record-text.ts';
import { notify } from '../../session/notify.ts';
import { Facts } from '../../ui/Facts.tsx';
import { useTreatmentWords } from './treatment-words.ts';

const record = anyRecord(treatmentRecord);
const { endpoints } = treatmentRecord;
/** What a change of a treatment makes stale. */
const old = [treatmentsOfCase, endpoints.history, endpoints.search, readTimeline];

/**
 * The treatments of a case. Users who may change it add and change treatments, and mark those entered in
 * error.
 */
export function Treatments({ caseId, mayWrite }: { caseId: string; mayWrite: boolean }) {
  const { t } = useTranslation('treatments');
  const query = useApi(treatmentsOfCase, { params: { id: caseId } }, { keepPrevious: false });
  const [edited, setEdited] = useState<Treatment | 'new' | null>(null);
  return (
    <>
      <RecordItems
        query={query}
        itemsOf={({ treatments }) => treatments}
        none={t('screen.none')}
        add={t('screen.add')}
        onAdd={mayWrite ? () => setEdited('new') : undefined}
      >
        {(one) => <One key={one.id} treatment={one} mayWrite={mayWrite} onEdit={() => setEdited(one)} />}
      </RecordItems>
      {edited ? (
        <Edit caseId={caseId} stored={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
    </>
  );
}

function One({
  treatment,
  mayWrite,
  onEdit,
}: {
  treatment: Treatment;
  mayWrite: boolean;
  onEdit: () => void;
}) {
  const { t } = useTranslation('treatments');
  const words = useTreatmentWords();
  const text = useRecordText(record, words);
  const change = useCall(endpoints.change, { invalidates: old });
  const { id, version, drug, otherDrug, startedOn, endedOn, state } = treatment;
  const isError = state === 'entered-in-error';
  const title = (drug === 'other' && otherDrug) || words.choice('drug', drug);
  const markError = () =>
    change.mutate(
      { params: { id }, body: { version, state: 'entered-in-error' } },
      {
        onSuccess: (changed) =>
          offerUndo('treatments:done.marked', () => undo(changed as Treatment), { old }),
        onError: ({ code }) => notify('error', `error.${code}`),
      },
    );
  return (
    <RecordItem
      title={title}
      days={[startedOn, endedOn]
        .filter(Boolean)
        .map((day) => text('startedOn', day))
        .join(' – ')}
      isVoid={isError}
    >
      <Facts
        facts={[
          ...(isError ? [[words.column('state'), words.choice('state', state)] as const] : []),
          ...(['adequacy', 'givenAt', 'provider', 'source'] as const).map(
            (field) => [words.column(field), text(field, treatment[field])] as const,
          ),
        ]}
      />
      {mayWrite ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          <Button
            size="small"
            variant="outlined"
            aria-label={t('screen.editOf', { drug: title })}
            onClick={onEdit}
          >
            {t('screen.edit')}
          </Button>
          {isError ? null : (
            <Button
              size="small"
              variant="text"
              loading={change.isPending}
              aria-label={t('screen.errorOf', { drug: title })}
              onClick={markError}
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

const undo = ({ id, version }: Pick<Treatment, 'id' | 'version'>) =>
  callApi(endpoints.undo, { params: { id }, body: { version } });

/** A treatment's form; `stored` null: a new one for the case. */
function Edit({
  caseId,
  stored,
  onClose,
}: {
  caseId: string;
  stored: Treatment | null;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation('treatments');
  const words = useTreatmentWords();
  const text = useRecordText(record, words);
  const faultKey = (code: string) =>
    i18n.exists(`treatments:fault.${code}`) ? `treatments:fault.${code}` : `fault.${code}`;
  const onSaved = (_: AnyAnswer, takeBack: (() => Promise<unknown>) | null) => {
    onClose();
    if (takeBack) offerUndo('treatments:done.saved', takeBack, { old });
    else notify('success', 'treatments:done.made');
  };
  return (
    <EditRecord
      record={record}
      stored={stored && answered(stored)}
      preset={{ caseRecord: caseId }}
      title={t(stored ? 'screen.editTitle' : 'screen.addTitle')}
      submit={t(stored ? 'common:action.save' : 'screen.add')}
      words={words}
      text={text}
      old={old}
      faultKey={faultKey}
      onSaved={onSaved}
      onClose={onClose}
    >
      <Fields isNew={stored === null} />
    </EditRecord>
  );
}

/** Asks for a medicine's name if it is not in the list. */
function Fields({ isNew }: { isNew: boolean }) {
  const words = useTreatmentWords();
  const { watch } = useFormContext<FormValues>();
  const isOther = watch('drug') === 'other';
  const form = treatmentRecord.form.filter((name) => isOther || name !== 'otherDrug');
  return <RecordFields record={{ ...record, form }} isNew={isNew} words={words} />;
}
