import {
  type OrganizationFields,
  type OrganizationRecord,
  organizationEndpoints,
  organizationGrid,
  placeStatuses,
} from '@caseway/contract/places';
import { tenantExperiences } from '@caseway/contract/session';
import type { GridSource } from '../../platform/grid/grid-sql.ts';
import { nameTaken, type RecordKind, wordsOf } from './records.ts';

const table = `(select o.tenant_id, o.id, o.name, o.experience, o.contact_name as "contactName",
    o.contact_email as "contactEmail", o.contact_phone as "contactPhone", o.version, o.deactivated_at is null as active,
    case when o.deactivated_at is null then 'active' else 'inactive' end as status,
    (select count(*) from facility p where p.tenant_id = o.tenant_id and p.organization_id = o.id
      and p.merged_into is null)::int as facilities,
    (select count(*) from program p where p.tenant_id = o.tenant_id and p.organization_id = o.id)::int as programs
  from organization o)`;

const source: GridSource<typeof organizationGrid> = {
  grid: organizationGrid,
  table,
  fields: {
    name: { kind: 'text', sql: 'f.name' },
    experience: { kind: 'choice', sql: 'f.experience', order: tenantExperiences },
    contactName: { kind: 'text', sql: 'f."contactName"' },
    contactEmail: { kind: 'text', sql: 'f."contactEmail"' },
    contactPhone: { kind: 'text', sql: 'f."contactPhone"' },
    facilities: { kind: 'number', sql: 'f.facilities' },
    programs: { kind: 'number', sql: 'f.programs' },
    status: { kind: 'choice', sql: 'f.status', order: placeStatuses },
  },
  filters: {},
  searchText: wordsOf('f.name', 'f."contactName"'),
};

export const organizationKind: RecordKind<OrganizationFields, OrganizationRecord> = {
  name: 'organization',
  table: 'organization',
  tenantColumn: 'tenant_id',
  endpoints: organizationEndpoints,
  source,
  columns: {
    name: 'name',
    experience: 'experience',
    contactName: 'contact_name',
    contactEmail: 'contact_email',
    contactPhone: 'contact_phone',
  },
  read: async (tx, ids) => {
    const rows = await tx.rows<OrganizationRecord & { tenant_id: string }>(
      `select * from ${table} f where f.id = any ($1::uuid[])`,
      [ids],
    );
    return rows.map(({ tenant_id: _, ...row }) => row);
  },
  faults: (tx, { name }, { id }) =>
    nameTaken(tx, 'organization where tenant_id = (select app_tenant())', name, id),
};
