import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DefaultValues, FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { useForgottenEnd } from '../data/api.ts';
import { AppError } from '../data/transport.ts';
import { readDraft, removeDraft, saveDraft } from '../session/drafts.ts';
import { mayLeave, useUnsaved } from '../session/unsaved.ts';
import { showFaults, takeSaved, useSchemaForm } from '../ui/Form.tsx';

/** A state of a record: its form values and version. */
export interface Version<Values> {
  version: number;
  values: Values;
}

/** A field that someone else has saved in the meantime; `mine` differs if it is edited here. */
export interface Overtaken {
  name: string;
  /** The value before both. */
  base: unknown;
  mine: unknown;
  theirs: unknown;
  edited: boolean;
}

/** A record's form, as its body sees it. */
export interface RecordForm<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** A draft from before a reload was restored. */
  restored: boolean;
  theirs: readonly Overtaken[];
  /** A refusal that no field and nothing in `theirs` explains. */
  failure: AppError | null;
  discard(): void;
}

const record = z.record(z.string(), z.unknown());
/** A draft and the values it is based on: on other values it would undo someone else's change. */
const draftSchema = z.object({ first: record, values: record });
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What a record's form does when it is sent. */
export interface Saving<Values, Answer> {
  /** Sends the changed fields, with the values the schema makes of them. */
  write(changes: Record<string, unknown>, version: number, base: Values): Promise<Answer>;
  /** The current record; called when someone else has changed it. */
  read(): Promise<Version<Values>>;
  /** The saved answer as form values. */
  versionOf(answer: Answer): Version<Values>;
  /** `before`: the record as it was; `names`: the changed fields. */
  onSaved(answer: Answer, before: Version<Values>, names: readonly string[]): void;
  /** Whether it may be sent; shows faults that no schema finds. */
  mayBeSent?(typed: Values, names: readonly string[]): boolean;
  /** Shows a refusal's faults at the form's fields; by default unchanged. */
  onRefused?(error: AppError): void;
  /** Also sent without changes, because sending itself has an effect. */
  evenUnchanged?: true;
  /** False: a change is not resent automatically after others changed other fields. */
  again?: boolean;
}

/**
 * A record's form. Its draft survives a reload; only changes are sent, with the version they are based on.
 * Someone else's changes are merged field by field, and fields that both changed are in `theirs` until the
 * form is sent again. `stored`: the record as last read; until editing starts, the newest one is shown.
 */
export function useRecordForm<Values extends FieldValues, Answer>(
  schema: z.ZodType<unknown, Values>,
  draftName: string,
  stored: Version<Values>,
  saving: Saving<Values, Answer>,
  /** A new record: no one else can have changed it, and all of it is sent. */
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
    // An import's change has no version of its own.
    if (stored.version < base.version || same(stored, base)) return;
    // Includes what was typed since this render.
    if (changedIn(form.getValues()).length > 0) return;
    setBase(stored);
    // A reset discards text being typed into a list of choices, so reset only for different values.
    if (!same(stored.values, base.values)) form.reset(stored.values);
  });

  /**
   * Takes over someone else's saved values, except for fields edited here; returns whether they are the same.
   */
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
    // Offline it fails at once and keeps what was typed, instead of sending it at some later time.
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
    /** Sends the changes; calls `unchanged` if there are none. */
    send: (unchanged?: () => void) =>
      form.handleSubmit((parsed) => {
        if (!isNew && !dirty && !saving.evenUnchanged) return unchanged?.();
        const typed = form.getValues();
        if (saving.mayBeSent && !saving.mayBeSent(typed, changed)) return;
        save.mutate({ parsed, typed, names: changed });
      }),
    /** Takes over what others have saved, before this is sent. */
    takeOver: (latest: Version<Values>) => void meet(latest, base, changed, form.getValues()),
    /** Closes the form, once the user agrees to discard what is not saved. */
    close: async (then: () => void) => {
      if (!dirty || (await mayLeave('screen'))) then();
    },
    discard: () => {
      setDraft(null);
      removeDraft(draftName);
      setTheirs([]);
      save.reset();
      const now = stored.version < base.version ? base : stored;
      setBase(now);
      form.reset(now.values);
    },
  };
}
