import { type PersonIdentifier, sameIdentifier } from './matching.ts';
import { nobody, type PatientFacts, prepareFacts } from './patient-facts.ts';
import { keysOfRecord, type OpenFacts, type PatientRecord, updatePatient } from './patient-record.ts';

/*
 * The facts about a person without the reports of restricted families. Readers who may not see these see the person
 * as if no such report had come: they do not see an address that only HIV messages gave, and still see one that such
 * a message has replaced. [P18]
 */

const { identifiers: _, ...unknown } = nobody;
const nothing: OpenFacts = { ...unknown, informedAt: null };
const fields = Object.keys(nothing) as (keyof OpenFacts)[];
const factsOf = (patient: OpenFacts): OpenFacts =>
  Object.fromEntries(fields.map((field) => [field, patient[field]])) as unknown as OpenFacts;

export const areRestricted = (families: readonly string[], restricted: readonly string[]) =>
  families.length > 0 && families.every((family) => restricted.includes(family));

/** The part of a person that readers see who may not see restricted families; nothing if there is nothing else. */
export const openFactsOf = (
  patient: OpenFacts & Pick<PatientRecord, 'openly' | 'diseaseFamilies'>,
  restricted: readonly string[],
): OpenFacts =>
  patient.openly ?? (areRestricted(patient.diseaseFamilies, restricted) ? nothing : factsOf(patient));

/** The person as such readers see them. Values copied from it to another record reveal nothing else. */
export const openlyShown = (patient: PatientRecord): PatientRecord => {
  if (!patient.openly) return patient;
  const shown = {
    ...patient,
    ...patient.openly,
    identifiers: patient.identifiers.filter(({ toldIn }) => !toldIn),
  };
  return { ...shown, prepared: prepareFacts(shown) };
};

function updated(
  patient: PatientRecord,
  facts: OpenFacts,
  report: PatientFacts,
  reportedAt: string | null,
): OpenFacts {
  const shown = { ...patient, ...facts, identifiers: [], newIdentifiers: [] };
  updatePatient(shown, { ...report, identifiers: [] }, reportedAt);
  return factsOf(shown);
}

/** Marks which numbers of a new patient come only from a report of restricted families. */
export function tellNew(
  patient: PatientRecord,
  families: readonly string[],
  restricted: readonly string[],
): void {
  if (!areRestricted(families, restricted)) return;
  for (const identifier of patient.identifiers) identifier.toldIn = families;
}

/**
 * Updates a patient with a report of these families (`updatePatient`), and the view of the person for readers who may
 * not see restricted ones. Returns whether it brought anything except numbers.
 */
export function tellPatient(
  patient: PatientRecord,
  report: PatientFacts,
  reportedAt: string | null,
  { families, restricted }: { families: readonly string[]; restricted: readonly string[] },
): boolean {
  const isHidden = areRestricted(families, restricted);
  const wasHidden = areRestricted(patient.diseaseFamilies, restricted);
  // The usual case: nothing about the person is restricted.
  if (!isHidden && !wasHidden && !patient.openly) return updatePatient(patient, report, reportedAt);

  const before = { ...patient };
  const known = [...patient.identifiers];
  const open = openFactsOf(patient, restricted);
  const brought = updatePatient(patient, report, reportedAt);
  const retell = (identifier: PersonIdentifier, toldIn: readonly string[] | null) => {
    identifier.toldIn = toldIn;
    if (!patient.newIdentifiers.includes(identifier)) patient.retoldIdentifiers.push(identifier);
  };
  for (const identifier of patient.identifiers)
    if (isHidden) {
      if (!known.includes(identifier)) identifier.toldIn = families;
    } else if (report.identifiers.some((told) => sameIdentifier(told, identifier))) {
      if (identifier.toldIn) retell(identifier, null);
    } else if (wasHidden && !identifier.toldIn) retell(identifier, patient.diseaseFamilies);
  if (isHidden && wasHidden) return brought;
  const after = isHidden ? open : updated(before, open, report, reportedAt);
  showOpenly(patient, before, after);
  return brought;
}

/** After a merge: the part of both persons, as one, that readers see who may not see restricted families. */
export function mergeOpenly(
  to: PatientRecord,
  before: PatientRecord,
  from: PatientRecord,
  restricted: readonly string[],
  /** A person's choice of values, for the merged facts and those of both. */
  chosen: (merged: OpenFacts, older: OpenFacts, newer: OpenFacts) => Partial<OpenFacts> = () => ({}),
): void {
  const [hiddenTo, hiddenFrom] = [before, from].map(({ diseaseFamilies }) =>
    areRestricted(diseaseFamilies, restricted),
  );
  if (hiddenTo && hiddenFrom) return;
  const known = openFactsOf(before, restricted);
  const added = openFactsOf(from, restricted);
  for (const identifier of to.identifiers) {
    const own = before.identifiers.find((one) => sameIdentifier(one, identifier));
    const other = from.identifiers.find((one) => sameIdentifier(one, identifier));
    const untold = [own && (own.toldIn ?? (hiddenTo ? before.diseaseFamilies : null))];
    untold.push(other && (other.toldIn ?? (hiddenFrom ? from.diseaseFamilies : null)));
    const told = untold.filter((one) => one !== undefined);
    const now = told.includes(null) ? null : (told.find((one) => one !== null) ?? null);
    if (JSON.stringify(now) === JSON.stringify(identifier.toldIn ?? null)) continue;
    identifier.toldIn = now;
    if (!to.newIdentifiers.includes(identifier)) to.retoldIdentifiers.push(identifier);
  }
  const merged =
    hiddenFrom && !from.openly
      ? known
      : updated(before, known, { ...added, identifiers: [] }, added.informedAt);
  showOpenly(to, before, { ...merged, ...chosen(merged, known, added) });
}

/** Stores the open view, if it differs from the whole. */
export function showOpenly(patient: PatientRecord, before: PatientRecord, openly: OpenFacts): void {
  const isAll =
    JSON.stringify(openly) === JSON.stringify(factsOf(patient)) &&
    patient.identifiers.every(({ toldIn }) => !toldIn);
  patient.openly = isAll ? null : openly;
  patient.changed = true;
  // The keys are stored together with the open view.
  if (!patient.keysChanged) {
    patient.keysChanged = true;
    patient.keysBefore = keysOfRecord(before);
  }
}
