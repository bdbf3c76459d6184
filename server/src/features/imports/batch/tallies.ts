import type { Effect, TallyWrite } from '../batch-state.ts';

/** Which readers of an import do not see a person or a place that a report was joined to. */
export interface Unseen {
  /** Those of the organization for which it was uploaded. */
  organization: UnseenThere;
  /** Those of the facility. */
  facility: UnseenThere;
  /** Those from whom these families are hidden: there is nothing else about the person or place. */
  families: readonly string[];
}

/** `restricted`: only those who may not see restricted families, for there is nothing else from there. */
type UnseenThere = boolean | 'restricted';

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

/**
 * `patientsMatched`, and behind a colon each for whom it is somebody new: `patientsMatched:facility:hiv`, or, where only
 * who may not see restricted families does not see the person there, `patientsMatched:facility-restricted`.
 */
const effectKey = (effect: Effect, { organization, facility, families }: Unseen): string => {
  const there = { organization, facility };
  const places = (['organization', 'facility'] as const).flatMap((place) =>
    there[place] === true ? [place] : there[place] === 'restricted' ? [`${place}-restricted`] : [],
  );
  return [effect, ...places, ...families].join(':');
};

/** What was known before a report is new for those who did not see it; a pair with it is none for them. */
const insteadFor: Readonly<Record<string, Effect | undefined>> = {
  patientsMatched: 'patientsCreated',
  facilitiesMatched: 'facilitiesCreated',
  pairsToReview: undefined,
};

/** What a tally of effects says to a reader; undefined: nothing. */
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
