import type { Scope } from '../../platform/scope.ts';
import type { CaseRecord } from '../case-reports/case-record.ts';
import type { PatientRecord } from '../patients/patient-record.ts';
import type { StoredResult } from './batch-state.ts';

/**
 * What the sender of an import may see. Its messages are joined to nothing else, and the import reports the same
 * whether or not there is something else. [P18, P23]
 */
export interface Sight {
  /** Only records of this organization; null: no such limit. */
  organizationId: string | null;
  /** Only records of this facility; null: no such limit. */
  facilityId: string | null;
  /** Disease families that the sender may not see. */
  hiddenFamilies: readonly string[];
}

/** The sight of the tenant itself, for example for `npm run import`. */
export const wholeTenant: Sight = { organizationId: null, facilityId: null, hiddenFamilies: [] };

/** The sight of a person who acts for an organization. */
export const sightOf = ({ orgType, orgId, hiddenFamilies }: Extract<Scope, { kind: 'org' }>): Sight => ({
  organizationId: orgType === 'O' ? orgId : null,
  facilityId: orgType === 'F' ? orgId : null,
  hiddenFamilies,
});

/** What both see: an import has the narrowest sight of the people who worked on it. */
export const narrowed = (a: Sight, b: Sight): Sight => ({
  organizationId: b.organizationId ?? a.organizationId,
  facilityId: b.facilityId ?? a.facilityId,
  hiddenFamilies: [...new Set([...a.hiddenFamilies, ...b.hiddenFamilies])].sort(),
});

/** Whether the sight is limited to an organization or facility. */
export const isWithin = ({ organizationId, facilityId }: Sight): boolean =>
  organizationId !== null || facilityId !== null;

const reaches = (
  { organizationId, facilityId }: Sight,
  organizations: readonly (string | null)[],
  facilities: readonly (string | null)[],
): boolean =>
  (organizationId === null || organizations.includes(organizationId)) &&
  (facilityId === null || facilities.includes(facilityId));

const allHidden = ({ hiddenFamilies }: Sight, families: readonly string[]) =>
  families.length > 0 && families.every((family) => hiddenFamilies.includes(family));

/**
 * Whether a report may be joined to a person. A person who only has records that the sender may not see, here or
 * anywhere, is joined only to a report that itself is about nothing else: then nothing becomes visible.
 */
export const seesPerson = (
  sight: Sight,
  { organizationIds, facilityIds, restrictedAt, diseaseFamilies }: PatientRecord,
  reported: readonly string[],
): boolean => {
  if (!reaches(sight, organizationIds, facilityIds)) return false;
  if (sight.hiddenFamilies.length === 0 || allHidden(sight, reported)) return true;
  const isOpenAt = (place: string) => !restrictedAt.includes(place);
  return (
    !allHidden(sight, diseaseFamilies) &&
    reaches(sight, organizationIds.filter(isOpenAt), facilityIds.filter(isOpenAt))
  );
};

/**
 * The keys that a result can have for a reader: the key of the report, or one of the reader's own if the first
 * belongs to a result of the same person that they do not see.
 */
export const keysSeenBy = (sight: Sight, key: string): string[] => {
  const place = placeOf(sight);
  return place === null ? [key] : [key, `${key} ${place}`];
};

/** The organization or facility that the sight is limited to; null: the tenant itself. */
export const placeOf = ({ organizationId, facilityId }: Sight): string | null => facilityId ?? organizationId;

/**
 * Whether the sender has sent the result itself, maybe for another place, as laboratories do. The sender may correct
 * it under its number, although it may not see the place that ordered it, nor the person.
 */
export const hasSent = (sight: Sight, { sentBy }: Pick<StoredResult, 'sentBy'>): boolean =>
  sentBy !== null && sentBy === placeOf(sight);

export const seesResult = (
  sight: Sight,
  { organizationId, facilityId }: Pick<StoredResult, 'organizationId' | 'facilityId'>,
): boolean => reaches(sight, [organizationId], [facilityId]);

export const seesCase = (
  sight: Sight,
  { organizationId, facilityId }: Pick<CaseRecord, 'organizationId' | 'facilityId'>,
): boolean => reaches(sight, [organizationId], [facilityId]);
