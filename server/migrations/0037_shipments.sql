-- Boxes of specimens on their way from one place to another.
create table shipment (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  number text not null,
  -- The latest case that one of its specimens belongs to, of no restricted family.
  case_id text collate "C",
  state text not null default 'draft' check (state in
    ('draft', 'packed', 'in-transit', 'receiving', 'received', 'reconciled', 'lost', 'cancelled')),
  -- By which version of the workflow it came to its state.
  flow_version integer,
  origin_id uuid not null,
  destination_id uuid not null,
  temperature text not null,
  carrier text,
  tracking_number text,
  expected_on date,
  note text,
  packed_on date,
  sent_on date,
  received_on date,
  created_on date not null,
  created_at timestamptz not null default now(),
  -- When it was reconciled, lost or cancelled.
  ended_at timestamptz,
  -- Who sees it besides the facilities: the organizations that these belong to.
  origin_organization_id uuid,
  destination_organization_id uuid,
  primary key (tenant_id, id)
);
alter table shipment add foreign key (tenant_id) references tenant;
create unique index shipment_number on shipment (tenant_id, number);
create index shipment_case on shipment (tenant_id, case_id desc nulls last, id);
create index shipment_origin on shipment (tenant_id, origin_id, case_id desc nulls last, id);
create index shipment_destination on shipment (tenant_id, destination_id, case_id desc nulls last, id);

-- What each version of a shipment changed.
create table shipment_history (
  tenant_id uuid not null,
  record_id uuid not null,
  version integer not null,
  at timestamptz not null default now(),
  -- Null for the system.
  account_id uuid,
  changes jsonb not null,
  undoes integer,
  action_id uuid,
  version_within integer,
  changes_within jsonb,
  undoes_within integer,
  -- The transition that it was, by which version of the workflow, and why.
  transition text,
  reason text,
  flow_version integer,
  -- Who sees it: as the shipment.
  origin_id uuid,
  origin_organization_id uuid,
  destination_id uuid,
  destination_organization_id uuid,
  sent_on date,
  primary key (tenant_id, record_id, version)
);
alter table shipment_history add foreign key (tenant_id, record_id) references shipment;

-- What is in a shipment, and what was found in it though nobody expected it.
create table shipment_specimen (
  tenant_id uuid not null,
  shipment_id uuid not null,
  id uuid not null,
  -- Null where nobody expected it.
  specimen_id uuid,
  -- What stands on its label.
  code text not null,
  packed_at timestamptz not null default now(),
  received_at timestamptz,
  received_by uuid,
  how text check (how in ('scanned', 'ticked')),
  condition text check (condition in ('good', 'damaged', 'leaked')),
  note text,
  -- Who sees it: as the shipment, without specimens of families that are hidden from the reader.
  origin_id uuid,
  origin_organization_id uuid,
  destination_id uuid,
  destination_organization_id uuid,
  sent_on date,
  families text[] not null default '{}',
  -- The state of the shipment.
  state text not null default 'draft',
  primary key (tenant_id, shipment_id, id)
);
alter table shipment_specimen add foreign key (tenant_id, shipment_id) references shipment;
alter table shipment_specimen add foreign key (tenant_id, specimen_id) references specimen;
-- A specimen is in one shipment at a time.
create unique index shipment_specimen_open on shipment_specimen (tenant_id, specimen_id)
  where state not in ('reconciled', 'lost', 'cancelled');
create index shipment_specimen_of on shipment_specimen (specimen_id, tenant_id);

-- Who has had a shipment or one of its specimens in hand: never changed.
create table custody_event (
  tenant_id uuid not null,
  shipment_id uuid not null,
  id uuid not null,
  specimen_id uuid,
  deed text not null,
  code text not null,
  condition text,
  note text,
  at timestamptz not null default now(),
  account_id uuid,
  origin_id uuid,
  origin_organization_id uuid,
  destination_id uuid,
  destination_organization_id uuid,
  sent_on date,
  families text[] not null default '{}',
  primary key (tenant_id, shipment_id, id)
);
alter table custody_event add foreign key (tenant_id, shipment_id) references shipment;
create index custody_event_specimen on custody_event (specimen_id, tenant_id);

-- A feature and permissions of their own, for the roles that every tenant began with.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.id, o.obj, 'sample-shipments/' || a.act, 'allow'
from role r
join (values ('epidemiologist', '{read,export}'::text[], '{T,O}'::text[]),
  ('laboratorian', '{read,write,export}', '{T,O,F}'),
  ('data-entry', '{read,write}', '{T,O,F}'),
  ('clinician', '{read,write}', '{T,O,F}'),
  ('organization-administrator', '{read,write}', '{O}'),
  ('facility-user', '{read,write}', '{F}')) as g (code, acts, kinds) on g.code = r.code
cross join lateral unnest(g.acts) as a (act)
cross join lateral unnest(g.kinds) as o (obj)
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{sample-shipments}'
where not 'sample-shipments' = any (tenant_features);
