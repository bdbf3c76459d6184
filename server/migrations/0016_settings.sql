-- What the administrators of a tenant change on its settings screen. [S1.6]

alter table tenant
  -- Raised with every change, so that nobody overwrites what they have not seen.
  add column settings_version integer not null default 1,
  -- Steps of the first-run guide that somebody has called right as they are.
  add column guide_checked text[] not null default '{}';

-- Words in place of the product's own: on its screens …
create table label_override (
  tenant_id uuid not null references tenant,
  language text not null check (language in ('en', 'en-GB', 'es', 'ht')),
  -- `namespace:path`, as in the locales.
  key text not null,
  words text not null,
  primary key (tenant_id, language, key)
);
alter table label_override enable row level security;
alter table label_override force row level security;

-- … and in its messages.
create table mail_text (
  tenant_id uuid not null references tenant,
  kind text not null,
  language text not null check (language in ('en', 'en-GB', 'es', 'ht')),
  subject text not null,
  body text not null,
  primary key (tenant_id, kind, language)
);
alter table mail_text enable row level security;
alter table mail_text force row level security;

-- Every reader of the tenant is shown its words; messages are sent by the product itself.
create policy label_override_visible on label_override for select using (
  (select app_scope()) = 'identity'
  or tenant_id = (select app_tenant()) and ((select app_whole_tenant()) or (select app_reads_here())));
create policy mail_text_visible on mail_text for select using (
  (select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()));
do $$
declare
  t text;
  condition text := 'tenant_id = (select app_tenant()) and (select app_whole_tenant())';
begin
  foreach t in array array['label_override', 'mail_text'] loop
    execute format('create policy %1$s_added on %1$s for insert with check (%2$s)', t, condition);
    execute format('create policy %1$s_changed on %1$s for update using (%2$s)', t, condition);
    execute format('create policy %1$s_removed on %1$s for delete using (%2$s)', t, condition);
  end loop;
end $$;
