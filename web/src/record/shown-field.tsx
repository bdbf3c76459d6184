import type { AnyRecord } from '@caseway/contract/record';
import type { ReactNode } from 'react';
import { ContactLinks } from '../ui/ContactLink.tsx';

/** A value of a record as it is read: one that can be called or written to is a link, a long text has its lines. */
export function shownField(
  { fields }: Pick<AnyRecord, 'fields'>,
  text: (name: string, value: unknown) => string,
  name: string,
  value: unknown,
): ReactNode {
  const field = fields[name];
  const kind = field?.each?.kind ?? field?.kind;
  const values = [value].flat().filter((one) => typeof one === 'string' && one !== '') as string[];
  if (values.length > 0 && (kind === 'phone' || kind === 'email'))
    return <ContactLinks key={name} kind={kind} values={values} />;
  const said = text(name, value);
  return said && field?.lines ? <Lines key={name} text={said} /> : said;
}

/** A text with its lines. */
export const Lines = ({ text }: { text: string }) => <span style={{ whiteSpace: 'pre-line' }}>{text}</span>;
