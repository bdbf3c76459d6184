-- Printed by `npm run db:types` from server/src/platform/db/policies.ts, where the reasons are; do not edit it here.

create policy tenant_read on tenant for select
  using ((select app_scope()) in ('identity', 'system') or id = (select app_tenant()) and ((select app_whole_tenant())
  or (select app_reads_here()) or (select app_patient()) is not null));
create policy tenant_add on tenant for insert
  with check (((select app_scope()) in ('identity', 'system') or id = (select app_tenant())
  and (select app_whole_tenant())) and coalesce((select app_scope()), '') <> 'patient');
create policy tenant_change on tenant for update
  using (((select app_scope()) in ('identity', 'system') or id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy tenant_remove on tenant for delete
  using (((select app_scope()) in ('identity', 'system') or id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy feature_switch_read on feature_switch for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy feature_switch_add on feature_switch for insert
  with check (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
create policy feature_switch_change on feature_switch for update
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
create policy feature_switch_remove on feature_switch for delete
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy label_override_read on label_override for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or (select app_reads_here()))) and coalesce((select app_scope()), '') <> 'patient');
create policy label_override_add on label_override for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy label_override_change on label_override for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy label_override_remove on label_override for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy mail_text_read on mail_text for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy mail_text_add on mail_text for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy mail_text_change on mail_text for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy mail_text_remove on mail_text for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy retention_change_read on retention_change for select
  using (((select app_scope()) in ('identity', 'system') or tenant_id = (select app_tenant())
  and (select app_whole_tenant())) and coalesce((select app_scope()), '') <> 'patient');
create policy retention_change_add on retention_change for insert
  with check (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy seeding_all on seeding
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy secret_mark_all on secret_mark
  using (((select app_scope()) = 'system') and coalesce((select app_scope()), '') <> 'patient');

create policy backup_made_all on backup_made
  using (((select app_scope()) = 'system') and coalesce((select app_scope()), '') <> 'patient');

create policy organization_read on organization for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or id = (select app_org('O')) or id = (select app_facility_organization())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy organization_add on organization for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy organization_change on organization for update
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy organization_remove on organization for delete
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy facility_read on facility for select
  using ((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (registered
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or id = (select app_org('F'))
  or registered and (facility_type = 'laboratory' or organization_id is null) and (select app_reads_here())
  or app_seen_at(seen_at, (select app_places()), (select to_jsonb(app_hidden_families())))
  or id = any ((select app_told_facilities())::uuid[])));
create policy facility_add on facility for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy facility_change on facility for update
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy facility_remove on facility for delete
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy facility_alias_all on facility_alias
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy location_read on location for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or facility_id = (select app_org('F'))
  or facility_id = any ((select app_organization_facilities())::uuid[])))
  and coalesce((select app_scope()), '') <> 'patient');
create policy location_add on location for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy location_change on location for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy location_remove on location for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy jurisdiction_read on jurisdiction for select
  using (((select app_scope()) in ('identity', 'system') or id = (select app_org('PHJ')) or ((select app_whole_tenant())
  or (select app_reads_here())) and (managed_by_tenant_id = (select app_tenant())
  or (select app_tenant()) = any (reported_by))) and coalesce((select app_scope()), '') <> 'patient');
create policy jurisdiction_add on jurisdiction for insert
  with check (((select app_scope()) = 'identity' or managed_by_tenant_id = (select app_tenant())
  and (select app_whole_tenant())) and coalesce((select app_scope()), '') <> 'patient');
create policy jurisdiction_change on jurisdiction for update
  using (((select app_scope()) = 'identity' or managed_by_tenant_id = (select app_tenant())
  and (select app_whole_tenant())) and coalesce((select app_scope()), '') <> 'patient');
create policy jurisdiction_remove on jurisdiction for delete
  using (((select app_scope()) = 'identity' or managed_by_tenant_id = (select app_tenant())
  and (select app_whole_tenant())) and coalesce((select app_scope()), '') <> 'patient');

create policy jurisdiction_county_read on jurisdiction_county for select
  using (((select app_scope()) in ('identity', 'system') or jurisdiction_id = (select app_org('PHJ'))
  or ((select app_whole_tenant()) or (select app_reads_here())) and (managed_by_tenant_id = (select app_tenant())
  or (select app_tenant()) = any (reported_by))) and coalesce((select app_scope()), '') <> 'patient');
create policy jurisdiction_county_add on jurisdiction_county for insert
  with check (((select app_scope()) = 'identity' or managed_by_tenant_id = (select app_tenant())
  and (select app_whole_tenant())) and coalesce((select app_scope()), '') <> 'patient');
create policy jurisdiction_county_change on jurisdiction_county for update
  using (((select app_scope()) = 'identity' or managed_by_tenant_id = (select app_tenant())
  and (select app_whole_tenant())) and coalesce((select app_scope()), '') <> 'patient');
create policy jurisdiction_county_remove on jurisdiction_county for delete
  using (((select app_scope()) = 'identity' or managed_by_tenant_id = (select app_tenant())
  and (select app_whole_tenant())) and coalesce((select app_scope()), '') <> 'patient');

create policy tenant_reporting_read on tenant_reporting for select
  using (((select app_scope()) in ('identity', 'system') or tenant_id = (select app_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy tenant_reporting_add on tenant_reporting for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy tenant_reporting_change on tenant_reporting for update
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy tenant_reporting_remove on tenant_reporting for delete
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy program_type_read on program_type for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy program_type_add on program_type for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy program_type_change on program_type for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy program_type_remove on program_type for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy program_read on program for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or organization_id = (select app_org('O'))
  or (organization_id is null or (select app_org('PHJ')) is not null) and (select app_reads_here())
  or organization_id = (select app_facility_organization()))) and coalesce((select app_scope()), '') <> 'patient');
create policy program_add on program for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy program_change on program for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy program_remove on program for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy task_read on task for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) or (organization_ids = '{}' or (select app_org('PHJ')) is not null
  and organization_ids is not null) and (select app_reads_here())
  or (select app_facility_organization()) = any (organization_ids)))
  and coalesce((select app_scope()), '') <> 'patient');
