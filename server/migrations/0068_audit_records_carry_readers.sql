-- A row that says which record an event names carries whose event it was, so that its policy reads no other row. It is
-- written with the event, and never changed. The same rows are seen as before.
alter table audit_record add column org_type text, add column org_id uuid;

alter table audit_event no force row level security;
alter table audit_record no force row level security;
update audit_record r set org_type = e.org_type, org_id = e.org_id
from audit_event e where e.tenant_id = r.tenant_id and e.id = r.event_id and e.at = r.at;
alter table audit_event force row level security;
alter table audit_record force row level security;

drop policy audit_record_visible on audit_record;
create policy audit_record_visible on audit_record for select using (
  tenant_id = (select app_tenant())
  and ((select app_whole_tenant())
    or org_type = current_setting('app.org_type', true)
      and org_id = nullif(current_setting('app.org_id', true), '')::uuid));
