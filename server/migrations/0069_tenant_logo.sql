-- The logo of the department, a PNG without metadata, and the hash that is its address; null without one.
alter table tenant add column logo bytea;
alter table tenant add column logo_hash text;
alter table tenant add check (octet_length(logo) <= 262144);
alter table tenant add check ((logo is null) = (logo_hash is null));
