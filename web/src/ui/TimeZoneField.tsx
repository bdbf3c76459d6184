import type { ComponentProps } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTimeZones } from '../data/use-time-zones.ts';
import { OneOfField } from './FormChoices.tsx';

/**
 * A form's time zone field, searched by typing. `state` is the FIPS code of the state whose zones come first.
 */
export function TimeZoneField({
  state,
  ...field
}: Omit<ComponentProps<typeof OneOfField>, 'options' | 'loading'> & { state?: string | undefined }) {
  const { watch } = useFormContext();
  const { zones, loading } = useTimeZones((watch(field.name) as string | null) ?? '', state);
  return <OneOfField {...field} options={zones} loading={loading} />;
}
