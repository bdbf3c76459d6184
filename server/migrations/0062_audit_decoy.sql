-- What would be written about an account that there is not: as much work as for one that there is, so that nobody learns
-- by the time which of the two it was. [P12] Read by nobody, and emptied every hour.
create table audit_decoy (like audit_event including defaults including generated including indexes);
alter table audit_decoy enable row level security;
alter table audit_decoy force row level security;
create policy audit_decoy_identity on audit_decoy using ((select app_scope()) = 'identity');
create policy audit_decoy_not_patients on audit_decoy as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');
