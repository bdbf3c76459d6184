-- Who sees and changes which rows, for every table of the schema. [S6.4, S6.9, P1]
-- T and A: their whole tenant. O: its own organisation, the facilities that belong to it, and their people. F: its own
-- facility. PHJ: the residents of its counties in the tenants that report to it, and what names their records. Whatever
-- is set up (organisations, programmes, roles, people who sign in …) is written by the service, by sign-in and by whole
-- tenants alone. platform/db/scopes.test.ts has a row of every table for every kind of reader.

-- Conditions that have to look into a table come behind the cheap ones, so that whole tenants never pay for them.

-- The organisation that a facility reader's facility belongs to.
create function app_facility_organization() returns uuid language sql stable parallel safe
  return (select f.organization_id from facility f where f.tenant_id = app_tenant() and f.id = app_org('F'));

-- The facilities that belong to the reader's organisation.
create function app_organization_facilities() returns uuid[] language sql stable parallel safe
  return (select array_agg(f.id) from facility f
          where f.tenant_id = app_tenant() and f.organization_id = app_org('O'));

-- Whether a reader who does not see the whole tenant has to do with it at all: a jurisdiction only where it reports.
create function app_reads_here() returns boolean language sql stable parallel safe
  return case
    when current_setting('app.org_type', true) = 'PHJ' then exists (select from tenant_reporting r
      where r.jurisdiction_id = app_org('PHJ') and r.tenant_id = app_tenant())
    else coalesce(current_setting('app.scope', true) = 'org', false) end;

create function app_service() returns boolean language sql stable parallel safe
  return coalesce(current_setting('app.scope', true) = 'service', false);

-- A reader who sees a record sees the name of the facility it comes from.
create index result_facility on result (tenant_id, facility_id, county_fips);
create index case_report_facility on case_report (tenant_id, facility_id, county_fips);

-- Set up by administrators ------------------------------------------------------------------------------

drop policy tenant_visible on tenant;
create policy tenant_visible on tenant for select using (
  (select app_scope()) in ('identity', 'system')
  or id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())));

-- Partners of a tenant (employers, schools, clinics) do not learn of each other.
drop policy organization_visible on organization;
create policy organization_visible on organization for select using (
  (select app_scope()) = 'identity'
  or tenant_id = (select app_tenant())
    and ((select app_whole_tenant()) or id = (select app_org('O')) or id = (select app_facility_organization())));

-- Laboratories, and what the tenant runs by itself and has registered, are known to all its readers. What belongs to an
-- organisation is known to it; and one that the importer made from a report, until somebody confirms it (the whole
-- tenant alone can), to nobody but those who see one of its records.
drop policy facility_visible on facility;
create policy facility_visible on facility for select using (
  (select app_scope()) = 'identity'
  or tenant_id = (select app_tenant()) and (
    (select app_whole_tenant())
    or organization_id = (select app_org('O'))
    or id = (select app_org('F'))
    or (facility_type = 'laboratory' or registered and organization_id is null) and (select app_reads_here())
    or exists (select from result r where r.tenant_id = facility.tenant_id and r.facility_id = facility.id)
    or exists (select from case_report c where c.tenant_id = facility.tenant_id and c.facility_id = facility.id)));

-- Shared by the tenants that report to them; changed by the one that manages them.
alter table jurisdiction enable row level security;
alter table jurisdiction force row level security;
create policy jurisdiction_visible on jurisdiction for select using (
  (select app_scope()) in ('identity', 'system')
  or id = (select app_org('PHJ'))
  or ((select app_whole_tenant()) or (select app_reads_here()))
    and (managed_by_tenant_id = (select app_tenant())
      or exists (select from tenant_reporting r where r.tenant_id = (select app_tenant()) and r.jurisdiction_id = id)));
alter table jurisdiction_county enable row level security;
alter table jurisdiction_county force row level security;
create policy jurisdiction_county_visible on jurisdiction_county for select
  using (exists (select from jurisdiction j where j.id = jurisdiction_id));
-- Who reports to whom; app_reads_here asks it, so it does not ask back.
drop policy tenant_reporting_visible on tenant_reporting;
create policy tenant_reporting_visible on tenant_reporting for select
  using ((select app_scope()) in ('identity', 'system') or tenant_id = (select app_tenant()));

-- A programme of an organisation is its own; a jurisdiction needs the names of all under which records come to it.
drop policy program_visible on program;
create policy program_visible on program for select using (
  tenant_id = (select app_tenant()) and (
    (select app_whole_tenant())
    or organization_id = (select app_org('O'))
    or (organization_id is null or (select app_org('PHJ')) is not null) and (select app_reads_here())
    or organization_id = (select app_facility_organization())));
drop policy task_visible on task;
create policy task_visible on task for select using (
  tenant_id = (select app_tenant()) and ((select app_whole_tenant())
    or exists (select from program p where p.tenant_id = task.tenant_id and p.id = task.program_id)));
drop policy program_type_visible on program_type;
create policy program_type_visible on program_type for select using (
  tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())));

-- People who sign in --------------------------------------------------------------------------------------

