-- Equal rows of one table are each a row of their own: the how-many-eth of its kind a row is in its import. One that
-- was received before repeats the row of the same count. Messages are not counted: theirs is always 1.
alter table import_message add column occurrence integer not null default 1;
drop index import_message_hash;
create index import_message_hash on import_message (tenant_id, content_hash, occurrence) where state <> 'duplicate';
create index import_message_row on import_message (tenant_id, import_id, content_hash, occurrence)
  where message_type = 'row';
