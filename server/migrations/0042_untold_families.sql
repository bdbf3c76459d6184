-- What a message that was not understood is about was guessed from its words, and a wrong guess showed it to those who
-- may not see what it is about. A guess stands beside {?} from now on, which stands for families nobody can tell: it
-- hides the message from those who may not see the family, and shows it to nobody. [P18]

do $$
declare
  tenants uuid[];
  t uuid;
  named constant text := '\mhiv|\mvih\M|\maids\M|\msida\M|immunodeficiency virus';
begin
  perform set_config('app.scope', 'system', true);
  tenants := array(select id from tenant);
  perform set_config('app.scope', 'service', true);
  foreach t in array tenants loop
    perform set_config('app.tenant_id', t::text, true);
    update import_message m set disease_families = array(
      select distinct family from unnest(array['?'] || coalesce(m.disease_families, '{}')
        || case when encode(m.raw, 'escape') ~* named then array['hiv'] else '{}' end) as family order by family)
    where m.tenant_id = t and (m.state in ('refused', 'waiting') or m.disease_families is null);
    update import_message m set disease_families = o.disease_families from import_message o
    where m.tenant_id = t and m.state = 'duplicate' and o.tenant_id = t and o.id = m.duplicate_of
      and m.disease_families is distinct from o.disease_families;

    -- Counted by the families they have now, or running them again would take them from where they do not stand.
    delete from import_tally a using import i
    where a.tenant_id = t and i.tenant_id = t and i.id = a.import_id and not i.dry_run and a.kind in ('state', 'reason');
    insert into import_tally (tenant_id, import_id, kind, key, families, n)
    select t, m.import_id, c.kind, c.key, m.disease_families, count(*)
    from import_message m
    cross join lateral (values ('state', m.state), ('reason', m.state || ':' || m.reason)) as c (kind, key)
    where m.tenant_id = t and m.corrected_by is null and c.key is not null
    group by m.import_id, c.kind, c.key, m.disease_families;
    -- Of a dry run no text is kept to look into: it is tried once more by whoever wants to see it.
    update import_tally a set families = array(select distinct family from unnest('{?}' || families) as family order by family)
    from import i
    where a.tenant_id = t and i.tenant_id = t and i.id = a.import_id and i.dry_run and not '?' = any (a.families)
      and (a.key in ('refused', 'waiting') or a.kind = 'reason');
    update import set preview = (
      select jsonb_agg(jsonb_set(message, '{families}', '["?"]' || case jsonb_typeof(message -> 'families')
        when 'array' then (message -> 'families') - '?' else '[]' end)) from jsonb_array_elements(preview) as message)
    where tenant_id = t and jsonb_array_length(preview) > 0;

    update code_mapping set disease_family = 'hiv'
    where tenant_id = t and state <> 'mapped' and disease_family is distinct from 'hiv' and code || ' ' || text ~* named;
  end loop;
  perform set_config('app.scope', '', true), set_config('app.tenant_id', '', true);
end $$;

-- Without families it may hold any.
alter table import_message alter column disease_families set default '{?}';
alter table import_message alter column disease_families set not null;

-- What cannot be told to be of another family is shown to those from whom nothing is hidden and to whoever sent it;
-- to nobody who may not see a family it may be about.
drop policy import_message_visible on import_message;
create policy import_message_visible on import_message using (
  tenant_id = (select app_tenant())
  and ((select app_unrestricted())
    or not disease_families && (select app_hidden_families())::text[]
      and exists (select from import i where i.tenant_id = import_message.tenant_id and i.id = import_id
        and (not '?' = any (disease_families) or (select app_hidden_families()) = '{}'
          or i.created_by = (select app_account())))));
drop policy import_tally_visible on import_tally;
create policy import_tally_visible on import_tally using (
  tenant_id = (select app_tenant())
  and ((select app_unrestricted())
    or not families && (select app_hidden_families())::text[]
      and exists (select from import i where i.tenant_id = import_tally.tenant_id and i.id = import_id
        and (not '?' = any (families) or (select app_hidden_families()) = '{}'
          or i.created_by = (select app_account())))));
