import type { AnyRecord } from '@caseway/contract/record';
import type { ReactNode } from 'react';
import { CaseField } from './CaseField.tsx';
import { PersonField } from './PersonField.tsx';
import type { FieldShown } from './RecordFields.tsx';

/** The fields for other records that no look-up has. */
export const isFound = ({ kind, options }: AnyRecord['fields'][string]): boolean =>
  kind === 'reference' && options === undefined;

/** Such fields: people and cases are found by words. `chosen`: the person who was chosen before. */
export const foundFields = (
  { fields }: Pick<AnyRecord, 'fields'>,
  chosen?: { id: string; label: string },
): Readonly<Record<string, (shown: FieldShown) => ReactNode>> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => isFound(field))
      .map(([name]) => [
        name,
        (shown: FieldShown) =>
          name === 'patient' ? (
            <PersonField {...shown} {...(chosen && { chosen })} />
          ) : (
            <CaseField {...shown} />
          ),
      ]),
  );
