-- Patients who sign in read what is theirs and nothing else: a scope of its own. [S4.4, P1]

-- The patient who reads; null for every other reader.
create function app_patient() returns uuid language sql stable parallel safe
  return case when current_setting('app.scope', true) = 'patient'
    then nullif(current_setting('app.patient_id', true), '')::uuid end;

-- Who signs in ---------------------------------------------------------------------------------------------

-- Some patients are reached by telephone alone.
alter table account alter column email drop not null;
alter table account add constraint account_email_of_staff check (email is not null or patient_id is not null);

-- A family shares an address: the accounts that a patient's challenge may be of. The date of birth tells which.
alter table sign_in_challenge add column candidates uuid[] not null default '{}';
alter table sign_in_challenge drop constraint sign_in_challenge_method_check;
alter table sign_in_challenge add constraint sign_in_challenge_method_check
  check (method in ('EMAIL', 'SMS', 'TOTP', 'PASSKEY', 'BIRTH_DATE'));

-- What is told in person first ------------------------------------------------------------------------------

-- A tenant's own rules on which results a patient sees only once somebody has spoken with them: of a family, or of one of
-- its conditions ('' is every condition). What no rule is about follows app_held.
create table held_result_rule (
  tenant_id uuid not null references tenant,
  disease_family text not null,
  condition_code text not null default '',
  result_category text not null,
  held boolean not null,
  primary key (tenant_id, disease_family, condition_code, result_category)
);
alter table held_result_rule enable row level security;
alter table held_result_rule force row level security;
create policy held_result_rule_visible on held_result_rule for select using (
  tenant_id = (select app_tenant())
  and ((select app_whole_tenant()) or (select app_reads_here()) or (select app_patient()) is not null));
do $$
declare whole text := 'tenant_id = (select app_tenant()) and (select app_whole_tenant())';
begin
  execute format('create policy held_result_rule_added on held_result_rule for insert with check (%s)', whole);
  execute format('create policy held_result_rule_changed on held_result_rule for update using (%s)', whole);
  execute format('create policy held_result_rule_removed on held_result_rule for delete using (%s)', whole);
end $$;

-- Whether a result is held back until somebody releases it. Without a rule of the tenant: whatever a test for HIV says but
-- negative, pending too, because one that was awaited and then is gone would say it; and what is of no family that is told,
-- because it may be that.
create function app_held(family text, condition text, category text) returns boolean language sql stable parallel safe
  return coalesce(
    (select r.held from held_result_rule r
     where r.tenant_id = app_tenant() and r.disease_family = family and r.condition_code in ('', condition)
       and r.result_category = category
     order by r.condition_code desc limit 1),
    family is null or family = 'hiv' and category <> 'negative');

-- When a result that was held back was released to its patient, and by whom. One that takes its place is held back anew.
alter table result add column released_at timestamptz;
alter table result add column released_by uuid;

-- What a patient reads ---------------------------------------------------------------------------------------

drop policy patient_visible on patient;
create policy patient_visible on patient using (
  tenant_id = (select app_tenant())
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and (
    (select app_whole_tenant())
    or (select app_org('O')) = any (organization_ids)
    or (select app_org('F')) = any (facility_ids)
    or county_fips = any ((select app_counties())::text[])
    or id = (select app_patient())));

-- Specimens and facilities are seen with a result of theirs.
drop policy result_visible on result;
create policy result_visible on result using (
  tenant_id = (select app_tenant())
  and (disease_family is null or disease_family <> all ((select app_hidden_families())::text[]))
  and ((select app_whole_tenant())
    or organization_id = (select app_org('O'))
    or facility_id = (select app_org('F'))
    or county_fips = any ((select app_counties())::text[])
    or patient_id = (select app_patient())
      and (released_at is not null or not app_held(disease_family, condition_code, result_category))));

-- By whom they are looked after.
drop policy tenant_visible on tenant;
create policy tenant_visible on tenant for select using (
  (select app_scope()) in ('identity', 'system')
  or id = (select app_tenant())
    and ((select app_whole_tenant()) or (select app_reads_here()) or (select app_patient()) is not null));

-- Every other table has nothing for patients, whatever its own policies say, and they change none of these. What they do
-- is written into the log.
do $$
declare
  t text;
  others text := 'coalesce((select app_scope()), '''') <> ''patient''';
  reads text[] := array['account', 'facility', 'held_result_rule', 'patient', 'result', 'specimen', 'tenant'];
begin
  for t in
    select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity
      and relname <> all (reads || array['audit_chain', 'audit_event', 'audit_record'])
  loop
    execute format('create policy %1$s_not_patients on %1$I as restrictive using (%2$s)', t, others);
  end loop;
  foreach t in array reads loop
    execute format('create policy %1$s_not_added_by_patients on %1$I as restrictive for insert with check (%2$s)', t, others);
    execute format('create policy %1$s_not_changed_by_patients on %1$I as restrictive for update using (%2$s)', t, others);
    execute format('create policy %1$s_not_removed_by_patients on %1$I as restrictive for delete using (%2$s)', t, others);
  end loop;
end $$;
