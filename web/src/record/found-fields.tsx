import type { AnyRecord } from '@caseway/contract/record';
import type { ReactNode } from 'react';
import { CaseField } from './CaseField.tsx';
import { PersonField } from './PersonField.tsx';
import type { FieldShown } from './RecordFields.tsx';

/** Fields for other records without a look-up. */
export const isFound = ({ kind, options }: AnyRecord['fields'][string]): boolean =>
  kind === 'reference' && options === undefined;

/** Search fields for people and cases. `chosen`: the person chosen before. */
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
