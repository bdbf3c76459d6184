import { csvHeader, csvLine } from '@caseway/contract/csv';
import type { GridQuery } from '@caseway/contract/grid';
import type { OrgType } from '@caseway/contract/session';
import { userTableColumns } from '@caseway/contract/users';
import type { Tx } from '../../platform/db/database.ts';
import { allRowsStatement, type GridContext } from '../../platform/grid/grid-sql.ts';
import { wordsIn } from '../../platform/words/words.ts';
import { userSources } from './source.ts';

interface ExportedRow {
  email: string;
  first_name: string;
  middle_name: string | null;
  last_name: string;
  phone: string | null;
  language_code: string;
  org_id: string;
  org_name: string | null;
  roles: string[];
  status: string;
}

/** The table of each type of organisation; a request sees one tenant. */
const tables: Partial<Record<OrgType, string>> = { O: 'organization', F: 'facility', PHJ: 'jurisdiction' };

/**
 * All matching users as a table that can be imported again: headings in the reader's language and the words of their
 * organisation's experience, roles by their codes, and an organisation by its name, or by its id if another one has
 * the same name.
 */
export async function exportTable(
  tx: Tx,
  orgType: OrgType,
  query: GridQuery,
  context: GridContext,
  language: string,
  experience: string,
): Promise<string> {
  const { select, params } = allRowsStatement(userSources[orgType], query, context, [
    'f.email',
    'f."firstName" as first_name',
    'f."middleName" as middle_name',
    'f."lastName" as last_name',
    'f.phone',
    'f.language as language_code',
    'f.org_id',
    `(select coalesce(max(o.name), max(p.name), max(j.name), max(t.name)) from tenant t
       left join organization o on f.org_type = 'O' and o.tenant_id = f.tenant_id and o.id = f.org_id
       left join facility p on f.org_type = 'F' and p.tenant_id = f.tenant_id and p.id = f.org_id
       left join jurisdiction j on f.org_type = 'PHJ' and j.id = f.org_id where t.id = f.tenant_id) as org_name`,
    `array(select r.code from role r where r.tenant_id = f.tenant_id and r.id = any (f.roles) order by r.code) as roles`,
    'f.status',
  ]);
  const rows = await tx.rows<ExportedRow>(select, params);
  const kept = tables[orgType];
  const alike = kept
    ? await tx.rows<{ id: string }>(
        `select id from (select id, count(*) over (partition by app_fold(name)) as n from ${kept}) named where n > 1`,
      )
    : [];
  const ofOneName = new Set(alike.map(({ id }) => id));
  const words = wordsIn('users', language, experience);
  const lines = rows.map((row) =>
    csvLine([
      row.email,
      row.first_name,
      row.middle_name,
      row.last_name,
      row.phone,
      row.language_code,
      orgType,
      ofOneName.has(row.org_id) ? row.org_id : row.org_name,
      row.roles.join('; '),
      row.status,
    ]),
  );
  const header = csvHeader(userTableColumns.map((column) => words(`table.column.${column}`) ?? column));
  return header + lines.join('');
}
