import { randomBytes, randomUUID } from 'node:crypto';
import { documentLimit, documentRecord, type PatientDocument } from '@caseway/contract/documents';
import { anyRecord } from '@caseway/contract/record';
import type { TimelineEntry } from '@caseway/contract/timeline';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { pdfBytes, uploadFile, uploadPdf } from '../../../test/document-file.ts';
import { type At, makeCaseReport, makePersonAt } from '../../../test/factories.ts';
import { hiddenWithPerson } from '../../../test/hidden-person.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo, vendor } = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const facilityUser = await signInAs(testing, 'facility@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const atCollege = await actFor(testing, epi.tokens, `O:${college}`);
const clinic = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;

const { ask, ok, faults } = askingAs(testing, epi);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
type Stored = { id: string; version: number; active: boolean } & Record<string, unknown>;

const letter = async (patient: string, more: object = {}, headers: Headers = epi.headers) => ({
  ...blankOf(documentRecord),
  patient,
  file: await uploadPdf(testing, headers, patient),
  category: 'letter',
  title: 'Referral to the chest clinic',
  state: 'filed',
  ...more,
});
const make = async (patient: string, more: object = {}) =>
  ok<PatientDocument>('POST', 'documents', await letter(patient, more));
const somebody = async (place: At = {}, tenant = demo.id) => (await makePersonAt(database, tenant, place)).id;
const changedDocument = async (place: At = {}): Promise<Stored> => {
  const made = await make(await somebody(place));
  return ok('PATCH', `documents/${made.id}`, { version: 1, note: 'Two pages.' });
};

describeRecord({
  record: anyRecord(documentRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: analyst.headers, elsewhere: vendorAdmin.headers },
  fresh: async () => letter(await somebody(), { state: 'retracted', retractReason: 'Of her sister.' }),
  changed: () => ({
    category: 'consent',
    title: 'Consent to treatment',
    documentedOn: '2026-03-06',
    note: 'Signed by both.',
    retractReason: 'Of her mother.',
  }),
  conditional: ['state'],
  rivals: ['title', ['Letter one', 'Letter two', 'Letter three']],
  sight: {
    ...hiddenWithPerson({
      database,
      sql,
      ok,
      tenantId: demo.id,
      table: 'document',
      blind: epi.headers,
      changed: () => changedDocument(),
    }),
    places: [
      {
        name: 'a facility',
        headers: facilityUser.headers,
        own: () => changedDocument({ facility_id: clinic.id }),
        other: () => changedDocument({ organization_id: college }),
      },
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changedDocument({ organization_id: college }),
        other: () => changedDocument({ facility_id: clinic.id }),
      },
      {
        name: 'a jurisdiction',
        headers: jurisdiction.headers,
        own: () => changedDocument({ county_fips: '12057' }),
        other: () => changedDocument({ county_fips: '13121' }),
      },
    ],
  },
});

const listed = async (path: string, headers?: Headers) =>
  (await ok<{ documents: PatientDocument[] }>('GET', `${path}/documents`, undefined, headers)).documents;
const fileOf = (id: string, headers: Headers = epi.headers) =>
  testing.app.fastify.inject({ method: 'GET', url: `/api/web/documents/${id}/file`, headers });
const uploaded = (patient: string, bytes: Buffer | string) =>
  uploadFile(testing, epi.headers, patient, bytes);

