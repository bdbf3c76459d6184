-- People answer themselves how they are.
alter table follow_up_entry drop constraint follow_up_entry_outcome_check;
alter table follow_up_entry add check (outcome in ('seen', 'not-seen', 'not-attempted', 'answered'));
-- As many characters as the contract takes.
alter table follow_up_entry add check (char_length(note) <= 2000);
