-- People without a birth date are found by name and ZIP code under a key of their own: those who have one are looked
-- for there, and no longer among everybody of that name and place.

-- Row-level security holds for who owns the tables as well.
alter table patient no force row level security;
alter table patient_block no force row level security;
update patient_block b set key = 'n' || substr(b.key, 2) from patient p
where b.tenant_id = p.tenant_id and b.patient_id = p.id and p.birth_date is null and b.key like 'z:%';
alter table patient force row level security;
alter table patient_block force row level security;
