import type { Tx } from '../../platform/db/database.ts';
import { idOf, type Read, readPlainly } from '../../platform/db/rows.ts';
import { type Finding, findingOf, type ResultFacts } from '../case-rules/findings.ts';
import { familiesReadBy, familiesReading } from '../case-rules/rules.ts';
import type { ObservedResult } from '../results/interpret.ts';

/** A current result of a person, with the cases it belongs to. */
export interface Entry {
  finding: Finding;
  caseIds: readonly string[];
  organizationId: string | null;
  facilityId: string | null;
}

/** A person and a disease family in the batch. */
export interface PersonFamily {
  patientId: string;
  family: string;
}

const keyOf = ({ patientId, family }: PersonFamily) => `${patientId} ${family}`;

/**
 * The current results of the people of a batch, by disease family, in the form for the case rules. A result is
 * listed under every family whose definitions read it.
 */
export class Histories {
  readonly #entries = new Map<string, Map<string, Entry>>();

  add({ patientId, family }: PersonFamily, entry: Entry): void {
    for (const reading of familiesReading(family)) {
      const key = keyOf({ patientId, family: reading });
      let entries = this.#entries.get(key);
      if (!entries) {
        entries = new Map();
        this.#entries.set(key, entries);
      }
      entries.set(entry.finding.id, entry);
    }
  }

  /** Removes a result that another has replaced; returns it. */
  remove(of: PersonFamily, resultId: string): Finding | undefined {
    const entry = this.#entries.get(keyOf(of))?.get(resultId);
    for (const family of familiesReading(of.family))
      this.#entries.get(keyOf({ patientId: of.patientId, family }))?.delete(resultId);
    return entry?.finding;
  }

  /** All findings, or those of places that `sees` allows. */
  findings(of: PersonFamily, sees: (result: Entry) => boolean = () => true): Finding[] {
    return [...(this.#entries.get(keyOf(of))?.values() ?? [])].filter(sees).map(({ finding }) => finding);
  }

  /** The findings with their cases and places. */
  entries(of: PersonFamily): Entry[] {
    return [...(this.#entries.get(keyOf(of))?.values() ?? [])];
  }

  ofCase(of: PersonFamily, caseId: string): Finding[] {
    return [...(this.#entries.get(keyOf(of))?.values() ?? [])].flatMap(({ finding, caseIds }) =>
      caseIds.includes(caseId) ? [finding] : [],
    );
  }
}

/** A result of the batch in the form for the rules; undefined if no rule uses it. */
export function findingOfObserved(id: string, observed: ObservedResult): Finding | undefined {
  if (observed.diseaseFamily === null || observed.isOfAnimal) return undefined;
  return findingOf({ ...observed, id, family: observed.diseaseFamily });
}

interface StoredRow extends Omit<ResultFacts, 'specimenType'> {
  patientId: string;
  specimenId: string | null;
  organizationId: string | null;
  facilityId: string | null;
  isSuperseded: boolean;
  caseIds: string[];
}

/** Reads the stored records of these people and families in two statements, however many there are. */
export async function loadHistories(
  tx: Tx,
  tenantId: string,
  wanted: readonly PersonFamily[],
  read: Read = readPlainly(tx),
): Promise<Histories> {
  const histories = new Histories();
  if (wanted.length === 0) return histories;
  const asked = [
    ...new Map(
      wanted.flatMap(({ patientId, family }) =>
        familiesReadBy(family).map((each) => {
          const of = { patientId, family: each };
          return [keyOf(of), of] as const;
        }),
      ),
    ).values(),
  ];
  const rows = await read<StoredRow>(
    `select r.id, r.patient_id as "patientId", r.disease_family as family, r.test_loinc as "testLoinc", r.test_name as "testName", r.method,
       r.condition_code as "conditionCode", r.result_category as category, r.status, left(r.value_text, 200) as "valueText",
       r.value_number as "valueNumber", r.collected_on as "collectedOn", r.reported_on as "reportedOn",
       r.specimen_id as "specimenId", r.organization_id as "organizationId",
       r.facility_id as "facilityId", r.superseded_by is not null as "isSuperseded",
       coalesce((select array_agg(c.case_report_id) from case_result c
         where c.tenant_id = $1 and c.result_id = r.id), '{}') as "caseIds"
     from unnest($2::uuid[], $3::text[]) as k (patient, family), lateral (
       select * from result where tenant_id = $1 and patient_id = k.patient and disease_family = k.family
       offset 0) as r
     order by r.id`,
    [tenantId, asked.map(({ patientId }) => patientId), asked.map(({ family }) => family)],
    idOf,
    // A result keeps its cases; the layer of a dry run only knows those that it has added.
    (lower, upper) => ({ ...upper, caseIds: [...new Set([...lower.caseIds, ...upper.caseIds])] }),
  );
  const current = rows.filter(({ isSuperseded }) => !isSuperseded);
  const specimenIds = [...new Set(current.flatMap(({ specimenId }) => specimenId ?? []))];
  const specimens =
    specimenIds.length === 0
      ? []
      : await read<{ id: string; type: string | null }>(
          `select s.id, coalesce(s.type_code, s.type_text) as type from unnest($2::uuid[]) as k (id), lateral (
             select * from specimen where tenant_id = $1 and id = k.id offset 0) as s`,
          [tenantId, specimenIds],
          idOf,
        );
  const typeOf = new Map(specimens.map(({ id, type }) => [id, type]));
  for (const row of current)
    histories.add(row, {
      finding: findingOf({
        ...row,
        specimenType: row.specimenId ? (typeOf.get(row.specimenId) ?? null) : null,
      }),
      caseIds: row.caseIds,
      organizationId: row.organizationId,
      facilityId: row.facilityId,
    });
  return histories;
}
