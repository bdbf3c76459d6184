import { caseFollowUpRecord } from '@caseway/contract/case-follow-ups';
import { caseRecord } from '@caseway/contract/case-record';
import { contactRecord } from '@caseway/contract/contacts';
import { fieldVisitRecord } from '@caseway/contract/field-visits';
import { incidentRecord } from '@caseway/contract/incident-reports';
import { partnerRecord } from '@caseway/contract/partner-services';
import { anyRecord } from '@caseway/contract/record';
import { telemedicineRecord } from '@caseway/contract/telemedicine';
import { otherSources, sourceOf } from './sources.ts';

/** The subjects of notifications: records that flows assign, visits that patients book, and the rest. */
export const notifiedSources = [
  ...[
    caseRecord,
    contactRecord,
    caseFollowUpRecord,
    partnerRecord,
    fieldVisitRecord,
    incidentRecord,
    telemedicineRecord,
  ].map((record) => sourceOf(anyRecord(record))),
  ...otherSources,
];
