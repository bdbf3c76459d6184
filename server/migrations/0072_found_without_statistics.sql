-- What is found by its key is found by it, whatever the statistics know. Decision record 0049.

-- Of a tenant that the statistics do not know, PostgreSQL expects no row: then "all rows of the tenant" looks as cheap as
-- "the row of this id", and each look-up of a list read the whole tenant. Without statistics of the column it reckons a
-- tenant as the two hundredth part of a table, whoever it is. Shared and local tables keep theirs: sign-in reads them over
-- all tenants. Partitions of the audit log are read by time.
do $$
declare
  name regclass;
begin
  for name in
    select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
      and c.relname <> all ('{account,facility,facility_alias,feature_switch,held_result_rule,jurisdiction,
        jurisdiction_county,label_override,location,mail_text,membership,membership_offer,membership_role,organization,
        policy_version,program,program_type,role,role_grant,role_parent,task,tenant,tenant_reporting}')
  loop
    execute format('alter table %s alter column tenant_id set statistics 0', name);
    -- What was gathered before: from PostgreSQL 18 on its owner may drop it, before that a superuser.
    if current_setting('server_version_num')::int >= 180000 then
      execute format('select pg_clear_attribute_stats(%L, %L, %L, false)', 'public', name::text, 'tenant_id');
    elsif current_setting('is_superuser') = 'on' then
      delete from pg_statistic s using pg_attribute a
      where a.attrelid = name and a.attname = 'tenant_id' and s.starelid = name and s.staattnum = a.attnum;
    end if;
  end loop;
end $$;

-- It keeps results from being there twice, and was read as a whole in the place of the primary key: PostgreSQL guesses that
-- hardly a result has none that took its place. It says the same in words by which no question is answered.
drop index result_source_key;
create unique index result_source_key on result (tenant_id, source_key, patient_id) where (superseded_by is null) is true;
