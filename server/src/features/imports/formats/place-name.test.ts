import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { makeTenant } from '../../../../test/factories.ts';
import { chlamydia, detected, elr, importText } from '../test-messages.ts';
import { isPlaceName } from './place-name.ts';

const { database } = await createTestDatabase();

test.each([
  'Mercy Clinic', 'PS 118', 'PS118', '1199 Health Center', '3M', 'Clínica 24 horas', 'Hôpital Saint-Luc', '7-Eleven Testing',
  'Lab 12', 'NovaMed', 'May 5 Clinic', 'Décembre', 'March Laboratory', '보건소', 'B12',
])('%s can name a place', (text) => expect(isPlaceName(text)).toBe(true)); // biome-ignore format: a list

test.each([
  '20261110093000-0500', '20261110', '202611100930', '2026-11-10', '2026-11-10T09:30:00Z', '2026-11-10 09:30:00+00:00',
  '11/10/2026', '10.11.2026', '10-NOV-2026', 'Nov 10, 2026', '11/10/2026 9:30 AM', '9:30 pm', '12345', '404-555-0111',
  '2.16.840.1.113883.4.7', '11D0000001', '00000000-0000-4000-8000-000000000001', 'MRN0012345', 'F-1234567', '---', '',
])('%s is not the name of a place', (text) => expect(isPlaceName(text)).toBe(false)); // biome-ignore format: a list

describe('an import makes no facility from a value that is not a name', () => {
  let tenantId: string;
  beforeEach(async () => {
    ({ id: tenantId } = await makeTenant(database));
  });
  const rows = <Row extends object>(text: string) =>
    database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text));
  const facilities = () =>
    rows<{ name: string }>('select name from facility order by name').then((found) =>
      found.map(({ name }) => name),
    );
  const warnings = () =>
    rows<{ told: string }>(
      `select f ->> 'place' as told from import_message, jsonb_array_elements(faults) as f
       where f ->> 'code' = 'place-name-odd' order by 1`,
    ).then((found) => found.map(({ told }) => told));
  const observation = (laboratory: string) => `OBX|1|CWE|${chlamydia}||${detected}||||||F||||${laboratory}`;

  test('a time in place of the laboratory, as in a message with a bar too many', async () => {
    await importText(database, tenantId, elr({ tests: [], more: [observation('20261110093000-0500')] }));
    expect(await facilities()).toEqual(['Mercy Clinic', 'Peach State Laboratory']);
    expect(await warnings()).toEqual(['OBX[1]-15']);
    expect(await rows(`select from result where result_category = 'positive'`)).toHaveLength(1);
  });

  test('a laboratory that gives only its CLIA number is named by it', async () => {
    await importText(database, tenantId, elr({ tests: [], more: [observation('34D0655059')] }));
    expect(await facilities()).toEqual(['CLIA 34D0655059', 'Mercy Clinic']);
    expect(await warnings()).toEqual([]);
  });

  test('a number in place of the clinic', async () => {
    await importText(database, tenantId, elr({ clinic: '4045550111' }));
    expect(await facilities()).toEqual(['Peach State Laboratory']);
    expect(await warnings()).toEqual(['ORC[1]-21']);
  });

  test('a day in the column of the clinic', async () => {
    const header =
      'patient_id,patient_last_name,patient_first_name,patient_dob,patient_gender,accession_number,test_performed_code,test_result,specimen_collection_date,testing_lab_name,testing_lab_clia,test_result_status,ordering_facility_name';
    const row = (n: number, clinic: string) =>
      `P${n},Okafor,Ada,1990-05-01,F,A-${n},21613-5,Detected,2026-03-02,Peach State Laboratory,11D0000001,F,${clinic}`;
    await importText(database, tenantId, [header, row(1, '2026-03-04'), row(2, 'Bay Clinic'), ''].join('\n'));
    expect(await facilities()).toEqual(['Bay Clinic', 'Peach State Laboratory']);
    expect(await warnings()).toEqual(['ordering_facility_name']);
  });
});
