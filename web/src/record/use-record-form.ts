import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DefaultValues, FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { useForgottenEnd } from '../data/api.ts';
import { AppError } from '../data/transport.ts';
import { readDraft, removeDraft, saveDraft } from '../session/drafts.ts';
import { mayLeave, useUnsaved } from '../session/unsaved.ts';
import { showFaults, takeSaved, useSchemaForm } from '../ui/Form.tsx';

/** A state of a record: the values that a form has of it, and their version. */
export interface Version<Values> {
  version: number;
  values: Values;
}

/** A field that somebody else has saved in the meantime; `mine` is another value if it is edited here. */
export interface Overtaken {
  name: string;
  /** As it was before both. */
  base: unknown;
  mine: unknown;
  theirs: unknown;
  edited: boolean;
}

/** A form over a record, as its body knows it. */
export interface RecordForm<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** What was begun before a reload is in it. */
  restored: boolean;
  theirs: readonly Overtaken[];
  /** A refusal that no field and nothing in `theirs` says. */
  failure: AppError | null;
  discard(): void;
}

const record = z.record(z.string(), z.unknown());
/** A draft, and the values it is based on: on others it would undo someone else's change. */
const draftSchema = z.object({ first: record, values: record });
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What a form of a record does when it is sent. */
export interface Saving<Values, Answer> {
  /** Sends the fields that were changed here, by the values that the schema makes of them. */
  write(changes: Record<string, unknown>, version: number, base: Values): Promise<Answer>;
  /** The record as it is now; asked when somebody else has changed it. */
  read(): Promise<Version<Values>>;
  /** What was saved, as the form has it. */
  versionOf(answer: Answer): Version<Values>;
  /** `before`: the record as it was, `names`: the fields that were changed. */
  onSaved(answer: Answer, before: Version<Values>, names: readonly string[]): void;
  /** Whether it may be sent; shows the faults that no schema finds. */
  mayBeSent?(typed: Values, names: readonly string[]): boolean;
  /** The faults of a refusal at the fields of the form; by default as they are. */
  onRefused?(error: AppError): void;
  /** It is sent even where no field was changed: sending it does something by itself. */
  evenUnchanged?: true;
  /** False: a change is not sent again by itself on top of what others have changed in other fields. */
  again?: boolean;
}

/**
 * A form over a record: its draft survives a reload; only what was changed is sent, with the version it is based on; what
 * somebody else has changed is merged field by field, and a field that both have changed is in `theirs` until the form is
 * sent again. `stored`: the record as it was read last; while nothing is begun here, the newest is shown.
 */
