-- The transitions of every record with a workflow, from now on, as those of cases in 0042: what each has taken, until it is
-- taken back. The history has who did it, when and why, under the version that made it.
create table contact_transition (
  tenant_id uuid not null,
  id uuid not null,
  record_id uuid not null,
  version integer not null,
  last_version integer not null,
  counts boolean not null default true,
  from_state text not null,
  to_state text not null,
  on_day date not null,
  days integer,
  workdays integer,
  -- It is seen with the contact.
  case_report_id uuid not null,
  patient_id uuid,
  told_by uuid,
  disease_family text not null,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  disease_families text[],
  primary key (tenant_id, id)
);
alter table contact_transition add foreign key (tenant_id, record_id) references contact;
create index contact_transition_record on contact_transition (record_id, tenant_id);
create index contact_transition_case on contact_transition (case_report_id, tenant_id);
create index contact_transition_patient on contact_transition (patient_id, tenant_id);

create table incident_transition (
  tenant_id uuid not null,
  id uuid not null,
  record_id uuid not null,
  version integer not null,
  last_version integer not null,
  counts boolean not null default true,
  from_state text not null,
  to_state text not null,
  on_day date not null,
  days integer,
  workdays integer,
  -- It is seen with the report.
  patient_id uuid,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  open_county_fips text,
  disease_families text[],
  primary key (tenant_id, id)
);
alter table incident_transition add foreign key (tenant_id, record_id) references incident;
create index incident_transition_record on incident_transition (record_id, tenant_id);
create index incident_transition_patient on incident_transition (patient_id, tenant_id);

create table shipment_transition (
  tenant_id uuid not null,
  id uuid not null,
  record_id uuid not null,
  version integer not null,
  last_version integer not null,
  counts boolean not null default true,
  from_state text not null,
  to_state text not null,
  on_day date not null,
  days integer,
  workdays integer,
  -- It is seen with the shipment.
  origin_id uuid,
  origin_organization_id uuid,
  destination_id uuid,
  destination_organization_id uuid,
  sent_on date,
  primary key (tenant_id, id)
);
alter table shipment_transition add foreign key (tenant_id, record_id) references shipment;
create index shipment_transition_record on shipment_transition (record_id, tenant_id);

create table field_visit_transition (
  tenant_id uuid not null,
  id uuid not null,
  record_id uuid not null,
  version integer not null,
  last_version integer not null,
  counts boolean not null default true,
  from_state text not null,
  to_state text not null,
  on_day date not null,
  days integer,
  workdays integer,
  -- It is seen with the visit.
  patient_id uuid not null,
  case_report_id uuid,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  open_county_fips text,
  disease_families text[],
  primary key (tenant_id, id)
);
alter table field_visit_transition add foreign key (tenant_id, record_id) references field_visit;
create index field_visit_transition_record on field_visit_transition (record_id, tenant_id);
create index field_visit_transition_patient on field_visit_transition (patient_id, tenant_id);
create index field_visit_transition_case on field_visit_transition (case_report_id, tenant_id);

create table telemedicine_visit_transition (
  tenant_id uuid not null,
  id uuid not null,
  record_id uuid not null,
  version integer not null,
  last_version integer not null,
  counts boolean not null default true,
  from_state text not null,
  to_state text not null,
  on_day date not null,
  days integer,
  workdays integer,
  -- It is seen with the visit.
  patient_id uuid not null,
  case_report_id uuid,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  open_county_fips text,
  disease_families text[],
  primary key (tenant_id, id)
);
alter table telemedicine_visit_transition add foreign key (tenant_id, record_id) references telemedicine_visit;
create index telemedicine_visit_transition_record on telemedicine_visit_transition (record_id, tenant_id);
create index telemedicine_visit_transition_patient on telemedicine_visit_transition (patient_id, tenant_id);
create index telemedicine_visit_transition_case on telemedicine_visit_transition (case_report_id, tenant_id);
