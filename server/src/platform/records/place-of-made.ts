import type { Tx } from '../db/database.ts';
import type { Person } from './patient-record.ts';

/** The organization or the facility for which somebody works; nothing for people of a tenant or a jurisdiction. */
export interface OwnPlace {
  organization: string | null;
  facility: string | null;
}

export const ownPlaceOf = ({ org: { orgType, id } }: Pick<Person, 'org'>): OwnPlace => ({
  organization: orgType === 'O' ? id : null,
  facility: orgType === 'F' ? id : null,
});

/** Where something is that people write down: at their own place, otherwise at the facility that they name. */
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
