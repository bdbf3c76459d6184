-- The results of a case that was opened are looked up once per statement, and not for each row that a list passes over.
create function app_glass_results() returns uuid[] language sql stable parallel safe
  return (select array_agg(r.result_id) from case_result r
          where r.tenant_id = app_tenant() and r.case_report_id = app_glass_case());
drop policy result_opened on result;
create policy result_opened on result for select using (
  tenant_id = (select app_tenant())
  and (id = any ((select app_glass_results())::uuid[]) or superseded_by = any ((select app_glass_results())::uuid[])));
