import { useEffect, useState } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import { z } from 'zod';
import { readDraft, removeDraft, saveDraft } from '../session/drafts.ts';
import { mayLeave, useUnsaved } from '../session/unsaved.ts';
import { useSchemaForm } from '../ui/Form.tsx';
import type { RecordForm } from './use-record-form.ts';

const draftSchema = z.record(z.string(), z.unknown());
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * A form that is sent once and belongs to no record, such as a decision with its reason. The draft survives a
 * reload and the end of the session until `isSent`, and leaving asks first; `FormBody` shows it.
 */
export function useKeptForm<Values extends FieldValues>(
  schema: z.ZodType<unknown, Values>,
  draftName: string,
  initial: Values,
  isSent: boolean,
): RecordForm<Values> & {
  /** Deletes the draft after it was sent. */
  forget(): void;
  /** Closes the form, once the user agrees to discard what is not sent. */
  close(then: () => void): Promise<void>;
} {
  const [first] = useState(initial);
  const [begun, setBegun] = useState(() => readDraft(draftName, draftSchema));
  const known = Object.entries(begun ?? {}).filter(([name]) => name in first);
  const form = useSchemaForm<Values>(schema, {
    ...first,
    ...Object.fromEntries(known),
  } as DefaultValues<Values>);
  const values = form.watch();
  const isBegun = !isSent && Object.keys(first).some((name) => !same(values[name], first[name]));
  const kept = isBegun ? JSON.stringify(values) : null;
  useEffect(() => {
    if (kept === null) removeDraft(draftName);
    else saveDraft(draftName, JSON.parse(kept));
  }, [kept, draftName]);
  useUnsaved(isBegun);
  return {
    form,
    restored: begun !== null && isBegun,
    theirs: [],
    failure: null,
    discard: () => {
      setBegun(null);
      form.reset(first);
    },
    forget: () => removeDraft(draftName),
    close: async (then) => {
      if (!isBegun || (await mayLeave('screen'))) then();
    },
  };
}
