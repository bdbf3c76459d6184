import { teams } from '@caseway/contract/places';
import { z } from 'zod';
import { faultAt } from '../../platform/http/app-error.ts';
import { nameTaken } from '../../platform/records/record-faults.ts';
import { recordServer } from '../../platform/records/record-server.ts';
import { lockPlaces } from './lock-places.ts';

/** An entry that is none has its own fault. */
const account = z.uuid();

export const teamServer = recordServer<typeof teams>({
  record: teams,
  sql: {},
  searched: ['name'],
  lock: lockPlaces,
  faults: async (tx, { name, members = [] }, { tenantId, id, before }) => {
    const faults = await nameTaken(tx, 'team where tenant_id = (select app_tenant())', name, id);
    // People who have left since stay until someone takes them out.
    const isNew = (one: string) => account.safeParse(one).success && !before?.members.includes(one);
    const added = [...new Set(members.filter(isNew).map((one) => one.toLowerCase()))];
    const staff = await tx.rows(
      'select distinct account_id from membership where tenant_id = $1 and ended_at is null and account_id = any ($2::uuid[])',
      [tenantId, added],
    );
    if (staff.length < added.length)
      faults.push(faultAt('members', 'unknown-choice', 'one of them does not work for the tenant'));
    return faults;
  },
});
