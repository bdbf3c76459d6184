import type { ComponentProps } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTimeZones } from '../data/use-time-zones.ts';
import { OneOfField } from './FormChoices.tsx';

/** The time zone field of a form, searched by words. `state` is the FIPS code of the state whose zones come first. */
export function TimeZoneField({
  state,
  ...field
}: Omit<ComponentProps<typeof OneOfField>, 'options' | 'loading'> & { state?: string | undefined }) {
  const { watch } = useFormContext();
  const { zones, loading } = useTimeZones((watch(field.name) as string | null) ?? '', state);
  return <OneOfField {...field} options={zones} loading={loading} />;
}
