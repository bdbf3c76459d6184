/** Why something was not taken, and needs a person. */
export interface Refusal {
  code: string;
  /** The places of what was sent that are refused, with their codes. */
  faults: readonly { path: string; code: string }[];
  /** What others have made of the record, where it has changed. */
  theirs?: Readonly<Record<string, unknown>> & { version: number };
}

/** Something that was done without a network, and is not sent yet. */
export interface Entry<Made> {
  /** Made here, so that what is sent twice is done once. Ids of version 7 are in the order of their making. */
  id: string;
  record: string;
  /** The version of the record that the person had before them. */
  base: number;
  /** The record as it was then, as far as changes of it are compared and named. */
  seen: Readonly<Record<string, unknown>>;
  made: Made;
  /** By the clock of the device, in milliseconds. */
  at: number;
  refusal?: Refusal;
}

/** What came of sending one. `later`: nobody answered. `signed-out`: the session is over. */
export type Outcome = 'sent' | 'later' | 'signed-out' | Refusal;

/**
 * Sends what waits, in order; of a record of which one thing needs a decision, nothing later goes before it. Ends with the
 * first that nobody answers. `note` keeps what came of each before the next is sent.
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

/** What of a record is other than the person had seen it, by field. */
export function changedFields(
  seen: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): { field: string; from: unknown; to: unknown }[] {
  return fields.flatMap((field) =>
    seen[field] === theirs[field] ? [] : [{ field, from: seen[field], to: theirs[field] }],
  );
}
