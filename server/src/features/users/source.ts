import { userGrids, users } from '@caseway/contract/users';
import { recordReading } from '../../platform/records/record-server.ts';
import { sourceOf } from '../../platform/records/record-sql.ts';

/** Users from `user_list`. */
export const userReading = recordReading<typeof users>({
  record: users,
  endedColumn: 'ended_at',
  history: 'user_history',
  sql: { name: `r.last_name || ', ' || concat_ws(' ', nullif(r.first_name, ''), nullif(r.middle_name, ''))` },
  more: { name_key: 'r.name_key', org_type: 'r.org_type', org_id: 'r.org_id' },
  lists: {
    'organization-users': `r.org_type = 'O'`,
    'tenant-users': `r.org_type = 'T'`,
    'facility-users': `r.org_type = 'F'`,
    'jurisdiction-users': `r.org_type = 'PHJ'`,
  },
  columns: { name: { kind: 'text', sql: 'f.name_key', folded: true } },
  // Words of the name, the address as one word in the form of `searchWords`, and the words of the address.
  searched: `' ' || translate(f.name_key, ',-''', '  ') || ' ' || translate(lower(f.email), '@.-_+', '')
    || ' ' || translate(lower(f.email), '@.-_+', '     ')`,
});

/** The grid sources for the users of each type of organisation. */
export const userSources = {
  O: sourceOf(userReading, userGrids.O),
  T: sourceOf(userReading, userGrids.T),
  F: sourceOf(userReading, userGrids.F),
  PHJ: sourceOf(userReading, userGrids.PHJ),
};
