import type { Effect, TallyWrite } from '../batch-state.ts';

/** Which readers of an import do not see a person or a place that a report was joined to. */
export interface Unseen {
  /** Those of the organization for which it was uploaded. */
  organization: boolean;
  /** Those of the facility. */
  facility: boolean;
  /** Those from whom these families are hidden: there is nothing else about the person or place. */
  families: readonly string[];
}

/** What a batch comes to, counted by disease families. */
export class Tallies {
  readonly #tallies = new Map<string, TallyWrite>();

  get all(): TallyWrite[] {
    return [...this.#tallies.values()];
  }

  count(kind: TallyWrite['kind'], key: string, families: readonly string[], n: number): void {
    const place = [kind, key, ...families].join('\u0000');
    const tally = this.#tallies.get(place);
    if (tally) tally.n += n;
    else this.#tallies.set(place, { kind, key, families: [...families], n });
  }

  effect(effect: Effect, families: readonly string[], unseen?: Unseen): void {
    this.count('effect', unseen ? effectKey(effect, unseen) : effect, families, 1);
  }
}

/** `patientsMatched`, and behind a colon each for whom it is somebody new: `patientsMatched:facility:hiv`. */
const effectKey = (effect: Effect, { organization, facility, families }: Unseen): string =>
  [effect, ...(organization ? ['organization'] : []), ...(facility ? ['facility'] : []), ...families].join(
    ':',
  );

/** What was known before a report is new for those who did not see it. */
const createdFor: Readonly<Record<string, Effect>> = {
  patientsMatched: 'patientsCreated',
  facilitiesMatched: 'facilitiesCreated',
};

/** What a tally of effects says to a reader. */
export function effectFor(
  key: string,
  reader: { orgType: string; hiddenFamilies: readonly string[] },
): string {
  const [effect, ...unseen] = key.split(':') as [string, ...string[]];
  const families = unseen.filter((one) => one !== 'organization' && one !== 'facility');
  const isHidden =
    (unseen.includes('organization') && reader.orgType === 'O') ||
    (unseen.includes('facility') && reader.orgType === 'F') ||
    (families.length > 0 && families.every((family) => reader.hiddenFamilies.includes(family)));
  return (isHidden && createdFor[effect]) || effect;
}
