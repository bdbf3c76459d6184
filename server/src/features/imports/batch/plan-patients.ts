import { recordId } from '../../../platform/db/record-id.ts';
import { type Pair, patientsPerKey, worthDeciding } from '../../patients/alike.ts';
import { blockKeys, type Comparison, compare } from '../../patients/matching.ts';
import { openlyShown, tellNew, tellPatient } from '../../patients/open-facts.ts';
import type { PatientFacts } from '../../patients/patient-facts.ts';
import { newPatient, type PatientRecord, type Telling, toldBy } from '../../patients/patient-record.ts';
import type { ObservedResult } from '../../results/interpret.ts';
import { statusEffect } from '../../results/result-status.ts';
import type { BatchState, PlanContext } from '../batch-state.ts';
import { hasSent, keysSeenBy, seesPerson } from '../sight.ts';
import type { Digest } from './incoming.ts';
import type { Tallies, Unseen } from './tallies.ts';

/** The patients of a batch: finds the one that a report is about. */
export class Patients {
  readonly #state: BatchState;
  readonly #context: PlanContext;
  readonly #tallies: Tallies;
  /** The keys that a changed patient can now be found by. */
  readonly #keysOfPatient = new Map<string, readonly string[]>();
  readonly matches: Pair[] = [];
  #telling: Telling = { isNew: true, brought: true, viewers: [] };

  constructor(state: BatchState, context: PlanContext, tallies: Tallies) {
    this.#state = state;
    this.#context = context;
    this.#tallies = tallies;
  }