create policy task_add on task for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy task_change on task for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy task_remove on task for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy team_read on team for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy team_add on team for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy team_change on team for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy team_remove on team for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy record_history_read on record_history for select
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy record_history_add on record_history for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy user_history_read on user_history for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or org_type = 'O' and org_id = (select app_org('O')) or org_type = 'F' and (org_id = (select app_org('F'))
  or org_id = any ((select app_organization_facilities())::uuid[]))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy user_history_add on user_history for insert
  with check (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy account_read on account for select
  using ((select app_scope()) = 'identity' or id = (select app_account()) or member_of && (select app_colleagues()));
create policy account_add on account for insert
  with check (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
create policy account_change on account for update
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
create policy account_remove on account for delete
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy account_state_read on account_state for select
  using ((select app_scope()) = 'identity' or account_id = (select app_account())
  or member_of && (select app_colleagues()));
create policy account_state_add on account_state for insert
  with check (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
create policy account_state_change on account_state for update
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
create policy account_state_remove on account_state for delete
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy membership_read on membership for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or account_id = (select app_account()) or (org_type = 'T'
  or org_id = (select nullif(current_setting('app.org_id', true), '')::uuid)) and (select app_reads_here())
  or org_type = 'F' and org_id = any ((select app_organization_facilities())::uuid[])))
  and coalesce((select app_scope()), '') <> 'patient');
create policy membership_add on membership for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy membership_change on membership for update
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy membership_remove on membership for delete
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy membership_offer_read on membership_offer for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or org_type = 'O' and org_id = (select app_org('O')) or org_type = 'F' and (org_id = (select app_org('F'))
  or org_id = any ((select app_organization_facilities())::uuid[]))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy membership_offer_add on membership_offer for insert
  with check (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
create policy membership_offer_change on membership_offer for update
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
create policy membership_offer_remove on membership_offer for delete
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy role_read on role for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or (select app_reads_here()))) and coalesce((select app_scope()), '') <> 'patient');
create policy role_add on role for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy role_change on role for update
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy role_remove on role for delete
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy role_parent_read on role_parent for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or (select app_reads_here()))) and coalesce((select app_scope()), '') <> 'patient');
create policy role_parent_add on role_parent for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy role_parent_change on role_parent for update
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy role_parent_remove on role_parent for delete
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy role_grant_read on role_grant for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or (select app_reads_here()))) and coalesce((select app_scope()), '') <> 'patient');
create policy role_grant_add on role_grant for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy role_grant_change on role_grant for update
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy role_grant_remove on role_grant for delete
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy membership_role_read on membership_role for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or account_id = (select app_account()) or (org_type = 'T'
  or org_id = (select nullif(current_setting('app.org_id', true), '')::uuid)) and (select app_reads_here())
  or org_type = 'F' and org_id = any ((select app_organization_facilities())::uuid[])))
  and coalesce((select app_scope()), '') <> 'patient');
create policy membership_role_add on membership_role for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy membership_role_change on membership_role for update
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy membership_role_remove on membership_role for delete
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy policy_version_read on policy_version for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or (select app_reads_here()))) and coalesce((select app_scope()), '') <> 'patient');
create policy policy_version_add on policy_version for insert
  with check (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy policy_version_change on policy_version for update
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy policy_version_remove on policy_version for delete
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy session_all on session
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy sign_in_challenge_all on sign_in_challenge
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy sign_in_failure_all on sign_in_failure
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy totp_authenticator_all on totp_authenticator
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy passkey_all on passkey
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy recovery_code_all on recovery_code
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy contact_change_all on contact_change
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy account_recovery_all on account_recovery
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy recovery_approval_all on recovery_approval
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy import_all on import
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or organization_id = (select app_org('O'))
  or facility_id = (select app_org('F')))) and coalesce((select app_scope()), '') <> 'patient');

create policy import_upload_all on import_upload
  using ((tenant_id = (select app_tenant()) and (select app_scope()) = 'service')
  and coalesce((select app_scope()), '') <> 'patient');

create policy import_message_read on import_message for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or not disease_families && (select app_hidden_families())::text[] and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F')))
  and (not '?' = any (disease_families) or (select app_hidden_families()) = '{}'
  or created_by = (select app_account())))) and coalesce((select app_scope()), '') <> 'patient');
create policy import_message_add on import_message for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or not disease_families && (select app_hidden_families())::text[] and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F')))
  and (not '?' = any (disease_families) or (select app_hidden_families()) = '{}'
  or created_by = (select app_account()))) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy import_message_change on import_message for update
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or not disease_families && (select app_hidden_families())::text[] and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F')))
  and (not '?' = any (disease_families) or (select app_hidden_families()) = '{}'
  or created_by = (select app_account())))) and coalesce((select app_scope()), '') <> 'patient');
create policy import_message_remove on import_message for delete
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or not disease_families && (select app_hidden_families())::text[] and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F')))
  and (not '?' = any (disease_families) or (select app_hidden_families()) = '{}'
  or created_by = (select app_account())))) and coalesce((select app_scope()), '') <> 'patient');

