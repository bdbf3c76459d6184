-- What a sign-in is answered goes by the name that was typed, whether anybody has it: two names of one account are
-- told nothing of each other. What is sent goes by the account. [P11, P12]

alter table sign_in_challenge
  -- Keyed hash of what was typed.
  add column named bytea,
  -- Whether this name alone would have had a message sent: what the answer's time for the next one is counted by.
  add column promised boolean not null default true;
-- Row-level security holds for who owns the tables as well.
select set_config('app.scope', 'identity', true);
update sign_in_challenge set named = subject, promised = sent;
select set_config('app.scope', '', true);
alter table sign_in_challenge alter column named set not null;
create index sign_in_challenge_named on sign_in_challenge (named, created_at);

-- A challenge that was begun while an account had another address or number is nobody's from then on: it is answered
-- like one of a name that nobody has, whatever code was read at the former place. Whoever else shared it keeps it.
create function app_leave_sign_ins() returns trigger language plpgsql as $$
begin
  update sign_in_challenge set candidates = array_remove(candidates, new.id),
    account_id = case when account_id = new.id then null else account_id end
  where (account_id = new.id or new.id = any (candidates)) and consumed_at is null and expires_at > now();
  -- Another change that was begun has asked at the former place too.
  update contact_change set expires_at = now()
  where account_id = new.id and completed_at is null and expires_at > now();
  return null;
end $$;
create trigger account_address_changed after update of email, phone on account for each row
  when (old.email is distinct from new.email or old.phone is distinct from new.phone)
  execute function app_leave_sign_ins();
