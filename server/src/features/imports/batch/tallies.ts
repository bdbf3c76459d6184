import type { Effect, TallyWrite } from '../batch-state.ts';

/** The readers of an import who do not see a person or a place that a report was joined to. */
export interface Unseen {
  /** Readers of the organization that it was uploaded for. */
  organization: UnseenThere;
  /** Readers of the facility. */
  facility: UnseenThere;
  /** Readers from whom these families are hidden, if there is nothing else about the person or place. */
  families: readonly string[];
}

/** `restricted`: only readers who may not see restricted families, because there is nothing else from there. */
type UnseenThere = boolean | 'restricted';

/** The counts of a batch's effects, by disease families. */
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

/**
 * `patientsMatched`, followed after colons by the readers for whom the person is new:
 * `patientsMatched:facility:hiv`, or `patientsMatched:facility-restricted` if only readers who may not see
 * restricted families do not see the person there.
 */
const effectKey = (effect: Effect, { organization, facility, families }: Unseen): string => {
  const there = { organization, facility };
  const places = (['organization', 'facility'] as const).flatMap((place) =>
    there[place] === true ? [place] : there[place] === 'restricted' ? [`${place}-restricted`] : [],
  );
  return [effect, ...places, ...families].join(':');
};

/** A record that was known before a report is new for readers who did not see it; they see no pair with it. */
const insteadFor: Readonly<Record<string, Effect | undefined>> = {
  patientsMatched: 'patientsCreated',
  facilitiesMatched: 'facilitiesCreated',
  pairsToReview: undefined,
};

/** The meaning of a count of effects for a reader; undefined: nothing. */
export function effectFor(
  key: string,
  reader: { orgType: string; hiddenFamilies: readonly string[] },
): string | undefined {
  const [effect, ...unseen] = key.split(':') as [string, ...string[]];
  const place = { O: 'organization', F: 'facility' }[reader.orgType];
  const isBlind = reader.hiddenFamilies.length > 0;
  const families = unseen.filter((one) => !/^(organization|facility)(-restricted)?$/.test(one));
  const isHidden =
    (place !== undefined && unseen.includes(place)) ||
    (place !== undefined && isBlind && unseen.includes(`${place}-restricted`)) ||
    (families.length > 0 && families.every((family) => reader.hiddenFamilies.includes(family)));
  return isHidden && Object.hasOwn(insteadFor, effect) ? insteadFor[effect] : effect;
}