-- Everybody knows the tenant's own staff, who work on their cases, and the people of their own organisation.
drop policy membership_visible on membership;
create policy membership_visible on membership for select using (
  (select app_scope()) = 'identity'
  or tenant_id = (select app_tenant()) and (
    (select app_whole_tenant())
    or account_id = (select app_account())
    or (org_type = 'T' or org_id = (select nullif(current_setting('app.org_id', true), '')::uuid))
      and (select app_reads_here())
    or org_type = 'F' and org_id = any ((select app_organization_facilities())::uuid[])));
drop policy account_visible on account;
create policy account_visible on account for select using (
  (select app_scope()) = 'identity'
  or id = (select app_account())
  or exists (select from membership m where m.tenant_id = (select app_tenant()) and m.account_id = account.id));
drop policy membership_role_visible on membership_role;
create policy membership_role_visible on membership_role for select using (
  (select app_scope()) = 'identity'
  or tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or exists (select from membership m
    where m.tenant_id = membership_role.tenant_id and m.id = membership_role.membership_id)));
do $$
declare t text;
begin
  foreach t in array array['role', 'role_parent', 'role_grant', 'policy_version'] loop
    execute format('drop policy %1$s_visible on %1$s', t);
    execute format('create policy %1$s_visible on %1$s for select using ((select app_scope()) = ''identity''
      or tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())))', t);
  end loop;
end $$;

-- An organisation reads what its own people did.
drop policy audit_event_visible on audit_event;
create policy audit_event_visible on audit_event for select using (
  tenant_id = (select app_tenant())
  and ((select app_whole_tenant()) or org_id = (select nullif(current_setting('app.org_id', true), '')::uuid)));

-- Who changes all of this -----------------------------------------------------------------------------------

do $$
declare
  of_tenant text := 'tenant_id = (select app_tenant()) and (select app_whole_tenant())';
  of_manager text := 'managed_by_tenant_id = (select app_tenant()) and (select app_whole_tenant())';
  sign_in text := '(select app_scope()) = ''identity''';
  one record;
begin
  for one in select * from (values
      ('tenant', format('(select app_scope()) in (''identity'', ''system'') or %s', replace(of_tenant, 'tenant_id', 'id'))),
      ('jurisdiction', format('%s or %s', sign_in, of_manager)),
      ('jurisdiction_county', format('%s or exists (select from jurisdiction j where j.id = jurisdiction_id and j.%s)',
        sign_in, of_manager)),
      -- An account can belong to several tenants, so no tenant changes one.
      ('account', sign_in),
      ('program_type', of_tenant), ('program', of_tenant), ('task', of_tenant))
      as given (name, condition)
    union all
    select name, format('%s or %s', sign_in, of_tenant) from unnest(array['organization', 'facility', 'tenant_reporting',
      'membership', 'membership_role', 'role', 'role_parent', 'role_grant', 'policy_version']) as name
  loop
    execute format('create policy %1$s_added on %1$s for insert with check (%2$s)', one.name, one.condition);
    execute format('create policy %1$s_changed on %1$s for update using (%2$s)', one.name, one.condition);
    execute format('create policy %1$s_removed on %1$s for delete using (%2$s)', one.name, one.condition);
  end loop;
end $$;

-- Records -------------------------------------------------------------------------------------------------

-- A search key is a piece of a name: it is seen by whoever sees whose it is.
drop policy search_key_visible on search_key;
create policy search_key_visible on search_key using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or case record_kind
      when 'patient' then (select app_whole_tenant())
        or exists (select from patient p where p.tenant_id = search_key.tenant_id and p.id = record_id)
      else exists (select from case_report c where c.tenant_id = search_key.tenant_id and c.id = record_id) end));

-- What a merge moved is a copy of both persons.
drop policy patient_match_visible on patient_match;
create policy patient_match_visible on patient_match using (
  tenant_id = (select app_tenant()) and ((select app_whole_tenant())
    or exists (select from patient p where p.tenant_id = patient_match.tenant_id and p.id = patient_id)
      and exists (select from patient p where p.tenant_id = patient_match.tenant_id and p.id = candidate_id)));

-- What only the service works with; and whoever changes a record says so in the outbox, which tells nobody of others.
do $$
declare t text;
begin
  foreach t in array array['patient_block', 'case_counter', 'outbox_pruned', 'outbox'] loop
    execute format('drop policy %1$s_visible on %1$s', t);
    execute format('create policy %1$s_service on %1$s
      using (tenant_id = (select app_tenant()) and (select app_service()))', t);
  end loop;
end $$;
create policy outbox_written on outbox for insert with check (tenant_id = (select app_tenant()));

-- Imports -------------------------------------------------------------------------------------------------

-- A sender's words can be anything that a sender wrote: seen by the whole tenant, and by whose message waits for them.
drop policy code_mapping_visible on code_mapping;
create policy code_mapping_visible on code_mapping using (
  tenant_id = (select app_tenant())
  and (disease_family is null or disease_family <> all ((select app_hidden_families())::text[]))
  and ((select app_whole_tenant())
    or id in (select unnest(m.waiting_for) from import_message m where m.state = 'waiting')));
drop policy csv_mapping_visible on csv_mapping;
create policy csv_mapping_visible on csv_mapping
  using (tenant_id = (select app_tenant()) and (select app_whole_tenant()));
