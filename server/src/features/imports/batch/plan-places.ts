import { recordId } from '../../../platform/db/record-id.ts';
import { matchName } from '../../../platform/text/fold.ts';
import type { ProgramRecord } from '../../case-reports/case-record.ts';
import { programOf } from '../../case-reports/case-record.ts';
import type { LabReport, Organization } from '../../reported/report.ts';
import type { BatchState, FacilityRecord, PlanContext } from '../batch-state.ts';
import { isPlaceName } from '../formats/place-name.ts';
import { isWithin } from '../sight.ts';
import type { Tallies } from './tallies.ts';

/** Stands for a record without a family among the families recorded at a facility. */
const noFamily = '-';

/** The facilities that messages name, and the programs of their results. */
export class Places {
  readonly #state: BatchState;
  readonly #context: PlanContext;
  readonly #tallies: Tallies;
  readonly #facilityById = new Map<string, FacilityRecord>();
  readonly #facilitiesByName = new Map<string, FacilityRecord[]>();
  readonly #facilityByNumber = new Map<string, FacilityRecord>();
  /** Families of this batch's reports from facilities that not everyone may know of, by facility id. */
  readonly #namedIn = new Map<string, string[]>();
  readonly made: FacilityRecord[] = [];

  constructor(state: BatchState, context: PlanContext, tallies: Tallies) {
    this.#state = state;
    this.#context = context;
    this.#tallies = tallies;
    for (const facility of state.facilities) this.#indexFacility(facility);
  }

  #indexFacility(facility: FacilityRecord): void {
    this.#facilityById.set(facility.mergedId ?? facility.id, facility);
    const same = this.#facilitiesByName.get(facility.matchName);
    if (same) same.push(facility);
    else this.#facilitiesByName.set(facility.matchName, [facility]);
    for (const number of [facility.clia && `clia ${facility.clia}`, facility.npi && `npi ${facility.npi}`])
      if (number && !this.#facilityByNumber.has(number)) this.#facilityByNumber.set(number, facility);
  }

  given(): FacilityRecord | undefined {
    return this.#context.facilityId ? this.#facilityById.get(this.#context.facilityId) : undefined;
  }

  /**
   * Where a row of a list is recorded: at the facility that it names, or else at the one that the import is for. A
   * row that stores nothing also records who may know of the place.
   */
  ofRow(
    named: string | undefined,
    family: string,
  ): { organizationId: string | null; facilityId: string | null } {
    const facility =
      this.facilityFor(named ? { name: named, identifiers: [], phones: [] } : undefined, 'clinic', family) ??
      this.given();
    const facilityId = facility?.id ?? null;
    this.recordedAt(facilityId, family);
    return { organizationId: facility?.organizationId ?? this.#context.organizationId, facilityId };
  }

  /**
   * Counts a facility that the sender may not know of as new. One that only reports of restricted families have
   * named counts as new for readers who may not see these. [P23, P24]
   */
  #named(facility: FacilityRecord, family: string | null): void {
    const { id, isRegistered, diseaseFamilies } = this.#facilityById.get(facility.id) ?? facility;
    const known = isRegistered || diseaseFamilies.length === 0 ? [noFamily] : diseaseFamilies;
    const before = this.#namedIn.get(id) ?? (facility.isSeen ? known : []);
    const noted = family ?? noFamily;
    if (before.includes(noted)) return;
    this.#namedIn.set(id, [...before, noted]);
    const families = family === null ? [] : [family];
    if (before.length === 0) this.#tallies.effect('facilitiesCreated', families);
    else if (before.every((one) => this.#isRestricted(one)))
      this.#tallies.effect('facilitiesMatched', families, {
        organization: false,
        facility: false,
        families: before.toSorted(),
      });
  }

