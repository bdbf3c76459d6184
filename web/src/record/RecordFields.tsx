import { type AnyRecord, isAsked, isNeeded, type Field as RecordField } from '@caseway/contract/record';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useLabels } from '../data/use-labels.ts';
import { type Option, useLookup } from '../data/use-lookup.ts';
import { DayField } from '../ui/DayField.tsx';
import { Field } from '../ui/Field.tsx';
import { SelectField, TextField, useFormField, useWords } from '../ui/Form.tsx';
import { CheckField, ManyOfField, OneOfField } from '../ui/FormChoices.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import { PlainFieldset } from '../ui/PlainFieldset.tsx';
import { TextsField } from '../ui/TextsField.tsx';
import { TimeZoneField } from '../ui/TimeZoneField.tsx';
import { useFormats } from '../words/formats.ts';
import { type FormValues, rowValues } from './form-values.ts';
import { InstantField } from './InstantField.tsx';
import { Rows } from './Rows.tsx';

/** Short look-ups, shown as a plain list instead of a search. */
const few: ReadonlySet<string> = new Set([
  'investigators',
  'teams',
  'providers',
  'programTypes',
  'taskCategories',
]);
const noLookup = '';

/** The keyboard type of a phone for a text. */
const inputTypes: Partial<Record<RecordField['kind'], 'email' | 'tel'>> = { email: 'email', phone: 'tel' };

/** The props of every field. */
export interface FieldShown {
  name: string;
  label: string;
  help?: string;
  required: boolean;
}

interface Shown {
  words: Required<GridWords>;
  help?: (name: string) => string | undefined;
  /** The text for no value of a field. */
  none?: (name: string) => string | undefined;
  disabled?: boolean;
  /** Fields whose control does not follow from the declaration. */
  own?: Readonly<Record<string, (shown: FieldShown) => ReactNode>>;
  /** A field's choices, if different from the declaration. */
  offered?: Readonly<Record<string, readonly string[] | { options: readonly Option[]; loading: boolean }>>;
}

type Form = Pick<AnyRecord, 'fields'> & { form: readonly (string | readonly string[])[] };

/**
 * The fields of a record's form; each control follows from the declaration. `inPlace`: they are in the record
 * itself, as many per line as fit; otherwise each has a line, or shares one as declared.
 */
export function RecordFields({
  record: { fields, form },
  inPlace = false,
  isNew = true,
  stored = {},
  ...shown
}: Shown & {
  record: Form;
  inPlace?: boolean;
  isNew?: boolean;
  /** The values that conditions on fields depend on, if not in the surrounding form. */
  stored?: Readonly<Record<string, unknown>>;
}) {
  const values = { ...stored, ...useFormContext<FormValues>().watch() };
  const layout = inPlace
    ? {
        gridTemplateColumns: {
          xs: 'repeat(2, minmax(0, 1fr))',
          sm: 'repeat(auto-fill, minmax(200px, 1fr))',
        },
        // On a phone, long values have their own line; dates and short answers share one.
        '& > .whole': { gridColumn: { xs: '1 / -1', sm: 'auto' } },
        // Anything that is not a single control takes the full width.
        '& > :has(> .across)': { gridColumn: '1 / -1' },
      }
    : {
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        '& > .whole': { gridColumn: '1 / -1' },
      };
  return (
    <PlainFieldset
      disabled={shown.disabled ?? false}
      sx={{ alignItems: 'start', ...layout, '& > :empty': { display: 'none' } }}
    >
      {form.flatMap((line) =>
        [line].flat().map((name) => {
          const field = fields[name]!;
          if ((field.set === 'creation' && !isNew) || !isAsked(field, values)) return null;
          const whole = inPlace
            ? field.needed || field.kind === 'reference' || field.kind === 'instant'
            : typeof line === 'string';
          const needed = isNeeded(field, values);
          return (
            <div key={name} className={whole ? 'whole' : undefined}>
              <OneField
                {...shown}
                name={name}
                at={name}
                field={{ ...field, needed }}
                fields={fields}
                inPlace={inPlace}
              />
            </div>
          );
        }),
      )}
    </PlainFieldset>
  );
}

interface One extends Shown {
  name: string;
  /** The path of its value in the form; within a row, more than its name. */
  at: string;
  field: RecordField;
  fields: AnyRecord['fields'];
  inPlace: boolean;
}

