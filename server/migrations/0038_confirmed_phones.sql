-- A number that an administrator typed says where somebody of the staff may be reached. Whoever has that telephone could
-- be anybody, so nobody signs in with it before the person has confirmed it. Patients' numbers come with an invitation
-- that two people made sure of.
alter table account add column phone_confirmed boolean not null default false;
-- Row-level security holds for who owns the tables as well.
alter table account no force row level security;
alter table contact_change no force row level security;
update account a set phone_confirmed = true where exists (
  select from contact_change c
  where c.account_id = a.id and c.kind = 'PHONE' and c.value = a.phone and c.completed_at is not null);
alter table account force row level security;
alter table contact_change force row level security;
-- The number that codes go to, and by which somebody is known who signs in.
alter table account add column sign_in_phone text
  generated always as (case when phone_confirmed or patient_id is not null then phone end) stored;
drop index account_phone;
create index account_sign_in_phone on account (sign_in_phone) where sign_in_phone is not null;
