import { z } from 'zod';
import { addDays } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { is } from './expression.ts';
import { patientRecordOfPeople } from './patient-record.ts';
import {
  askedIf,
  byServer,
  choice,
  coded,
  count,
  day,
  inColumn,
  known,
  listOf,
  longText,
  needed,
  neededIf,
  onCreation,
  reference,
  text,
} from './record.ts';

export const documentCategories = [
  'laboratory-report',
  'letter',
  'consent',
  'identification',
  'correspondence',
  'other',
] as const;
/** What a file is by its bytes, whatever its name says. */
export const documentTypes = ['pdf', 'png', 'jpeg', 'text'] as const;
export type DocumentType = (typeof documentTypes)[number];
/** `retracted`: of another person, or wrong in another way. Its file is not offered any more. */
export const documentStates = ['filed', 'retracted'] as const;

/** The largest file, in bytes. */
export const documentLimit = 10_000_000;
/** What a file dialog offers. */
export const documentFiles = '.pdf,.png,.jpg,.jpeg,.txt';

const isRetracted = is('state', 'retracted');

const fields = {
  patient: inColumn('patient_id', onCreation(needed(reference()))),
  /** One of the person's cases; empty if it is about the person alone. */
  caseRecord: inColumn('case_report_id', onCreation(reference())),
  /** What `uploadDocument` has answered. */
  file: inColumn('file_id', onCreation(needed(reference()))),
  category: needed(choice(documentCategories)),
  title: needed(text(200)),
  /** The day on the document itself. */
  documentedOn: day(),
  note: longText(2000),
  state: needed(choice(documentStates)),
  retractReason: askedIf(isRetracted, neededIf(isRetracted, text(500))),
  fileType: byServer(needed(choice(documentTypes))),
  /** In bytes. */
  byteSize: byServer(needed(count())),
  createdOn: byServer(needed(day())),
  lastName: known(coded(z.string())),
  firstName: known(coded(z.string())),
  birthDate: known(day()),
  caseId: known(coded(z.string())),
};

const access = { read: 'documents/read', write: 'documents/write' } as const;

/** The list of all documents. */
export const documentGrid = listOf(fields, {
  id: 'documents',
  permission: access.read,
  exportable: 'documents/export',
  columns: {
    createdOn: { width: 116 },
    title: { sensitive: true, width: 260 },
    category: { width: 190 },
    documentedOn: { width: 130 },
    lastName: { sensitive: true, width: 140 },
    firstName: { sensitive: true, width: 130 },
    birthDate: { sensitive: true, width: 116 },
    caseId: { whole: true, width: 140 },
    fileType: { width: 110 },
    state: { width: 130, formOnly: true },
    note: { sensitive: true, width: 220, hidden: true },
    byteSize: { width: 120, hidden: true },
  },
  card: { title: ['lastName', 'firstName'], state: 'state', lines: ['title', 'category', 'documentedOn'] },
  sortedBy: 'createdOn',
  newestFirst: true,
  filters: [],
  defaultRange: (today) => ({ start: addDays(today, -364), end: today }),
  rangeFields: ['createdOn', 'documentedOn'],
});
export const documentRow = documentGrid.row;
export type PatientDocument = z.infer<typeof documentRow>;

/** A file on the record of a person or of one of their cases. */
export const documentRecord = patientRecordOfPeople({
  id: 'documents',
  kind: 'document',
  noun: 'document',
  table: 'document',
  access,
  about: { field: 'patient', kind: 'patient' },
  alone: true,
  name: 'title',
  fields,
  grid: documentGrid,
  answer: documentRow,
  form: [
    'patient',
    'caseRecord',
    'file',
    'category',
    'title',
    'documentedOn',
    'note',
    'state',
    'retractReason',
  ],
  begins: { state: 'filed' },
  timeline: { at: ['documentedOn', 'createdOn'], shows: ['category', 'state'] },
});

const id = z.uuid();
const listing = { access: access.read, deed: 'read', patientData: true } as const;
const params = z.strictObject({ id });
const found = z.object({ documents: z.array(documentRow) });

/** Also those of their cases that the reader sees. The newest first, retracted ones last. */
export const documentsOfPatient = endpoint({
  ...listing,
  method: 'GET',
  path: '/api/web/patients/:id/documents',
  summary: 'The documents of a person',
  params,
  response: found,
});

export const documentsOfCase = endpoint({
  ...listing,
  method: 'GET',
  path: '/api/web/case-reports/:id/documents',
  feature: 'case-reports',
  summary: 'The documents of a case',
  params,
  response: found,
});

/**
 * The body is the file; 413 beyond `documentLimit`. It belongs to who uploads it until a document is made of it,
 * and is deleted after a day without one.
 */
export const uploadDocument = endpoint({
  method: 'POST',
  path: '/api/web/patients/:id/document-files',
  access: access.write,
  deed: 'change',
  summary: 'Upload the file of a new document of a person',
  patientData: true,
  params,
  response: z.object({
    id,
    type: z.enum(documentTypes),
    size: z.int(),
    /** A document of this person with the same file; null if the reader sees none. */
    earlier: documentRow.nullable(),
  }),
});

/** 404 of a retracted document: its file is not offered. */
export const downloadDocument = endpoint({
  method: 'GET',
  path: '/api/web/documents/:id/file',
  access: access.read,
  deed: 'export',
  summary: 'The file of a document, as it was uploaded',
  patientData: true,
  params,
  produces: 'application/octet-stream',
});
