-- Numbers for readers without exact rights are made from a fixed half of the persons, counted double (decision record
-- 0064). Each person's bit is drawn once, when the record is made, and is never shown. gen_random_uuid() draws from the
-- system's strong source, which random() does not. Rows that are there get a bit each.
alter table patient add column half boolean not null default get_byte(uuid_send(gen_random_uuid()), 0) % 2 = 0;

-- The 64 bits by which a number's persons are counted bear no more than 30, and fewer than 5 protect nobody.
update tenant set small_cell_threshold = least(greatest(small_cell_threshold, 5), 30)
where small_cell_threshold not between 5 and 30;
alter table tenant drop constraint tenant_small_cell_threshold_check;
alter table tenant add check (small_cell_threshold between 5 and 30);

-- Who administers a tenant can give what they have: true numbers without records too.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select tenant_id, id, 'T', 'analytics/exact', 'allow' from role where code = 'tenant-administrator'
on conflict do nothing;
update policy_version set version = version + 1;
