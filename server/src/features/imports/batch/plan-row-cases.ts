import { definitionFor, keepExplanation } from '../../case-reports/case-decision.ts';
import type { CaseNoteWrite, CaseRecord } from '../../case-reports/case-record.ts';
import { type DatedCase, numberedCase, toldByRow } from '../../case-reports/line-list-cases.ts';
import { isOwn, tellCase, tellersOf } from '../../case-reports/shared-cases.ts';
import { classificationRank } from '../../case-rules/outcome.ts';
import { isUndetermined, nearestCase, windowOf } from '../../case-rules/same-case.ts';
import { dayOfRow } from '../../patients/patient-facts.ts';
import { seenBy } from '../../patients/patient-record.ts';
import { conditionByCode, familyOf } from '../../reference/catalog.ts';
import type { Classification, Condition } from '../../reference/schema.ts';
import type { CaseReportRow } from '../../reported/report.ts';
import { notesOf } from '../../results/interpret.ts';
import type { BatchState, MessageWrite, PlanContext } from '../batch-state.ts';
import { seesCase, seesPerson } from '../sight.ts';
import type { Digest } from './incoming.ts';
import type { Cases } from './plan-cases.ts';
import type { Patients } from './plan-patients.ts';
import type { Places } from './plan-places.ts';
import type { Tallies } from './tallies.ts';

/** A line list says that the person of a case is not a case. */
const reportedAsNoCase = 'reported-as-no-case';

/** The effect of line list rows on the cases of a batch. */
export class RowCases {
  readonly #cases: Cases;
  readonly #state: BatchState;
  readonly #context: PlanContext;
  readonly #tallies: Tallies;
  readonly #patients: Patients;
  readonly #places: Places;
  readonly notes: CaseNoteWrite[] = [];

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
  }

  /** One row of a line list: a new case, or more about a known one. */
  addRow(write: MessageWrite, row: CaseReportRow, conditionCode: string, digest: Digest): void {
    const { facts } = digest;
    const family = familyOf(conditionCode)!.code;
    const families = [family];
    write.families = families;
    const told = toldByRow(row);
    const day = dayOfRow(row) ?? this.#context.today;
    const place = this.#places.ofRow(row.facility, family);
    const { organizationId, facilityId } = place;
    const { same: numbered, doubtful } = row.caseId
      ? this.#numbered(row.caseId, conditionCode, { ...told, day }, digest, place)
      : {};
    if (told.classification === 'not_a_case') {
      this.#tallies.effect('rowsNoCases', families);
      const person = this.#patients.knownAs(digest, families);
      const known = numbered ?? (person && this.#caseOfRow(person.id, conditionByCode(conditionCode)!, day));
      // A well person is not stored; if there is a case, a person decides.
      if (known && known.classification !== 'not_a_case' && known.reviewReason !== reportedAsNoCase)
        this.#cases.review(known, reportedAsNoCase, { messageId: write.id });
      return;
    }
    const patient = numbered
      ? this.#patients.known(this.#state.patients.get(numbered.patientId)!, facts, null, families)
      : this.#patients.patientFor(digest, null, families, []);
    write.patientId = patient.id;
    seenBy(patient, organizationId, facilityId, this.#context.restrictedFamilies.includes(family));
    this.#patients.told(patient, facts, [organizationId, facilityId]);

    const near = numbered ?? this.#caseOfRow(patient.id, conditionByCode(conditionCode)!, day);
    // Another number of the same list is another case.
    const known =
      near?.externalId === null || !row.caseId || near?.externalId === row.caseId ? near : undefined;
    if (known?.externalId === null && row.caseId) {
      const number = row.caseId;
      tellCase(known, place, (facts) => {
        facts.externalId ??= number;
      });
      known.changed = true;
      this.#cases.number(known, number);
    }
    const record =
      known ??
      this.#cases.open(patient, conditionCode, told.classification ?? 'unknown', {
        source: 'csv',
        externalId: row.caseId ?? null,
        organizationId,
        facilityId,
        countyFips: facts.countyFips,
        classifiedBy: 'report',
      });
    if (!known) {
      this.#cases.event(record, 'opened', { classification: record.classification, source: 'csv' });
      if (doubtful) this.#cases.review(record, 'number-used-again', { caseId: doubtful.id });
    }
    const note = row.notes === undefined ? null : notesOf([row.notes], family);
    const toldBy = tellersOf(place);
    if (note !== null) {
      tellCase(record, place, () => {});
      this.notes.push({ caseId: record.id, text: note, toldBy });
    }
    const changes: string[] = [];
    // A later row of the same case has the current facts. What it leaves out stays.
    for (const [field, value] of Object.entries(told) as [keyof typeof told, string | null][]) {
      if (value === null) continue;
      if (record[field] === value) {
        // So far known only from another place.
        if (field === 'classification' || !record.within || record.within[field] === value) continue;
        if (!isOwn(record, place)) continue;
      }
      if (field === 'classification') {
        if (classificationRank[value as Classification] <= classificationRank[record.classification])
          continue;
        if (known)
          this.#cases.event(record, 'classification-changed', { from: record.classification, to: value });
        record.classification = value as Classification;
      } else
        tellCase(record, place, (facts) => {
          facts[field] = value;
        });
      record.changed = true;
      changes.push(field);
    }
    if (known && changes.length > 0) {
      this.#cases.event(record, 'updated', { fields: changes, source: 'csv', toldBy });
      this.#cases.updates(record);
    }
    if (record.isNew || record.changed) {
      this.#cases.touch(patient.id, family, patient.isNew);
      this.#cases.later(() => this.#explainRow(record));
    }
  }

  /** The case of an earlier row with the same number, or a possible one. */
  #numbered(
    number: string,
    conditionCode: string,
    row: DatedCase,
    { prepared }: Digest,
    place: Pick<CaseRecord, 'organizationId' | 'facilityId'>,
  ): { same?: CaseRecord; doubtful?: CaseRecord } {
    const { sight } = this.#context;
    const candidates = this.#cases.numbered(number).flatMap((record) => {
      const person = this.#state.patients.get(record.patientId);
      const isSeen = person && seesCase(sight, record) && seesPerson(sight, person, [record.family]);
      return isSeen && record.conditionCode === conditionCode ? [{ record, person: person.prepared }] : [];
    });
    return numberedCase(number, row, prepared, place, candidates);
  }

  /** The case of a condition that a row of a line list is about: within its re-report window, the nearest in time. */
  #caseOfRow(patientId: string, condition: Condition, day: string): CaseRecord | undefined {
    const same = this.#cases
      .dated(patientId)
      .filter(
        ({ conditionCode, family }) =>
          conditionCode === condition.code ||
          (family === condition.family && (isUndetermined(condition.code) || isUndetermined(conditionCode))),
      );
    return nearestCase(same, day, windowOf)?.record;
  }

  /** The rule's result for a case of a line list: shown next to the sender's classification, which counts. */
  #explainRow(record: CaseRecord): void {
    const definition = definitionFor(record);
    if (!definition) return;
    keepExplanation(record, this.#cases.explained(record, definition));
  }
}
