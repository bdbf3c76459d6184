import type { Tx } from '../db/database.ts';
import type { Person } from './patient-record.ts';

/** The organization or facility that a person works for; empty for people of a tenant or a jurisdiction. */
export interface OwnPlace {
  organization: string | null;
  facility: string | null;
}

export const ownPlaceOf = ({ org: { orgType, id } }: Pick<Person, 'org'>): OwnPlace => ({
  organization: orgType === 'O' ? id : null,
  facility: orgType === 'F' ? id : null,
});

/** The place of a record that a person makes: their own place, or else the facility that they name. */
export async function placeOfMade(
  tx: Tx,
  tenantId: string,
  own: OwnPlace,
  named: string | null,
): Promise<OwnPlace> {
  const facility = own.facility ?? named;
  const [place] = facility
    ? await tx.rows<{ organization: string | null }>(
        'select organization_id as organization from facility where tenant_id = $1 and id = $2',
        [tenantId, facility],
      )
    : [];
  return { facility, organization: own.organization ?? place?.organization ?? null };
}