create policy import_tally_read on import_tally for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or not families && (select app_hidden_families())::text[] and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))) and (not '?' = any (families)
  or (select app_hidden_families()) = '{}' or created_by = (select app_account()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy import_tally_add on import_tally for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or not families && (select app_hidden_families())::text[] and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))) and (not '?' = any (families)
  or (select app_hidden_families()) = '{}' or created_by = (select app_account()))) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy import_tally_change on import_tally for update
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or not families && (select app_hidden_families())::text[] and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))) and (not '?' = any (families)
  or (select app_hidden_families()) = '{}' or created_by = (select app_account()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy import_tally_remove on import_tally for delete
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or not families && (select app_hidden_families())::text[] and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))) and (not '?' = any (families)
  or (select app_hidden_families()) = '{}' or created_by = (select app_account()))))
  and coalesce((select app_scope()), '') <> 'patient');

create policy code_mapping_all on code_mapping
  using ((tenant_id = (select app_tenant()) and (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and ((select app_whole_tenant()) or
  app_waits(waiting_at, (select coalesce(app_org('O'), app_org('F'))::text), (select app_hidden_families())::text[],
  (select app_account())))) and coalesce((select app_scope()), '') <> 'patient');

create policy csv_mapping_all on csv_mapping
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy population_all on population
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy population_count_all on population_count
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy patient_all_read on patient for select
  using (tenant_id = (select app_tenant()) and (disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when told_openly is null or (select app_hidden_families()) = '{}' then county_fips else told_openly ->>
  'county_fips' end = any ((select app_counties())::text[]) or id = (select app_patient())));
create policy patient_add on patient for insert
  with check ((tenant_id = (select app_tenant()) and (disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when told_openly is null or (select app_hidden_families()) = '{}' then county_fips else told_openly ->>
  'county_fips' end = any ((select app_counties())::text[]) or id = (select app_patient())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_change on patient for update
  using ((tenant_id = (select app_tenant()) and (disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when told_openly is null or (select app_hidden_families()) = '{}' then county_fips else told_openly ->>
  'county_fips' end = any ((select app_counties())::text[]) or id = (select app_patient())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_remove on patient for delete
  using ((tenant_id = (select app_tenant()) and (disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when told_openly is null or (select app_hidden_families()) = '{}' then county_fips else told_openly ->>
  'county_fips' end = any ((select app_counties())::text[]) or id = (select app_patient())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_read on patient for select
  using (tenant_id = (select app_tenant()) and id = (select app_glass_patient()));

create policy patient_identifier_read on patient_identifier for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or app_told(told_by) and (told_in is null
  or not told_in <@ (select app_hidden_families())::text[]) and ((disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient())) or patient_id = (select app_glass_patient()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_identifier_add on patient_identifier for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or app_told(told_by)
  and (told_in is null or not told_in <@ (select app_hidden_families())::text[]) and ((disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient())) or patient_id = (select app_glass_patient())))
  and (select app_service())) and coalesce((select app_scope()), '') <> 'patient');
create policy patient_identifier_change on patient_identifier for update
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or app_told(told_by) and (told_in is null
  or not told_in <@ (select app_hidden_families())::text[]) and ((disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient())) or patient_id = (select app_glass_patient()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_identifier_remove on patient_identifier for delete
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or app_told(told_by) and (told_in is null
  or not told_in <@ (select app_hidden_families())::text[]) and ((disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient())) or patient_id = (select app_glass_patient()))))
  and coalesce((select app_scope()), '') <> 'patient');

create policy patient_history_read on patient_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or ((disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or record_id = (select app_patient())) or record_id = (select app_glass_patient()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_history_add on patient_history for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_history_change on patient_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_history_remove on patient_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy patient_block_all on patient_block
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy told_result_all on told_result
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy patient_match_read on patient_match for select
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()) and ((select app_unrestricted())
  or (patient_families = '{}' or not patient_families <@ (select app_hidden_families())::text[]
  or patient_id = (select app_glass_patient())) and (candidate_families = '{}'
  or not candidate_families <@ (select app_hidden_families())::text[] or candidate_id = (select app_glass_patient()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_match_add on patient_match for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()) and ((select app_unrestricted())
  or (patient_families = '{}' or not patient_families <@ (select app_hidden_families())::text[]
  or patient_id = (select app_glass_patient())) and (candidate_families = '{}'
  or not candidate_families <@ (select app_hidden_families())::text[] or candidate_id = (select app_glass_patient())))
  and (select app_service())) and coalesce((select app_scope()), '') <> 'patient');
create policy patient_match_change on patient_match for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()) and ((select app_unrestricted())
  or (patient_families = '{}' or not patient_families <@ (select app_hidden_families())::text[]
  or patient_id = (select app_glass_patient())) and (candidate_families = '{}'
  or not candidate_families <@ (select app_hidden_families())::text[] or candidate_id = (select app_glass_patient()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy patient_match_remove on patient_match for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()) and ((select app_unrestricted())
  or (patient_families = '{}' or not patient_families <@ (select app_hidden_families())::text[]
  or patient_id = (select app_glass_patient())) and (candidate_families = '{}'
  or not candidate_families <@ (select app_hidden_families())::text[] or candidate_id = (select app_glass_patient()))))
  and coalesce((select app_scope()), '') <> 'patient');

create policy specimen_read on specimen for select
  using (tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or app_seen_at(seen_at, (select app_places()), (select to_jsonb(app_hidden_families())))
  or (select app_patient()) is not null and app_told_me(told) or id = any ((select app_glass_specimens())::uuid[])));
create policy specimen_add on specimen for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or app_seen_at(seen_at, (select app_places()), (select to_jsonb(app_hidden_families())))
  or (select app_patient()) is not null and app_told_me(told) or id = any ((select app_glass_specimens())::uuid[]))
  and (select app_service())) and coalesce((select app_scope()), '') <> 'patient');
