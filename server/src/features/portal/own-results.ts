import type { Labelled } from '@caseway/contract/label';
import type { OwnResult } from '@caseway/contract/portal';
import type { Tx } from '../../platform/db/database.ts';
import { familyByCode, resultCategories, specimenTypeOf } from '../reference/catalog.ts';

const labelOf = ({ label, labelI18N }: { label: string; labelI18N?: Record<string, string> }): Labelled => ({
  label,
  labelI18N: labelI18N ?? {},
});

/** The label of a disease family; null for one that is not known here. */
export function familyLabel(code: string | null): Labelled | null {
  const family = code === null ? undefined : familyByCode(code);
  return family ? labelOf(family) : null;
}

const categories = new Map(resultCategories.map((category) => [category.code as string, labelOf(category)]));
export const categoryLabel = (code: string): Labelled => categories.get(code) ?? { label: code };

/** The label of a specimen, as coded or as it was written. */
function specimenLabel(code: string | null, written: string | null): Labelled | null {
  const known = specimenTypeOf(code ?? '') ?? specimenTypeOf(written ?? '');
  if (known) return labelOf(known);
  return written ? { label: written } : null;
}

interface Stored
  extends Omit<OwnResult, 'about' | 'answer' | 'specimen' | 'value' | 'preliminary' | 'corrected'> {
  status: string;
  valueText: string | null;
  valueNumber: number | null;
  valueComparator: string | null;
  units: string | null;
  specimenType: string | null;
  specimenText: string | null;
}

/** What a number or a description says; a category alone needs no second word in the laboratory's language. */
const measured = ({
  resultCategory,
  valueText,
  valueNumber,
  valueComparator,
  units,
}: Stored): string | null =>
  valueNumber !== null
    ? [`${valueComparator ?? ''}${valueNumber}`, units].filter(Boolean).join(' ')
    : resultCategory === 'quantitative'
      ? valueText
      : null;

/**
 * A patient's results in the patient's own scope, the latest first; one of them when an id is given. Row-level security
 * leaves out what is held back.
 */
export async function readOwnResults(tx: Tx, id?: string): Promise<OwnResult[]> {
  const rows = await tx.rows<Stored>(
    `select r.id, r.test_name as "testName", r.disease_family as "diseaseFamily", r.method,
       r.result_category as "resultCategory", r.status, r.value_text as "valueText", r.value_number as "valueNumber",
       r.value_comparator as "valueComparator", r.units, r.reference_range as usual, r.collected_on as "collectedOn",
       r.resulted_on as "resultedOn", s.type_code as "specimenType", s.type_text as "specimenText", f.name as facility
     from result r
     left join specimen s on s.tenant_id = r.tenant_id and s.id = r.specimen_id
     left join facility f on f.tenant_id = r.tenant_id and f.id = r.facility_id
     where r.tenant_id = (select app_tenant()) and r.patient_id = (select app_patient())
       and r.superseded_by is null and r.status <> 'withdrawn' and ($1::uuid is null or r.id = $1)
     order by coalesce(r.resulted_on, r.reported_on, r.collected_on, r.created_on) desc, r.test_name, r.id limit 1000`,
    [id ?? null],
  );
  return rows.map((row) => {
    const { status, valueText, valueNumber, valueComparator, units, specimenType, specimenText, ...rest } =
      row;
    return {
      ...rest,
      about: familyLabel(row.diseaseFamily),
      answer: categoryLabel(row.resultCategory),
      preliminary: status === 'preliminary',
      corrected: status === 'corrected',
      value: measured(row),
      specimen: specimenLabel(specimenType, specimenText),
    };
  });
}
