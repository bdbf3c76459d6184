import type { ChangeKind } from '../src/platform/analytics/outbox.ts';

/** The records of an area that its work is about. */
interface About {
  tenant_id: string;
  patient_id: string;
  case_report_id: string;
  /** An uploaded file, of which a document is made. */
  file_id: string;
  disease_family: string;
  organization_id: string | null;
  facility_id: string | null;
  county_fips: string;
}
type Row = Readonly<Record<string, unknown>>;

const day = '2026-03-01';
/** What is known of an uploaded file. */
export const canaryFile = { file_type: 'pdf', byte_size: 1, sha256: 'x' };

/**
 * Rows of work records about one person and one case, by table; the area's word is in each of their texts. The
 * tables are in an order in which their rows can be inserted.
 */
export function workOf(about: About, word: (ending?: string) => string, ending: string): [ChangeKind, Row][] {
  const { tenant_id, patient_id, case_report_id, file_id, disease_family, ...where } = about;
  const number = word(`number${ending}`);
  const known = { tenant_id, number, created_on: day };
  const ofCase = { ...known, case_report_id, patient_id, disease_family };
  const ofPerson = { ...known, patient_id, disease_family, ...where };
  return [
    [
      'contact',
      {
        ...ofCase,
        description: word('description'),
        exposure: 'touch',
        last_exposed_on: day,
        phone: word('phone'),
        note: word('note'),
      },
    ],
    [
      'case_follow_up',
      {
        ...ofCase,
        purpose: 'isolation',
        first_on: day,
        last_on: '2026-03-09',
        note: word('note'),
        started_by_id: patient_id,
      },
    ],
    [
      'partner_service',
      {
        ...ofCase,
        referral_basis: 'T1',
        description: word('description'),
        handle: word('handle'),
        phone: word('phone'),
        met_online: word('site'),
        exam_provider: word('provider'),
        exam_facility: word('examined'),
        sent_to_agency: word('agency'),
        sent_to_number: word('theirs'),
        note: word('note'),
      },
    ],
    [
      'treatment',
      {
        tenant_id,
        case_report_id,
        patient_id,
        disease_family,
        drug: 'other',
        other_drug: word('drug'),
        provider: word('provider'),
        started_on: day,
        source: 'manual',
        created_on: day,
      },
    ],
    [
      'field_visit',
      {
        ...ofPerson,
        case_report_id,
        visit_type: 'interview',
        planned_for: day,
        address: word('address'),
        note: word('note'),
      },
    ],
    [
      'telemedicine_visit',
      {
        ...ofPerson,
        case_report_id,
        visit_type: 'other',
        task_category: 'telemedicine',
        planned_on: day,
        note: word('note'),
        cancelled_why: word('why'),
      },
    ],
    [
      'incident',
      {
        ...ofPerson,
        kind: 'vaccine-adverse-event',
        received_on: day,
        reporter: word('reporter'),
        narrative: word('narrative'),
        other_reactions: word('reactions'),
        medical_history: word('history'),
        medicines: word('medicines'),
        allergies: word('allergies'),
        tests: word('tests'),
        measures: word('measures'),
        vaers_id: word('vaers'),
      },
    ],
    [
      'vaccination',
      {
        tenant_id,
        patient_id,
        vaccine: '03',
        other_vaccine: word('vaccine'),
        given_on: day,
        manufacturer: word('manufacturer'),
        lot: word('lot'),
        provider: word('provider'),
        source: 'here',
        created_on: day,
      },
    ],
    [
      'document',
      {
        tenant_id,
        patient_id,
        case_report_id,
        disease_family,
        file_id,
        category: 'letter',
        title: word('title'),
        note: word('note'),
        created_on: day,
        ...canaryFile,
      },
    ],
    [
      'work_task',
      {
        tenant_id,
        record_id: case_report_id,
        patient_id,
        disease_family,
        work: 'call',
        queue: 'assignee',
        title: word('title'),
        note: word('note'),
        made_on: day,
      },
    ],
  ];
}

/** A shipment from a place to itself, with a specimen. */
export function shipmentOf(
  tenant_id: string,
  { facility, organization }: { facility: string; organization: string },
  word: (ending?: string) => string,
): Row {
  return {
    tenant_id,
    number: word('shipment'),
    temperature: 'frozen',
    carrier: word('carrier'),
    tracking_number: word('tracking'),
    note: word('note'),
    created_on: day,
    origin_id: facility,
    origin_organization_id: organization,
    destination_id: facility,
    destination_organization_id: organization,
  };
}
