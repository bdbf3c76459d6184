import { asSuperuser } from './database.ts';

/**
 * Everything in a database except its rows, as sorted lines: two databases with the same lines work in the same way.
 * The order of columns is left out, because a column that was added later is the last one, and so are the monthly
 * partitions.
 */
export async function catalogueOf(superuserUrl: string): Promise<string[]> {
  const lines = await asSuperuser<{ line: string }>(
    `with relation as (
       select c.oid::regclass::text as name, c.oid, c.relname, c.relkind, c.relowner, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, c.relpartbound, c.relacl from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relname !~ '_[0-9]{4}_[0-9]{2}')
     select concat_ws(' | ', 'relation', name, relkind, relowner::regrole, 'security', relrowsecurity, relforcerowsecurity,
       array_to_string(reloptions, ','), pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid), obj_description(oid),
       array_to_string(array(select a::text from unnest(relacl) a order by 1), ',')) as line
     from relation where relkind <> 'i' and relkind <> 'I'
     union all
     select concat_ws(' | ', 'column', r.name, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
       case when a.attcollation <> t.typcollation then a.attcollation::regcollation end, a.attgenerated, a.attidentity,
       a.attstorage, 'statistics ' || coalesce(a.attstattarget, -1), pg_get_expr(d.adbin, d.adrelid), col_description(r.oid, a.attnum),
       array_to_string(array(select g::text from unnest(a.attacl) g order by 1), ','))
     from relation r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
     join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
     where r.relkind not in ('i', 'I')
     union all
     select concat_ws(' | ', 'constraint', r.name, k.conname, k.condeferrable, k.convalidated, pg_get_constraintdef(k.oid))
     from relation r join pg_constraint k on k.conrelid = r.oid where k.contype <> 'n'
     union all
     select concat_ws(' | ', 'index', i.indrelid::regclass, pg_get_indexdef(r.oid), i.indisvalid)
     from relation r join pg_index i on i.indexrelid = r.oid
     union all
     select concat_ws(' | ', 'policy', r.name, p.polname, p.polpermissive, p.polcmd, array(select x::regrole::text from unnest(p.polroles) x order by 1),
       'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid))
     from relation r join pg_policy p on p.polrelid = r.oid
     union all
     select concat_ws(' | ', 'view', r.name, pg_get_viewdef(r.oid)) from relation r where r.relkind in ('v', 'm')
     union all
     select concat_ws(' | ', 'function', p.oid::regprocedure, p.proowner::regrole, pg_get_functiondef(p.oid), obj_description(p.oid),
       array_to_string(array(select a::text from unnest(p.proacl) a order by 1), ','))
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a'
       and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')
     union all
     select concat_ws(' | ', 'trigger', r.name, pg_get_triggerdef(t.oid)) from relation r join pg_trigger t on t.tgrelid = r.oid
     where not t.tgisinternal`,
    [],
    superuserUrl,
  );
  return lines.map(({ line }) => line.replaceAll(/\s+/g, ' ')).sort();
}
