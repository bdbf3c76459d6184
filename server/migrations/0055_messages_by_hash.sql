-- Messages that were received before are looked up by a hash of theirs alone, for the same reason as results.
create index import_message_content on import_message using hash (content_hash) where state <> 'duplicate';
drop index import_message_hash;
