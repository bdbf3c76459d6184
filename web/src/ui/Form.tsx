import { toNestErrors } from '@hookform/resolvers';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import { type ReactNode, useId } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useController,
  useForm,
  useFormContext,
} from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { FaultSummary } from './FaultSummary.tsx';
import { Field } from './Field.tsx';
import { type FaultWords, wordsOfIssue } from './fault-words.ts';

/** Checks a form by the contract's schema; faults are keys, so that their texts follow the language. */
function schemaResolver<Values extends FieldValues>(schema: z.ZodType<unknown, Values>): Resolver<Values> {
  return (values, _, options) => {
    const parsed = schema.safeParse(values, { reportInput: true });
    if (parsed.success) return { values: parsed.data as Values, errors: {} };
    const errors: Record<string, { type: string; message: string }> = {};
    for (const issue of parsed.error.issues)
      errors[issue.path.join('.')] ??= { type: issue.code, message: JSON.stringify(wordsOfIssue(issue)) };
    return { values: {}, errors: toNestErrors(errors as FieldErrors<Values>, options) };
  };
}

/** A form with a schema. `ErrorSummary` lists its faults; every form has one. */
export function useSchemaForm<Values extends FieldValues>(
  schema: z.ZodType<unknown, Values>,
  defaultValues: DefaultValues<Values>,
): UseFormReturn<Values> {
  return useForm<Values>({ resolver: schemaResolver(schema), defaultValues, shouldFocusError: false });
}

/** A server's fault, with what else it says, and the values its text needs. */
export type FaultValues = (fault: { path: string; code: string }) => Record<string, string>;

/** Shows the server's faults at their fields; others are in the summary. [S5.1] */
export function showFaults<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  faults: readonly { path: string; code: string }[],
  keyOf = (code: string) => `fault.${code}`,
  valuesOf: FaultValues = () => ({}),
): void {
  for (const fault of faults)
    form.setError(fault.path as FieldPath<Values>, {
      type: fault.code,
      message: JSON.stringify({ key: keyOf(fault.code), values: valuesOf(fault) }),
    });
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Takes over the saved values. On a slow line the user may have typed more since, which stays unsaved.
 * `sent`: the fields' values when sent.
 */
export function takeSaved<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  saved: Values,
  sent: Values,
): void {
  const now = form.getValues();
  form.reset(saved);
  for (const field of Object.keys(saved) as FieldPath<Values>[])
    if (!same(now[field], sent[field])) form.setValue(field, now[field], { shouldDirty: true });
}

/** The text of a fault from the resolver or `showFaults`. */
export function useWords(): (message: string | undefined) => string | undefined {
  const { t } = useTranslation();
  return (message) => {
    if (message === undefined) return undefined;
    const { key, values } = JSON.parse(message) as FaultWords;
    return t(key, { ...values, defaultValue: t('fault.invalid') });
  };
}

/** The props of a control in the surrounding form, and the text of its fault. */
export function useFormField(name: string) {
  const id = useId();
  const words = useWords();
  const { control } = useFormContext();
  const {
    field: { ref, ...field },
    fieldState,
  } = useController({ name, control });
  return { id, ref, field, fault: words(fieldState.error?.message) };
}

/** A text field in the surrounding form. */
export function TextField({
  name,
  label,
  help,
  required = true,
  ...input
}: {
  name: string;
  label: string;
  help?: ReactNode;
  required?: boolean;
} & Omit<OutlinedInputProps, 'name' | 'label' | 'value' | 'onChange'>) {
  const { id, ref, field, fault } = useFormField(name);
  return (
    <Field id={id} label={label} help={help} required={required} fault={fault}>
      {({ describedBy, invalid }) => (
        <OutlinedInput
          {...input}
          {...field}
          value={field.value ?? ''}
          inputRef={ref}
          id={id}
          error={invalid}
          required={required}
          inputProps={{ ...input.inputProps, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
        />
      )}
    </Field>
  );
}

/** A choice of one from few in the surrounding form; `empty` names the choice of none. */
export function SelectField({
  name,
  label,
  help,
  options,
  empty,
  required = true,
  disabled = false,
}: {
  name: string;
  label: string;
  help?: ReactNode;
  options: readonly { value: string; label: string }[];
  empty?: string;
  required?: boolean;
  disabled?: boolean;
}) {
  const { id, ref, field, fault } = useFormField(name);
  return (
    <Field id={id} label={label} help={help} required={required} fault={fault}>
      {({ describedBy, invalid }) => (
        <NativeSelect
          {...field}
          value={field.value ?? ''}
          disabled={disabled}
          inputRef={ref}
          input={<OutlinedInput fullWidth error={invalid} />}
          inputProps={{ id, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
        >
          {empty === undefined ? null : <option value="">{empty}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

/** Each faulty field by its full name (`address.zip`), with its fault's text. */
function faultsOf(errors: object, within = ''): [name: string, fault: string][] {
  return Object.entries(errors as Record<string, object & { message?: unknown }>).flatMap(([key, error]) => {
    const name = within === '' ? key : `${within}.${key}`;
    return typeof error.message === 'string'
      ? [[name, error.message] as [string, string]]
      : // Skips the element a fault refers to.
        key === 'ref'
        ? []
        : faultsOf(error, name);
  });
}

/** The field a name belongs to: `phones.1` belongs to `phones`. */
const fieldOf = (name: string): string => name.replace(/\.\d+$/, '');

/**
 * All faults of the surrounding form.
 * @param labels the label of each field by its name
 */
export function ErrorSummary({ labels }: { labels: Readonly<Record<string, string>> }) {
  const words = useWords();
  const { formState, setFocus } = useFormContext();
  const faults = faultsOf(formState.errors).map(([name, fault]) => ({
    name,
    label: labels[name] ?? labels[fieldOf(name)] ?? name,
    fault: words(fault),
  }));
  return (
    <FaultSummary
      faults={faults}
      sent={formState.submitCount}
      focus={(name) => setFocus(name in labels ? name : fieldOf(name))}
    />
  );
}
