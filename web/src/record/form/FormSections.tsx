import {
  type Asked,
  asked,
  type Form,
  type Item,
  optionsOf,
  type RecordFacts,
  type Row,
} from '@caseway/contract/form';
import { labelIn } from '@caseway/contract/label';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { memo, useEffect, useId, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DayField } from '../../ui/DayField.tsx';
import { focusOn } from '../../ui/FaultSummary.tsx';
import { Field } from '../../ui/Field.tsx';
import { SelectField, TextField, useFormField } from '../../ui/Form.tsx';
import { ManyOfField, OneOfField } from '../../ui/FormChoices.tsx';
import { useFormats } from '../../words/formats.ts';
import { besideEachOther, Rows } from '../Rows.tsx';
import { answersOf, emptyRow, type FormValues, type RowValues } from './form-values.ts';

/** Longer lists of choices are searched instead of ticked. */
const ticked = 10;

interface Shown {
  form: Form;
  facts: RecordFacts;
  disabled: boolean;
  /** A record's field in words, for a question that shows it. */
  field: (name: string) => string;
  /** Absent for a read-only form. */
  records?: Referred;
}

/** The records that answers refer to. */
export interface Referred {
  /** The names of records answered before, by id. */
  names: Readonly<Record<string, string>>;
  /** Those that match the typed text. */
  useFound: (typed: string) => readonly { id: string; label: string }[];
  /** The address of one. */
  href: (id: string) => string;
}

const noRecords: Referred = { names: {}, useFound: () => [], href: () => '' };

/** A form's sections and the questions asked, within the surrounding browser form. */
export function FormSections(shown: Shown) {
  const { form, facts } = shown;
  const { i18n } = useTranslation();
  const { watch } = useFormContext<FormValues>();
  const values = watch();
  const now = asked(form, answersOf(form, values), facts);
  return form.items
    .filter(({ linkId }) => now.items.has(linkId))
    .map((section) => (
      <Box
        key={section.linkId}
        component="fieldset"
        disabled={shown.disabled}
        sx={{ border: 0, margin: 0, padding: 0, minWidth: 0, display: 'grid', gap: 3 }}
      >
        <Typography
          component="legend"
          variant="body1"
          sx={{
            fontWeight: 650,
            padding: 0,
            paddingBottom: 1,
            marginBottom: 3,
            width: '100%',
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          {labelIn(section.words, i18n.language)}
        </Typography>
        <Items {...shown} items={section.items ?? []} now={now} values={values} />
      </Box>
    ));
}

function Items({
  items,
  now,
  values,
  ...shown
}: Shown & { items: readonly Item[]; now: Asked; values: FormValues }) {
  const { i18n } = useTranslation();
  return (
    <Box sx={besideEachOther}>
      {items
        .filter(({ linkId }) => now.items.has(linkId))
        .map((item) => {
          if (item.repeats)
            return (
              <AnswerRows
                key={item.linkId}
                {...shown}
                group={item}
                now={now}
                rows={values[item.linkId] as RowValues[]}
              />
            );
          if (item.type === 'group')
            return (
              <Box
                key={item.linkId}
                component="fieldset"
                className="wide"
                sx={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}
              >
                <Typography
                  component="legend"
                  variant="body2"
                  sx={{ fontWeight: 650, padding: 0, marginBottom: 2 }}
                >
                  {labelIn(item.words, i18n.language)}
                </Typography>
                <Items {...shown} items={item.items ?? []} now={now} values={values} />
              </Box>
            );
          return (
            <Question
              key={item.linkId}
              form={shown.form}
              item={item}
              name={item.linkId}
              disabled={shown.disabled}
              required={now.isRequired(item)}
              {...(shown.records && { records: shown.records })}
              shown={item.field === undefined ? undefined : shown.field(item.field)}
            />
          );
        })}
    </Box>
  );
}

/** A group that can be answered more than once. */
function AnswerRows({
  form,
  group,
  now,
  rows,
  disabled,
  records,
}: Shown & { group: Item; now: Asked; rows: readonly RowValues[] }) {
  const { i18n } = useTranslation();
  const answers = answersOf(form, { [group.linkId]: [...rows] })[group.linkId] as Row[];
  return (
    <Rows
      name={group.linkId}
      title={labelIn(group.words, i18n.language)}
      most={group.repeats ?? 0}
      disabled={disabled}
      newRow={() => emptyRow(group)}
    >
      {(index) =>
        [...now.inRow(group, answers[index] ?? {}).values()]
          .filter(({ type }) => type !== 'group')
          .map((item) => (
            <Question
              key={item.linkId}
              form={form}
              item={item}
              name={`${group.linkId}.${index}.${item.linkId}`}
              disabled={disabled}
              {...(records && { records })}
              required={now.isRequired(item, answers[index])}
            />
          ))
      }
    </Rows>
  );
}

interface OneQuestion {
  form: Form;
  item: Item;
  /** The path of its answer in the browser form. */
  name: string;
  disabled: boolean;
  required: boolean;
  records?: Referred;
  /** The record's value, for a question that shows one of its fields. */
  shown?: string | undefined;
}

/** A question with the control of its type. */
const Question = memo(function Question({
  form,
  item,
  name,
  disabled,
  required,
  records = noRecords,
  shown,
}: OneQuestion) {
  const { t, i18n } = useTranslation();
  const label = labelIn(item.words, i18n.language);
  const help = item.help && labelIn(item.help, i18n.language);
  const given = { name, label, required, ...(help !== undefined && { help }) };
  const options = optionsOf(form, item).filter(({ retired }) => !retired);
  const choices = options.map(({ code, words }) => ({ value: code, label: labelIn(words, i18n.language) }));
  if (item.type === 'display')
    return (
      <Typography className="wide" variant="body2" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {label}
      </Typography>
    );
  if (item.field !== undefined)
    return (
      <Box sx={{ display: 'grid', gap: 1.5 }}>
        <Typography variant="body2" sx={{ fontWeight: 550 }}>
          {label}
        </Typography>
        <Typography variant="body1">{shown || '–'}</Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('answers.ofRecord')}
        </Typography>
      </Box>
    );
  switch (item.type) {
    case 'choice':
      return <SelectField {...given} options={choices} empty={t('answers.none')} disabled={disabled} />;
    case 'boolean':
      return (
        <SelectField
          {...given}
          options={[
            { value: 'true', label: t('answers.yes') },
            { value: 'false', label: t('answers.no') },
          ]}
          empty={t('answers.none')}
          disabled={disabled}
        />
      );
    case 'choices':
      return choices.length > ticked ? (
        <ManyOfField
          {...given}
          options={choices.map(({ value, label: said }) => ({ id: value, label: said }))}
        />
      ) : (
        <Ticked {...given} options={choices} />
      );
    case 'reference':
      return <Reference {...given} disabled={disabled} records={records} />;
    case 'date':
      return <Day {...given} disabled={disabled} />;
    case 'long':
      return (
        <Box className="wide">
          <TextField
            {...given}
            multiline
            minRows={2}
            maxRows={10}
            disabled={disabled}
            inputProps={{ maxLength: 10_000 }}
          />
        </Box>
      );
    case 'integer':
    case 'quantity':
      return (
        <TextField
          {...given}
          disabled={disabled}
          inputProps={{ inputMode: item.type === 'integer' ? 'numeric' : 'decimal', maxLength: 20 }}
          {...(item.unit && {
            endAdornment: <InputAdornment position="end">{labelIn(item.unit, i18n.language)}</InputAdornment>,
          })}
        />
      );
    default:
      return <TextField {...given} disabled={disabled} inputProps={{ maxLength: 500 }} />;
  }
});

interface Given {
  name: string;
  label: string;
  required: boolean;
  help?: string;
}

/** Another record, found by search; the previous answer is a link. */
function Reference({ records, ...given }: Given & { disabled: boolean; records: Referred }) {
  const { t } = useTranslation();
  const { watch } = useFormContext<Record<string, string>>();
  const value = watch(given.name) ?? '';
  const [typed, setTyped] = useState('');
  const found = records.useFound(typed);
  /** The last results, so that the chosen one keeps its name. */
  const [known, setKnown] = useState(found);
  if (found.length > 0 && found !== known) setKnown(found);
  const name = records.names[value];
  const isKnown = known.some(({ id }) => id === value);
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <OneOfField
        {...given}
        options={name === undefined || isKnown ? known : [...known, { id: value, label: name }]}
        onTyped={setTyped}
      />
      {name === undefined ? null : (
        <Typography component={Link} to={records.href(value)} variant="body2" sx={{ color: 'primary.main' }}>
          {t('answers.open', { record: name })}
        </Typography>
      )}
    </Box>
  );
}

