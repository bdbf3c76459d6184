import type { AnyRecord } from '@caseway/contract/record';
import type { ReactNode } from 'react';
import { ContactLinks } from '../ui/ContactLink.tsx';

/** A record's value for reading: phone numbers and addresses are links, a long text keeps its lines. */
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

export const Lines = ({ text }: { text: string }) => <span style={{ whiteSpace: 'pre-line' }}>{text}</span>;
