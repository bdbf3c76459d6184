-- A browser in which somebody has signed in before has an allowance of its own for messages and wrong answers, so that
-- strangers cannot use up its owner's. The challenge keeps which browser it was begun in, where it is known.
alter table sign_in_challenge add column device uuid;
-- Finds the last codes of an account.
create index sign_in_challenge_account on sign_in_challenge (account_id, created_at) where account_id is not null;

-- Whose wrong answer it was, so that unlocking an account forgets those of its known browsers as well.
alter table sign_in_failure add column account_id uuid;
create index sign_in_failure_account on sign_in_failure (account_id) where account_id is not null;
