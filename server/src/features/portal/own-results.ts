import { cityLine } from '@caseway/contract/codes';
import type { Labelled } from '@caseway/contract/label';
import type { OwnResult } from '@caseway/contract/portal';
import type { Tx } from '../../platform/db/database.ts';
import { analyteKindOfLoinc, conditionByCode, familyByCode, resultCategories } from '../reference/catalog.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import { specimenTypeLabel } from '../reference/specimen-labels.ts';
import { type Explained, explainedAnswer, explanationOf, shownAnswer } from './patient-words.ts';

const labelOf = ({ label, labelI18N }: { label: string; labelI18N?: Record<string, string> }): Labelled => ({
  label,
  labelI18N: labelI18N ?? {},
});

/** The label of a disease family; null for an unknown one. */
export function familyLabel(code: string | null): Labelled | null {
  const family = code === null ? undefined : familyByCode(code);
  return family ? labelOf(family) : null;
}

/** Families of quite different diseases: their results are named by the disease itself. */
const byDisease = [
  'coronavirus',
  'hemorrhagic-fever',
  'orthopoxvirus',
  'vibriosis',
  'amebic',
  'other-arboviral',
  'melioidosis',
  'ehrlichiosis-anaplasmosis',
  // Dormant germs are not the illness.
  'tuberculosis',
];
/** Diseases that are quite unlike the others of their family. */
const ownNames = ['influenza-novel-a', 'typhoid-fever', 'paratyphoid-fever'];

/** The title of a result: its family, or the disease if the family would say too little. */
export function titleOf({
  diseaseFamily,
  conditionCode,
}: Pick<Explained, 'diseaseFamily' | 'conditionCode'>): Labelled | null {
  const condition = conditionCode === null ? undefined : conditionByCode(conditionCode);
  if (condition && (ownNames.includes(condition.code) || byDisease.includes(condition.family)))
    return labelOf(condition);
  return familyLabel(diseaseFamily);
}

const categories = new Map(resultCategories.map((category) => [category.code as string, labelOf(category)]));
export const categoryLabel = (code: string): Labelled => categories.get(code) ?? { label: code };

/**
 * Answers that a patient would misread next to the name of a disease: `HIV, negative` is wrong for a virus that
 * treatment suppresses, and `COVID-19, positive` for antibodies after a vaccine.
 */
const plainer: Readonly<Record<string, Labelled>> = {
  'viral-load negative': {
    label: 'Virus not found in this sample',
    labelI18N: { es: 'Virus no encontrado en esta muestra', ht: 'Pa jwenn viris nan echantiyon sa a' },
  },
  'viral-load positive': {
    label: 'Virus found in this sample',
    labelI18N: { es: 'Virus encontrado en esta muestra', ht: 'Jwenn viris nan echantiyon sa a' },
  },
  'viral-load below': {
    label: 'Too little virus to count',
    labelI18N: { es: 'Muy poco virus para contarlo', ht: 'Twò piti viris pou konte' },
  },
  // The first HIV test alone never proves an infection.
  'antigen-antibody positive': {
    label: 'Needs a second test',
    labelI18N: { es: 'Hace falta una segunda prueba', ht: 'Fòk gen yon dezyèm tès' },
  },
  // Nor does a screening test prove that a baby has the illness that it is named after.
  'newborn-screening positive': {
    label: 'Needs another test',
    labelI18N: { es: 'Hace falta otra prueba', ht: 'Fòk gen yon lòt tès' },
  },
  'antibody positive': {
    label: 'Antibodies found',
    labelI18N: { es: 'Se encontraron anticuerpos', ht: 'Jwenn antikò' },
  },
  'antibody negative': {
    label: 'No antibodies found',
    labelI18N: { es: 'No se encontraron anticuerpos', ht: 'Pa jwenn antikò' },
  },
};
/** The answer in a word that patients read next to the name of the disease. */
export function answerOf(result: Explained): Labelled {
  const kind = analyteKindOfLoinc(result.testLoinc);
  const isAntibody = /antibody/.test(kind) && kind !== 'antigen-antibody';
  const answer =
    explainedAnswer(kind, result) === 'below'
      ? 'below'
      : result.resultCategory.replace('weak-positive', 'positive');
  return plainer[`${isAntibody ? 'antibody' : kind} ${answer}`] ?? categoryLabel(result.resultCategory);
}

