import { lacksInvestigator } from '@caseway/contract/case-flow';
import { type CaseChange, type CaseField, caseFields, caseRecord } from '@caseway/contract/case-record';
import {
  type CaseReport,
  caseOutcomes,
  caseStatuses,
  type EventDate,
  eventDateFaults,
  searchCaseReports,
  visitTypes,
  yesNoUnknown,
} from '@caseway/contract/case-reports';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { FormProvider, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { apiKey, callApi, queryClient } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { useLabels } from '../../data/use-labels.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { useRecordForm } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { DayField } from '../../ui/DayField.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorSummary, SelectField, useFormField } from '../../ui/Form.tsx';
import type { FaultWords } from '../../ui/fault-words.ts';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { useFormats } from '../../words/formats.ts';
import { useFieldText } from './case-parts.tsx';
import { useCaseWords } from './case-words.ts';

const { endpoints } = caseRecord;

/** The fields in the form: empty if unknown. */
type Values = Record<CaseField, string>;
const dateFields = ['onsetOn', 'collectedOn', 'reportedOn', 'receivedOn'] as const;

const valuesOf = (report: CaseReport): Values =>
  Object.fromEntries(caseFields.map((field) => [field, report[field] ?? ''])) as Values;

interface Conflict {
  name: CaseField;
  mine: string;
  theirs: string;
}

/** Whatever is chosen is checked when it is sent. */
const schema = z.custom<Values>();
const versionOf = (report: CaseReport) => ({ version: report.version, values: valuesOf(report) });
/** An empty field is an unknown value. */
const asSent = (changes: Record<string, unknown>): CaseChange =>
  Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [field, value === '' ? null : value]),
  ) as CaseChange;

/** Puts the current record into the cache for every part of the product. */
export function keepReport(report: CaseReport): void {
  queryClient.setQueryData(apiKey(endpoints.read, { params: { id: report.id } }), report);
  void queryClient.invalidateQueries({ queryKey: [searchCaseReports.path] });
}

/**
 * The fields of a case, edited in place. Unsaved changes stay as a draft. If someone else has since changed the same
 * field, both values are shown and the person chooses one.
 */
