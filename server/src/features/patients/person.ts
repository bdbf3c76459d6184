import type { PersonAnswer } from '@caseway/contract/patients';
import type { Tx } from '../../platform/db/database.ts';
import type { Call } from '../../platform/http/serve.ts';
import { otherNamesOf } from './corrected-person.ts';
import type { Name } from './matching.ts';
import { readPatients } from './patient-rows.ts';
import { versionOf } from './save-person.ts';

type Stored = Omit<PersonAnswer, 'otherNames'> & { otherNames: Name[] };

/** A list for readers who may know more than everyone who sees the person. [P23] */
const list = (column: string) => `case when told then p.${column} else '{}' end`;

/** Persons as the reader sees them, in any order, without those whom the reader does not see. */
export async function readPeople(
  tx: Tx,
  ids: readonly string[],
  reader: Pick<Call, 'may'>,
): Promise<PersonAnswer[]> {
  const rows = await readPatients<Stored>(
    tx,
    ids,
    reader,
    `told, ${versionOf('p.id')} as version, p.name_suffix as "nameSuffix", case when told then p.street2 end as street2,
     p.birth_date_precision as "birthDatePrecision", case when told then p.other_names else '[]' end as "otherNames",
     ${list('phones')} as phones, ${list('emails')} as emails, case when told then p.deceased_on end as "deceasedOn",
     (select coalesce(json_agg(json_build_object('kind', i.kind, 'assigner', i.assigner, 'value', i.value)
         order by i.kind, i.value), '[]')
       from patient_identifier i where i.tenant_id = $1 and i.patient_id = p.id) as numbers,`,
  );
  return rows.map((row) => ({ ...row, otherNames: otherNamesOf(row.otherNames) }));
}

/** One person; null if the reader does not see them. */
export const readPerson = async (
  tx: Tx,
  id: string,
  reader: Pick<Call, 'may'>,
): Promise<PersonAnswer | null> => (await readPeople(tx, [id], reader))[0] ?? null;
