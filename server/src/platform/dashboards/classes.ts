import type { Classes } from '@caseway/contract/dashboard';
import type { Condition } from '@caseway/contract/measure';

export const classNames = ({ are, rest }: Classes): string[] => [...Object.keys(are), rest];

/** The rows of one class. The names and values are those of the declaration. */
export function ofClass({ by, are, rest }: Classes, name: string): Condition | undefined {
  if (Object.hasOwn(are, name)) return { [by]: are[name]! };
  return name === rest ? { [by]: { not: Object.values(are).flat() } } : undefined;
}
