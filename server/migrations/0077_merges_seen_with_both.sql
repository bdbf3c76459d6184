-- That a record was joined with another one is for those who see both. Until now everyone of the tenant saw it in the
-- timeline of a case: where the other record was of restricted families alone, it said that there is one. The event says
-- of which families that other record was, where all of them are restricted. [P18]

-- What the other record had at the time is not known any more: as far as it may have been restricted, it is hidden.
do $$
declare t record;
begin
  perform set_config('app.scope', 'system', true);
  for t in select id, restricted_families || '{hiv}'::text[] as restricted from tenant loop
    perform set_config('app.scope', 'service', true), set_config('app.tenant_id', t.id::text, true);
    update case_event e set detail = e.detail || jsonb_build_object('families',
      to_jsonb(array(select unnest(p.disease_families) intersect select unnest(t.restricted))))
    from patient p
    where e.tenant_id = t.id and e.kind in ('patient-merged', 'patient-unmerged') and p.tenant_id = t.id
      and p.id = cast(e.detail ->> case e.kind when 'patient-merged' then 'to' else 'from' end as uuid)
      and p.disease_families && t.restricted;
    perform set_config('app.scope', 'system', true), set_config('app.tenant_id', '', true);
  end loop;
  perform set_config('app.scope', '', true);
end $$;

-- From 0048. New: `families`.
drop policy case_event_visible on case_event;
create policy case_event_visible on case_event using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or exists (select from case_report c where c.tenant_id = case_event.tenant_id and c.id = case_event.case_report_id)
      and (kind not in ('patient-merged', 'patient-unmerged')
        or (select app_whole_tenant()) and (detail -> 'families' is null
          or not array(select jsonb_array_elements_text(detail -> 'families')) <@ (select app_hidden_families())::text[]))));
