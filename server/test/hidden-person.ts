import type { Database } from '../src/platform/db/database.ts';
import type { askingAs, Headers } from './asking.ts';
import type { Stored } from './describe-record.ts';
import { makeCaseReport } from './factories.ts';

/**
 * Values for `describeRecord` with a record about a person: one of a person known only by a restricted case, and its
 * opening in an emergency. `changed` makes a record that has changed once; `blind` may not see the family.
 */
export const hiddenWithPerson = (of: {
  database: Database;
  sql: <Row extends object>(text: string, params?: unknown[]) => Promise<Row[]>;
  ok: ReturnType<typeof askingAs>['ok'];
  tenantId: string;
  table: string;
  blind: Headers;
  changed: () => Promise<Stored>;
}) => ({
  blind: of.blind,
  async hidden(): Promise<Stored> {
    const { database, sql, tenantId, table } = of;
    const made = await of.changed();
    const [{ patient }] = (await sql<{ patient: string }>(
      `select patient_id as patient from ${table} where id = $1`,
      [made.id],
    )) as [{ patient: string }];
    await makeCaseReport(database, {
      tenant_id: tenantId,
      patient_id: patient,
      condition_code: 'hiv',
      disease_family: 'hiv',
      county_fips: '13121',
    });
    for (const one of ['patient', table, `${table}_history`])
      await sql(
        `update ${one} set disease_families = '{hiv}' where ${one === 'patient' ? 'id' : 'patient_id'} = $1`,
        [patient],
      );
    return { ...made, patient };
  },
  async open({ patient }: Stored): Promise<unknown> {
    const [{ number }] = (await of.sql<{ number: string }>(
      'select case_id as number from case_report where patient_id = $1',
      [patient],
    )) as [{ number: string }];
    return of.ok('POST', 'break-glass', {
      caseNumber: number,
      reasonKind: 'treatment',
      reason: 'The person is in our emergency room.',
    });
  },
});
