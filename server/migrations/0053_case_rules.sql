-- Why a case has its classification, and who decided it. `rule`: by the case definition, which is applied again with
-- every result. `person`: somebody here decided, and that stays. `report`: it came with a report or a line list.
alter table case_report
  add column classified_by text not null default 'rule' check (classified_by in ('rule', 'person', 'report')),
  -- The definition with its version, each criterion as met, not met or unknown, and what would change the result; null
  -- for a case to which no rule has been applied yet.
  add column explanation jsonb;

do $$
declare
  tenants uuid[];
  t uuid;
begin
  perform set_config('app.scope', 'system', true);
  tenants := array(select id from tenant);
  perform set_config('app.scope', 'service', true);
  foreach t in array tenants loop
    perform set_config('app.tenant_id', t::text, true);
    update case_report c set classified_by = case
      when exists (select from case_event e where e.tenant_id = t and e.case_report_id = c.id
        and e.kind = 'classification-changed' and e.account_id is not null) then 'person' else 'report' end
    where c.tenant_id = t and (
      exists (select from case_event e where e.tenant_id = t and e.case_report_id = c.id
        and e.kind = 'classification-changed' and e.account_id is not null)
      or not exists (select from case_result r where r.tenant_id = t and r.case_report_id = c.id));
  end loop;
end $$;