create policy specimen_change on specimen for update
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or app_seen_at(seen_at, (select app_places()), (select to_jsonb(app_hidden_families())))
  or (select app_patient()) is not null and app_told_me(told) or id = any ((select app_glass_specimens())::uuid[])))
  and coalesce((select app_scope()), '') <> 'patient');
create policy specimen_remove on specimen for delete
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or app_seen_at(seen_at, (select app_places()), (select to_jsonb(app_hidden_families())))
  or (select app_patient()) is not null and app_told_me(told) or id = any ((select app_glass_specimens())::uuid[])))
  and coalesce((select app_scope()), '') <> 'patient');

create policy result_all_read on result for select
  using (tenant_id = (select app_tenant()) and (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]) or patient_id = (select app_patient())
  and (not (select app_guardian()) or disease_family is not null
  and disease_family <> all ((select app_hidden_from_guardian())::text[])) and (released_at is not null
  or not app_held_from_me(disease_family, condition_code, result_category))));
create policy result_add on result for insert
  with check ((tenant_id = (select app_tenant()) and (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]) or patient_id = (select app_patient())
  and (not (select app_guardian()) or disease_family is not null
  and disease_family <> all ((select app_hidden_from_guardian())::text[])) and (released_at is not null
  or not app_held_from_me(disease_family, condition_code, result_category))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy result_change on result for update
  using ((tenant_id = (select app_tenant()) and (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]) or patient_id = (select app_patient())
  and (not (select app_guardian()) or disease_family is not null
  and disease_family <> all ((select app_hidden_from_guardian())::text[])) and (released_at is not null
  or not app_held_from_me(disease_family, condition_code, result_category))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy result_remove on result for delete
  using ((tenant_id = (select app_tenant()) and (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]) or patient_id = (select app_patient())
  and (not (select app_guardian()) or disease_family is not null
  and disease_family <> all ((select app_hidden_from_guardian())::text[])) and (released_at is not null
  or not app_held_from_me(disease_family, condition_code, result_category))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy result_read on result for select
  using (tenant_id = (select app_tenant()) and (id = any ((select app_glass_results())::uuid[])
  or superseded_by = any ((select app_glass_results())::uuid[])));

create policy case_counter_all on case_counter
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy case_report_all on case_report
  using ((tenant_id = (select app_tenant()) and disease_family <> all ((select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]))) and coalesce((select app_scope()), '') <> 'patient');
create policy case_report_read on case_report for select
  using ((tenant_id = (select app_tenant()) and id = (select app_glass_case()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy case_result_read on case_result for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or case_report_id = (select app_glass_case())) ))
  and coalesce((select app_scope()), '') <> 'patient');
create policy case_result_add on case_result for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or case_report_id = (select app_glass_case())) )
  and (select app_service())) and coalesce((select app_scope()), '') <> 'patient');
create policy case_result_change on case_result for update
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or case_report_id = (select app_glass_case())) ))
  and coalesce((select app_scope()), '') <> 'patient');
create policy case_result_remove on case_result for delete
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or case_report_id = (select app_glass_case())) ))
  and coalesce((select app_scope()), '') <> 'patient');

create policy case_event_all on case_event
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or case_report_id = (select app_glass_case()))
  and (kind not in ('patient-merged', 'patient-unmerged') or (select app_whole_tenant())
  and (detail -> 'families' is null or not detail -> 'families' <@ (select to_jsonb(app_hidden_families()))))))
  and coalesce((select app_scope()), '') <> 'patient');

create policy case_answers_all on case_answers
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy case_answer_key_all on case_answer_key
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy case_answers_history_read on case_answers_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy case_answers_history_add on case_answers_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy case_answers_history_change on case_answers_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy form_extension_read on form_extension for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy form_extension_add on form_extension for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy case_report_history_read on case_report_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or record_id = (select app_glass_case()))
  and (version_within is not null or coalesce((select current_setting('app.org_type', true)), '') not in ('O', 'F'))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy case_report_history_add on case_report_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or record_id = (select app_glass_case())) ))
  and coalesce((select app_scope()), '') <> 'patient');
create policy case_report_history_change on case_report_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy case_report_history_remove on case_report_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy treatment_all on treatment
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or case_report_id = (select app_glass_case()))
  and (told_by is null or app_told(told_by)))) and coalesce((select app_scope()), '') <> 'patient');

create policy treatment_history_read on treatment_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or case_report_id = (select app_glass_case()))
  and (told_by is null or app_told(told_by)))) and coalesce((select app_scope()), '') <> 'patient');
create policy treatment_history_add on treatment_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or case_report_id = (select app_glass_case()))
  and (told_by is null or app_told(told_by)))) and coalesce((select app_scope()), '') <> 'patient');
create policy treatment_history_change on treatment_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy treatment_history_remove on treatment_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy incident_all on incident
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy incident_read on incident for select
  using ((tenant_id = (select app_tenant()) and patient_id = (select app_glass_patient()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy incident_history_read on incident_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]))) or tenant_id = (select app_tenant()) and patient_id = (select app_glass_patient()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy incident_history_add on incident_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy incident_history_change on incident_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy incident_history_remove on incident_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy incident_transition_all on incident_transition
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy vaccination_all_read on vaccination for select
  using (tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy vaccination_add on vaccination for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient()))) and coalesce((select app_scope()), '') <> 'patient')
  and coalesce((select app_scope()), '') <> 'patient');