interface Stored
  extends Explained,
    Omit<
      OwnResult,
      | 'loinc'
      | 'about'
      | 'answer'
      | 'explanation'
      | 'mark'
      | 'specimen'
      | 'laboratory'
      | 'value'
      | 'position'
      | 'preliminary'
      | 'corrected'
    > {
  status: string;
  specimenType: string | null;
  specimenText: string | null;
  labName: string | null;
  labStreet: string | null;
  labCity: string | null;
  labState: string | null;
  labPostalCode: string | null;
  labClia: string | null;
}

/** Name, address and CLIA number of the laboratory, as far as known. */
function laboratoryOf({
  labName,
  labStreet,
  labCity,
  labState,
  labPostalCode,
  labClia,
}: Stored): string | null {
  if (labName === null) return null;
  const place = cityLine({ city: labCity, stateFips: labState, postalCode: labPostalCode });
  const address = [labName, labStreet, place].filter(Boolean).join(', ');
  return labClia === null ? address : `${address} · CLIA ${labClia}`;
}

/**
 * A patient's results in the patient's own scope, the latest first; with an id only that one. Row-level security
 * leaves out withheld results.
 */
export async function readOwnResults(tx: Tx, id?: string): Promise<OwnResult[]> {
  const rows = await tx.rows<Stored>(
    `select r.id, r.test_name as "testName", r.test_loinc as "testLoinc", r.disease_family as "diseaseFamily",
       r.condition_code as "conditionCode", r.result_category as "resultCategory", r.status, r.value_text as "valueText",
       r.value_number as "valueNumber", r.value_comparator as "valueComparator", r.units,
       r.reference_range as "referenceRange", r.abnormal_flag as "abnormalFlag", r.collected_on as "collectedOn",
       r.resulted_on as "resultedOn", s.type_code as "specimenType", s.type_text as "specimenText", r.accession as "specimenNumber",
       f.name as facility, f.phone as "facilityPhone", l.name as "labName", l.street as "labStreet", l.city as "labCity", l.state_fips as "labState",
       l.postal_code as "labPostalCode", l.clia as "labClia"
     from result r
     left join specimen s on s.tenant_id = r.tenant_id and s.id = r.specimen_id
     left join facility f on f.tenant_id = r.tenant_id and f.id = r.facility_id
     left join facility l on l.tenant_id = r.tenant_id and l.id = r.performing_facility_id
     where r.tenant_id = $2 and r.patient_id = (select app_patient())
       and r.superseded_by is null and r.status <> 'withdrawn' and ($1::uuid is null or r.id = $1)
     order by coalesce(r.resulted_on, r.reported_on, r.collected_on, r.created_on) desc, r.test_name, r.id limit 1000`,
    [id ?? null, tx.tenantId],
  );
  return rows.map((row) => {
    const { mark, named, valued, position } = shownAnswer(row);
    const { valueText, valueNumber, valueComparator, units, referenceRange, abnormalFlag } = row;
    return {
      id: row.id,
      testName: row.testName,
      testNameI18N: testNameI18N(row.testLoinc),
      loinc: row.testLoinc,
      about: titleOf(row),
      explanation: explanationOf(row).key,
      mark,
      answer: named ? answerOf(row) : null,
      preliminary: row.status === 'preliminary',
      corrected: row.status === 'corrected',
      value: valued ? { valueText, valueNumber, valueComparator, units, referenceRange, abnormalFlag } : null,
      position,
      collectedOn: row.collectedOn,
      resultedOn: row.resultedOn,
      specimen: specimenTypeLabel(row.specimenType, row.specimenText),
      specimenNumber: row.specimenNumber,
      facility: row.facility,
      facilityPhone: row.facilityPhone,
      laboratory: laboratoryOf(row),
    };
  });
}
