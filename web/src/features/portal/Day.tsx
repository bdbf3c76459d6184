import { DayField } from '../../ui/DayField.tsx';
import { Field } from '../../ui/Field.tsx';
import { useFormField } from '../../ui/Form.tsx';

/** A day in the surrounding form. */
export function Day({
  name,
  label,
  today,
  help,
  required = false,
}: {
  name: string;
  label: string;
  today: string;
  help?: string;
  required?: boolean;
}) {
  const { id, field, fault } = useFormField(name);
  return (
    <Field id={id} label={label} required={required} help={help} fault={fault}>
      {({ describedBy, invalid }) => (
        <DayField
          id={id}
          value={(field.value as string | null) ?? null}
          today={today}
          onChange={field.onChange}
          describedBy={describedBy}
          invalid={invalid}
        />
      )}
    </Field>
  );
}
