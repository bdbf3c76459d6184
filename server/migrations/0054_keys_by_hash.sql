-- What an import looks up for each result. By a hash of the key alone: with the tenant before it, PostgreSQL expects no
-- result of a tenant that its statistics do not know, and every index that begins with tenant_id looks as good.
create index result_key on result using hash (source_key);
drop index result_superseded_key;