create policy vaccination_change on vaccination for update
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient()))) and coalesce((select app_scope()), '') <> 'patient')
  and coalesce((select app_scope()), '') <> 'patient');
create policy vaccination_remove on vaccination for delete
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient()))) and coalesce((select app_scope()), '') <> 'patient')
  and coalesce((select app_scope()), '') <> 'patient');
create policy vaccination_read on vaccination for select
  using (tenant_id = (select app_tenant()) and (patient_id = (select app_glass_patient())
  or patient_id = (select app_patient()) and state = 'given'));

create policy vaccination_history_read on vaccination_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or ((disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient())) or patient_id = (select app_glass_patient()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy vaccination_history_add on vaccination_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy vaccination_history_change on vaccination_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy vaccination_history_remove on vaccination_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy document_all on document
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or case_report_id is null
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or (select app_org('O')) = any (organization_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('O')) <> all (restricted_at))
  or (select app_org('F')) = any (facility_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('F')) <> all (restricted_at)) or case when (select app_hidden_families()) = '{}' then county_fips
  else open_county_fips end = any ((select app_counties())::text[]) or patient_id = (select app_patient()))
  or case_report_id is not null and disease_family <> all ((select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or case_county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy document_read on document for select
  using ((tenant_id = (select app_tenant()) and (case_report_id is null and patient_id = (select app_glass_patient())
  or case_report_id = (select app_glass_case()))) and coalesce((select app_scope()), '') <> 'patient');

create policy document_history_read on document_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or case_report_id is null
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or (select app_org('O')) = any (organization_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('O')) <> all (restricted_at))
  or (select app_org('F')) = any (facility_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('F')) <> all (restricted_at)) or case when (select app_hidden_families()) = '{}' then county_fips
  else open_county_fips end = any ((select app_counties())::text[]) or patient_id = (select app_patient()))
  or case_report_id is not null and disease_family <> all ((select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or case_county_fips = any ((select app_counties())::text[]))) or tenant_id = (select app_tenant())
  and (case_report_id is null and patient_id = (select app_glass_patient())
  or case_report_id = (select app_glass_case()))) and coalesce((select app_scope()), '') <> 'patient');
create policy document_history_add on document_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or case_report_id is null
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or (select app_org('O')) = any (organization_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('O')) <> all (restricted_at))
  or (select app_org('F')) = any (facility_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('F')) <> all (restricted_at)) or case when (select app_hidden_families()) = '{}' then county_fips
  else open_county_fips end = any ((select app_counties())::text[]) or patient_id = (select app_patient()))
  or case_report_id is not null and disease_family <> all ((select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or case_county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy document_history_change on document_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy document_history_remove on document_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy document_file_all on document_file
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account()) or (select app_service())))
  and coalesce((select app_scope()), '') <> 'patient');

create policy document_piece_all on document_piece
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy telemedicine_visit_all on telemedicine_visit
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy telemedicine_visit_history_read on telemedicine_visit_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy telemedicine_visit_history_add on telemedicine_visit_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy telemedicine_visit_history_change on telemedicine_visit_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy telemedicine_visit_history_remove on telemedicine_visit_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy telemedicine_visit_transition_all on telemedicine_visit_transition
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy provider_time_all on provider_time
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())))
  and coalesce((select app_scope()), '') <> 'patient');

create policy provider_availability_read on provider_availability for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy provider_availability_add on provider_availability for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())
  and account_id = (select app_account()))) and coalesce((select app_scope()), '') <> 'patient');
create policy provider_availability_change on provider_availability for update
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())
  and account_id = (select app_account()))) and coalesce((select app_scope()), '') <> 'patient');
create policy provider_availability_remove on provider_availability for delete
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())
  and account_id = (select app_account()))) and coalesce((select app_scope()), '') <> 'patient');

create policy contact_all_read on contact for select
  using (tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]))));
create policy contact_add on contact for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy contact_change on contact for update
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy contact_remove on contact for delete
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy contact_read on contact for select
  using (tenant_id = (select app_tenant()) and patient_id = (select app_patient()) and status = 'under-follow-up'
  and not (select app_guardian()));

create policy contact_history_read on contact_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy contact_history_add on contact_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy contact_history_change on contact_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy contact_history_remove on contact_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy contact_transition_all on contact_transition
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy case_follow_up_all_read on case_follow_up for select
  using (tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]))));
create policy case_follow_up_add on case_follow_up for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy case_follow_up_change on case_follow_up for update
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy case_follow_up_remove on case_follow_up for delete
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy case_follow_up_read on case_follow_up for select
  using (tenant_id = (select app_tenant()) and patient_id = (select app_patient()) and status = 'under-follow-up'
  and not (select app_guardian()) or tenant_id = (select app_tenant()) and case_report_id = (select app_glass_case()));

create policy case_follow_up_history_read on case_follow_up_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]))) or tenant_id = (select app_tenant())
  and case_report_id = (select app_glass_case())) and coalesce((select app_scope()), '') <> 'patient');
create policy case_follow_up_history_add on case_follow_up_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy case_follow_up_history_change on case_follow_up_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy case_follow_up_history_remove on case_follow_up_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy case_follow_up_transition_all on case_follow_up_transition
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy partner_service_all on partner_service
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy partner_service_history_read on partner_service_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy partner_service_history_add on partner_service_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy partner_service_history_change on partner_service_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy partner_service_history_remove on partner_service_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy partner_service_transition_all on partner_service_transition
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy follow_up_entry_read on follow_up_entry for select
  using (tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]))) or tenant_id = (select app_tenant())
  and patient_id = (select app_patient()) and account_id = (select app_account()) and outcome = 'answered'
  or record_kind = 'case-follow-up' and tenant_id = (select app_tenant())
  and case_report_id = (select app_glass_case()));
