import { anyRecord } from '@caseway/contract/record';
import { workByHand, workTaskRecord } from '@caseway/contract/work-tasks';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useLookup } from '../data/use-lookup.ts';
import { notify } from '../session/notify.ts';
import { useMay } from '../session/permissions.ts';
import { Segments } from '../ui/Segments.tsx';
import { CaseField } from './CaseField.tsx';
import { type AnyAnswer, EditRecord } from './EditRecord.tsx';
import type { FormValues } from './form-values.ts';
import { offerUndo } from './offer-undo.ts';
import { PersonField } from './PersonField.tsx';
import { RecordFields } from './RecordFields.tsx';
import { useFaultKey } from './use-fault-key.ts';
import { useRecordText } from './use-record-text.ts';
import { useTaskWords } from './use-task-words.ts';

const record = anyRecord(workTaskRecord);

/** A task's form; `stored` null: a new one, about this case or person, or one to choose. */
export function EditTask({
  stored,
  caseId,
  patientId,
  old,
  onClose,
}: {
  stored: AnyAnswer | null;
  caseId?: string;
  patientId?: string;
  /** What a change makes stale. */
  old: readonly { path: string }[];
  onClose: () => void;
}) {
  const { t } = useTranslation('work-tasks');
  const words = useTaskWords();
  const text = useRecordText(record, words);
  const faultKey = useFaultKey('work-tasks');
  return (
    <EditRecord
      record={record}
      stored={stored}
      preset={caseId === undefined ? (patientId === undefined ? {} : { patientId }) : { recordId: caseId }}
      title={t(stored ? 'edit.title' : 'edit.addTitle')}
      submit={t(stored ? 'common:action.save' : 'edit.add')}
      words={words}
      text={text}
      old={old}
      faultKey={faultKey}
      onSaved={(_, takeBack) => {
        onClose();
        if (takeBack) offerUndo('work-tasks:edit.saved', takeBack, { old });
        else notify('success', 'work-tasks:edit.made');
      }}
      onClose={onClose}
    >
      {stored === null && caseId === undefined && patientId === undefined ? <Subject /> : null}
      <Fields isNew={stored === null} />
    </EditRecord>
  );
}

/** The case or the person that a new task is about. */
function Subject() {
  const { t } = useTranslation('work-tasks');
  const words = useTaskWords();
  const may = useMay();
  const { setValue, watch } = useFormContext<FormValues>();
  const [name, setName] = useState<'recordId' | 'patientId'>(watch('patientId') ? 'patientId' : 'recordId');
  const shown = { label: words.column(name), help: t('edit.caseHelp'), required: true };
  return (
    <>
      {may('patients/read') ? (
        <Segments
          label={t('edit.about')}
          value={name}
          onChange={(next) => {
            setValue(name, '', { shouldDirty: true });
            setName(next);
          }}
          options={(['recordId', 'patientId'] as const).map((value) => ({
            value,
            label: words.column(value),
          }))}
        />
      ) : null}
      {name === 'recordId' ? (
        <CaseField name="recordId" {...shown} />
      ) : (
        <PersonField name="patientId" {...shown} />
      )}
    </>
  );
}

/** Asks what to do if it is no standard kind. The group matters only while no person or team is assigned. */
function Fields({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation('work-tasks');
  const words = useTaskWords();
  const { watch } = useFormContext<FormValues>();
  const teams = useLookup('teams').options.filter(({ id, inactive }) => !inactive || id === watch('team'));
  const hidden = [
    ...(watch('account') === '' && watch('team') === '' ? [] : ['queue']),
    ...(teams.length > 0 ? [] : ['team']),
    ...(watch('repeatDays') === '' ? ['repeatUntil'] : []),
  ];
  const form = workTaskRecord.form.filter((line) => ![line].flat().some((name) => hidden.includes(name)));
  return (
    <RecordFields
      record={{ ...record, form }}
      isNew={isNew}
      words={words}
      none={(name) =>
        name === 'account' ? t('list.anyone') : name === 'team' ? t('list.noTeam') : undefined
      }
      help={(name) => (name === 'repeatDays' ? t('edit.repeatHelp') : undefined)}
      offered={{ work: workByHand }}
    />
  );
}
