-- Who reads: the settings of a transaction. withScope sets all of them (platform/scope.ts); outside it they are
-- absent or the empty string, and then no row of a tenant is visible. What a reader is, as far as it is in tables, is
-- decided once, when the transaction begins (decision record 0044): a policy reads its own row and these.
--
-- In PL/pgSQL, because PostgreSQL writes a function in SQL out into each statement and each policy that calls it: most
-- of what it took to plan a small statement was reading these again.

create or replace function app_scope() returns text language plpgsql stable parallel safe as
  $$ begin return nullif(current_setting('app.scope', true), ''); end $$;

create or replace function app_tenant() returns uuid language plpgsql stable parallel safe as
  $$ begin return nullif(current_setting('app.tenant_id', true), '')::uuid; end $$;

create or replace function app_account() returns uuid language plpgsql stable parallel safe as
  $$ begin return nullif(current_setting('app.account_id', true), '')::uuid; end $$;

-- The id of the reader's organization where it is of this type, otherwise null.
create or replace function app_org(org_type text) returns uuid language plpgsql stable parallel safe as $$ begin
  return case when current_setting('app.org_type', true) = org_type
    then nullif(current_setting('app.org_id', true), '')::uuid end;
end $$;

create or replace function app_service() returns boolean language plpgsql stable parallel safe as
  $$ begin return coalesce(current_setting('app.scope', true) = 'service', false); end $$;

-- Whether the reader sees every organization and facility of the tenant: the service itself, and T and A.
create or replace function app_whole_tenant() returns boolean language plpgsql stable parallel safe as $$ begin
  return coalesce(current_setting('app.scope', true) = 'service', false)
    or (coalesce(current_setting('app.scope', true) = 'org', false)
        and coalesce(current_setting('app.org_type', true) in ('T', 'A'), false));
end $$;

-- Whether a reader who does not see the whole tenant has anything to do with it: a jurisdiction only where the tenant
-- reports to it.
create or replace function app_reads_here() returns boolean language plpgsql stable parallel safe as $$ begin
  return coalesce(current_setting('app.scope', true) = 'org', false)
    and (current_setting('app.org_type', true) <> 'PHJ' or coalesce(current_setting('app.reports_here', true) = 'on', false));
end $$;

-- The patient who reads; null for every other reader.
create or replace function app_patient() returns uuid language plpgsql stable parallel safe as $$ begin
  return case when current_setting('app.scope', true) = 'patient'
    then nullif(current_setting('app.patient_id', true), '')::uuid end;
end $$;

-- Whether a guardian reads, for whom app_patient() is the child.
create or replace function app_guardian() returns boolean language plpgsql stable parallel safe as $$ begin
  return coalesce(current_setting('app.scope', true) = 'patient' and current_setting('app.guardian', true) = 'on', false);
end $$;

-- Disease families of which a guardian sees no results of the child.
create or replace function app_hidden_from_guardian() returns text[] language plpgsql stable parallel safe as
  $$ begin return string_to_array(coalesce(current_setting('app.hidden_from_guardian', true), ''), ','); end $$;

create or replace function app_privacy_officer() returns boolean language plpgsql stable parallel safe as $$ begin
  return coalesce(current_setting('app.scope', true) = 'org' and current_setting('app.privacy_officer', true) = 'on', false);
end $$;

-- Restricted disease families that the reader may not see; empty for the service.
create or replace function app_hidden_families() returns text[] language plpgsql stable parallel safe as
  $$ begin return string_to_array(coalesce(current_setting('app.hidden_families', true), ''), ','); end $$;

-- Whether nothing in the tenant is hidden from the reader.
create or replace function app_unrestricted() returns boolean language plpgsql stable parallel safe as
  $$ begin return app_whole_tenant() and coalesce(current_setting('app.hidden_families', true), '') = ''; end $$;

-- A tenant can stop keeping gender identity; what it kept before is then shown to nobody. The service keeps it in the
-- replica, from which the questions of readers leave it out (visible-facts.ts), so that it is there when it is wanted
-- again.
create or replace function app_gender_identity_shown() returns boolean language plpgsql stable parallel safe as $$ begin
  return coalesce(current_setting('app.scope', true) = 'service', false)
    or coalesce(current_setting('app.gender_identity_shown', true) = 'on', false);
end $$;

-- Counties whose residents a jurisdiction sees in the tenant; null for other readers, and where the tenant does not
-- report to it.
create or replace function app_counties() returns text[] language plpgsql stable parallel safe as
  $$ begin return string_to_array(nullif(current_setting('app.reported_counties', true), ''), ','); end $$;

-- The organization that a facility reader's facility belongs to.
create or replace function app_facility_organization() returns uuid language plpgsql stable parallel safe as
  $$ begin return nullif(current_setting('app.facility_organization', true), '')::uuid; end $$;

-- The facilities that belong to the reader's organization.
create or replace function app_organization_facilities() returns uuid[] language plpgsql stable parallel safe as
  $$ begin return string_to_array(nullif(current_setting('app.organization_facilities', true), ''), ',')::uuid[]; end $$;

-- The places in which the reader looks.
create or replace function app_places() returns text[] language plpgsql stable parallel safe as $$ begin
  return case when app_whole_tenant() then array['*']
    when current_setting('app.org_type', true) in ('O', 'F') then array[nullif(current_setting('app.org_id', true), '')]
    else app_counties() end;
end $$;

-- Where the colleagues of the reader are members, as account.member_of says it; null for readers who know only
-- themselves.
create or replace function app_colleagues() returns text[] language plpgsql stable parallel safe as $$ begin
  return case
    when app_whole_tenant() then array[app_tenant()::text]
    when app_scope() = 'org' then
      case when app_reads_here() then array[app_tenant() || '/T',
        app_tenant() || '/' || coalesce(nullif(current_setting('app.org_id', true), ''), '-')] else '{}' end
      || coalesce(string_to_array(app_tenant() || '/' || nullif(replace(current_setting('app.organization_facilities', true), ',',
        ',' || app_tenant() || '/'), ''), ','), '{}') end;
end $$;

-- The facilities that a patient's own results, or what was opened in an emergency, make known.
create or replace function app_told_facilities() returns uuid[] language plpgsql stable parallel safe as
  $$ begin return string_to_array(nullif(current_setting('app.told_facilities', true), ''), ',')::uuid[]; end $$;

-- The case that the transaction may read by the emergency access it names, while that lasts; its person, results and
-- specimens.
create or replace function app_glass_case() returns uuid language plpgsql stable parallel safe as
  $$ begin return nullif(current_setting('app.glass_case', true), '')::uuid; end $$;

create or replace function app_glass_patient() returns uuid language plpgsql stable parallel safe as
  $$ begin return nullif(current_setting('app.glass_patient', true), '')::uuid; end $$;

create or replace function app_glass_results() returns uuid[] language plpgsql stable parallel safe as
  $$ begin return string_to_array(nullif(current_setting('app.glass_results', true), ''), ',')::uuid[]; end $$;

create or replace function app_glass_specimens() returns uuid[] language plpgsql stable parallel safe as
  $$ begin return string_to_array(nullif(current_setting('app.glass_specimens', true), ''), ',')::uuid[]; end $$;
