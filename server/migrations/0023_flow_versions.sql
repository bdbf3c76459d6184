-- By which version of its workflow a case came to its status; null before its first transition, and before this was kept.
alter table case_report add column flow_version integer;
-- The version of the workflow when a version of the case was made.
alter table case_report_history add column flow_version integer;
