import { z } from 'zod';
import { caseFollowUpRecord } from './case-follow-ups.ts';
import { caseRecord } from './case-record.ts';
import { contactRecord } from './contacts.ts';
import { day as dateOf } from './date-range.ts';
import { documentRecord } from './documents.ts';
import { endpoint } from './endpoint.ts';
import { fieldVisitRecord } from './field-visits.ts';
import { incidentRecord } from './incident-reports.ts';
import { labelled } from './label.ts';
import { partnerRecord } from './partner-services.ts';
import { onTimeline, patientFinding, type TimelineRecord, timelinePath } from './patient-record.ts';
import { byServer, coded, day, entry, needed } from './record.ts';
import { telemedicineRecord } from './telemedicine.ts';
import { treatmentRecord } from './treatments.ts';
import { vaccinationRecord } from './vaccinations.ts';
import { workTaskRecord } from './work-tasks.ts';

/** A result that has not been replaced. */
const resultFinding = patientFinding({
  id: 'results',
  kind: 'result',
  table: 'result',
  access: { read: 'line-lists/read' },
  name: 'testName',
  fields: {
    testName: byServer(needed(coded(z.string()))),
    resultCategory: byServer(needed(entry('resultCategories'))),
    collectedOn: byServer(day()),
    reportedOn: byServer(day()),
    createdOn: byServer(needed(day())),
  },
  timeline: { at: ['collectedOn', 'reportedOn', 'createdOn'], shows: ['resultCategory'] },
});

/** A record without a screen of its own: it is changed as part of its case or person. */
const partOfAnother = ({ endpoints: _, ...record }: Parameters<typeof onTimeline>[0]) => onTimeline(record);

/** Every kind of record in a person's timeline. */
export const timelineRecords: readonly TimelineRecord[] = [
  onTimeline(caseRecord),
  resultFinding,
  partOfAnother(treatmentRecord),
  partOfAnother(vaccinationRecord),
  partOfAnother(documentRecord),
  onTimeline(incidentRecord),
  onTimeline(contactRecord),
  onTimeline(caseFollowUpRecord),
  onTimeline(partnerRecord),
  onTimeline(telemedicineRecord),
  onTimeline(fieldVisitRecord),
  // Its own name is the number of its case.
  partOfAnother({ ...workTaskRecord, name: 'work' }),
];

/** The most entries in one answer. */
export const timelinePage = 50;

const timelineEntry = z.object({
  /** The record's kind, as its declaration's id. */
  record: z.string(),
  id: z.uuid(),
  at: dateOf,
  name: labelled,
  shows: z.record(z.string(), z.string().nullable()),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** `before`: the last entry of the previous page. */
export const readTimeline = endpoint({
  method: 'GET',
  path: timelinePath,
  access: 'case-reports/read',
  deed: 'read',
  summary: 'The records of a person that the reader may see, the newest first',
  patientData: true,
  params: z.strictObject({ id: z.uuid() }),
  query: z.strictObject({ before: z.uuid().optional() }),
  response: z.object({ entries: z.array(timelineEntry), more: z.boolean() }),
});