export function useRecordForm<Values extends FieldValues, Answer>(
  schema: z.ZodType<unknown, Values>,
  draftName: string,
  stored: Version<Values>,
  saving: Saving<Values, Answer>,
  /** A new record: there is nothing that somebody else could change, and all of it is sent. */
  isNew = false,
) {
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState(() => readDraft(draftName, draftSchema));
  const names = Object.keys(base.values) as FieldPath<Values>[];
  const [begun] = useState(() => {
    const mine = draft
      ? names.filter((name) => name in draft.values && !same(draft.values[name], draft.first[name]))
      : [];
    return {
      values: Object.fromEntries(mine.map((name) => [name, draft!.values[name]])),
      overtaken: isNew
        ? []
        : mine
            .filter((name) => !same(base.values[name], draft!.first[name]))
            .map((name) => ({
              name,
              base: draft!.first[name],
              mine: draft!.values[name],
              theirs: base.values[name],
              edited: true,
            })),
    };
  });
  const [theirs, setTheirs] = useState<readonly Overtaken[]>(begun.overtaken);
  const form = useSchemaForm<Values>(schema, { ...base.values, ...begun.values } as DefaultValues<Values>);
  const values = form.watch();
  const changedIn = (typed: Values) => names.filter((name) => !same(typed[name], base.values[name]));
  const changed = changedIn(values);
  const dirty = changed.length > 0;

  const kept = JSON.stringify(dirty ? { first: base.values, values } : null);
  useEffect(() => {
    const now = JSON.parse(kept) as z.infer<typeof draftSchema> | null;
    if (now === null) removeDraft(draftName);
    else saveDraft(draftName, now);
  }, [kept, draftName]);
  useUnsaved(dirty);

  useEffect(() => {
    // What an import changes has no version of its own.
    if (stored.version < base.version || same(stored, base)) return;
    // What was typed since this was drawn counts too.
    if (changedIn(form.getValues()).length > 0) return;
    setBase(stored);
    // A reset discards text being typed into a list of choices, so only other values cause one.
    if (!same(stored.values, base.values)) form.reset(stored.values);
  });

  /** Takes over what somebody else has saved, but for the fields that are edited here; whether they are the same. */
  const meet = (latest: Version<Values>, from: Version<Values>, mine: readonly string[], typed: Values) => {
    const differing = (Object.keys(latest.values) as FieldPath<Values>[]).filter(
      (name) => !same(latest.values[name], from.values[name]),
    );
    for (const name of differing)
      if (!mine.includes(name))
        form.setValue(name, latest.values[name] as FieldPathValue<Values, typeof name>);
    const overtaken = differing.map((name) => ({
      name,
      base: from.values[name],
      mine: mine.includes(name) ? typed[name] : latest.values[name],
      theirs: latest.values[name],
      edited: mine.includes(name),
    }));
    const both = overtaken.some((one) => !same(one.mine, one.theirs));
    setBase(latest);
    setTheirs(both ? overtaken : []);
    return both;
  };

  const save = useMutation<
    { answer: Answer; before: Version<Values> },
    AppError,
    { parsed: Record<string, unknown>; typed: Values; names: readonly string[] }
  >({
    // Without a network it fails at once, and what was typed stays; it is not sent at some later time.
    networkMode: 'always',
    mutationFn: async ({ parsed, typed, names: mine }) => {
      const changes = isNew ? parsed : Object.fromEntries(mine.map((name) => [name, parsed[name]]));
      for (let from = base; ; ) {
        try {
          return { answer: await saving.write(changes, from.version, from.values), before: from };
        } catch (error) {
          if (isNew || !(error instanceof AppError) || error.code !== 'conflict') throw error;
          const latest = await saving.read();
          const both = meet(latest, from, mine, typed);
          if (both || saving.again === false || same(latest, from)) throw error;
          from = latest;
        }
      }
    },
    onSuccess: ({ answer, before }, { typed, names: mine }) => {
      const saved = saving.versionOf(answer);
      setDraft(null);
      setTheirs([]);
      setBase(saved);
      takeSaved(form, saved.values, typed);
      removeDraft(draftName);
      saving.onSaved(answer, before, mine);
    },
    onError: (error) => {
      if (error.code === 'conflict') return;
      if (saving.onRefused) saving.onRefused(error);
      else showFaults(form, error.faults);
    },
  });
  useForgottenEnd(save);
  const { error } = save;

  return {
    form,
    values,
    base,
    changed,
    dirty,
    restored: draft !== null && dirty,
    theirs,
    saving: save.isPending,
    error,
    failure:
      error && theirs.length === 0 && (error.code === 'conflict' || error.faults.length === 0) ? error : null,
    /** Sends what was changed; `unchanged` where there is nothing to send. */
    send: (unchanged?: () => void) =>
      form.handleSubmit((parsed) => {
        if (!isNew && !dirty && !saving.evenUnchanged) return unchanged?.();
        const typed = form.getValues();
        if (saving.mayBeSent && !saving.mayBeSent(typed, changed)) return;
        save.mutate({ parsed, typed, names: changed });
      }),
    /** Takes over what others have saved, before this is sent. */
    takeOver: (latest: Version<Values>) => void meet(latest, base, changed, form.getValues()),
    /** Closes the form, once the person agrees to leave what is not saved. */
    close: async (then: () => void) => {
      if (!dirty || (await mayLeave('screen'))) then();
    },
    discard: () => {
      setDraft(null);
      setTheirs([]);
      save.reset();
      const now = stored.version < base.version ? base : stored;
      setBase(now);
      form.reset(now.values);
    },
  };
}
