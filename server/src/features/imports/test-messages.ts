import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import { importList } from './import-list.ts';
import { runImport } from './running/run-import.ts';
import type { RunOptions } from './running/running-import.ts';
import type { Sight } from './sight.ts';
import { storeUpload } from './upload-store.ts';

/** A laboratory report for a test. Default values are plausible and always the same. */
export interface TestMessage {
  control?: string;
  /** MSH-4. */
  lab?: string;
  sent?: string;
  patient?: Partial<
    Record<
      | 'id'
      | 'last'
      | 'first'
      | 'middle'
      | 'birth'
      | 'sex'
      | 'phone'
      | 'street'
      | 'city'
      | 'zip'
      | 'county'
      | 'race',
      string
    >
  >;
  /** Filler order number. */
  order?: string;
  clinic?: string;
  collected?: string;
  reported?: string;
  tests?: TestResult[];
  /** More segments, after the observations. */
  more?: string[];
}

export interface TestResult {
  /** OBX-3; chlamydia by default. */
  test?: string;
  /** OBX-5; detected by default. */
  value?: string;
  /** OBX-2. */
  type?: string;
  /** OBX-11. */
  status?: string;
  flag?: string;
  units?: string;
}

export const detected = '260373001^Detected^SCT';
export const notDetected = '260415000^Not detected^SCT';
export const chlamydia = '21613-5^Chlamydia trachomatis DNA^LN';
export const gonorrhoea = '24111-7^Neisseria gonorrhoeae DNA^LN';
export const hivScreen = '56888-1^HIV 1+2 antibody and antigen^LN';

let counted = 0;

export function elr(given: TestMessage = {}): string {
  const control = given.control ?? `T${++counted}`;
  const lab = given.lab ?? 'Peach State Laboratory^11D0000001^CLIA';
  const p = {
    id: 'MRN1',
    last: 'Okafor',
    first: 'Ada',
    middle: '',
    birth: '19900501',
    sex: 'F',
    phone: '5550111',
    street: '12 Oak St',
    city: 'Atlanta',
    zip: '30303',
    county: '13121',
    race: '2054-5^Black^HL70005',
    ...given.patient,
  };
  const order = given.order ?? `F-${control}`;
  const collected = given.collected ?? '20260302093000-0500';
  const reported = given.reported ?? '20260304150000-0500';
  return `${[
    `MSH|^~\\&|LIS|${lab}|CASEWAY|STATE|${given.sent ?? reported}||ORU^R01^ORU_R01|${control}|P|2.5.1`,
    `PID|1||${p.id ? `${p.id}^^^Mercy Clinic^MR` : ''}||${p.last}^${p.first}^${p.middle}||${p.birth}|${p.sex}||${p.race}|${p.street}^^${p.city}^GA^${p.zip}^USA^H^^${p.county}||${p.phone ? `^PRN^PH^^1^404^${p.phone}` : ''}`,
    `ORC|RE||${order}^LIS||||||||||||||||||${given.clinic ?? 'Mercy Clinic'}^L^^^^^^^^|1 Clinic Way^^Atlanta^GA^30303`,
    `OBR|1||${order}^LIS|${given.tests?.[0]?.test ?? chlamydia}|||${collected}|||||||||||||||${reported}|||F`,
    ...(given.tests ?? [{}]).map(
      ({ test = chlamydia, value = detected, type = 'CWE', status = 'F', flag = '', units = '' }, place) =>
        `OBX|${place + 1}|${type}|${test}||${value}|${units}||${flag}|||${status}|||${collected}`,
    ),
    ...(given.more ?? []),
  ].join('\r')}\r`;
}

/** Stores a file like an upload would, and runs its import in this process. */
export async function importText(
  database: Database,
  tenantId: string,
  text: string | Buffer,
  given: Partial<RunOptions> & {
    dryRun?: boolean;
    facilityId?: string;
    organizationId?: string;
    condition?: string;
    createdBy?: string;
    sight?: Sight;
  } = {},
) {
  const {
    dryRun = false,
    facilityId = null,
    organizationId = null,
    condition,
    createdBy = null,
    sight = null,
    ...options
  } = given;
  const importId = randomUUID();
  const bytes = Buffer.from(text as string);
  const { byteSize, sha256 } = await storeUpload(database, tenantId, importId, once(bytes));
  await database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.run(
      `insert into import (tenant_id, id, file_name, byte_size, sha256, state, dry_run, facility_id, organization_id, options, created_by, sight)
       values ($1, $2, 'test', $3, $4, 'queued', $5, $6, $7, $8, $9, $10)`,
      [
        tenantId,
        importId,
        byteSize,
        sha256,
        dryRun,
        facilityId,
        organizationId,
        JSON.stringify({ condition }),
        createdBy,
        sight && JSON.stringify(sight),
      ],
    ),
  );
  const end = await runImport({ database, tenantId, importId, ...options });
  return { importId, end, ...(await countsOf(database, tenantId, importId)) };
}

/** The outcome of an import. */
export async function countsOf(database: Database, tenantId: string, importId: string) {
  return database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const [counts] = await tx.rows<
      Record<'messages' | 'taken' | 'waiting' | 'refused' | 'duplicates', number>
    >(`select messages, taken, waiting, refused, duplicates from ${importList('$1')} i where id = $2`, [
      tenantId,
      importId,
    ]);
    const tallies = await tx.rows<{ kind: string; key: string; n: number }>(
      `select kind, key, sum(n)::integer as n from import_tally where tenant_id = $1 and import_id = $2
       group by kind, key having sum(n) <> 0 order by kind, key`,
      [tenantId, importId],
    );
    const of = (kind: string) =>
      Object.fromEntries(tallies.filter((tally) => tally.kind === kind).map(({ key, n }) => [key, n]));
    return { counts, reasons: of('reason'), effects: of('effect') };
  });
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