create policy follow_up_entry_add on follow_up_entry for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or disease_family <> all ((select app_hidden_families())::text[]) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[]))) and (outcome <> 'answered' or (select app_service())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy follow_up_entry_change on follow_up_entry for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy follow_up_entry_remove on follow_up_entry for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy own_report_read on own_report for select
  using (tenant_id = (select app_tenant()) and (account_id = (select app_account())
  and (select app_patient()) is not null or (select app_service())));
create policy own_report_add on own_report for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy own_report_change on own_report for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy own_report_remove on own_report for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy field_visit_all on field_visit
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy field_visit_history_read on field_visit_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy field_visit_history_add on field_visit_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy field_visit_history_change on field_visit_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy field_visit_history_remove on field_visit_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy field_visit_transition_all on field_visit_transition
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');

create policy field_visit_attempt_read on field_visit_attempt for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy field_visit_attempt_add on field_visit_attempt for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (disease_family is null
  or disease_family <> all ((select app_hidden_families())::text[])) and (disease_families is null
  or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F')) or
  case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[])))) and coalesce((select app_scope()), '') <> 'patient');
create policy field_visit_attempt_change on field_visit_attempt for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy field_visit_attempt_remove on field_visit_attempt for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy shipment_read on shipment for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or origin_id = (select app_org('F'))
  or origin_organization_id = (select app_org('O')) or sent_on is not null and (destination_id = (select app_org('F'))
  or destination_organization_id = (select app_org('O'))))) and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_add on shipment for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_change on shipment for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_remove on shipment for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy shipment_history_read on shipment_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or origin_id = (select app_org('F'))
  or origin_organization_id = (select app_org('O')) or sent_on is not null and (destination_id = (select app_org('F'))
  or destination_organization_id = (select app_org('O'))))) and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_history_add on shipment_history for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_history_change on shipment_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_history_remove on shipment_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy shipment_transition_read on shipment_transition for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or origin_id = (select app_org('F'))
  or origin_organization_id = (select app_org('O')) or sent_on is not null and (destination_id = (select app_org('F'))
  or destination_organization_id = (select app_org('O'))))) and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_transition_add on shipment_transition for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_transition_change on shipment_transition for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_transition_remove on shipment_transition for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy shipment_specimen_read on shipment_specimen for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or origin_id = (select app_org('F'))
  or origin_organization_id = (select app_org('O')) or sent_on is not null and (destination_id = (select app_org('F'))
  or destination_organization_id = (select app_org('O')))) and ((select app_unrestricted()) or families = '{}'
  or not families <@ (select app_hidden_families())::text[])) and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_specimen_add on shipment_specimen for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_specimen_change on shipment_specimen for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy shipment_specimen_remove on shipment_specimen for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy custody_event_read on custody_event for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or origin_id = (select app_org('F'))
  or origin_organization_id = (select app_org('O')) or sent_on is not null and (destination_id = (select app_org('F'))
  or destination_organization_id = (select app_org('O')))) and ((select app_unrestricted()) or families = '{}'
  or not families <@ (select app_hidden_families())::text[])) and coalesce((select app_scope()), '') <> 'patient');
create policy custody_event_add on custody_event for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy custody_event_change on custody_event for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy custody_event_remove on custody_event for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy storage_place_read on storage_place for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or facility_id = (select app_org('F'))
  or facility_id = any ((select app_organization_facilities())::uuid[])) and ((select app_unrestricted())
  or families = '{}' or not families <@ (select app_hidden_families())::text[]))
  and coalesce((select app_scope()), '') <> 'patient');
create policy storage_place_add on storage_place for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy storage_place_change on storage_place for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy storage_place_remove on storage_place for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy storage_move_read on storage_move for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or facility_id = (select app_org('F'))
  or facility_id = any ((select app_organization_facilities())::uuid[])) and ((select app_unrestricted())
  or families = '{}' or not families <@ (select app_hidden_families())::text[]))
  and coalesce((select app_scope()), '') <> 'patient');
create policy storage_move_add on storage_move for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy storage_move_change on storage_move for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy storage_move_remove on storage_move for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy work_task_all on work_task
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or record_id is null
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or (select app_org('O')) = any (organization_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('O')) <> all (restricted_at))
  or (select app_org('F')) = any (facility_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('F')) <> all (restricted_at)) or case when (select app_hidden_families()) = '{}' then county_fips
  else open_county_fips end = any ((select app_counties())::text[]) or patient_id = (select app_patient()))
  or record_id is not null and (disease_family <> all ((select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or record_id = (select app_glass_case()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy work_task_read on work_task for select
  using ((tenant_id = (select app_tenant()) and record_id is null and patient_id = (select app_glass_patient()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy work_task_history_read on work_task_history for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or subject_id is null
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or (select app_org('O')) = any (organization_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('O')) <> all (restricted_at))
  or (select app_org('F')) = any (facility_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('F')) <> all (restricted_at)) or case when (select app_hidden_families()) = '{}' then county_fips
  else open_county_fips end = any ((select app_counties())::text[]) or patient_id = (select app_patient()))
  or subject_id is not null and (disease_family <> all ((select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or subject_id = (select app_glass_case())))
  or tenant_id = (select app_tenant()) and subject_id is null and patient_id = (select app_glass_patient()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy work_task_history_add on work_task_history for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or subject_id is null
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or (select app_org('O')) = any (organization_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('O')) <> all (restricted_at))
  or (select app_org('F')) = any (facility_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('F')) <> all (restricted_at)) or case when (select app_hidden_families()) = '{}' then county_fips
  else open_county_fips end = any ((select app_counties())::text[]) or patient_id = (select app_patient()))
  or subject_id is not null and (disease_family <> all ((select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or subject_id = (select app_glass_case()))))
  and coalesce((select app_scope()), '') <> 'patient');
create policy work_task_history_change on work_task_history for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy work_task_history_remove on work_task_history for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy record_clock_all on record_clock
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or record_id = (select app_glass_case())) ))
  and coalesce((select app_scope()), '') <> 'patient');

