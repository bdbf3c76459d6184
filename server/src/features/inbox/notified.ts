import { caseRecord } from '@caseway/contract/case-record';
import { contactRecord } from '@caseway/contract/contacts';
import { fieldVisitRecord } from '@caseway/contract/field-visits';
import { incidentRecord } from '@caseway/contract/incident-reports';
import { anyRecord } from '@caseway/contract/record';
import { otherSources, sourceOf } from './sources.ts';

/** What people are told of: the records that their flows give to somebody, and the rest. */
export const notifiedSources = [
  ...[caseRecord, contactRecord, fieldVisitRecord, incidentRecord].map((record) =>
    sourceOf(anyRecord(record)),
  ),
  ...otherSources,
];
