-- What a reader is, as far as it stands in tables, is decided once, when the transaction begins (`decisionsOf` in
-- platform/scope.ts), and travels as settings. Until now each policy asked the tables again, by these functions; what they
-- answer stays the same. A policy reads its own row and the scope.

-- The organisation that a facility reader's facility belongs to.
create or replace function app_facility_organization() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.facility_organization', true), '')::uuid;

-- The facilities that belong to the reader's organisation.
create or replace function app_organization_facilities() returns uuid[] language sql stable parallel safe
  return string_to_array(nullif(current_setting('app.organization_facilities', true), ''), ',')::uuid[];

-- Counties whose residents a jurisdiction reader sees in the tenant of this transaction; null for other readers, and where
-- the tenant does not report to it.
create or replace function app_counties() returns text[] language sql stable parallel safe
  return string_to_array(nullif(current_setting('app.reported_counties', true), ''), ',');

-- Whether a reader who does not see the whole tenant has to do with it at all: a jurisdiction only where it reports.
create or replace function app_reads_here() returns boolean language sql stable parallel safe
  return coalesce(current_setting('app.scope', true) = 'org', false)
    and (current_setting('app.org_type', true) <> 'PHJ' or coalesce(current_setting('app.reports_here', true) = 'on', false));

-- The case that the transaction may read by the access it names, while that lasts; its person, and its results.
create or replace function app_glass_case() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.glass_case', true), '')::uuid;
create or replace function app_glass_patient() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.glass_patient', true), '')::uuid;
create or replace function app_glass_results() returns uuid[] language sql stable parallel safe
  return string_to_array(nullif(current_setting('app.glass_results', true), ''), ',')::uuid[];
