-- The transition by which a version of a case was made, and why. Null: a change of fields, an import, or before this was kept.
alter table case_report_history add column transition text, add column reason text;
-- The transition that an action does to each of its records, and why; then its change has the fields that come with it.
alter table bulk_action add column transition text, add column reason text;