export function EditCase({ report }: { report: CaseReport }) {
  const { t } = useTranslation('case-reports');
  const words = useCaseWords();
  const text = useFieldText();
  const { today } = useFormats();
  const permitted = useMay();
  const may = permitted('case-reports/write') && !report.breakGlass;
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
      const undo = async () =>
        keepReport((await callApi(endpoints.undo, { params: { id }, body: { version } })).record);
      notify('success', 'case-reports:change.saved', {
        values: { caseId },
        action: {
          label: 'case-reports:change.undo',
          run: () => void takeBack(undo, 'case-reports:change.undone', { caseId }),
        },
      });
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
      const { status, investigator } = base.values;
      const lacking = lacksInvestigator({ status, investigator } as CaseReport, asSent(typed), {
        id: '',
        may: permitted,
        today,
      });
      if (lacking) fault('status', 'investigator-needed');
      return faults.length === 0 && !lacking;
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

  const conflicts = theirs.filter((one) => one.mine !== one.theirs) as readonly Conflict[];
  const labels = Object.fromEntries(caseFields.map((field) => [field, words.column(field)]));
  const choices = (field: CaseField, codes: readonly string[]) =>
    codes.map((code) => ({ value: code, label: words.choice(field, code) }));
  // A case keeps its values, even if the definition of its condition has changed since.
  const lawful = report.lawfulClassifications.includes(base.values.classification as never)
    ? report.lawfulClassifications
    : [...report.lawfulClassifications, base.values.classification];

  return (
    <FormProvider {...form}>
      <Box
        component="form"
        noValidate
        aria-label={t('record.fields')}
        onSubmit={(event) => void send()(event)}
        sx={{ display: 'grid', gap: 4 }}
      >
        {may || report.breakGlass ? null : <Alert severity="info">{t('record.readOnly')}</Alert>}
        {restored ? <Alert severity="info">{t('change.restored')}</Alert> : null}
        <ErrorSummary labels={labels} />
        {conflicts.length > 0 ? (
          <Conflicts
            conflicts={conflicts}
            values={values}
            text={text}
            onChoose={(field, value) => form.setValue(field, value)}
          />
        ) : null}
        <Box
          component="fieldset"
          disabled={!may || saving}
          sx={{
            border: 0,
            margin: 0,
            padding: 0,
            minWidth: 0,
            display: 'grid',
            gap: 4,
            gridTemplateColumns: {
              xs: 'repeat(2, minmax(0, 1fr))',
              sm: 'repeat(auto-fill, minmax(200px, 1fr))',
            },
            // On a phone long values have their own line, dates and short answers share one.
            '& > .wide': { gridColumn: { xs: '1 / -1', sm: 'auto' } },
            alignItems: 'start',
          }}
        >
          <div className="wide">
            <Choice name="classification" options={choices('classification', lawful)} required />
          </div>
          <div className="wide">
            <Choice name="status" options={choices('status', caseStatuses)} required />
          </div>
          <div className="wide">
            <Investigator />
          </div>
          {dateFields.map((name) => (
            <Day key={name} name={name} today={today} disabled={!may || saving} />
          ))}
          <Choice name="outcome" options={choices('outcome', caseOutcomes)} />
          <Choice name="pregnant" options={choices('pregnant', yesNoUnknown)} />
          <Choice name="hospitalized" options={choices('hospitalized', yesNoUnknown)} />
          <Choice name="visitType" options={choices('visitType', visitTypes)} />
        </Box>
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

/** Someone else's values of the same fields: mine or theirs, field by field. */
function Conflicts({
  conflicts,
  values,
  text,
  onChoose,
}: {
  conflicts: readonly Conflict[];
  values: Values;
  text: (field: string, value: string) => string;
  onChoose: (field: CaseField, value: string) => void;
}) {
  const { t } = useTranslation('case-reports');
  const words = useCaseWords();
  const group = useId();
  return (
    <Alert severity="warning">
      <Typography component="h3" variant="body1" sx={{ fontWeight: 650 }}>
        {t('conflict.title')}
      </Typography>
      <Typography variant="body2">{t('conflict.text')}</Typography>
      {conflicts.map(({ name: field, mine, theirs }) => (
        <Box
          component="fieldset"
          key={field}
          sx={{ border: 0, margin: 0, padding: 0, marginTop: 3, display: 'grid', gap: 1 }}
        >
          <Typography component="legend" variant="body2" sx={{ fontWeight: 550, padding: 0 }}>
            {words.column(field)}
          </Typography>
          {(
            [
              ['theirs', theirs],
              ['mine', mine],
            ] as const
          ).map(([whose, value]) => (
            <Box
              component="label"
              key={whose}
              sx={{ display: 'flex', gap: 2, alignItems: 'center', minHeight: 32 }}
            >
              <input
                type="radio"
                name={`${group}-${field}`}
                checked={values[field] === value}
                onChange={() => onChoose(field, value)}
              />
              {whose === 'mine' ? t('conflict.mine') : t('conflict.theirs')}: {text(field, value)}
            </Box>
          ))}
        </Box>
      ))}
    </Alert>
  );
}

function Choice({
  name,
  options,
  required = false,
}: {
  name: CaseField;
  options: readonly { value: string; label: string }[];
  required?: boolean;
}) {
  const { t } = useTranslation('case-reports');
  const words = useCaseWords();
  return (
    <SelectField
      name={name}
      label={words.column(name)}
      options={options}
      {...(required ? {} : { empty: t('record.notKnown') })}
    />
  );
}

function Investigator() {
  const { t } = useTranslation('case-reports');
  const words = useCaseWords();
  const { options } = useLookup('investigators');
  const labels = useLabels('investigators');
  const { watch } = useFormContext<Values>();
  const present = watch('investigator');
  const known = options.map(({ id, label }) => ({ value: id, label }));
  return (
    <SelectField
      name="investigator"
      label={words.column('investigator')}
      empty={t('record.nobody')}
      options={
        present === '' || known.some(({ value }) => value === present)
          ? known
          : [{ value: present, label: labels.of(present) }, ...known]
      }
    />
  );
}

function Day({
  name,
  today,
  disabled,
}: {
  name: (typeof dateFields)[number];
  today: string;
  disabled: boolean;
}) {
  const words = useCaseWords();
  const formats = useFormats();
  const { id, field, fault } = useFormField(name);
  return (
    <Field id={id} label={words.column(name)} required fault={fault}>
      {({ describedBy, invalid }) =>
        disabled ? (
          <OutlinedInput
            id={id}
            readOnly
            disabled
            value={field.value === '' ? '' : formats.day(field.value)}
          />
        ) : (
          <DayField
            id={id}
            value={field.value === '' ? null : field.value}
            today={today}
            onChange={(day) => field.onChange(day ?? '')}
            describedBy={describedBy}
            invalid={invalid}
          />
        )
      }
    </Field>
  );
}
