import Alert from '@mui/material/Alert';
import type { ReactNode } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ConflictAlert } from '../ui/ConflictAlert.tsx';
import { ErrorSummary } from '../ui/Form.tsx';
import { Restored } from './Restored.tsx';
import type { RecordForm } from './use-record-form.ts';

/**
 * The fields of a record's form and its messages: a restored draft, what others saved in the meantime, all
 * faults, and why it could not be saved.
 */
export function FormBody<Values extends FieldValues>({
  of: { form, restored, theirs, failure, discard },
  labels,
  text = (_, value) => String(value ?? ''),
  children,
}: {
  of: RecordForm<Values>;
  /** The label of each field by name. */
  labels: Readonly<Record<string, string>>;
  /** A field's value in words; empty if none. */
  text?: (name: string, value: unknown) => string;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const said = (name: string, value: unknown) => text(name, value) || '–';
  return (
    <>
      {restored ? <Restored onDiscard={discard} /> : null}
      <ConflictAlert
        text={t('form.conflict')}
        changes={theirs.map(({ name, base, mine, theirs: now, edited }) => {
          const values = {
            field: labels[name] ?? name,
            base: said(name, base),
            mine: said(name, mine),
            theirs: said(name, now),
          };
          return t(edited ? 'form.both' : 'form.theirs', values);
        })}
      />
      <FormProvider {...form}>
        <ErrorSummary labels={labels} />
        {children}
      </FormProvider>
      {failure ? <Alert severity="error">{t(`error.${failure.code}`)}</Alert> : null}
    </>
  );
}
