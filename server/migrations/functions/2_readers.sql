-- What policies ask about a row for which a comparison is not enough. None reads a table.

-- Whether the reader may see what only these have reported; null: everyone may.
create or replace function app_told(told_by uuid[]) returns boolean language sql stable parallel safe
  return coalesce(current_setting('app.org_type', true), '') not in ('O', 'F') or told_by is null
    or nullif(current_setting('app.org_id', true), '')::uuid = any (told_by);

-- Whether at one of the places there is something that is not of hidden families alone.
create or replace function app_seen_at(seen_at jsonb, places text[], hidden jsonb) returns boolean language sql immutable parallel safe
  return exists (select from unnest(places) as place where not (seen_at -> place) <@ hidden);

-- app_held for a reader who is the patient. `app.held_rules`: {"family|condition|category": whether it is held back}.
create or replace function app_held_from_me(family text, condition text, category text) returns boolean language sql stable parallel safe
  return coalesce(
    cast(cast(nullif(current_setting('app.held_rules', true), '') as jsonb) ->> (family || '|' || condition || '|' || category) as boolean),
    cast(cast(nullif(current_setting('app.held_rules', true), '') as jsonb) ->> (family || '||' || category) as boolean),
    family is null or family = 'hiv' and category <> 'negative');

-- Whether the patient who reads is told of one of the results.
create or replace function app_told_me(told text[]) returns boolean language sql stable parallel safe
  return exists (select from unnest(told) as one where one = app_patient()::text
    or split_part(one, '|', 1) = app_patient()::text and not app_held_from_me(
      nullif(split_part(one, '|', 2), ''), nullif(split_part(one, '|', 3), ''), split_part(one, '|', 4)));

-- Whether one of these messages is for the place, and may be seen: as a message is.
create or replace function app_waits(waiting_at text[], place text, hidden text[], account uuid) returns boolean
  language sql immutable parallel safe
  return exists (select from unnest(waiting_at) as one where split_part(one, '|', 1) = place
    and not string_to_array(split_part(one, '|', 3), ',') && hidden
    and (not '?' = any (string_to_array(split_part(one, '|', 3), ',')) or hidden = '{}'
      or split_part(one, '|', 2) = account::text));