function OneField(one: One) {
  const { name, at, field, fields, words, inPlace, own } = one;
  const { watch } = useFormContext<FormValues>();
  const { t } = useTranslation();
  const isMany = ['choices', 'families', 'references', 'texts'].includes(field.kind);
  const help = one.help?.(name);
  const shown: FieldShown = {
    name: at,
    label: words.column(name),
    // A list may be empty, unless the field itself says otherwise.
    required: inPlace || (field.needed && (!isMany || own?.[name] !== undefined)),
    ...(help === undefined ? {} : { help }),
  };
  if (own?.[name]) return own[name](shown);
  switch (field.kind) {
    case 'flag':
      return <CheckField name={at} label={shown.label} help={help} />;
    case 'day':
      return <Day {...shown} disabled={one.disabled ?? false} />;
    case 'instant':
      return <InstantField {...shown} />;
    case 'timeZone':
      return (
        <TimeZoneField
          {...shown}
          state={'state' in fields ? String(watch('state') ?? '') : ''}
          placeholder={one.none?.(name) ?? t('filter.choose')}
        />
      );
    case 'choice':
    case 'choices':
    case 'families':
    case 'reference':
    case 'references':
      return <Chosen {...one} shown={shown} isMany={isMany} />;
    case 'rows':
      return <RecordRows {...one} label={shown.label} />;
    case 'texts':
      return <TextsField {...shown} type={inputTypes[field.each!.kind]} most={field.most!} />;
    case 'email':
      return <TextField {...shown} type="email" autoComplete="off" />;
    case 'count':
      return <TextField {...shown} type="text" inputMode="numeric" autoComplete="off" />;
    case 'phone':
      return <TextField {...shown} type="tel" autoComplete="off" />;
    default:
      return (
        <TextField
          {...shown}
          type="text"
          autoComplete="off"
          {...(field.lines && { multiline: true, minRows: 2, maxRows: 12 })}
        />
      );
  }
}

/** Several rows, each with the same fields. */
function RecordRows(one: One & { label: string }) {
  const { at, field, label } = one;
  const rows = field.rows!;
  const { getFieldState, formState } = useFormContext();
  const words = useWords();
  return (
    <Rows
      name={at}
      title={label}
      most={field.most!}
      fault={words(getFieldState(at, formState).error?.message)}
      disabled={one.disabled ?? false}
      newRow={() => rowValues(rows)}
    >
      {(index) =>
        Object.entries(rows).map(([name, of]) => (
          <OneField key={name} {...one} name={name} at={`${at}.${index}.${name}`} field={of} fields={rows} />
        ))
      }
    </Rows>
  );
}

/** A field's choices: its codes, or the current entries of its look-up that belong to the other choices. */
function useOffered({ name, field, fields, words, offered }: One): {
  options: readonly Option[];
  loading: boolean;
} {
  const { watch } = useFormContext<FormValues>();
  const values = watch();
  const given = offered?.[name];
  const codes = Array.isArray(given) ? (given as readonly string[]) : field.options;
  const isEntry = typeof codes === 'string' && given === undefined;
  const lookup = useLookup(isEntry ? codes : noLookup, { enabled: isEntry });
  if (given && !Array.isArray(given)) return given as { options: readonly Option[]; loading: boolean };
  if (!isEntry)
    return {
      options: ((codes ?? []) as readonly string[]).map((id) => ({ id, label: words.choice(name, id) })),
      loading: false,
    };
  // Only counties of the state, once one is chosen.
  const around = Object.entries(fields).flatMap(([other, { options, kind }]) =>
    other !== name && kind === 'choice' && typeof options === 'string' && values[other]
      ? [[options, values[other]] as const]
      : [],
  );
  return {
    options: lookup.options.filter(({ within }) =>
      around.every(([of, chosen]) => within?.[of] === undefined || within[of] === chosen),
    ),
    loading: lookup.loading,
  };
}

function Chosen(one: One & { shown: FieldShown; isMany: boolean }) {
  const { name, at, field, words, inPlace, shown, isMany } = one;
  const { t } = useTranslation();
  const { options, loading } = useOffered(one);
  const isEntry = typeof field.options === 'string';
  const lookup = useLookup(isEntry ? (field.options as string) : noLookup, { enabled: isEntry });
  const labels = useLabels(isEntry ? (field.options as string) : noLookup, { enabled: isEntry });
  const value = useFormContext<FormValues>().watch(at);
  const present: readonly unknown[] = Array.isArray(value) ? value : [value];
  const kept = options.filter((option) => !option.inactive || present.includes(option.id));
  // If the tenant has no entries, there is nothing to choose from.
  const isKeptAtAll = lookup.options.length > 0 || lookup.loading || lookup.error !== null;
  if (isEntry && field.kind === 'choice' && !field.needed && !isKeptAtAll) return null;
  if (isMany) return <ManyOfField {...shown} options={kept} loading={loading} />;
  if (isEntry && !few.has(field.options as string) && !inPlace)
    return <OneOfField {...shown} options={kept} loading={loading} />;
  const text = typeof value === 'string' ? value : '';
  // A choice no longer in the list keeps its name.
  const isKept = text === '' || kept.some(({ id }) => id === text);
  const known = isEntry ? (labels.of(text) ?? '') : words.choice(name, text);
  return (
    <SelectField
      {...shown}
      options={[
        ...(isKept ? [] : [{ value: text, label: known }]),
        ...kept.map(({ id, label }) => ({ value: id, label })),
      ]}
      {...(!field.needed || (!inPlace && text === '') ? { empty: one.none?.(name) ?? t('form.choose') } : {})}
    />
  );
}

/** A day in the surrounding form. */
export function Day({ name, label, required, help, disabled = false }: FieldShown & { disabled?: boolean }) {
  const formats = useFormats();
  const { id, field, fault } = useFormField(name);
  return (
    <Field id={id} label={label} required={required} help={help} fault={fault}>
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
            today={formats.today}
            onChange={(day) => field.onChange(day ?? '')}
            describedBy={describedBy}
            invalid={invalid}
          />
        )
      }
    </Field>
  );
}