create policy case_report_transition_all on case_report_transition
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or (disease_family <> all ((select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or organization_id = (select app_org('O')) or facility_id = (select app_org('F'))
  or county_fips = any ((select app_counties())::text[])) or record_id = (select app_glass_case())) ))
  and coalesce((select app_scope()), '') <> 'patient');

create policy break_glass_read on break_glass for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_scope()) = 'org'
  and account_id = (select app_account()))) and coalesce((select app_scope()), '') <> 'patient');
create policy break_glass_add on break_glass for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy break_glass_change on break_glass for update
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy held_result_rule_read on held_result_rule for select
  using (tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())
  or (select app_patient()) is not null));
create policy held_result_rule_add on held_result_rule for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy held_result_rule_change on held_result_rule for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy held_result_rule_remove on held_result_rule for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy patient_consent_read on patient_consent for select
  using (tenant_id = (select app_tenant()) and ((select app_unrestricted()) or ((disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient())) or patient_id = (select app_glass_patient()))));
create policy patient_consent_add on patient_consent for insert
  with check (tenant_id = (select app_tenant()) and ((disease_families = '{}'
  or not disease_families <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select app_org('O')) = any (organization_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('O')) <> all (restricted_at)) or (select app_org('F')) = any (facility_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
  or case when (select app_hidden_families()) = '{}' then county_fips else open_county_fips end = any ((select
  app_counties())::text[]) or patient_id = (select app_patient())) or patient_id = (select app_glass_patient()))
  and not (select app_guardian()));
create policy patient_consent_change on patient_consent for update
  using (tenant_id = (select app_tenant()) and (select app_service()));

create policy guardian_link_all on guardian_link
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy portal_invitation_read on portal_invitation for select
  using (((select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and ((select app_unrestricted())
  or ((disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and ((select app_whole_tenant()) or (select app_org('O')) = any (organization_ids)
  and (not disease_families && (select app_hidden_families())::text[] or (select app_org('O')) <> all (restricted_at))
  or (select app_org('F')) = any (facility_ids) and (not disease_families && (select app_hidden_families())::text[]
  or (select app_org('F')) <> all (restricted_at)) or case when (select app_hidden_families()) = '{}' then county_fips
  else open_county_fips end = any ((select app_counties())::text[]) or patient_id = (select app_patient()))
  or patient_id = (select app_glass_patient())))) and coalesce((select app_scope()), '') <> 'patient');
create policy portal_invitation_add on portal_invitation for insert
  with check (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
create policy portal_invitation_change on portal_invitation for update
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy search_key_read on search_key for select
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (apart is null or (not apart ? 'closed'
  or (select app_hidden_families()) = '{}') and (apart ? 'all'
  or coalesce((select current_setting('app.org_type', true)), '') not in ('O', 'F')
  or (select coalesce(app_org('O'), app_org('F'))) = any (places))) and ((families = ''
  or not string_to_array(families, ',') <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select coalesce(app_org('O'), app_org('F'))) = any (places)
  and (not string_to_array(families, ',') && (select app_hidden_families())::text[]
  or not coalesce(apart -> 'at' ? (select current_setting('app.org_id', true)), false))
  or case when (select app_hidden_families()) = '{}' or county not like '%/%' then split_part(county, '/', 1) else
  split_part(county, '/', 2) end = any ((select app_counties())::text[]))
  or record_id = case record_kind when 'patient' then (select app_glass_patient()) else (select app_glass_case()) end)))
  and coalesce((select app_scope()), '') <> 'patient');
create policy search_key_add on search_key for insert
  with check ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (apart is null
  or (not apart ? 'closed' or (select app_hidden_families()) = '{}') and (apart ? 'all'
  or coalesce((select current_setting('app.org_type', true)), '') not in ('O', 'F')
  or (select coalesce(app_org('O'), app_org('F'))) = any (places))) and ((families = ''
  or not string_to_array(families, ',') <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select coalesce(app_org('O'), app_org('F'))) = any (places)
  and (not string_to_array(families, ',') && (select app_hidden_families())::text[]
  or not coalesce(apart -> 'at' ? (select current_setting('app.org_id', true)), false))
  or case when (select app_hidden_families()) = '{}' or county not like '%/%' then split_part(county, '/', 1) else
  split_part(county, '/', 2) end = any ((select app_counties())::text[]))
  or record_id = case record_kind when 'patient' then (select app_glass_patient()) else (select app_glass_case()) end))
  and (select app_service())) and coalesce((select app_scope()), '') <> 'patient');
create policy search_key_change on search_key for update
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (apart is null or (not apart ? 'closed'
  or (select app_hidden_families()) = '{}') and (apart ? 'all'
  or coalesce((select current_setting('app.org_type', true)), '') not in ('O', 'F')
  or (select coalesce(app_org('O'), app_org('F'))) = any (places))) and ((families = ''
  or not string_to_array(families, ',') <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select coalesce(app_org('O'), app_org('F'))) = any (places)
  and (not string_to_array(families, ',') && (select app_hidden_families())::text[]
  or not coalesce(apart -> 'at' ? (select current_setting('app.org_id', true)), false))
  or case when (select app_hidden_families()) = '{}' or county not like '%/%' then split_part(county, '/', 1) else
  split_part(county, '/', 2) end = any ((select app_counties())::text[]))
  or record_id = case record_kind when 'patient' then (select app_glass_patient()) else (select app_glass_case()) end)))
  and coalesce((select app_scope()), '') <> 'patient');
