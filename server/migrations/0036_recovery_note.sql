-- For which tenant a recovery was declined: the note that was written with it is for nobody else to read.
alter table account_recovery add column ended_in uuid references tenant;