  #isRestricted(family: string | null): boolean {
    return family !== null && this.#context.restrictedFamilies.includes(family);
  }

  /** Stores that there is a record of a disease family from there, while nobody has confirmed the facility. [P24] */
  recordedAt(facilityId: string | null, family: string | null): void {
    const facility = facilityId === null ? undefined : this.#facilityById.get(facilityId);
    const noted = family ?? noFamily;
    if (!facility || facility.isRegistered || facility.diseaseFamilies.includes(noted)) return;
    facility.diseaseFamilies = [...facility.diseaseFamilies, noted];
    facility.changed = true;
  }

  /** Stored ones that have changed. */
  get changed(): FacilityRecord[] {
    return [...new Set(this.#facilityById.values())].filter(({ changed, made }) => changed && !made);
  }

  /**
   * The facility with this name or number in a report of the disease family. An unknown one is created, for a person
   * to confirm.
   */
  facilityFor(
    organization: Organization | undefined,
    type: 'clinic' | 'laboratory',
    family: string | null,
  ): FacilityRecord | undefined {
    const facility = organization && this.#facilityOf(organization, type, family);
    if (facility) this.#named(facility, family);
    return facility;
  }

  #facilityOf(
    organization: Organization,
    type: 'clinic' | 'laboratory',
    family: string | null,
  ): FacilityRecord | undefined {
    const { clia, npi } = organization;
    const byNumber =
      (clia && this.#facilityByNumber.get(`clia ${clia}`)) ||
      (npi && this.#facilityByNumber.get(`npi ${npi}`));
    if (byNumber) return byNumber;
    const called = nameOf(organization);
    const name = matchName(called ?? '');
    if (called === undefined || name === '') return undefined;
    const postalCode = organization.address?.zip?.slice(0, 5) ?? null;
    const conflict = (a: string | null | undefined, b: string | null | undefined) =>
      Boolean(a && b && a !== b);
    // Many places share a name; another ZIP code or number is another place.
    const found = (this.#facilitiesByName.get(name) ?? []).find(
      (facility) =>
        !conflict(facility.postalCode?.slice(0, 5), postalCode) &&
        !conflict(facility.clia, clia) &&
        !conflict(facility.npi, npi),
    );
    if (found) return this.#isRestricted(family) ? found : this.#numbered(found, clia, npi);
    const made: FacilityRecord = {
      id: recordId(),
      organizationId: null,
      matchName: name,
      clia: clia ?? null,
      npi: npi ?? null,
      postalCode,
      isSeen: false,
      isRegistered: false,
      diseaseFamilies: [],
      made: { name: called, type, organization },
    };
    this.made.push(made);
    this.#indexFacility(made);
    return made;
  }

  /**
   * Fills in a facility's missing number, but never overwrites one. A facility that a person confirmed without a
   * number must then be confirmed again; only a sender who sees the whole tenant can cause that. Reports of
   * restricted families fill in nothing, because that would show that something came from there. [P24]
   */
  #numbered(facility: FacilityRecord, clia: string | undefined, npi: string | undefined): FacilityRecord {
    const fills = (clia && facility.clia === null) || (npi && facility.npi === null);
    if (!fills || (facility.isRegistered && isWithin(this.#context.sight))) return facility;
    facility.clia ??= clia ?? null;
    facility.npi ??= npi ?? null;
    for (const number of [clia && `clia ${clia}`, npi && `npi ${npi}`])
      if (number && !this.#facilityByNumber.has(number)) this.#facilityByNumber.set(number, facility);
    if (facility.isRegistered) {
      facility.isRegistered = false;
      // It stays visible to everyone while it waits to be confirmed.
      facility.diseaseFamilies = [...new Set([...facility.diseaseFamilies, noFamily])];
    }
    facility.changed = true;
    return facility;
  }

  /** The program for the results of a disease family: that of the organisation, or else the tenant's own. */
  programFor(family: string | null, organizationId: string | null): ProgramRecord | undefined {
    return programOf(this.#state.programs, family, organizationId);
  }
}

/** The label of a place: its name, or its number if the name field contains something else. */
function nameOf({ name, clia, npi }: Organization): string | undefined {
  if (name === undefined || isPlaceName(name)) return name;
  return clia ? `CLIA ${clia}` : npi ? `NPI ${npi}` : undefined;
}

/** The performer of a test if no observation names one. */
export function sendingLaboratory({ header }: LabReport): Organization | undefined {
  const name = header.sendingFacility?.name;
  return name || header.sendingClia
    ? { name, clia: header.sendingClia, identifiers: [], phones: [] }
    : undefined;
}
