/*
 * The tenant's rules for guardians of minors: from which age people have an account of their own, and what a
 * guardian sees of a child until which age. Pure; the day is always given.
 */

/** What a guardian may do for a child. */
export const guardianRights = ['results', 'vaccinations', 'visits', 'reactions'] as const;
export type GuardianRight = (typeof guardianRights)[number];

export interface GuardianRules {
  /** Years. Younger people get no account of their own. */
  ownAccountAge: number;
  /** Years. From this birthday a guardian sees nothing; 0 if no guardian sees anything at any age. */
  guardianUntilAge: number;
  guardianRights: readonly GuardianRight[];
  /** The sensitive disease families that a guardian may see nevertheless, by their codes. */
  guardianFamilies: readonly string[];
  /** Years. From this birthday a guardian sees none of these families either. */
  guardianFamiliesUntilAge: number;
}

/** The header with the id of the child whose record a guardian asks for; absent for one's own. */
export const childHeader = 'x-child';

/**
 * The day on which somebody reaches an age, `YYYY-MM-DD`. People born on February 29 reach it on March 1 in
 * a year without that day.
 */
export function birthday(birthDate: string, age: number): string {
  const [year, month, day] = birthDate.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year + age, month - 1, day)).toISOString().slice(0, 10);
}

const isYounger = (birthDate: string, age: number, today: string) => today < birthday(birthDate, age);

/** Whether somebody is too young for an account of their own; false if the day of birth is not known. */
export const isTooYoung = (
  birthDate: string | null,
  { ownAccountAge }: Pick<GuardianRules, 'ownAccountAge'>,
  today: string,
): boolean => birthDate !== null && isYounger(birthDate, ownAccountAge, today);

/** Why nobody can be a guardian of a person. */
export const guardianBars = ['no-birth-date', 'too-old'] as const;
export type GuardianBar = (typeof guardianBars)[number];

export const guardianBar = (
  birthDate: string | null,
  { guardianUntilAge }: Pick<GuardianRules, 'guardianUntilAge'>,
  today: string,
): GuardianBar | null =>
  birthDate === null ? 'no-birth-date' : isYounger(birthDate, guardianUntilAge, today) ? null : 'too-old';

/** A link's days; both are included, and `until` null lasts until the birthday. */
export interface GuardianTime {
  from: string;
  until: string | null;
  ended: boolean;
}

/** Whether a guardian may see a child's record today. */
export const isGuardianToday = (
  { from, until, ended }: GuardianTime,
  birthDate: string | null,
  rules: Pick<GuardianRules, 'guardianUntilAge'>,
  today: string,
): boolean =>
  !ended &&
  from <= today &&
  (until === null || today <= until) &&
  guardianBar(birthDate, rules, today) === null;

/** The sensitive families that a guardian does not see today: all, except those that the rules list until an age. */
export const hiddenFromGuardian = (
  sensitive: readonly string[],
  birthDate: string,
  { guardianFamilies, guardianFamiliesUntilAge }: GuardianRules,
  today: string,
): string[] =>
  sensitive.filter(
    (family) => !guardianFamilies.includes(family) || !isYounger(birthDate, guardianFamiliesUntilAge, today),
  );
