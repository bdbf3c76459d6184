import { organizations } from '@caseway/contract/places';
import { nameTaken } from '../../platform/records/record-faults.ts';
import { recordServer } from '../../platform/records/record-server.ts';
import { lockPlaces } from './lock-places.ts';

export const organizationServer = recordServer<typeof organizations>({
  record: organizations,
  sql: {
    facilities: `(select count(*) from facility p where p.tenant_id = r.tenant_id and p.organization_id = r.id
      and p.merged_into is null)::int`,
    programs: `(select count(*) from program p where p.tenant_id = r.tenant_id and p.organization_id = r.id)::int`,
  },
  searched: ['name', 'contactName'],
  lock: lockPlaces,
  faults: (tx, { name }, { id }) =>
    nameTaken(tx, 'organization where tenant_id = (select app_tenant())', name, id),
});
