import type { AnyRecord, Field as RecordField } from '@caseway/contract/record';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useFormContext } from 'react-hook-form';
import { useLabels } from '../data/use-labels.ts';
import { useLookup } from '../data/use-lookup.ts';
import { DayField } from '../ui/DayField.tsx';
import { Field } from '../ui/Field.tsx';
import { SelectField, useFormField } from '../ui/Form.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import { useFormats } from '../words/formats.ts';

interface Shown {
  words: Required<GridWords>;
  /** What stands for no value of a field. */
  none: (name: string) => string;
  disabled: boolean;
}

/**
 * The fields of the form of a record, edited in place: what each is filled in with follows from its declaration.
 * `offered`: the codes of a field, where not all of its declaration can be chosen.
 */
export function RecordFields({
  record: { fields, form },
  offered = {},
  ...shown
}: Shown & {
  record: Pick<AnyRecord, 'fields'> & { form: readonly (string | readonly string[])[] };
  offered?: Readonly<Record<string, readonly string[]>>;
}) {
  return (
    <Box
      component="fieldset"
      disabled={shown.disabled}
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
      {form.flat().map((name) => {
        const field = fields[name]!;
        return (
          <div key={name} className={field.needed || field.kind === 'reference' ? 'wide' : undefined}>
            <OneField {...shown} name={name} field={field} codes={offered[name]} />
          </div>
        );
      })}
    </Box>
  );
}

function OneField({
  name,
  field,
  codes = [],
  ...shown
}: Shown & { name: string; field: RecordField; codes: readonly string[] | undefined }) {
  const { words, none } = shown;
  if (field.kind === 'day') return <Day name={name} {...shown} />;
  if (typeof field.options === 'string') return <Entry name={name} lookup={field.options} {...shown} />;
  const options = codes.length > 0 ? codes : (field.options ?? []);
  return (
    <SelectField
      name={name}
      label={words.column(name)}
      options={options.map((code) => ({ value: code, label: words.choice(name, code) }))}
      {...(field.needed ? {} : { empty: none(name) })}
    />
  );
}

/** An entry of a look-up; one that is not offered any more keeps its name. */
function Entry({ name, lookup, words, none }: Shown & { name: string; lookup: string }) {
  const { options } = useLookup(lookup);
  const labels = useLabels(lookup);
  const present = useFormContext<Record<string, string>>().watch(name) ?? '';
  const known = options.map(({ id, label }) => ({ value: id, label }));
  return (
    <SelectField
      name={name}
      label={words.column(name)}
      empty={none(name)}
      options={
        present === '' || known.some(({ value }) => value === present)
          ? known
          : [{ value: present, label: labels.of(present) }, ...known]
      }
    />
  );
}

function Day({ name, words, disabled }: Shown & { name: string }) {
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
