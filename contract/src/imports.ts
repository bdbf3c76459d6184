import { z } from 'zod';
import { csvKinds, csvMapping, csvOptions } from './csv-mapping.ts';
import { endpoint } from './endpoint.ts';
import { type Grid, gridSearch } from './grid.ts';
import { labelled, testNamed } from './label.ts';

export const importFormats = ['hl7', 'csv', 'hl7-queue'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** `needs-mapping`: someone has to say what the columns of a table mean before its rows can be read. */
export const importStates = ['queued', 'running', 'needs-mapping', 'done', 'failed', 'cancelled'] as const;
export type ImportState = (typeof importStates)[number];

/** What stops or interrupts an import. */
export const importErrors = ['internal', 'unavailable', 'file-gone'] as const;
export type ImportError = (typeof importErrors)[number];

/** The state of one message or row. Each is in exactly one of these. */
export const messageStates = ['taken', 'waiting', 'refused', 'duplicate'] as const;
export type MessageState = (typeof messageStates)[number];

/** Effects are counted by these keys, in the order in which they are shown. */
export const importEffects = [
  'patientsCreated',
  'patientsMatched',
  'pairsToReview',
  'resultsCreated',
  'resultsCorrected',
  'resultsWithdrawn',
  'resultsUnchanged',
  'resultsOutdated',
  'casesOpened',
  'casesUpdated',
  'casesToReview',
  'treatmentsCreated',
  'treatmentsCompleted',
  'treatmentsUnchanged',
  'facilitiesCreated',
  'rowsNoCases',
] as const;
export type ImportEffect = (typeof importEffects)[number];

/** Bytes an uploaded file may have. [P9] */
export const uploadLimit = 1024 ** 3;

const id = z.uuid();
const count = z.number().int();
const instant = z.iso.datetime();

/**
 * messages = taken + waiting + refused + duplicates, always; counted over the disease families that the reader may see.
 */
const counts = { messages: count, taken: count, waiting: count, refused: count, duplicates: count };

/** A row of the grid of imports. */
export const importRow = z.object({
  id,
  createdAt: instant,
  fileName: z.string(),
  format: z.enum(importFormats).nullable(),
  state: z.enum(importStates),
  /** A dry run: nothing of it is stored. */
  dryRun: z.boolean(),
  /**
   * Null for people who did not send the file and may not see all disease families, like every value here that reveals
   * how much of it they are not shown. [P24]
   */
  byteSize: count.nullable(),
  ...counts,
  /** The facility it was uploaded for. */
  facilityName: z.string().nullable(),
  /** Who uploaded it; null for imports from the command line. */
  createdByName: z.string().nullable(),
  finishedAt: instant.nullable(),
  /**
   * Share that is done, of the file or of the messages that are run again, 0 to 1; null when nothing is running, and
   * for readers for whom `byteSize` is null.
   */
  progress: z.number().min(0).max(1).nullable(),
  /** While the layout and columns of a table are being found out: the share that has been read, 0 to 1. */
  looked: z.number().min(0).max(1).optional(),
});
export type ImportRow = z.infer<typeof importRow>;

export const importGrid = {
  id: 'imports',
  permission: 'imports/read',
  columns: {
    fileName: { kind: 'text', width: 260 },
    createdAt: { kind: 'date', withTime: true, width: 170 },
    state: { kind: 'choice', options: importStates, width: 150 },
    messages: { kind: 'number', width: 84 },
    taken: { kind: 'number', width: 104 },
    waiting: { kind: 'number', width: 104 },
    refused: { kind: 'number', width: 112 },
    duplicates: { kind: 'number', width: 112 },
    format: { kind: 'choice', options: importFormats, width: 150 },
    facilityName: { kind: 'text', width: 200 },
    byteSize: { kind: 'number', width: 110, hidden: true },
    createdByName: { kind: 'text', width: 170, hidden: true },
    finishedAt: { kind: 'date', withTime: true, width: 160, hidden: true },
  },
  defaultSort: [{ field: 'createdAt', sort: 'desc' }],
  filters: [],
  card: {
    title: ['fileName'],
    state: 'state',
    lines: ['createdAt', 'messages', 'taken', 'waiting', 'refused', 'duplicates'],
  },
  row: importRow,
} as const satisfies Grid;

export const searchImports = gridSearch(importGrid);

/** A fault with its place, see contract/src/import-fault.ts; contains no value of a patient. */
export const messageFault = z.object({
  severity: z.enum(['error', 'waits', 'warning']),
  code: z.string(),
  /** `MSH-10`, `OBX[3]-5.1`, `file`, or the header of a column. */
  place: z.string(),
  /** Line of the file, from 1. */
  line: count.optional(),
  message: z.string(),
  params: z.record(z.string(), z.string()).optional(),
});
export type MessageFault = z.infer<typeof messageFault>;

/** A result as it would be stored, without a word about whose it is. */
const previewResult = z.object({
  ...testNamed,
  category: z.string(),
  conditionCode: z.string().nullable(),
});

/** One import with all its details. */
export const importDetail = importRow.extend({
  startedAt: instant.nullable(),
  /**
   * Why it failed, or in state `queued`, what interrupted it: it is tried again automatically, and can be started
   * before that. `internal`: a fault of the program; `unavailable`: the database was away; `file-gone`: the file is.
   */
  error: z.enum(importErrors).nullable(),
  /** How many messages wait or were refused, by reason; the most first. */
  reasons: z.array(z.object({ state: z.enum(messageStates), reason: z.string(), n: count })),
  effects: z.partialRecord(z.enum(importEffects), count),
  /** Faults of the file as a whole; empty for readers for whom `byteSize` is null. */
  notes: z.array(messageFault),
  /** How many of the refused ones were corrected and are now counted elsewhere. */
  corrected: count,
  /** The last earlier import with the same bytes. */
  repeats: z.object({ id, createdAt: instant }).nullable(),
  /** How many messages of the file are not shown to the reader, who sent it; 0 for everyone else. [P18, P24] */
  withheld: count,
  /** Whether its table still waits for someone to say what its columns mean. */
  mappingNeeded: z.boolean(),
  /** For a dry run: the first messages that would wait or be refused, and the first that would be taken. */
  preview: z
    .array(
      z.object({
        /** What a message that would be taken says; absent for all others. */
        results: z.array(previewResult).optional(),
        index: count.nullable(),
        line: count.nullable(),
        state: z.enum(messageStates),
        reason: z.string().nullable(),
        faults: z.array(messageFault),
      }),
    )
    .nullable(),
});
export type ImportDetail = z.infer<typeof importDetail>;

const importParams = z.strictObject({ id });
/** Pages of the lists here are counted from 0 and have `listPageSize` rows. */
export const listPage = z
  .string()
  .regex(/^\d{1,6}$/)
  .default('0');
export const listPageSize = 25;

/**
 * The body is the file itself. The answer comes as soon as the file is stored; it is processed in the background. 413
 * beyond `uploadLimit`.
 */
export const uploadImport = endpoint({
  method: 'POST',
  path: '/api/web/imports',
  access: 'imports/write',
  deed: 'change',
  summary: 'Upload a file of laboratory messages or a table, to be imported in the background',
  query: z.strictObject({
    fileName: z.string().trim().min(1).max(255),
    /** Found out from the file when it is left out. */
    format: z.enum(importFormats).optional(),
    /** The facility for messages that name none. */
    facilityId: id.optional(),
    /** The condition every row of a line list is about. */
    condition: z.string().max(100).optional(),
    /** `true`: report what would happen, and store nothing. */
    dryRun: z.enum(['true', 'false']).optional(),
  }),
  response: importDetail,
});

export const readImport = endpoint({
  method: 'GET',
  path: '/api/web/imports/:id',
  access: 'imports/read',
  deed: 'read',
  summary: 'One import: counts, reasons, effects',
  params: importParams,
  response: importDetail,
});

/** What is committed stays; nothing more is stored. 409 if it has ended. */
export const cancelImport = endpoint({
  method: 'POST',
  path: '/api/web/imports/:id/cancel',
  access: 'imports/write',
  deed: 'change',
  summary: 'Stop an import; what is stored stays',
  params: importParams,
  response: importDetail,
});

/**
 * Stores what a dry run tried, or continues an import that failed or was interrupted where it stopped. 409 if it is
 * neither.
 */
export const startImport = endpoint({
  method: 'POST',
  path: '/api/web/imports/:id/start',
  access: 'imports/write',
  deed: 'change',
  summary: 'Store what a dry run has tried, or go on with an import that failed or was interrupted',
  params: importParams,
  response: importDetail,
});

// — Messages —

export const importMessage = z.object({
  id,
  /**
   * Position in the file, from 0, and its first line, from 1; null, like the lines of its faults, for people who did
   * not send the file and may not see all disease families: the gaps would count what is hidden. [P24]
   */
  index: count.nullable(),
  line: count.nullable(),
  /** 0 as received; higher for a text that someone corrected. */
  revision: count,
  state: z.enum(messageStates),
  reason: z.string().nullable(),
  messageType: z.string().nullable(),
  controlId: z.string().nullable(),
  sender: z.string().nullable(),
  faults: z.array(messageFault),
  /** The codes it waits for. */
  waitingFor: z.array(
    z.object({
      id,
      kind: z.enum(['test', 'value']),
      system: z.string(),
      code: z.string(),
      text: z.string(),
    }),
  ),
  patientId: id.nullable(),
  /** The message it repeats. */
  duplicateOf: id.nullable(),
  /** The message with the corrected text that took its place. */
  correctedBy: id.nullable(),
  /** The message that replaced this one with corrected text. */
  corrects: id.nullable(),
});
export type ImportMessage = z.infer<typeof importMessage>;

export const importMessages = endpoint({
  method: 'GET',
  path: '/api/web/imports/:id/messages',
  access: 'imports/read',
  deed: 'search',
  summary: 'Messages of an import in the order of the file',
  patientData: true,
  params: importParams,
  query: z.strictObject({
    state: z.enum(messageStates).optional(),
    reason: z.string().max(60).optional(),
    page: listPage,
  }),
  response: z.object({ rows: z.array(importMessage), rowCount: count }),
});

const messageParams = z.strictObject({ id, messageId: id });

export const messageText = importMessage.extend({
  /** Null for a piece that was too large to be kept, and if it has been deleted since. */
  text: z.string().nullable(),
  /** When the tenant's retention rule deleted it. */
  textDeletedAt: z.iso.datetime().nullable(),
  charset: z.string(),
  /** The header of the table, for a row. */
  header: z.array(z.string()).nullable(),
});
export type MessageText = z.infer<typeof messageText>;

export const readMessage = endpoint({
  method: 'GET',
  path: '/api/web/imports/:id/messages/:messageId',
  access: 'imports/read',
  deed: 'read',
  summary: 'One message with its text as it was received',
  patientData: true,
  params: messageParams,
  response: messageText,
});

/** Characters a corrected text may have. */
export const correctionLimit = 1_000_000;

/** The message is kept as received; the corrected text is a new message that replaces it in the counts. */
export const correctMessage = endpoint({
  method: 'POST',
  path: '/api/web/imports/:id/messages/:messageId/correct',
  access: 'imports/write',
  deed: 'change',
  summary: 'Correct the text of a refused or waiting message and run it again',
  patientData: true,
  params: messageParams,
  body: z.strictObject({ text: z.string().min(1).max(correctionLimit) }),
  response: importMessage,
});

/** Runs messages again, in the background: those that wait or were refused, all of them or those with one reason. */
export const rerunMessages = endpoint({
  method: 'POST',
  path: '/api/web/imports/:id/rerun',
  access: 'imports/write',
  deed: 'change',
  summary: 'Run messages of an import again',
  params: importParams,
  body: z.strictObject({ state: z.enum(['waiting', 'refused']), reason: z.string().max(60).optional() }),
  response: z.object({ queued: count }),
});

/** The messages or rows as they were received, one after the other; a table with its header. */
export const downloadMessages = endpoint({
  method: 'GET',
  path: '/api/web/imports/:id/file',
  access: 'imports/read',
  deed: 'export',
  summary: 'Refused or waiting messages as a file, as they were received',
  patientData: true,
  params: importParams,
  query: z.strictObject({ state: z.enum(['refused', 'waiting']) }),
  produces: 'application/octet-stream',
});

// — Columns of a table —

const suggestion = z.object({
  column: count,
  field: z.string().nullable(),
  confidence: z.number().min(0).max(1),
});

export const tableColumns = z.object({
  header: z.array(z.string()),
  /** The current mapping: decided, remembered, or the part that is sure. */
  mapping: csvMapping,
  options: csvOptions,
  /** Whether it was remembered from an earlier table with this header. */
  remembered: z.boolean(),
  /** What each column probably means, for each kind of table. */
  suggestions: z.record(z.enum(csvKinds), z.array(suggestion)),
  /** Columns with dates that can be read in two ways. */
  ambiguousDates: z.array(count),
  /** For a line list: its columns suggest that it includes both ill and well people. */
  mayHoldWell: z.boolean(),
  /** The first rows, as text. */
  rows: z.array(z.array(z.string())),
});
export type TableColumns = z.infer<typeof tableColumns>;

export const readColumns = endpoint({
  method: 'GET',
  path: '/api/web/imports/:id/columns',
  access: 'imports/read',
  deed: 'read',
  summary: 'What the columns of a table mean, with its first rows',
  patientData: true,
  params: importParams,
  response: tableColumns,
});

const decision = z.strictObject({ mapping: csvMapping, options: csvOptions });

export const columnsCheck = z.object({
  /** What still has to be decided. */
  undecided: z.array(messageFault),
  rows: count,
  readable: count,
  /** Faults of the rows that were tried, by the column they are in and their code. */
  faults: z.array(
    z.object({
      place: z.string(),
      code: z.string(),
      severity: messageFault.shape.severity,
      message: z.string(),
      n: count,
    }),
  ),
});
export type ColumnsCheck = z.infer<typeof columnsCheck>;

/** What the first rows would give under a mapping; nothing is stored. */
export const checkColumns = endpoint({
  method: 'POST',
  path: '/api/web/imports/:id/columns/check',
  access: 'imports/write',
  deed: 'read',
  summary: 'Try a mapping of columns on the first rows',
  params: importParams,
  body: decision,
  response: columnsCheck,
});

/** Remembers the mapping for this header and runs the waiting rows. 422 when something is still undecided. */
export const saveColumns = endpoint({
  method: 'PUT',
  path: '/api/web/imports/:id/columns',
  access: 'imports/write',
  deed: 'change',
  summary: 'Say what the columns of a table mean, and run its rows',
  params: importParams,
  /** `before`: what was decided when the person began; refused with `conflict` if it is something else by now. */
  body: decision.extend({ before: decision.optional() }),
  response: z.object({ queued: count }),
});

// — Codes that senders use —

export const mappingStates = ['open', 'mapped', 'ignored'] as const;
export type MappingState = (typeof mappingStates)[number];

/** The code for a test of everyday laboratory work: its results are kept, and never open a case or count as tests. */
export const routineTarget = 'routine';

/**
 * Why something is proposed, the strongest reason first: someone has mapped the same code, or nearly the same words, of
 * this sender to it; the same words were mapped to it for another sender; the words are Caseway's own name of it; they
 * have the parts that LOINC names the test by; or they mean it for any test.
 */
export const proposalBases = [
  'mapped-before',
  'mapped-elsewhere',
  'own-name',
  'loinc-parts',
  'words',
] as const;

/** The system for words without a code: their key is made from them, and no sender wrote it. */
export const wordsAlone = 'text';

export const codeMapping = z.object({
  id,
  kind: z.enum(['test', 'value']),
  sender: z.string(),
  system: z.string(),
  code: z.string(),
  text: z.string(),
  state: z.enum(mappingStates),
  /** kind test: a LOINC code, or `routineTarget`. kind value: a result category. */
  target: z.string().nullable(),
  /** The test's name, in English, and its translations. */
  targetLabel: z.string().nullable(),
  targetLabelI18N: labelled.shape.labelI18N,
  /** For a code that waits: what it probably means, for a person to decide. */
  proposal: z
    .object({
      target: z.string(),
      targetLabel: z.string().nullable(),
      targetLabelI18N: labelled.shape.labelI18N,
      basis: z.enum(proposalBases),
      /** For `mapped-before`: who mapped it; null if that is no longer known. */
      mappedBy: z.string().nullable(),
    })
    .nullable(),
  /** How often it came; for readers who may not see every message of the tenant, the waiting messages that they see. */
  occurrences: count,
  /** Messages that wait for it. */
  waiting: count,
});
export type CodeMapping = z.infer<typeof codeMapping>;

export const listMappings = endpoint({
  method: 'GET',
  path: '/api/web/code-mappings',
  access: 'imports/read',
  deed: 'search',
  summary:
    'Codes of senders that wait to be mapped, or have been, by sender; those for which most waits first',
  query: z.strictObject({
    state: z.enum(mappingStates).default('open'),
    /** Only of this sender; empty for codes of which no sender is known. */
    sender: z.string().max(500).optional(),
    /** Only with all of these words in the code, its text or its sender. */
    words: z.string().trim().max(200).default(''),
    page: listPage,
  }),
  response: z.object({
    rows: z.array(codeMapping),
    rowCount: count,
    /** Everyone who sent codes that are in this state, whatever is searched; the first for whom most waits. */
    senders: z.array(z.object({ sender: z.string(), codes: count, waiting: count })),
  }),
});

/** `ignored`: the code is not a result and is left out. `open`: undoes a decision. */
export const mappingDecision = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('mapped'), target: z.string().min(1).max(60) }),
  z.strictObject({ state: z.literal('ignored') }),
  z.strictObject({ state: z.literal('open') }),
]);
export type MappingDecision = z.infer<typeof mappingDecision>;