  get changed(): PatientRecord[] {
    return [...this.#state.patients.values()].filter(({ changed, keysChanged }) => changed || keysChanged);
  }

  /**
   * The patient of a report: the one whose results it repeats, or else the one that its identifiers or name point
   * to, or else a new one. A new one is paired, for review, with people who might be the same, and with people who
   * are the same but whom the sender may not see: only someone who sees the whole tenant joins these. [P23]
   */
  patientFor(
    digest: Digest,
    reportedAt: string | null,
    families: readonly string[],
    results: readonly ObservedResult[],
  ): PatientRecord {
    const { facts } = digest;
    const again = this.#patientAgain(digest, families, results);
    if (again) return this.known(again, facts, reportedAt, families);
    const { best, doubtful, unseen } = this.#alike(digest, families);
    if (best) return this.known(best, facts, reportedAt, families);

    const patient = newPatient(recordId(), facts, reportedAt);
    tellNew(patient, families, this.#context.restrictedFamilies);
    this.#telling = { isNew: true, brought: true, viewers: [] };
    this.#state.patients.set(patient.id, patient);
    this.#indexPatient(patient);
    this.#tallies.effect('patientsCreated', families);
    for (const match of this.#worthDeciding(doubtful)) {
      this.matches.push({ ...match, patientId: patient.id });
      const candidate = this.#state.patients.get(match.candidateId)!;
      this.#tallies.effect('pairsToReview', families, this.#unseenBy(candidate));
    }
    // Not counted, because the count would reveal to the sender that the person exists.
    for (const match of this.#worthDeciding(unseen)) this.matches.push({ ...match, patientId: patient.id });
    return patient;
  }

  #worthDeciding(pairs: Pair[]): Pair[] {
    return worthDeciding(pairs, this.#context.restrictedFamilies, (id) => this.#state.patients.get(id)!);
  }

  /** The known person, without revealing anything about them. */
  knownAs(digest: Digest, families: readonly string[]): PatientRecord | undefined {
    return this.#alike(digest, families).best;
  }

  /** Possible matches: the certain one, those who may be the same, and those whom the sender may not see. */
  #alike(
    { prepared, keys }: Digest,
    families: readonly string[],
  ): { best: PatientRecord | undefined; doubtful: Pair[]; unseen: Pair[] } {
    const candidates = new Set<string>();
    for (const key of keys) {
      const ids = [...(this.#state.byKey.get(key) ?? [])];
      // If there are very many, the same ones are used as if they had been stored and loaded.
      if (ids.length > patientsPerKey) ids.sort();
      for (const id of ids.slice(0, patientsPerKey)) candidates.add(id);
    }
    let best: { patient: PatientRecord; comparison: Comparison } | undefined;
    const doubtful: Pair[] = [];
    const unseen: Pair[] = [];
    for (const id of candidates) {
      const patient = this.#state.patients.get(id);
      if (!patient) continue;
      const comparison = compare(prepared, this.#seen(patient, families).prepared);
      if (comparison.decision === 'different') continue;
      if (!seesPerson(this.#context.sight, patient, families))
        unseen.push({ patientId: '', candidateId: id, comparison });
      else if (comparison.decision === 'same') {
        const better =
          !best ||
          comparison.score > best.comparison.score ||
          (comparison.score === best.comparison.score && id < best.patient.id);
        if (better) best = { patient, comparison };
      } else doubtful.push({ patientId: '', candidateId: id, comparison });
    }
    return { best: best?.patient, doubtful, unseen };
  }

  /**
   * The patient whose results a report repeats under their numbers. The same number means the same person, so other
   * spellings and dates count as corrections. Another given name does not, and in a correction not even a similar
   * one, because corrections are made for results that went to the wrong twin.
   */
  #patientAgain(
    { prepared }: Digest,
    families: readonly string[],
    results: readonly ObservedResult[],
  ): PatientRecord | undefined {
    const corrects = results.some(({ hl7Status }) =>
      ['correction', 'withdrawal'].includes(statusEffect(hl7Status)),
    );
    let likely: PatientRecord | undefined;
    const { sight } = this.#context;
    const known = results
      .flatMap(({ key }) => keysSeenBy(sight, key.key))
      .flatMap((key) => this.#state.results.get(key) ?? []);
    for (const result of known) {
      const patient = this.#state.patients.get(result.patientId);
      if (!patient || !(hasSent(sight, result) || seesPerson(sight, patient, families))) continue;
      const seen = this.#seen(patient, families);
      const { decision, parts, differsNational } = compare(prepared, seen.prepared);
      if (decision === 'same') return patient;
      if (differsNational) continue;
      const unnamed = prepared.names.length === 0 || seen.prepared.names.length === 0;
      const contradicted = [parts.birthDate, parts.age, parts.sex, parts.identifier].includes(0);
      if (
        unnamed
          ? decision === 'review' || !contradicted
          : decision === 'review' && (parts.firstName ?? 1) > (corrects ? 0.7 : 0)
      )
        likely ??= patient;
    }
    return likely;
  }

  /** A report about a known person. */
  known(
    patient: PatientRecord,
    facts: PatientFacts,
    reportedAt: string | null,
    families: readonly string[],
  ): PatientRecord {
    this.#tallies.effect('patientsMatched', families, this.#unseenBy(patient));
    const viewers = [...patient.organizationIds, ...patient.facilityIds];
    const restricted = this.#context.restrictedFamilies;
    const brought = tellPatient(patient, facts, reportedAt, { families, restricted });
    this.#telling = { isNew: false, brought, viewers };
    this.#indexPatient(patient);
    return patient;
  }

  /**
   * Whether all of these organizations and facilities may see everything on the row, before the current report. [P23]
   */
  isToldTo({ toldBy: tellers }: PatientRecord, viewers: readonly string[]): boolean {
    // An empty list: several places have reported parts of it, and none of them everything.
    if (tellers) return viewers.every((one) => tellers.includes(one));
    const known = this.#telling.isNew ? viewers : this.#telling.viewers;
    return viewers.every((one) => known.length === 0 || known.includes(one));
  }

  /** Sets the source of the current report: its places and its sender. */
  told(patient: PatientRecord, facts: PatientFacts, places: readonly (string | null)[]): void {
    const { organizationId, facilityId } = this.#context.sight;
    const tellers = [...places, organizationId, facilityId].filter((one) => one !== null);
    toldBy(patient, this.#telling, [...new Set(tellers)], facts.identifiers);
  }

  /** The readers of the import who do not see the person. For them it is a new person. */
  #unseenBy({ organizationIds, facilityIds, restrictedAt, diseaseFamilies }: PatientRecord): Unseen {
    const { organizationId, facilityId, restrictedFamilies } = this.#context;
    const isRestricted =
      diseaseFamilies.length > 0 && diseaseFamilies.every((family) => restrictedFamilies.includes(family));
    const unseenAt = (place: string | null, known: readonly string[]) => {
      if (place === null) return false;
      if (!known.includes(place)) return true;
      return restrictedAt.includes(place) && 'restricted';
    };
    return {
      organization: unseenAt(organizationId, organizationIds),
      facility: unseenAt(facilityId, facilityIds),
      families: isRestricted ? diseaseFamilies.toSorted() : [],
    };
  }

  /**
   * A person as the sender knows them. A match on facts that only restricted reports gave would reveal these facts.
   * A report of only restricted families is compared with everything, because its match reveals nothing. [P18, P23]
   */
  #seen(patient: PatientRecord, families: readonly string[]): PatientRecord {
    const { hiddenFamilies } = this.#context.sight;
    const tellsNothing = families.length > 0 && families.every((family) => hiddenFamilies.includes(family));
    return hiddenFamilies.length === 0 || tellsNothing ? patient : openlyShown(patient);
  }

  #indexPatient(patient: PatientRecord): void {
    if (!patient.keysChanged) return;
    const keys = blockKeys(patient.prepared);
    for (const key of this.#keysOfPatient.get(patient.id) ?? patient.keysBefore?.comparison ?? [])
      if (!keys.includes(key)) this.#state.byKey.get(key)?.delete(patient.id);
    for (const key of keys) {
      const ids = this.#state.byKey.get(key);
      if (ids) ids.add(patient.id);
      else this.#state.byKey.set(key, new Set([patient.id]));
    }
    this.#keysOfPatient.set(patient.id, keys);
  }
}