create policy search_key_remove on search_key for delete
  using ((tenant_id = (select app_tenant()) and ((select app_unrestricted()) or (apart is null or (not apart ? 'closed'
  or (select app_hidden_families()) = '{}') and (apart ? 'all'
  or coalesce((select current_setting('app.org_type', true)), '') not in ('O', 'F')
  or (select coalesce(app_org('O'), app_org('F'))) = any (places))) and ((families = ''
  or not string_to_array(families, ',') <@ (select app_hidden_families())::text[]) and ((select app_whole_tenant())
  or (select coalesce(app_org('O'), app_org('F'))) = any (places)
  and (not string_to_array(families, ',') && (select app_hidden_families())::text[]
  or not coalesce(apart -> 'at' ? (select current_setting('app.org_id', true)), false))
  or case when (select app_hidden_families()) = '{}' or county not like '%/%' then split_part(county, '/', 1) else
  split_part(county, '/', 2) end = any ((select app_counties())::text[]))
  or record_id = case record_kind when 'patient' then (select app_glass_patient()) else (select app_glass_case()) end)))
  and coalesce((select app_scope()), '') <> 'patient');

create policy saved_filter_all on saved_filter
  using ((tenant_id = (select app_tenant()) and account_id = (select app_account()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy saved_filter_read on saved_filter for select
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account())
  or org_id = nullif(current_setting('app.org_id', true), '')::uuid))
  and coalesce((select app_scope()), '') <> 'patient');

create policy grid_preference_all on grid_preference
  using ((tenant_id = (select app_tenant()) and account_id = (select app_account()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy bulk_action_all on bulk_action
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account()) or (select app_service())))
  and coalesce((select app_scope()), '') <> 'patient');

create policy bulk_refusal_all on bulk_refusal
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account()) or (select app_service())))
  and coalesce((select app_scope()), '') <> 'patient');

create policy exported_file_all on exported_file
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account()) or (select app_service())))
  and coalesce((select app_scope()), '') <> 'patient');

create policy exported_piece_all on exported_piece
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy notification_read on notification for select
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account()) or (select app_service())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy notification_add on notification for insert
  with check ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy notification_change on notification for update
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account()) or (select app_service())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy notification_remove on notification for delete
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy notification_way_all on notification_way
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account()) or (select app_service())))
  and coalesce((select app_scope()), '') <> 'patient');

create policy analytics_preset_read on analytics_preset for select
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account())
  or shared_with_org = nullif(current_setting('app.org_id', true), '')::uuid))
  and coalesce((select app_scope()), '') <> 'patient');
create policy analytics_preset_add on analytics_preset for insert
  with check ((tenant_id = (select app_tenant()) and account_id = (select app_account()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy analytics_preset_change on analytics_preset for update
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account())
  or shared_with_org = nullif(current_setting('app.org_id', true), '')::uuid))
  and coalesce((select app_scope()), '') <> 'patient');
create policy analytics_preset_remove on analytics_preset for delete
  using ((tenant_id = (select app_tenant()) and (account_id = (select app_account())
  or shared_with_org = nullif(current_setting('app.org_id', true), '')::uuid))
  and coalesce((select app_scope()), '') <> 'patient');

create policy role_opening_read on role_opening for select
  using ((tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())))
  and coalesce((select app_scope()), '') <> 'patient');
create policy role_opening_add on role_opening for insert
  with check ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy role_opening_change on role_opening for update
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy role_opening_remove on role_opening for delete
  using ((tenant_id = (select app_tenant()) and (select app_whole_tenant()))
  and coalesce((select app_scope()), '') <> 'patient');

create policy outbox_all on outbox
  using ((tenant_id = (select app_tenant()) and (select app_service()))
  and coalesce((select app_scope()), '') <> 'patient');
create policy outbox_add on outbox for insert
  with check ((tenant_id = (select app_tenant())) and coalesce((select app_scope()), '') <> 'patient');

create policy change_counter_all on change_counter
  using ((tenant_id = (select app_tenant())) and coalesce((select app_scope()), '') <> 'patient');

create policy replica_owner_all on replica_owner
  using (((select app_scope()) = 'system') and coalesce((select app_scope()), '') <> 'patient');

create policy audit_event_read on audit_event for select
  using (tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or org_type = current_setting('app.org_type', true)
  and org_id = nullif(current_setting('app.org_id', true), '')::uuid));
create policy audit_event_add on audit_event for insert
  with check (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');

create policy audit_record_read on audit_record for select
  using (tenant_id = (select app_tenant()) and ((select app_whole_tenant())
  or org_type = current_setting('app.org_type', true)
  and org_id = nullif(current_setting('app.org_id', true), '')::uuid));
create policy audit_record_add on audit_record for insert
  with check (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');

create policy audit_chain_all on audit_chain
  using (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');

create policy audit_archive_read on audit_archive for select
  using ((tenant_id = (select app_tenant())) and coalesce((select app_scope()), '') <> 'patient');
create policy audit_archive_add on audit_archive for insert
  with check (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');

create policy audit_decoy_all on audit_decoy
  using (((select app_scope()) = 'identity') and coalesce((select app_scope()), '') <> 'patient');
