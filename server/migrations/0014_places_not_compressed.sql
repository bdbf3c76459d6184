-- Every batch of an import writes anew for which places a laboratory tests. Compressing that took longer than writing it.
-- Citus changes no storage of a table that is on its servers already; there it stays compressed.
do $places$
declare
  spread boolean := false;
begin
  if to_regclass('pg_dist_partition') is not null then
    execute $spread$ select exists (select from pg_dist_partition where logicalrelid = 'facility'::regclass) $spread$ into spread;
  end if;
  if not spread then
    alter table facility alter column seen_at set storage external;
  end if;
end
$places$;
