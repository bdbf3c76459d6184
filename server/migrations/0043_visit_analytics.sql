-- Analytics of field visits and of telemedicine are features and permissions of their own: whoever sees the numbers of
-- tests sees these too, and a tenant that has these visits has their numbers.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select g.tenant_id, g.role_id, g.obj, a.act, g.eft from role_grant g
cross join (values ('field-visit-analytics/read'), ('telemedicine-analytics/read')) as a (act)
where g.act = 'testing-analytics/read'
on conflict do nothing;
-- Those who go to people, and those who hold visits by video, see the numbers of their own work.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.id, g.obj, g.act, 'allow'
from role r join (values
  ('disease-intervention-specialist', 'T', 'field-visit-analytics/read'),
  ('disease-intervention-specialist', 'O', 'field-visit-analytics/read'),
  ('disease-intervention-specialist', 'F', 'field-visit-analytics/read'),
  ('clinician', 'T', 'telemedicine-analytics/read'),
  ('clinician', 'O', 'telemedicine-analytics/read'),
  ('clinician', 'F', 'telemedicine-analytics/read')
) as g (code, obj, act) on g.code = r.code
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{field-visit-analytics}'
where 'field-visits' = any (tenant_features) and not 'field-visit-analytics' = any (tenant_features);
update tenant set tenant_features = tenant_features || '{telemedicine-analytics}'
where 'telemedicine' = any (tenant_features) and not 'telemedicine-analytics' = any (tenant_features);

-- The hour in which a visit begins where the tenant is, kept beside its day: two digits.
alter table telemedicine_visit add column start_hour text;
update telemedicine_visit v set start_hour =
  lpad(cast(cast(extract(hour from v.starts_at at time zone t.time_zone) as integer) as text), 2, '0')
from tenant t where t.id = v.tenant_id and v.starts_at is not null;