/** Decides a code for its sender, and runs again, in the background, the messages that only waited for it. */
export const decideMapping = endpoint({
  method: 'PUT',
  path: '/api/web/code-mappings/:id',
  access: 'mappings/write',
  deed: 'change',
  summary: 'Say what a code of a sender stands for',
  params: importParams,
  body: mappingDecision,
  response: z.object({ mapping: codeMapping, queued: count }),
});

/** How many codes are decided by one request at most. */
export const mostDecisions = 200;

/** The same for several codes, in one transaction: all are decided or none. */
export const decideMappings = endpoint({
  method: 'POST',
  path: '/api/web/code-mappings/decisions',
  access: 'mappings/write',
  deed: 'change',
  summary: 'Say what several codes of senders stand for',
  body: z.discriminatedUnion('state', [
    z.strictObject({
      state: z.literal('mapped'),
      codes: z
        .array(z.strictObject({ id, target: z.string().min(1).max(60) }))
        .min(1)
        .max(mostDecisions),
    }),
    z.strictObject({
      state: z.enum(['ignored', 'open']),
      codes: z.array(z.strictObject({ id })).min(1).max(mostDecisions),
    }),
  ]),
  response: z.object({ decided: count, queued: count }),
});
export type MappingDecisions = z.infer<(typeof decideMappings)['body'] & z.ZodType>;

/** Laboratory tests of the catalog by words of their name or by their LOINC code; the nearest first, at most 50. */
export const searchTests = endpoint({
  method: 'GET',
  path: '/api/web/laboratory-tests',
  access: 'imports/read',
  deed: 'search',
  summary: 'Find laboratory tests of the catalog',
  query: z.strictObject({ words: z.string().max(200) }),
  response: z.object({
    tests: z.array(
      z.object({
        loinc: z.string(),
        name: z.string(),
        nameI18N: labelled.shape.labelI18N,
        method: z.string(),
        diseaseFamily: labelled.extend({ code: z.string() }).nullable(),
      }),
    ),
  }),
});
