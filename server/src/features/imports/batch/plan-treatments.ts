import type { ImportFaultCode } from '@caseway/contract/import-fault';
import { importFault } from '@caseway/contract/import-fault';
import { recordId } from '../../../platform/db/record-id.ts';
import { caseDay } from '../../case-reports/case-decision.ts';
import type { CaseRecord } from '../../case-reports/case-record.ts';
import { isOwn, tellersOf } from '../../case-reports/shared-cases.ts';
import { isUndetermined, nearestCase, windowOf } from '../../case-rules/same-case.ts';
import { compare } from '../../patients/matching.ts';
import type { PatientRecord } from '../../patients/patient-record.ts';
import { conditionByCode, familyOf } from '../../reference/catalog.ts';
import type { TreatmentRow } from '../../reported/report.ts';
import { familiesOfRaw } from '../../results/families-in-text.ts';
import { notesOf } from '../../results/interpret.ts';
import { drugNamed } from '../../treatments/drug-named.ts';
import { addable, type NewTreatment, type StoredTreatment } from '../../treatments/stored-treatments.ts';
import type { BatchState, MessageWrite, PlanContext } from '../batch-state.ts';
import { textOf } from '../formats/file-reader.ts';
import { seesCase, seesPerson } from '../sight.ts';
import type { Digest } from './incoming.ts';
import type { Cases } from './plan-cases.ts';
import type { Patients } from './plan-patients.ts';
import type { Places } from './plan-places.ts';
import type { Tallies } from './tallies.ts';

/**
 * A treatment up to this many days after its case still belongs to it, even if a new positive test would be a new
 * case.
 */
const lateDays = 180;
/** Up to this many days before its case, a treatment is given because of symptoms or a partner. */
const earlyDays = 30;

/** The treatments in a list: each is stored once, with its case. */
export class Treatments {
  readonly #cases: Cases;
  readonly #state: BatchState;
  readonly #context: PlanContext;
  readonly #tallies: Tallies;
  readonly #patients: Patients;
  readonly #places: Places;
  readonly #known = new Map<string, StoredTreatment>();
  readonly #told = new Set<StoredTreatment>();
  readonly #added = new Set<StoredTreatment>();
  readonly #made = new Map<string, NewTreatment>();

  constructor(
    cases: Cases,
    state: BatchState,
    context: PlanContext,
    tallies: Tallies,
    patients: Patients,
    places: Places,
  ) {
    this.#cases = cases;
    this.#state = state;
    this.#context = context;
    this.#tallies = tallies;
    this.#patients = patients;
    this.#places = places;
    for (const treatment of state.treatments) this.#known.set(keyOf(treatment), treatment);
  }

