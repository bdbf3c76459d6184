import type { AnyRecord } from '@caseway/contract/record';
import type { ReactNode } from 'react';
import { ContactLinks } from '../ui/ContactLink.tsx';

/** A value of a record as it is read: one that can be called or written to is a link, any other is in words. */
export function shownField(
  { fields }: Pick<AnyRecord, 'fields'>,
  text: (name: string, value: unknown) => string,
  name: string,
  value: unknown,
): ReactNode {
  const field = fields[name];
  const kind = field?.each?.kind ?? field?.kind;
  const values = [value].flat().filter((one) => typeof one === 'string' && one !== '') as string[];
  return values.length > 0 && (kind === 'phone' || kind === 'email') ? (
    <ContactLinks key={name} kind={kind} values={values} />
  ) : (
    text(name, value)
  );
}
