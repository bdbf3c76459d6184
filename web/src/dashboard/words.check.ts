import type { SharedWordsOf, WordsOf } from '@caseway/contract/dashboard';
import type { caseReports, tenantCaseReports } from '@caseway/contract/dashboards/case-reports';
import type { fieldVisits } from '@caseway/contract/dashboards/field-visits';
import type { hiv } from '@caseway/contract/dashboards/hiv';
import type { incidentReports } from '@caseway/contract/dashboards/incident-reports';
import type { operations } from '@caseway/contract/dashboards/operations';
import type { partnerServices } from '@caseway/contract/dashboards/partner-services';
import type { sti } from '@caseway/contract/dashboards/sti';
import type { telemedicine } from '@caseway/contract/dashboards/telemedicine';
import type { testing } from '@caseway/contract/dashboards/testing';
import analytics from '../../public/locales/en/analytics.json' with { type: 'json' };
import ofCaseReports from '../../public/locales/en/dashboards/case-reports.json' with { type: 'json' };
import ofFieldVisits from '../../public/locales/en/dashboards/field-visits.json' with { type: 'json' };
import ofHiv from '../../public/locales/en/dashboards/hiv.json' with { type: 'json' };
import ofIncidentReports from '../../public/locales/en/dashboards/incident-reports.json' with {
  type: 'json',
};
import ofOperations from '../../public/locales/en/dashboards/operations.json' with { type: 'json' };
import ofPartnerServices from '../../public/locales/en/dashboards/partner-services.json' with {
  type: 'json',
};
import ofSti from '../../public/locales/en/dashboards/sti.json' with { type: 'json' };
import ofTelemedicine from '../../public/locales/en/dashboards/telemedicine.json' with { type: 'json' };
import ofTesting from '../../public/locales/en/dashboards/testing.json' with { type: 'json' };

/*
 * Checks that each dashboard has its texts: a missing one does not compile. Add two lines per dashboard. A
 * test checks that the other languages have the same keys.
 */

/** Measures whose texts dashboards share. */
export type SharedMeasure = keyof typeof analytics.measure;

ofHiv satisfies WordsOf<typeof hiv, SharedMeasure>;
ofTesting satisfies WordsOf<typeof testing, SharedMeasure>;
analytics satisfies SharedWordsOf<typeof testing>;
ofSti satisfies WordsOf<typeof sti, SharedMeasure>;
analytics satisfies SharedWordsOf<typeof sti>;

ofCaseReports satisfies WordsOf<typeof caseReports, SharedMeasure>;
ofCaseReports satisfies WordsOf<typeof tenantCaseReports, SharedMeasure> & {
  titleOf: Record<(typeof tenantCaseReports)['id'], string>;
};
analytics satisfies SharedWordsOf<typeof caseReports> & SharedWordsOf<typeof tenantCaseReports>;
analytics satisfies SharedWordsOf<typeof hiv>;
ofIncidentReports satisfies WordsOf<typeof incidentReports, SharedMeasure>;
analytics satisfies SharedWordsOf<typeof incidentReports>;
ofFieldVisits satisfies WordsOf<typeof fieldVisits, SharedMeasure>;
analytics satisfies SharedWordsOf<typeof fieldVisits>;
ofTelemedicine satisfies WordsOf<typeof telemedicine, SharedMeasure>;
analytics satisfies SharedWordsOf<typeof telemedicine>;
ofPartnerServices satisfies WordsOf<typeof partnerServices, SharedMeasure>;
analytics satisfies SharedWordsOf<typeof partnerServices>;
ofOperations satisfies WordsOf<typeof operations, SharedMeasure>;
analytics satisfies SharedWordsOf<typeof operations>;