  get made(): NewTreatment[] {
    return [...this.#made.values()];
  }

  /** Stored treatments that another place also reports. */
  get told(): Pick<StoredTreatment, 'id' | 'toldBy'>[] {
    return [...this.#told].filter(({ id }) => !this.#made.has(id));
  }

  /** Stored treatments that got missing values. */
  get added(): StoredTreatment[] {
    return [...this.#added].filter(({ id }) => !this.#made.has(id));
  }

  /** One row: a treatment of a known case. It waits until the case is known. */
  addRow(write: MessageWrite, row: TreatmentRow, conditionCode: string | null, digest: Digest): void {
    const { raw, charset } = write.incoming;
    write.families = conditionCode
      ? [familyOf(conditionCode)!.code]
      : raw
        ? familiesOfRaw(textOf(raw, charset))
        : write.families;
    const startedOn = row.started!.day!;
    const found = row.caseId
      ? this.#numbered(row.caseId, row, conditionCode, digest)
      : this.#ofPerson(digest, conditionCode!, startedOn);
    if (!('record' in found)) {
      write.state = 'waiting';
      write.reason = found.reason;
      write.faults = [...write.faults, importFault('waits', found.reason, 'row', row.line)];
      return;
    }
    const { record, person } = found;
    const { family } = record;
    write.families = [family];
    const place = this.#places.ofRow(row.facility, family);
    const patient = this.#patients.known(person, digest.facts, null, write.families);
    write.patientId = patient.id;
    this.#patients.told(patient, digest.facts, [place.organizationId, place.facilityId]);

    const drug = drugNamed(row.drug) ?? 'other';
    const treatment: NewTreatment = {
      id: recordId(),
      caseRecord: record.id,
      drug,
      otherDrug: drug === 'other' ? notesOf([row.drug], family) : null,
      startedOn,
      endedOn: row.ended?.day ?? null,
      adequacy: row.adequacy ?? null,
      givenAt: place.facilityId,
      provider: row.provider === undefined ? null : notesOf([row.provider], family),
      state: 'given',
      source: 'csv',
      createdOn: this.#context.today,
      toldBy: isOwn(record, place) ? null : (tellersOf(place) ?? null),
    };
    const stored = this.#known.get(keyOf(treatment));
    if (stored) {
      const isMore = this.#addTo(stored, treatment);
      this.#tallies.effect(isMore ? 'treatmentsCompleted' : 'treatmentsUnchanged', write.families);
      this.#tell(stored, treatment.toldBy);
      return;
    }
    this.#known.set(keyOf(treatment), treatment);
    this.#made.set(treatment.id, treatment);
    this.#tallies.effect('treatmentsCreated', write.families);
  }

  /**
   * Adds values that were missing, and returns whether there were any; existing values stay. Nothing is added if the
   * row is from other places than the treatment, because readers of one would learn it from the other. [P23]
   */
  #addTo(stored: StoredTreatment, told: NewTreatment): boolean {
    const tellers = ({ toldBy }: StoredTreatment) => toldBy?.toSorted().join() ?? null;
    if (stored.state !== 'given' || tellers(stored) !== tellers(told)) return false;
    const missing = addable.filter((field) => stored[field] === null && told[field] !== null);
    if (missing.length === 0) return false;
    Object.assign(stored, Object.fromEntries(missing.map((field) => [field, told[field]])));
    this.#added.add(stored);
    return true;
  }

  /** A place that reports the same as another one sees it from then on. [P23] */
  #tell(stored: StoredTreatment, tellers: string[] | null): void {
    if (stored.toldBy === null || tellers?.every((one) => stored.toldBy!.includes(one))) return;
    stored.toldBy = tellers && [...new Set([...stored.toldBy, ...tellers])];
    this.#told.add(stored);
  }

  /** The case with a Caseway or list number, unless the row is about another person or condition. */
  #numbered(number: string, row: TreatmentRow, conditionCode: string | null, digest: Digest): Found {
    const { sight } = this.#context;
    const here = this.#state.caseNumbers.get(number);
    const records = new Set(this.#cases.numbered(number));
    const own = here === undefined ? undefined : this.#cases.byId(here);
    if (own) records.add(own);
    const found = [...records].flatMap((record) => {
      const person = this.#state.patients.get(record.patientId);
      // For a family that the sender may not see, a number alone finds nothing. [P18]
      const isHidden = conditionCode === null && sight.hiddenFamilies.includes(record.family);
      if (!person || isHidden || !seesCase(sight, record) || !seesPerson(sight, person, [record.family]))
        return [];
      if (conditionCode !== null && !isSameCondition(record, conditionCode)) return [];
      const { parts } = compare(digest.prepared, person.prepared);
      const { identifier, lastName, firstName, birthDate, age, sex } = parts;
      if ([birthDate, age, sex, firstName].includes(0) || (lastName === 0 && identifier !== 1)) return [];
      const agrees = identifier === 1 || birthDate === 1 || Boolean(lastName && firstName);
      // A short number is only a position in a list.
      return record === own || agrees || !/^\d{1,5}$/.test(number) ? [{ record, person }] : [];
    });
    if (found.length === 1) return found[0]!;
    if (found.length > 1) return { reason: 'treatment-case-unclear' };
    const known = conditionCode && row.started?.day && this.#ofPerson(digest, conditionCode, row.started.day);
    // Another number of the same list is another case.
    return known && 'record' in known && known.record.externalId === null
      ? known
      : { reason: 'treatment-case-unknown' };
  }

  /**
   * The person's case of the treated condition: the nearest one before it, or one that became known shortly after. A
   * case that was ruled out does not count.
   */
  #ofPerson(digest: Digest, conditionCode: string, day: string): Found {
    const families = [familyOf(conditionCode)!.code];
    const person = this.#patients.knownAs(digest, families);
    const same = (person ? this.#cases.dated(person.id) : []).filter(
      ({ record }) => record.classification !== 'not_a_case' && isSameCondition(record, conditionCode),
    );
    const isBefore = ({ record }: { record: CaseRecord }) => caseDay(record) <= day;
    const found =
      nearestCase(same.filter(isBefore), day, (one) => Math.max(windowOf(one), lateDays)) ??
      nearestCase(same, day, () => earlyDays);
    return person && found ? { record: found.record, person } : { reason: 'treatment-case-unknown' };
  }
}

type Found = { record: CaseRecord; person: PatientRecord } | { reason: ImportFaultCode };

/** A case of the same condition, or of its family while one of the two is undetermined. */
const isSameCondition = ({ conditionCode, family }: CaseRecord, asked: string): boolean =>
  conditionCode === asked ||
  (family === conditionByCode(asked)?.family && (isUndetermined(asked) || isUndetermined(conditionCode)));

const keyOf = ({ caseRecord, drug, otherDrug, startedOn }: StoredTreatment): string =>
  [caseRecord, drug, otherDrug, startedOn].join('\u0000');
