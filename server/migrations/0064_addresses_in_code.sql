-- What was begun at an address that an account has no more is ended by the one function that changes addresses
-- (platform/auth/addresses.ts): tables that are spread over several servers have no triggers.
drop trigger account_address_changed on account;
drop function app_leave_sign_ins();