describe('the file of a document', () => {
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), randomBytes(40)]);
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(40)]);

  test.each([
    ['pdf', Buffer.from('%PDF-1.4\n…'), 'application/pdf', '.pdf'],
    ['png', png, 'image/png', '.png'],
    ['jpeg', jpeg, 'image/jpeg', '.jpg'],
    ['text', Buffer.from('Résumé\r\n\tof a call'), 'text/plain; charset=utf-8', '.txt'],
    ['text', Buffer.from('Hi'), 'text/plain; charset=utf-8', '.txt'],
  ])('is known by its bytes and comes back as it was: %s', async (type, bytes, mediaType, ending) => {
    const patient = await somebody();
    const { body } = await uploaded(patient, bytes);
    expect(body).toEqual({ id: expect.any(String), type, size: bytes.length, earlier: null });
    const made = await make(patient, { file: body.id, title: 'Carta: año 1/2' });
    expect([made.fileType, made.byteSize]).toEqual([type, bytes.length]);
    const answer = await fileOf(made.id);
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': mediaType,
      'content-disposition': `attachment; filename*=UTF-8''Carta%3A%20a%C3%B1o%201%2F2${ending}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  test('is refused if it is empty, too large or of another type, and nothing of it is kept', async () => {
    const patient = await somebody();
    const pieces = async () => (await sql<{ n: string }>('select count(*) as n from document_piece'))[0]!.n;
    const before = await pieces();
    const refused = async (bytes: Buffer | string) => {
      const { status, body } = await uploaded(patient, bytes);
      const said = (body.faults as { path: string; code: string }[] | undefined) ?? [];
      return [status, body.code, ...said.map(({ path, code }) => `${path} ${code}`)];
    };
    const unknown = [422, 'validation-failed', 'file unknown-type'];
    expect(await refused('')).toEqual([422, 'validation-failed', 'file empty']);
    expect(await refused(Buffer.from('PK\u0003\u0004a word processor'))).toEqual(unknown);
    expect(await refused(Buffer.from([0x48, 0x69, 0x20, 0xe9, 0x21]))).toEqual(unknown);
    // The bytes of one letter that the file ends in.
    expect(await refused(Buffer.from('a long enough text é').subarray(0, -1))).toEqual(unknown);
    const text = Buffer.alloc(3 * 2 ** 20, 'a');
    text[text.length - 1] = 0;
    expect(await refused(text)).toEqual(unknown);
    expect(await refused(Buffer.alloc(documentLimit + 1, 'a'))).toEqual([413, 'too-large']);
    expect(await pieces()).toBe(before);
    const largest = Buffer.alloc(documentLimit, 'a');
    const { body } = await uploaded(patient, largest);
    const made = await make(patient, { file: body.id });
    expect((await fileOf(made.id)).rawPayload.equals(largest)).toBe(true);
  });

  test('that the person has already is refused, and the earlier document is named', async () => {
    const [patient, other] = [await somebody(), await somebody()];
    const bytes = pdfBytes();
    const first = await make(patient, { file: (await uploaded(patient, bytes)).body.id });
    const again = (await uploaded(patient, bytes)).body;
    expect(again.earlier).toEqual(first);
    const given = await letter(patient, { file: again.id });
    expect(await faults('POST', 'documents', given)).toEqual(['file duplicate']);
    // The same file is no duplicate of what another person has.
    const elsewhere = (await uploaded(other, bytes)).body;
    expect(elsewhere.earlier).toBeNull();
    await make(other, { file: elsewhere.id });
    // What was retracted may be filed again, and is then not taken back.
    await ok('PATCH', `documents/${first.id}`, { version: 1, state: 'retracted', retractReason: 'Blurred.' });
    const second = await ok<PatientDocument>('POST', 'documents', given);
    const back = { version: 2, state: 'filed', retractReason: null };
    expect(await faults('PATCH', `documents/${first.id}`, back)).toEqual(['state duplicate']);
    await ok('PATCH', `documents/${second.id}`, {
      version: 1,
      state: 'retracted',
      retractReason: 'Blurred.',
    });
    await ok('PATCH', `documents/${first.id}`, back);
  });

  test('filed twice at the same time makes one document', async () => {
    const patient = await somebody();
    const bytes = pdfBytes();
    const given = await Promise.all(
      [1, 2, 3].map(async () => letter(patient, { file: (await uploaded(patient, bytes)).body.id })),
    );
    const answers = await Promise.all(given.map((body) => ask('POST', 'documents', body)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422, 422]);
  });

  test('belongs to who uploaded it, and makes one document', async () => {
    const patient = await somebody();
    const ofOther = await letter(patient, { file: await uploadPdf(testing, investigator.headers, patient) });
    expect(await faults('POST', 'documents', ofOther)).toEqual(['file unknown-file']);
    const made = await make(patient);
    expect(await faults('POST', 'documents', await letter(patient, { file: made.file }))).toEqual([
      'file unknown-file',
    ]);
  });

  test('is not shared by two tenants, even if its bytes are the same', async () => {
    const bytes = pdfBytes();
    const patient = await somebody();
    const ours = await make(patient, { file: (await uploaded(patient, bytes)).body.id });
    const theirs = await somebody({}, vendor.id);
    const answer = await uploadFile(testing, vendorAdmin.headers, theirs, bytes);
    expect(answer.body.earlier).toBeNull();
    expect((await fileOf(ours.id, vendorAdmin.headers)).statusCode).toBe(404);
    const kept = await sql<{ tenant_id: string }>(
      `select p.tenant_id from document_piece p join document_file f on f.tenant_id = p.tenant_id and f.id = p.file_id
       where f.sha256 = (select sha256 from document where id = $1) order by p.created_at`,
      [ours.id],
    );
    expect(kept.map(({ tenant_id }) => tenant_id)).toEqual([demo.id, vendor.id]);
  });

  test('is not offered once the document is retracted, and again after that is undone', async () => {
    const made = await make(await somebody());
    const retracted = await ok<PatientDocument>('PATCH', `documents/${made.id}`, {
      version: 1,
      state: 'retracted',
      retractReason: 'Of another person.',
    });
    expect(retracted.active).toBe(false);
    expect((await fileOf(made.id)).statusCode).toBe(404);
    expect(await listed(`patients/${made.patient}`)).toEqual([retracted]);
    await ok('POST', `documents/${made.id}/undo`, { version: 2 });
    expect((await fileOf(made.id)).statusCode).toBe(200);
  });

  test('is in the log with its person whenever it is downloaded, without its title', async () => {
    const made = await make(await somebody(), { title: 'Okafor, Ada' });
    expect((await fileOf(made.id, investigator.headers)).statusCode).toBe(200);
    const logged = await sql<{ record_ids: string[]; text: string }>(
      `select record_ids, e::text as text from audit_event e
       where tenant_id = $1 and action = 'GET /api/web/documents/:id/file' and $2 = any (record_ids)`,
      [demo.id, made.id],
    );
    expect(logged.map(({ record_ids }) => record_ids)).toEqual([[made.id, made.patient]]);
    expect(logged[0]!.text).not.toContain('Okafor');
  });
});

describe('the documents of a person and of a case', () => {
  const restricted = (patient_id: string) =>
    makeCaseReport(database, {
      ...{ tenant_id: demo.id, patient_id, condition_code: 'hiv', disease_family: 'hiv' },
    });

  test('are listed the newest first and retracted ones last; a case has only its own', async () => {
    const patient = await somebody();
    const report = await makeCaseReport(database, { tenant_id: demo.id, patient_id: patient });
    const old = await make(patient, { documentedOn: '2025-01-02' });
    const wrong = await make(patient);
    const ofCase = await make(patient, { documentedOn: '2026-03-01', caseRecord: report.id });
    await ok('PATCH', `documents/${wrong.id}`, { version: 1, state: 'retracted', retractReason: 'Empty.' });
    expect((await listed(`patients/${patient}`)).map(({ id }) => id)).toEqual([ofCase.id, old.id, wrong.id]);
    expect(await listed(`case-reports/${report.id}`)).toEqual([
      expect.objectContaining({ id: ofCase.id, caseId: report.case_id }),
    ]);
    const { entries } = await ok<{ entries: TimelineEntry[] }>('GET', `patients/${patient}/timeline`);
    expect(entries.filter(({ record }) => record === 'documents').map(({ id }) => id)).toEqual([
      wrong.id,
      ofCase.id,
      old.id,
    ]);
  });

  test('are refused with each fault', async () => {
    const patient = await somebody();
    const others = await makeCaseReport(database, { tenant_id: demo.id, patient_id: await somebody() });
    const refused = async (more: object) => faults('POST', 'documents', await letter(patient, more));
    expect(await refused({ documentedOn: '2999-01-01' })).toEqual(['documentedOn future']);
    expect(await refused({ documentedOn: '1899-12-31' })).toEqual(['documentedOn before-1900']);
    expect(await refused({ caseRecord: others.id })).toEqual(['caseRecord other-person']);
    expect(await refused({ caseRecord: randomUUID() })).toEqual(['caseRecord unknown-choice']);
    expect(await refused({ state: 'retracted' })).toEqual(['retractReason required']);
    expect(await refused({ retractReason: 'No.' })).toEqual(['retractReason not-asked']);
    expect(await refused({ title: ' ' })).toEqual(['title too_small']);
    for (const path of [`patients/${randomUUID()}`, `case-reports/${randomUUID()}`])
      expect((await ask('GET', `${path}/documents`)).statusCode).toBe(404);
    expect((await uploaded(randomUUID(), 'text')).status).toBe(404);
  });

  test('of a case of a restricted family are hidden from readers without it, their files and duplicates too', async () => {
    const patient = await somebody();
    const admin = await signInAs(testing, 'admin@demo.caseway.test');
    await makeCaseReport(database, { tenant_id: demo.id, patient_id: patient });
    const report = await restricted(patient);
    const bytes = pdfBytes();
    const file = (await uploadFile(testing, admin.headers, patient, bytes)).body.id;
    const made = await ok<PatientDocument>(
      'POST',
      'documents',
      await letter(patient, { file, caseRecord: report.id }, admin.headers),
      admin.headers,
    );
    expect(await listed(`patients/${patient}`, admin.headers)).toHaveLength(1);
    expect(await listed(`patients/${patient}`)).toEqual([]);
    for (const path of [`documents/${made.id}`, `documents/${made.id}/history`, `documents/${made.id}/file`])
      expect((await ask('GET', path)).statusCode).toBe(404);
    expect((await uploaded(patient, bytes)).body.earlier).toBeNull();
  });

  test('of a case are read by an access in an emergency, and not changed', async () => {
    const patient = await somebody();
    const admin = await signInAs(testing, 'admin@demo.caseway.test');
    const report = await restricted(patient);
    const made = await ok<PatientDocument>(
      'POST',
      'documents',
      await letter(patient, { caseRecord: report.id }, admin.headers),
      admin.headers,
    );
    await ok('POST', 'break-glass', {
      caseNumber: report.case_id,
      reasonKind: 'treatment',
      reason: 'The person is in our emergency room.',
    });
    expect((await listed(`case-reports/${report.id}`)).map(({ id }) => id)).toEqual([made.id]);
    expect((await fileOf(made.id)).statusCode).toBe(200);
    const changed = await ask('PATCH', `documents/${made.id}`, { version: 1, title: 'Other' });
    expect(changed.statusCode).toBe(404);
  });
});
