import {
  type CaseChange,
  type CaseField,
  type CaseReport,
  caseFields,
  caseOutcomes,
  caseStatuses,
  changeCaseReport,
  type EventDate,
  eventDateFaults,
  readCaseReport,
  searchCaseReports,
  visitTypes,
  yesNoUnknown,
} from '@caseway/contract/case-reports';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState } from 'react';
import { FormProvider, useForm, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { apiKey, callApi, queryClient } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { AppError } from '../../data/transport.ts';
import { useLabels } from '../../data/use-labels.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { DayField } from '../../ui/DayField.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorSummary, SelectField, useFormField } from '../../ui/Form.tsx';
import type { FaultWords } from '../../ui/fault-words.ts';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { useFormats } from '../../words/formats.ts';
import { useFieldText } from './case-parts.tsx';
import { useCaseWords } from './case-words.ts';

/** The fields in the form: empty if unknown. */
type Values = Record<CaseField, string>;
/** The values that the form started from. */
interface Base {
  version: number;
  values: Values;
}
interface Conflict {
  field: CaseField;
  mine: string;
  theirs: string;
}

const dateFields = ['onsetOn', 'collectedOn', 'reportedOn', 'receivedOn'] as const;

const valuesOf = (report: CaseReport): Values =>
  Object.fromEntries(caseFields.map((field) => [field, report[field] ?? ''])) as Values;

const changedFields = (values: Values, base: Values): CaseField[] =>
  caseFields.filter((field) => values[field] !== base[field]);

const changeOf = (values: Values, base: Values): CaseChange =>
  Object.fromEntries(
    changedFields(values, base).map((field) => [field, values[field] === '' ? null : values[field]]),
  ) as CaseChange;

const draftSchema = z.object({
  version: z.number(),
  values: z.record(z.string(), z.string()),
  base: z.record(z.string(), z.string()),
});

/** Puts the current record into the cache for every part of the product. */
export function keepReport(report: CaseReport): void {
  queryClient.setQueryData(apiKey(readCaseReport, { params: { id: report.id } }), report);
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
  const may = useMay()('case-reports/write') && !report.breakGlass;
  const draftName = `case-reports/${report.id}`;
  const [base, setBase] = useState<Base>(() => {
    const draft = readDraft(draftName, draftSchema);
    return draft
      ? { version: draft.version, values: { ...valuesOf(report), ...draft.base } }
      : { version: report.version, values: valuesOf(report) };
  });
  const [restored, setRestored] = useState(() => readDraft(draftName, draftSchema) !== null);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [saving, setSaving] = useState(false);
  const form = useForm<Values>({
    defaultValues: { ...base.values, ...readDraft(draftName, draftSchema)?.values },
  });
  const values = form.watch();
  const changed = changedFields(values, base.values);
  const dirty = changed.length > 0;

  // Someone else's change, or one from the list, is shown immediately while nothing is being edited here.
  useEffect(() => {
    if (report.version === base.version || dirty) return;
    setBase({ version: report.version, values: valuesOf(report) });
    form.reset(valuesOf(report));
  }, [report, base.version, dirty, form]);

  const asText = JSON.stringify(dirty ? { version: base.version, values, base: base.values } : null);
  useEffect(() => {
    const draft = JSON.parse(asText) as unknown;
    if (draft === null) removeDraft(draftName);
    else saveDraft(draftName, draft);
  }, [asText, draftName]);
  useUnsaved(dirty);

  const begin = (latest: CaseReport, keepMine: Partial<Values> = {}) => {
    setBase({ version: latest.version, values: valuesOf(latest) });
    form.reset({ ...valuesOf(latest), ...keepMine });
  };
  const fault = (field: CaseField, code: string, next?: string) => {
    const shown: FaultWords = {
      key: `case-reports:fault.${code}`,
      values: next === undefined ? {} : { next: words.column(next) },
    };
    form.setError(field, { type: code, message: JSON.stringify(shown) });
  };

  const undo = async (before: Values, after: CaseReport) => {
    const body = { ...changeOf(before, valuesOf(after)), undo: true as const };
    const answer = await callApi(changeCaseReport, {
      params: { id: after.id },
      body,
      headers: { 'If-Match': `"${after.version}"` },
    });
    keepReport(answer);
  };

  const sayWhy = (error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    notify('error', `error.${error.code}`);
  };

  const showConflicts = async () => {
    const latest = await callApi(readCaseReport, { params: { id: report.id } });
    const theirs = valuesOf(latest);
    const mine = Object.fromEntries(changed.map((field) => [field, values[field]])) as Partial<Values>;
    setConflicts(
      changed.flatMap((field) =>
        theirs[field] !== base.values[field] && theirs[field] !== values[field]
          ? [{ field, mine: values[field], theirs: theirs[field] }]
          : [],
      ),
    );
    begin(latest, mine);
    keepReport(latest);
  };

  const save = async () => {
    form.clearErrors();
    const dates = { ...values, createdOn: report.createdOn } as Record<EventDate, string>;
    const faults = eventDateFaults(
      Object.fromEntries(
        Object.entries(dates).map(([field, value]) => [field, value === '' ? null : value]),
      ) as Record<EventDate, string | null>,
      new Set(changed),
      { today, birthDate: report.birthDate },
    );
    if (faults.length > 0) {
      for (const { field, code, next } of faults) fault(field, code, next);
      return;
    }
    setSaving(true);
    try {
      const before = base.values;
      const answer = await callApi(changeCaseReport, {
        params: { id: report.id },
        body: changeOf(values, base.values),
        headers: { 'If-Match': `"${base.version}"` },
      });
      setConflicts([]);
      setRestored(false);
      begin(answer);
      keepReport(answer);
      notify('success', 'case-reports:change.saved', {
        values: { caseId: answer.caseId },
        action: {
          label: 'case-reports:change.undo',
          run: () =>
            void takeBack(() => undo(before, answer), 'case-reports:change.undone', {
              caseId: answer.caseId,
            }),
        },
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The other person's values are loaded again, and that can fail too.
      if (error.code === 'conflict') await showConflicts().catch(sayWhy);
      else if (error.code === 'validation-failed')
        for (const { path, code, ...rest } of error.faults)
          fault(path as CaseField, code, (rest as { next?: string }).next);
      else sayWhy(error);
    } finally {
      setSaving(false);
    }
  };

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
        onSubmit={(event) => {
          event.preventDefault();
          void form.handleSubmit(save)(event);
        }}
        sx={{ display: 'grid', gap: 4 }}
      >
        {may || report.breakGlass ? null : <Alert severity="info">{t('record.readOnly')}</Alert>}
        {restored && dirty ? <Alert severity="info">{t('change.restored')}</Alert> : null}
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
            <Button
              variant="text"
              disabled={saving}
              onClick={() => {
                setConflicts([]);
                setRestored(false);
                begin(report);
              }}
            >
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
      {conflicts.map(({ field, mine, theirs }) => (
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
