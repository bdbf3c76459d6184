import { type DocumentType, documentRecord, type PatientDocument } from '@caseway/contract/documents';
import { dayFault } from '@caseway/contract/vaccinations';
import { carriedNow } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { faultsOfCase, seePerson } from '../../platform/records/about-person.ts';
import { insertManyMade } from '../../platform/records/insert-made.ts';
import { openedWithCase } from '../../platform/records/opened.ts';
import { patientServer } from '../../platform/records/patient-record.ts';
import { type Entries, entriesOffered, faultsOfEntries } from '../../platform/records/record-faults.ts';
import { recordReading } from '../../platform/records/record-server.ts';
import { readRecords } from '../../platform/records/record-sql.ts';
import { historyShown } from '../../platform/records/record-versions.ts';

/** Documents as the reader sees them: with their case, or else with their person. */
export const documents = recordReading<typeof documentRecord>({
  record: documentRecord,
  endedColumn: 'ended_at',
  history: historyShown(documentRecord),
  joined: `join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    cross join lateral app_shown(stored, stored.told_openly, r.disease_family) p
    left join case_report of on of.tenant_id = r.tenant_id and of.id = r.case_report_id`,
  sql: {
    lastName: 'p.last_name',
    firstName: 'p.first_name',
    birthDate: 'p.birth_date',
    caseId: 'of.case_id',
  },
  searched: ['title', 'lastName', 'firstName', 'caseId'],
});

export const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, documents, ids);

/** The documents of a person or a case that the reader sees: the newest first, retracted ones last. */
export async function readDocumentsOf(
  tx: Tx,
  by: 'patient_id' | 'case_report_id',
  id: string,
): Promise<PatientDocument[]> {
  const rows = await tx.rows<{ id: string }>(
    `select id from document where tenant_id = $1 and ${by} = $2
     order by state = 'retracted', coalesce(documented_on, created_on) desc, created_at desc, id`,
    [tx.tenantId, id],
  );
  const stored = new Map(
    (
      await read(
        tx,
        rows.map((one) => one.id),
      )
    ).map((one) => [one.id, one]),
  );
  return rows.flatMap((one) => stored.get(one.id) ?? []);
}

interface StoredFile {
  type: DocumentType;
  size: number;
  sha256: string;
}

/** A file that the writer has uploaded and of which no document was made. */
async function ownFile(tx: Tx, accountId: string, id: unknown): Promise<StoredFile | undefined> {
  const [file] = await tx.rows<StoredFile>(
    `select file_type as type, byte_size as size, sha256 from document_file
     where tenant_id = $1 and id = $2 and account_id = $3 and document_id is null`,
    [tx.tenantId, id, accountId],
  );
  return file;
}

/** A document of the person with the same file that the reader sees; one that was retracted does not count. */
export async function sameFile(tx: Tx, patient: unknown, sha256: string): Promise<string | undefined> {
  const [found] = await tx.rows<{ id: string }>(
    `select id from document where tenant_id = $1 and patient_id = $2 and sha256 = $3 and state = 'filed'
     order by created_at, id limit 1`,
    [tx.tenantId, patient, sha256],
  );
  return found?.id;
}

/** The fault of a file that the person has already. Two that are filed at once are compared one after the other. */
async function faultsOfSame(tx: Tx, patient: string, sha256: string) {
  await tx.rows(`select pg_advisory_xact_lock(hashtextextended('document ' || $1 || $2, 0))`, [
    patient,
    sha256,
  ]);
  return (await sameFile(tx, patient, sha256)) === undefined
    ? []
    : [faultAt('file', 'duplicate', 'the person has a document with this file')];
}

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  future: 'the day lies in the future',
  'before-1900': 'the day lies before 1900',
};

/** What the declaration of a document does not say. */
export const documentServer = (lookups: Lookups) =>
  patientServer<PatientDocument, { offered: Entries }>({
    ...documents,
    record: documentRecord,
    read,
    lock: (tx, tenantId, ids) =>
      tx.rows('select from document where tenant_id = $1 and id = any ($2::uuid[]) order by id for update', [
        tenantId,
        ids,
      ]),
    answer: async (tx, id) => (await read(tx, [id]))[0] ?? null,
    opened: openedWithCase(read),
    context: async (person) => ({ offered: await entriesOffered(documentRecord, lookups, person) }),
    async faults(tx, { tenantId, accountId, today, context }, { stored, changes }) {
      const next = {
        ...stored,
        ...Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
      };
      const faults = faultsOfEntries(documentRecord, next, Object.keys(changes), context.offered);
      if (changes.documentedOn && next.documentedOn) {
        const wrong = dayFault(next.documentedOn, { today, birthDate: null });
        if (wrong) faults.push(faultAt('documentedOn', wrong, messages[wrong] ?? wrong));
      }
      if (stored.version === 0) {
        await seePerson(tx, next.patient);
        faults.push(...(await faultsOfCase(tx, next)));
        const file = next.file ? await ownFile(tx, accountId, next.file) : undefined;
        if (file) faults.push(...(await faultsOfSame(tx, next.patient, file.sha256)));
        else if (next.file)
          faults.push(faultAt('file', 'unknown-file', 'no file that the writer has uploaded'));
      } else if (changes.state?.to === 'filed') {
        const [file] = await tx.rows<{ sha256: string }>(
          'select sha256 from document where tenant_id = $1 and id = $2',
          [tenantId, stored.id],
        );
        for (const { code, message } of await faultsOfSame(tx, stored.patient, file!.sha256))
          faults.push(faultAt('state', code, message));
      }
      return faults;
    },
    derived: () => ({}),
    sets: ({ state }) => (state ? [`ended_at = ${state.to === 'retracted' ? 'now()' : 'null'}`] : []),
    async insert(tx, { tenantId, accountId, today }, id, given) {
      const file = await ownFile(tx, accountId, given.file);
      const taken = await tx.run(
        `update document_file set document_id = $4
         where tenant_id = $1 and id = $2 and account_id = $3 and document_id is null`,
        [tenantId, given.file, accountId, id],
      );
      if (!file || taken === 0) throw new AppError('conflict');
      const ofCase =
        typeof given.caseRecord === 'string'
          ? await carriedNow(tx, 'document', 'case_report', given.caseRecord)
          : {};
      await insertManyMade(
        tx,
        tenantId,
        documentRecord,
        [
          {
            ...given,
            ...ofCase,
            ...{ id, fileType: file.type, byteSize: file.size, createdOn: today },
            sha256: file.sha256,
          },
        ],
        {
          sha256: { type: 'text', of: 'sha256' },
          disease_family: { type: 'text', of: 'disease_family' },
          organization_id: { type: 'uuid', of: 'organization_id' },
          facility_id: { type: 'uuid', of: 'facility_id' },
          case_county_fips: { type: 'text', of: 'case_county_fips' },
        },
        'patient',
      );
    },
    write: async () => {},
  });
