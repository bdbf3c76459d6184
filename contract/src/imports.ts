import { z } from 'zod';
import { csvKinds, csvMapping, csvOptions } from './csv-mapping.ts';
import { endpoint } from './endpoint.ts';
import { type Grid, gridSearch } from './grid.ts';
import { labelled, testNamed } from './label.ts';

export const importFormats = ['hl7', 'csv', 'hl7-queue'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** `needs-mapping`: someone must say what a table's columns mean before its rows can be read. */
/** What an upload is for: a dry run stores nothing. */
export const importRuns = ['import', 'dry-run'] as const;

export const importStates = ['queued', 'running', 'needs-mapping', 'done', 'failed', 'cancelled'] as const;
export type ImportState = (typeof importStates)[number];

/** Reasons why an import stops or is interrupted. */
export const importErrors = ['internal', 'unavailable', 'file-gone'] as const;
export type ImportError = (typeof importErrors)[number];

/** The state of a message or row; each is in exactly one. */
export const messageStates = ['taken', 'waiting', 'refused', 'duplicate'] as const;
export type MessageState = (typeof messageStates)[number];

/** Keys of the counted effects, in display order. */
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

/** The largest upload, in bytes. [P9] */
export const uploadLimit = 1024 ** 3;

const id = z.uuid();
const count = z.number().int();
const instant = z.iso.datetime();

/** Always messages = taken + waiting + refused + duplicates, over the disease families the reader may see. */
const counts = { messages: count, taken: count, waiting: count, refused: count, duplicates: count };

/** A row of the grid of imports. */
export const importRow = z.object({
  id,
  createdAt: instant,
  fileName: z.string(),
  format: z.enum(importFormats).nullable(),
  state: z.enum(importStates),
  /** A dry run stores nothing. */
  dryRun: z.boolean(),
  /** The same as a column. */
  run: z.enum(importRuns),
  /**
   * Null for users who did not send the file and may not see all disease families, like every value here that
   * would reveal how much is hidden from them. [P24]
   */
  byteSize: count.nullable(),
  ...counts,
  /** The facility it was uploaded for. */
  facilityName: z.string().nullable(),
  /** The account that uploaded it; null for imports from the command line. */
  createdByName: z.string().nullable(),
  finishedAt: instant.nullable(),
  /**
   * The finished share of the file, or of the messages being reprocessed, 0 to 1. Null when nothing is
   * running, and when `byteSize` is null.
   */
  progress: z.number().min(0).max(1).nullable(),
  /** The share read so far, 0 to 1, while the layout and columns of a table are being detected. */
  looked: z.number().min(0).max(1).optional(),
});
export type ImportRow = z.infer<typeof importRow>;

export const importGrid = {
  id: 'imports',
  permission: 'imports/read',
  columns: {
    fileName: { kind: 'text', width: 260 },
    createdAt: { kind: 'date', withTime: true, width: 170 },
    state: { kind: 'choice', options: importStates, whole: true, width: 150 },
    messages: { kind: 'number', width: 84 },
    taken: { kind: 'number', width: 104 },
    waiting: { kind: 'number', width: 104 },
    refused: { kind: 'number', width: 112 },
    duplicates: { kind: 'number', width: 112 },
    format: { kind: 'choice', options: importFormats, width: 150 },
    facilityName: { kind: 'text', width: 200 },
    byteSize: { kind: 'number', width: 110, hidden: true },
    createdByName: { kind: 'text', width: 170, hidden: true },
    run: { kind: 'choice', options: importRuns, width: 180, hidden: true },
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

/** A fault with its place, see contract/src/import-fault.ts. It contains no value of a patient. */
export const messageFault = z.object({
  severity: z.enum(['error', 'waits', 'warning']),
  code: z.string(),
  /** `MSH-10`, `OBX[3]-5.1`, `file`, or the header of a column. */
  place: z.string(),
  /** The line of the file, from 1. */
  line: count.optional(),
  message: z.string(),
  params: z.record(z.string(), z.string()).optional(),
});
export type MessageFault = z.infer<typeof messageFault>;

/** A result as it would be stored, without any information on the patient. */
const previewResult = z.object({
  ...testNamed,
  category: z.string(),
  conditionCode: z.string().nullable(),
});

/** One import with all its details. */
export const importDetail = importRow.extend({
  startedAt: instant.nullable(),
  /**
   * Why it failed, or why a queued one was interrupted: it is retried automatically, or sooner by hand.
   * `internal`: a fault of ours; `unavailable`: the database was down; `file-gone`: the file is missing.
   */
  error: z.enum(importErrors).nullable(),
  /** The number of messages that wait or were refused, by reason, most first. */
  reasons: z.array(z.object({ state: z.enum(messageStates), reason: z.string(), n: count })),
  effects: z.partialRecord(z.enum(importEffects), count),
  /** Faults of the file as a whole; empty when `byteSize` is null. */
  notes: z.array(messageFault),
  /** How many refused messages were corrected and now count elsewhere. */
  corrected: count,
  /** The last earlier import of the same bytes. */
  repeats: z.object({ id, createdAt: instant }).nullable(),
  /** The number of messages hidden from the reader who sent the file; 0 for everyone else. [P18, P24] */
  withheld: count,
  /** Whether its table still needs a mapping of its columns. */
  mappingNeeded: z.boolean(),
  /**
   * Dry runs only: the first messages that would wait or be refused, and the first that would be accepted.
   */
  preview: z
    .array(
      z.object({
        /** The content of a message that would be accepted; absent for others. */
        results: z.array(previewResult).optional(),
        index: count.nullable(),
        line: count.nullable(),
        state: z.enum(messageStates),
        reason: z.string().nullable(),
        faults: z.array(messageFault),
      }),
    )
    .nullable(),
  /**
   * Dry runs only: the codes that would have to be mapped, with the number of messages that contain each, most first,
   * and how many more there are.
   */
  codes: z.object({
    rows: z.array(
      z.object({
        kind: z.enum(['test', 'value']),
        sender: z.string(),
        system: z.string(),
        code: z.string(),
        text: z.string(),
        n: count,
      }),
    ),
    more: count,
  }),
});
export type ImportDetail = z.infer<typeof importDetail>;

const importParams = z.strictObject({ id });
/** List pages count from 0 and have `listPageSize` rows. */
export const listPage = z
  .string()
  .regex(/^\d{1,6}$/)
  .default('0');
export const listPageSize = 25;

/**
 * The body is the file. Answers as soon as the file is stored; processing runs in the background. 413 beyond
 * `uploadLimit`.
 */
export const uploadImport = endpoint({
  method: 'POST',
  path: '/api/web/imports',
  access: 'imports/write',
  deed: 'change',
  summary: 'Upload a file of laboratory messages or a table, to be imported in the background',
  query: z.strictObject({
    fileName: z.string().trim().min(1).max(255),
    /** Detected from the file if absent. */
    format: z.enum(importFormats).optional(),
    /** The facility of messages that name none. */
    facilityId: id.optional(),
    /** The condition of every row in a line list. */
    condition: z.string().max(100).optional(),
    /** `true`: report what would happen, but store nothing. */
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

/** Keeps what is committed and stores nothing more. 409 if it has ended. */
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
 * Stores what a dry run tried, or continues a failed or interrupted import where it stopped. 409 if it is
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
   * Position in the file, from 0, and first line, from 1. Null, like the lines of its faults, for users who
   * did not send the file and may not see all disease families: gaps would count hidden messages. [P24]
   */
  index: count.nullable(),
  line: count.nullable(),
  /** 0 as received; higher for corrected text. */
  revision: count,
  state: z.enum(messageStates),
  reason: z.string().nullable(),
  messageType: z.string().nullable(),
  controlId: z.string().nullable(),
  sender: z.string().nullable(),
  faults: z.array(messageFault),
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
  duplicateOf: id.nullable(),
  /** The message with the corrected text that replaced it. */
  correctedBy: id.nullable(),
  /** The message that this corrected text replaces. */
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
  /** Null for a piece too large to keep, and after deletion. */
  text: z.string().nullable(),
  /** When the tenant's retention rule deleted the text. */
  textDeletedAt: z.iso.datetime().nullable(),
  charset: z.string(),
  /** For a row, the table's header. */
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

/** The most characters of a corrected text. */
export const correctionLimit = 1_000_000;

/** Keeps the message as received; the corrected text is a new message that replaces it in the counts. */
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

/** Reprocesses messages in the background: all that wait or were refused, or those with one reason. */
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

/**
 * The messages or rows as received, one after another. A table comes with its header, and a first column that says
 * what is wrong with each row, which is ignored when the file is imported again.
 */
export const downloadMessages = endpoint({
  method: 'GET',
  path: '/api/web/imports/:id/file',
  access: 'imports/read',
  deed: 'export',
  summary: 'Refused or waiting messages as a file, as they were received',
  patientData: true,
  params: importParams,
  query: z.strictObject({
    state: z.enum(['refused', 'waiting']),
    /**
     * `true`: a table that says what is wrong with each message. HL7 has no comments, so the reasons cannot be in the
     * file of the messages.
     */
    reasons: z.literal('true').optional(),
  }),
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
  /** The current mapping: decided, remembered, or the certain part. */
  mapping: csvMapping,
  options: csvOptions,
  /** Whether it comes from an earlier table with this header. */
  remembered: z.boolean(),
  /** What each column probably means, by kind of table. */
  suggestions: z.record(z.enum(csvKinds), z.array(suggestion)),
  /** Columns whose dates can be read in two ways. */
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

/** A record that a row would give. `isNew` is null if it is only known when it is stored. */
const previewRecord = z.object({
  kind: z.enum(['result', 'case', 'treatment']),
  isNew: z.boolean().nullable(),
  /** Of the test or the medicine. */
  name: z.string().optional(),
  nameI18N: labelled.shape.labelI18N,
  category: z.string().optional(),
  conditionCode: z.string().optional(),
});

export const columnsCheck = z.object({
  /** What still has to be decided. */
  undecided: z.array(messageFault),
  rows: count,
  readable: count,
  /** Faults of the tried rows, by column and code. */
  faults: z.array(
    z.object({
      place: z.string(),
      code: z.string(),
      severity: messageFault.shape.severity,
      message: z.string(),
      n: count,
    }),
  ),
  /** The first rows as they would be stored; empty if something is undecided, or if no row waits. */
  preview: z.array(
    z.object({
      /** Null for readers who did not send the file and may not see all disease families. [P24] */
      line: count.nullable(),
      state: z.enum(messageStates),
      reason: z.string().nullable(),
      /** `repeated`: the person of an earlier row, who is new. Null for a row about nobody who is stored. */
      person: z
        .object({
          lastName: z.string().nullable(),
          firstName: z.string().nullable(),
          birthDate: z.string().nullable(),
          match: z.enum(['new', 'known', 'repeated']),
        })
        .nullable(),
      records: z.array(previewRecord),
    }),
  ),
});
export type ColumnsCheck = z.infer<typeof columnsCheck>;

/** What the first rows would give with a mapping, and how the very first would be stored; stores nothing. */
export const checkColumns = endpoint({
  method: 'POST',
  path: '/api/web/imports/:id/columns/check',
  access: 'imports/write',
  deed: 'read',
  summary: 'Try a mapping of columns on the first rows',
  patientData: true,
  params: importParams,
  body: decision,
  response: columnsCheck,
});

/**
 * Remembers the mapping for this header and processes the waiting rows. 422 if anything is still undecided.
 */
export const saveColumns = endpoint({
  method: 'PUT',
  path: '/api/web/imports/:id/columns',
  access: 'imports/write',
  deed: 'change',
  summary: 'Say what the columns of a table mean, and run its rows',
  params: importParams,
  /** `before`: the decision when the user started; refused with `conflict` if it has changed since. */
  body: decision.extend({ before: decision.optional() }),
  response: z.object({ queued: count }),
});

// — Codes that senders use —

export const mappingStates = ['open', 'mapped', 'ignored'] as const;
export type MappingState = (typeof mappingStates)[number];

/** The target of a routine laboratory test: its results are kept, but never open a case or count as tests. */
export const routineTarget = 'routine';

/**
 * The reason for a proposal, strongest first: someone mapped the same code, or nearly the same words, of this
 * sender to it; someone mapped the same words of another sender to it; the words are Caseway's own name for it;
 * they have the parts of its LOINC name; or they mean it for any test.
 */
export const proposalBases = [
  'mapped-before',
  'mapped-elsewhere',
  'own-name',
  'loinc-parts',
  'words',
  'comment',
] as const;

/** The code system of words without a code: their key is made from the words, and no sender wrote it. */
export const wordsAlone = 'text';

export const codeMapping = z.object({
  id,
  kind: z.enum(['test', 'value']),
  sender: z.string(),
  system: z.string(),
  code: z.string(),
  text: z.string(),
  state: z.enum(mappingStates),
  /** For a test: a LOINC code or `routineTarget`. For a value: a result category. */
  target: z.string().nullable(),
  /** The test's name in English, and its translations. */
  targetLabel: z.string().nullable(),
  targetLabelI18N: labelled.shape.labelI18N,
  /** For a waiting code: what it probably means, for a person to decide. */
  proposal: z
    .object({
      /** Null: leave it out. */
      target: z.string().nullable(),
      targetLabel: z.string().nullable(),
      targetLabelI18N: labelled.shape.labelI18N,
      basis: z.enum(proposalBases),
      /** For `mapped-before`: who mapped it; null if no longer known. */
      mappedBy: z.string().nullable(),
    })
    .nullable(),
  /** How often it was received; null for readers who may not see all the tenant's messages. */
  occurrences: count.nullable(),
  /** The number of messages waiting for it. */
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
    /** Only codes of this sender; empty for codes without a known sender. */
    sender: z.string().max(500).optional(),
    /** Only codes with all these words in the code, its text or its sender. */
    words: z.string().trim().max(200).default(''),
    page: listPage,
  }),
  response: z.object({
    rows: z.array(codeMapping),
    rowCount: count,
    /** All senders of codes in this state, ignoring the search, ordered by waiting messages, most first. */
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

/** Decides a code for its sender, and reprocesses in the background the messages that waited only for it. */
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

/** The most codes in one request. */
export const mostDecisions = 200;

/** Decides several codes in one transaction: all or none. */
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

/** Laboratory tests of the catalog by words of the name or by LOINC code, best match first, at most 50. */
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
        /** Where the specimen is from, if the code itself says it. */
        site: labelled.nullable(),
        diseaseFamily: labelled.extend({ code: z.string() }).nullable(),
      }),
    ),
  }),
});
