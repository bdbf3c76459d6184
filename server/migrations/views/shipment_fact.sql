-- Printed by npm run db:types from the declaration of the fact: change that, not this.
create view shipment_fact with (security_invoker = true) as
select
  s.tenant_id,
  cast(md5(s.id::text || e.side) as uuid) as id,
  s.id as shipment_id,
  s.state,
  s.temperature,
  s.created_on,
  s.sent_on,
  s.expected_on,
  s.received_on,
  case when e.side = 'sender' then s.origin_organization_id else s.destination_organization_id end as organization_id,
  case when e.side = 'sender' then s.origin_id else s.destination_id end as facility_id,
  s.id as box_id,
  cast(null as text) as disease_family,
  cast(null as text) as county_fips
from shipment s
cross join unnest(cast('{sender,destination}' as text[])) as e (side)
where e.side = 'sender' or s.sent_on is not null;
