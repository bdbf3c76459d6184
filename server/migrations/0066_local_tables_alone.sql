-- What is of sign-in lies on the first server alone when tables are spread over several, and accounts lie on each: no key
-- can reach from the one to the other. Accounts and tenants are never deleted.
alter table account_recovery drop constraint account_recovery_account_id_fkey, drop constraint account_recovery_ended_in_fkey;
alter table contact_change drop constraint contact_change_account_id_fkey;
alter table passkey drop constraint passkey_account_id_fkey;
alter table recovery_approval drop constraint recovery_approval_account_id_fkey,
  drop constraint recovery_approval_tenant_id_fkey;
alter table recovery_code drop constraint recovery_code_account_id_fkey;
alter table session drop constraint session_account_id_fkey;
alter table totp_authenticator drop constraint totp_authenticator_account_id_fkey;
