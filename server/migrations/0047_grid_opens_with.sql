-- The view with which a list opens for a person, who may never have arranged its columns: the id of a saved view, or the
-- name of a tab that every list has.
alter table grid_preference alter column columns drop not null;
alter table grid_preference add column opens_with text;
