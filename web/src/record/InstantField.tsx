import { nameOfTimeZone } from '@caseway/contract/time-zone';
import { clockIn, instantsAt } from '@caseway/contract/zoned-time';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DayField } from '../ui/DayField.tsx';
import { Field } from '../ui/Field.tsx';
import { useFormField } from '../ui/Form.tsx';
import { useFormats } from '../words/formats.ts';
import type { FieldShown } from './RecordFields.tsx';

/**
 * An instant in the surrounding form, as a day and time in the tenant's time zone. A time the clocks skip is
 * refused; for one they repeat, the user chooses which one.
 */
export function InstantField({ name, label, required, help }: FieldShown) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const { timeZone } = formats;
  const { id, field, fault } = useFormField(name);
  const value = field.value as string;
  const known = value === '' ? null : clockIn(timeZone, value);
  const [typed, setTyped] = useState({ day: known?.day ?? '', time: known?.time ?? '' });
  const at = known ?? typed;
  // Both can change before the next render.
  const latest = useRef(at);
  latest.current = at;
  const found = at.day && at.time ? instantsAt(timeZone, at.day, at.time) : [];
  const isLeftOut = Boolean(at.day && at.time) && found.length === 0;
  const enter = (changed: Partial<typeof at>) => {
    const next = { ...latest.current, ...changed };
    latest.current = next;
    setTyped(next);
    field.onChange(instantsAt(timeZone, next.day, next.time)[0] ?? '');
  };
  return (
    <Field
      id={id}
      label={label}
      required={required}
      help={help ?? nameOfTimeZone(timeZone, i18n.language)}
      fault={isLeftOut ? t('instant.leftOut') : fault}
    >
      {({ describedBy, invalid }) => (
        <Box sx={{ display: 'grid', gap: 2 }}>
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr) minmax(8.25rem, 1fr)' }}>
            <DayField
              id={id}
              value={at.day || null}
              today={formats.today}
              onChange={(day) => enter({ day: day ?? '' })}
              describedBy={describedBy}
              invalid={invalid}
            />
            <OutlinedInput
              type="time"
              value={at.time}
              onChange={({ target }) => enter({ time: target.value })}
              error={invalid}
              // Both fit on one line of a narrow form.
              sx={{ '& input': { paddingInline: '10px' } }}
              inputProps={{
                'aria-label': t('instant.timeOf', { label }),
                'aria-describedby': describedBy,
                'aria-invalid': invalid,
                step: 300,
              }}
            />
          </Box>
          {found.length > 1 ? (
            <RadioGroup
              aria-label={t('instant.twice')}
              value={value}
              onChange={({ target }) => field.onChange(target.value)}
            >
              {found.map((one, place) => (
                <FormControlLabel
                  key={one}
                  value={one}
                  control={<Radio size="small" />}
                  label={t(place === 0 ? 'instant.first' : 'instant.second')}
                />
              ))}
            </RadioGroup>
          ) : null}
        </Box>
      )}
    </Field>
  );
}
