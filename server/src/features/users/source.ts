import type { Grid } from '@caseway/contract/grid';
import { languages } from '@caseway/contract/session';
import {
  facilityUserGrid,
  jurisdictionUserGrid,
  organizationUserGrid,
  tenantUserGrid,
  type UserRow,
  userStatuses,
  yesNo,
} from '@caseway/contract/users';
import type { Tx } from '../../platform/db/database.ts';
import type { ChoiceField, GridSource } from '../../platform/grid/grid-sql.ts';

/** Words of the name, the address in one as `searchWords` makes it, and the words of the address. */
const searchText = `' ' || translate(f.name_key, ',-''', '  ') || ' ' || translate(lower(f.email), '@.-_+', '')
  || ' ' || translate(lower(f.email), '@.-_+', '     ')`;

const fields = {
  name: { kind: 'text', sql: 'f.name_key', folded: true },
  email: { kind: 'text', sql: 'f.email' },
  roles: { kind: 'choice', sql: 'f.role_ids', ids: true, many: true, order: [] },
  status: { kind: 'choice', sql: 'f.status', order: userStatuses },
  lastSignInAt: { kind: 'instant', sql: 'f.last_sign_in_at' },
  secondFactor: { kind: 'choice', sql: 'f.second_factor', order: yesNo },
  phone: { kind: 'text', sql: 'f.phone' },
  language: { kind: 'choice', sql: 'f.language_code', order: languages },
  timeZone: { kind: 'text', sql: 'f.time_zone' },
  invitedAt: { kind: 'instant', sql: 'f.invited_at' },
  createdAt: { kind: 'instant', sql: 'f.created_at' },
} as const satisfies GridSource<typeof tenantUserGrid>['fields'];

const organization: ChoiceField = {
  kind: 'choice',
  sql: 'f.organization_id',
  ids: true,
  order: 'organizations',
};

const source = <G extends Grid>(
  grid: G,
  orgType: 'T' | 'O' | 'F' | 'PHJ',
  allFields: GridSource<G>['fields'],
): GridSource<G> => ({
  grid,
  table: `(select * from user_list where org_type = '${orgType}')`,
  fields: allFields,
  filters: {} as GridSource<G>['filters'],
  searchText,
});

/** The SQL of each column of the four grids: a column of user_list. */
export const userSources = {
  O: source(organizationUserGrid, 'O', { ...fields, organization }),
  T: source(tenantUserGrid, 'T', fields),
  F: source(facilityUserGrid, 'F', {
    ...fields,
    facility: { kind: 'choice', sql: 'f.facility_id', ids: true, order: 'facilities' },
    organization,
  }),
  PHJ: source(jurisdictionUserGrid, 'PHJ', {
    ...fields,
    jurisdiction: { kind: 'choice', sql: 'f.jurisdiction_id', ids: true, order: 'managedJurisdictions' },
  }),
};

export interface ListedUser {
  tenant_id: string;
  id: string;
  account_id: string;
  org_type: 'T' | 'O' | 'F' | 'PHJ';
  org_id: string;
  organization_id: string | null;
  facility_id: string | null;
  jurisdiction_id: string | null;
  last_name: string;
  first_name: string;
  middle_name: string | null;
  email: string;
  phone: string | null;
  language_code: string;
  time_zone: string;
  last_sign_in_at: Date | null;
  invited_at: Date | null;
  created_at: Date;
  ended_at: Date | null;
  status: UserRow['status'];
  locked_at: Date | null;
  locked_until: Date | null;
  second_factor: UserRow['secondFactor'];
  role_ids: string[];
  /** Nobody has accepted it yet: the person is shown as the inviter knows them, and `account_id` is not an account. */
  offered: boolean;
}

/** Users as the grids show them, as far as the scope of the transaction sees them; in no order. */
export async function readUserRows(tx: Tx, ids: readonly string[]): Promise<UserRow[]> {
  const rows = await tx.rows<ListedUser>(
    'select * from user_list where tenant_id = $1 and id = any ($2::uuid[])',
    [tx.tenantId, ids],
  );
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    name: `${row.last_name}, ${[row.first_name, row.middle_name].filter(Boolean).join(' ')}`,
    email: row.email,
    phone: row.phone,
    organization: row.organization_id,
    facility: row.facility_id,
    jurisdiction: row.jurisdiction_id,
    roles: row.role_ids,
    status: row.status,
    secondFactor: row.second_factor,
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
    language: row.language_code,
    timeZone: row.time_zone,
    invitedAt: row.invited_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }));
}
