-- Records as they are counted, shown and found.

-- DuckDB has it under this name, so that both engines answer the same text.
create or replace function ends_with(value text, ending text) returns boolean language sql immutable strict parallel safe
  return "right"(value, length(ending)) = ending;

-- Persons are counted by a number that follows from their id: its last 53 bits, which are random, and fit into a
-- number of any language (decision record 0054).
create or replace function app_person_number(id uuid) returns bigint language sql immutable strict parallel safe
  return cast(cast('x' || right(replace(cast(id as text), '-', ''), 14) as bit(56)) as bigint) & 9007199254740991;

-- A person as the reader is shown one. Beside a record of a restricted family that someone has opened in an
-- emergency, it is the whole person. This and the next take a row of any type, and beside it what decides about it:
-- by the type of its table, a row in a part of the table is not found, as on a server that has some of the tenants.
create or replace function app_shown(person anyelement, told_openly jsonb, family text default null) returns anyelement
  language sql stable parallel safe
  as $$ select case when $2 is null or coalesce(current_setting('app.hidden_families', true), '') = ''
      or coalesce($3 = any (app_hidden_families()), false) then $1
    else jsonb_populate_record($1, $2) end $$;

-- A case as the reader is shown one.
create or replace function app_case_shown(report anyelement, told_within jsonb) returns anyelement language sql stable parallel safe
  as $$ select case when $2 is null or coalesce(current_setting('app.org_type', true), '') not in ('O', 'F') then $1
    else jsonb_populate_record($1, $2) end $$;

-- What case_report.told_within becomes with a change that everyone who shares the case is shown. It is given the
-- time: a statement that writes to the records of a tenant on another server may work out of a row only what is the
-- same for the same row.
create or replace function app_within_next(told_within jsonb, updated_at jsonb) returns jsonb language sql immutable parallel safe
  return jsonb_set(jsonb_set(told_within, '{version}', cast(cast(cast(told_within ->> 'version' as integer) + 1 as text) as jsonb)),
    '{updated_at}', updated_at);

-- Two lists of families by place, as one. A laboratory is seen at every place for which it tests, and an import adds a few:
-- only those are worked out.
create or replace function app_seen_with(seen_at jsonb, more jsonb) returns jsonb language sql immutable parallel safe
  return seen_at || (select coalesce(jsonb_object_agg(place, all_of_it), '{}') from (
    select added.place, (select jsonb_agg(distinct family collate "C") from (
        select jsonb_array_elements_text(known.families) union all select jsonb_array_elements_text(added.families)) as each_one (family))
      as all_of_it
    from jsonb_each(more) as added (place, families)
    -- Read as a whole, once: each look at one place would unpack all of them again.
    left join jsonb_each(seen_at) as known (place, families) on known.place = added.place
    where not coalesce(known.families @> added.families, false)) as those_that_change);

-- What restricted reports of a person have kept apart, for a person who has some.
create or replace function app_key_facts(told_openly jsonb, restricted_at uuid[]) returns jsonb
  language sql immutable parallel safe
  return jsonb_strip_nulls(jsonb_build_object(
    'at', nullif(to_jsonb(array(select unnest(restricted_at) order by 1)), '[]'),
    'keys', case when told_openly is not null then coalesce(told_openly -> 'keys', '[]') end));

-- search_key.apart of one of the keys; `to_all`: everyone who is shown the person is shown it.
create or replace function app_key_apart(facts jsonb, key text, to_all boolean) returns jsonb language sql immutable parallel safe
  return nullif(jsonb_strip_nulls(jsonb_build_object('at', facts -> 'at', 'all', case when to_all then true end,
    'closed', case when facts ? 'keys' and not facts -> 'keys' ? key then true end)), '{"all": true}');

create or replace function app_key_county(county_fips text, told_openly jsonb) returns text language sql immutable parallel safe
  return coalesce(county_fips, '')
    || case when told_openly ->> 'county_fips' is distinct from county_fips and told_openly is not null
      then '/' || coalesce(told_openly ->> 'county_fips', '') else '' end;

-- Whether a result is held back until someone releases it. Without a rule of the tenant: every result of a test for
-- HIV but negative, also pending, because one that was awaited and then is gone would say it; and a result of no
-- known family, because it may be that. `rules`: those of the tenant, as for app_held_from_me.
create or replace function app_held(rules jsonb, family text, condition text, category text) returns boolean language sql immutable parallel safe
  return coalesce(
    cast(rules ->> (family || '|' || condition || '|' || category) as boolean),
    cast(rules ->> (family || '||' || category) as boolean),
    family is null or family = 'hiv' and category <> 'negative');

-- How long something is kept today: as the tenant says, or longer as long as a shorter time has not taken effect.
-- Null: for ever.
create or replace function app_kept(kept integer, of_tenant uuid, of_setting text) returns integer language sql stable as
  $$ select case when kept is null or bool_or(c.before is null) then null else greatest(kept, max(c.before)) end
     from retention_change c where c.tenant_id = of_tenant and c.setting = of_setting and c.held_until > now() $$;