/** Several choices as checkboxes. */
function Ticked({
  name,
  label,
  required,
  help,
  options,
}: Given & { options: readonly { value: string; label: string }[] }) {
  const { t } = useTranslation();
  const { id, ref, field, fault } = useFormField(name);
  const chosen = (field.value ?? []) as string[];
  const faultId = useId();
  return (
    <Box
      component="fieldset"
      aria-describedby={fault ? faultId : undefined}
      sx={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}
    >
      <Typography component="legend" variant="body2" sx={{ fontWeight: 550, padding: 0, marginBottom: 1 }}>
        {label}
        {required ? null : (
          <Box component="span" sx={{ color: 'text.tertiary', fontWeight: 400 }}>
            {' '}
            {t('form.optional')}
          </Box>
        )}
      </Typography>
      {options.map((option, index) => (
        <FormControlLabel
          key={option.value}
          label={option.label}
          sx={{ display: 'flex' }}
          control={
            <Checkbox
              checked={chosen.includes(option.value)}
              onChange={(_, on) =>
                field.onChange(
                  // In the options' order, whatever the order of ticking.
                  options
                    .map(({ value }) => value)
                    .filter((one) => (one === option.value ? on : chosen.includes(one))),
                )
              }
              onBlur={field.onBlur}
              slotProps={{ input: { id: `${id}-${option.value}`, ...(index === 0 && { ref }) } }}
            />
          }
        />
      ))}
      {help ? (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {help}
        </Typography>
      ) : null}
      {fault ? (
        <Typography id={faultId} variant="body2" sx={{ color: 'error.main' }}>
          {fault}
        </Typography>
      ) : null}
    </Box>
  );
}

function Day({ name, label, required, help, disabled }: Given & { disabled: boolean }) {
  const { day, today } = useFormats();
  const { id, ref, field, fault } = useFormField(name);
  const value = (field.value ?? '') as string;
  // The fault summary links here.
  useEffect(() => ref({ focus: () => focusOn(id) }), [ref, id]);
  return (
    <Field id={id} label={label} required={required} help={help} fault={fault}>
      {({ describedBy, invalid }) =>
        disabled ? (
          <OutlinedInput id={id} readOnly disabled value={value === '' ? '' : day(value)} />
        ) : (
          <DayField
            id={id}
            value={value === '' ? null : value}
            today={today}
            onChange={(next) => field.onChange(next ?? '')}
            describedBy={describedBy}
            invalid={invalid}
          />
        )
      }
    </Field>
  );
}
