import { type CaseChange, type CaseField, caseFields, caseRecord } from '@caseway/contract/case-record';
import {
  type CaseReport,
  type EventDate,
  eventDateFaults,
  searchCaseReports,
} from '@caseway/contract/case-reports';
import { anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { becameOld, callApi } from '../../data/api.ts';
import { ChooseValues, type Chosen } from '../../record/ChooseValues.tsx';
import { keepAnswer, offerUndo } from '../../record/offer-undo.ts';
import { RecordFields } from '../../record/RecordFields.tsx';
import { useRecordForm } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { askWhy } from '../../session/refused.ts';
import { Facts } from '../../ui/Facts.tsx';
import { ErrorSummary } from '../../ui/Form.tsx';
import type { FaultWords } from '../../ui/fault-words.ts';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { useFormats } from '../../words/formats.ts';
import { useFieldText } from './case-parts.tsx';
import { lawfulFor, useCaseWords } from './case-words.ts';

const { endpoints } = caseRecord;

/** The form's fields; empty if unknown. */
type Values = Record<CaseField, string>;

const valuesOf = (report: CaseReport): Values =>
  Object.fromEntries(caseFields.map((field) => [field, report[field] ?? ''])) as Values;

/** The values are checked when sent. */
const schema = z.custom<Values>();
const versionOf = (report: CaseReport) => ({ version: report.version, values: valuesOf(report) });
/** An empty field is an unknown value. */
const asSent = (changes: Record<string, unknown>): CaseChange =>
  Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [field, value === '' ? null : value]),
  ) as CaseChange;

/** Puts the current record into the cache for every part of the product. */
export function keepReport(report: CaseReport): void {
  keepAnswer(anyRecord(caseRecord), report);
  for (const old of [searchCaseReports, endpoints.history, readTimeline]) becameOld(old);
}

/**
 * A case's fields, edited in place. Unsaved changes stay as a draft. If someone else has since changed the
 * same field, both values are shown and the user chooses one.
 */
export function EditCase({ report }: { report: CaseReport }) {
  const { t } = useTranslation(['case-reports', 'common']);
  const words = useCaseWords();
  const text = useFieldText();
  const { today } = useFormats();
  const may = useMay()('case-reports/write') && !report.breakGlass;
  const { form, values, base, changed, dirty, restored, theirs, saving, send, discard } = useRecordForm<
    Values,
    CaseReport
  >(schema, `case-reports/${report.id}`, versionOf(report), {
    write: (changes, version) =>
      callApi(endpoints.change, { params: { id: report.id }, body: { ...asSent(changes), version } }),
    read: async () => {
      const latest = await callApi(endpoints.read, { params: { id: report.id } });
      keepReport(latest);
      return versionOf(latest);
    },
    versionOf,
    onSaved: (saved) => {
      keepReport(saved);
      const { id, caseId, version } = saved;
      offerUndo(
        'case-reports:change.saved',
        async () => keepReport((await callApi(endpoints.undo, { params: { id }, body: { version } })).record),
        { values: { caseId }, undone: 'case-reports:change.undone' },
      );
    },
    mayBeSent: (typed, names) => {
      const dates = { ...typed, createdOn: report.createdOn } as Record<EventDate, string>;
      const faults = eventDateFaults(
        Object.fromEntries(
          Object.entries(dates).map(([field, value]) => [field, value === '' ? null : value]),
        ) as Record<EventDate, string | null>,
        new Set(names as CaseField[]),
        { today, birthDate: report.birthDate },
      );
      for (const { field, code, next } of faults) fault(field, code, next);
      return faults.length === 0;
    },
    onRefused: (error) => {
      if (error.code !== 'validation-failed') notify('error', `error.${error.code}`);
      else
        for (const { path, code, ...rest } of error.faults)
          fault(path as CaseField, code, (rest as { next?: string }).next);
    },
  });
  const fault = (field: CaseField, code: string, next?: string) => {
    const shown: FaultWords = {
      key: `case-reports:fault.${code}`,
      values: next === undefined ? {} : { next: words.column(next) },
    };
    form.setError(field, { type: code, message: JSON.stringify(shown) });
  };

  const conflicts = theirs.filter((one) => one.mine !== one.theirs) as readonly Chosen[];
  const labels = Object.fromEntries(caseFields.map((field) => [field, words.column(field)]));
  return (
    <FormProvider {...form}>
      <Box
        component="form"
        noValidate
        aria-label={t('record.fields')}
        onSubmit={(event) => void send()(event)}
        sx={{ display: 'grid', gap: 4 }}
      >
        {may || report.breakGlass ? null : (
          <Alert
            severity="info"
            action={
              <Button
                color="inherit"
                size="small"
                aria-haspopup="dialog"
                onClick={() => askWhy('case-reports/write')}
              >
                {t('common:access.why')}
              </Button>
            }
          >
            {t('record.readOnly')}
          </Alert>
        )}
        {restored ? <Alert severity="info">{t('change.restored')}</Alert> : null}
        <ErrorSummary labels={labels} />
        {conflicts.length > 0 ? (
          <ChooseValues
            title={t('conflict.title')}
            lead={t('conflict.text')}
            whose={{ mine: t('conflict.mine'), theirs: t('conflict.theirs') }}
            conflicts={conflicts}
            values={values}
            label={words.column}
            text={text}
            onChoose={(field, value) => form.setValue(field as CaseField, value)}
          />
        ) : null}
        {/* Only transitions change the investigator. */}
        <Facts
          facts={[
            [
              words.column('investigator'),
              report.investigator ? text('investigator', report.investigator) : t('record.nobody'),
            ],
            [words.column('completedBy'), report.completedBy && text('completedBy', report.completedBy)],
          ]}
        />
        <RecordFields
          record={caseRecord}
          inPlace
          words={words}
          none={() => t('record.notKnown')}
          offered={{ classification: lawfulFor(report, base.values.classification) }}
          disabled={!may || saving}
        />
        {dirty ? (
          <StickyActions>
            <Typography variant="body2" role="status" sx={{ flex: '1 1 160px', color: 'text.secondary' }}>
              {t('change.pending', { count: changed.length })}
            </Typography>
            <Button variant="text" disabled={saving} onClick={discard}>
              {t('change.discard')}
            </Button>
            <Button type="submit" variant="contained" disabled={saving}>
              {t('change.save')}
            </Button>
          </StickyActions>
        ) : null}
      </Box>
    </FormProvider>
  );
}
