/** Why an entry was not accepted and needs a person. */
export interface Refusal {
  code: string;
  /** The refused parts of the request, with their codes. */
  faults: readonly { path: string; code: string }[];
  /** What others have made of the record, if it has changed. */
  theirs?: Readonly<Record<string, unknown>> & { version: number };
}

/** Work done offline and not sent yet. */
export interface Entry<Made> {
  /** Created here, so that sending twice does it once. Version 7 ids are in order of creation. */
  id: string;
  record: string;
  /** The version of the record that the user saw. */
  base: number;
  /** The record at that time, as far as its changes are compared and named. */
  seen: Readonly<Record<string, unknown>>;
  made: Made;
  /** By the device's clock, in milliseconds. */
  at: number;
  refusal?: Refusal;
}

/** The outcome of sending an entry. `later`: no answer. `signed-out`: the session has ended. */
export type Outcome = 'sent' | 'later' | 'signed-out' | Refusal;

/**
 * Sends waiting entries in order. If one needs a decision, later ones of the same record wait. Stops at the
 * first without an answer. `note` stores each outcome before the next is sent.
 */
export async function deliver<Made>(
  entries: readonly Entry<Made>[],
  send: (entry: Entry<Made>) => Promise<Outcome>,
  note: (entry: Entry<Made>, outcome: 'sent' | Refusal) => Promise<void>,
): Promise<'all' | 'later' | 'signed-out'> {
  const held = new Set(entries.filter(({ refusal }) => refusal).map(({ record }) => record));
  for (const entry of entries) {
    if (held.has(entry.record)) continue;
    const outcome = await send(entry);
    if (outcome === 'later' || outcome === 'signed-out') return outcome;
    if (outcome !== 'sent') held.add(entry.record);
    await note(entry, outcome);
  }
  return 'all';
}

/** The fields of a record that differ from what the user saw. */
export function changedFields(
  seen: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): { field: string; from: unknown; to: unknown }[] {
  return fields.flatMap((field) =>
    seen[field] === theirs[field] ? [] : [{ field, from: seen[field], to: theirs[field] }],
  );
}
