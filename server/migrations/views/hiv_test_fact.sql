-- Printed by npm run db:types from the declaration of the fact: change that, not this.
create view hiv_test_fact with (security_invoker = true) as
select
  r.tenant_id,
  r.id,
  r.patient_id,
  r.organization_id,
  r.facility_id,
  r.program_type_id,
  r.program_id,
  r.task_id,
  r.county_fips,
  r.disease_family,
  r.condition_code,
  r.test_name,
  app_fold(r.test_name) collate "C" as test_name_key,
  r.assay,
  app_fold(btrim(r.assay)) collate "C" as assay_key,
  r.result_category,
  r.status,
  r.result_category not in ('pending', 'not-done', 'quantitative') and r.status <> 'withdrawn'
    and not (coalesce(r.method, '') in ('narrative', 'susceptibility', 'routine', 'antibody-band', 'question', 'control', 'panel')
      or coalesce(r.method, '') = 'quantity' and r.disease_family is null
      or coalesce(r.method, '') = 'resistance' and r.condition_code is null) as performed,
  r.specimen_site,
  app_fold(r.specimen_site) collate "C" as specimen_site_key,
  cast('{"1797002":"nose","13648007":"urethra","29445007":"conjunctiva","34402009":"rectum","39607008":"lower-respiratory","45206002":"nose","53342003":"nose","54066008":"pharynx","71252005":"cervix","71836000":"nasopharynx","76784001":"vagina","87100004":"UNK","rectum":"rectum","rec":"rectum","rectal":"rectum","anal":"rectum","anus":"rectum","anorectal":"rectum","recto":"rectum","ano":"rectum","rektom":"rectum","pharynx":"pharynx","throat":"pharynx","pharyngeal":"pharynx","oropharyngeal":"pharynx","oral":"pharynx","faringe":"pharynx","garganta":"pharynx","goj":"pharynx","urethra":"urethra","urethral":"urethra","penile":"urethra","uretra":"urethra","vagina":"vagina","vaginal":"vagina","vajen":"vagina","cervix":"cervix","cervical":"cervix","endocervical":"cervix","cuello uterino":"cervix","kol matris":"cervix","urine":"urine","urinary":"urine","orina":"urine","pipi":"urine","irin":"urine","genital-lesion":"genital-lesion","genital lesion":"genital-lesion","lesion":"genital-lesion","ulcer":"genital-lesion","genital ulcer":"genital-lesion","ulcera":"genital-lesion","maleng":"genital-lesion","skin-lesion":"skin-lesion","skin lesion":"skin-lesion","rash":"skin-lesion","vesicle":"skin-lesion","crust":"skin-lesion","lesion de piel":"skin-lesion","maleng po":"skin-lesion","conjunctiva":"conjunctiva","conjunctival":"conjunctiva","eye":"conjunctiva","conjuntiva":"conjunctiva","ojo":"conjunctiva","je":"conjunctiva","nasopharynx":"nasopharynx","nasopharyngeal":"nasopharynx","np":"nasopharynx","nasofaringe":"nasopharynx","nazofarenks":"nasopharynx","nose":"nose","nasal":"nose","anterior nares":"nose","nares":"nose","nariz":"nose","nen":"nose","blood":"blood","venous":"blood","serum":"blood","plasma":"blood","sangre":"blood","san":"blood","cerebrospinal":"cerebrospinal","cerebrospinal fluid":"cerebrospinal","csf":"cerebrospinal","spinal":"cerebrospinal","liquido cefalorraquideo":"cerebrospinal","likid sefalorachidyen":"cerebrospinal","lower-respiratory":"lower-respiratory","lower respiratory tract":"lower-respiratory","lung":"lower-respiratory","bronchial":"lower-respiratory","lower respiratory":"lower-respiratory","pulmon":"lower-respiratory","poumon":"lower-respiratory","stool":"stool","feces":"stool","faeces":"stool","heces":"stool","poupou":"stool","wound":"wound","abscess":"wound","herida":"wound","blese":"wound","other":"other","another site":"other","oth":"other","otro":"other","lot":"other","unk":"UNK","unknown":"UNK","unspecified":"UNK","desconocido":"UNK","enkoni":"UNK"}' as jsonb) ->> app_fold(btrim(r.specimen_site)) as anatomic_site,
  app_fold(r.accession) collate "C" as accession_key,
  cast(r.age_years as integer) as age_years,
  (array['0-0', '1-4', '5-9', '10-14', '15-19', '20-24', '25-29', '30-34', '35-39', '40-44', '45-54', '55-64', '65-74', '75-84', '85+'])[width_bucket(cast(r.age_years as integer), array[0, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 55, 65, 75, 85])] as age_band,
  r.collected_on,
  r.received_on,
  r.resulted_on,
  r.reported_on,
  r.created_on,
  case when r.received_at >= r.collected_at + interval '1 day'
      then cast(floor(date_part('epoch', r.received_at - r.collected_at) / 3600) as integer) * 10
    when r.received_at >= r.collected_at then cast(floor(date_part('epoch', r.received_at - r.collected_at) / 360) as integer) end as tenths_collected_to_received,
  case when r.resulted_at >= r.received_at + interval '1 day'
      then cast(floor(date_part('epoch', r.resulted_at - r.received_at) / 3600) as integer) * 10
    when r.resulted_at >= r.received_at then cast(floor(date_part('epoch', r.resulted_at - r.received_at) / 360) as integer) end as tenths_received_to_resulted,
  case when r.resulted_at >= r.collected_at + interval '1 day'
      then cast(floor(date_part('epoch', r.resulted_at - r.collected_at) / 3600) as integer) * 10
    when r.resulted_at >= r.collected_at then cast(floor(date_part('epoch', r.resulted_at - r.collected_at) / 360) as integer) end as tenths_collected_to_resulted,
  p.sex_at_birth as sex,
  case when p.told_openly is null then p.sex_at_birth else p.told_openly ->> 'sex_at_birth' end as open_sex,
  case when (select app_gender_identity_shown()) then p.gender_identity end as gender,
  case when (select app_gender_identity_shown()) then case when p.told_openly is null then p.gender_identity else p.told_openly ->> 'gender_identity' end end as open_gender,
  p.race,
  case when p.told_openly is null then p.race else p.told_openly ->> 'race' end as open_race,
  p.ethnicity,
  case when p.told_openly is null then p.ethnicity else p.told_openly ->> 'ethnicity' end as open_ethnicity,
  coalesce(p.sex_at_birth <> 'U' and r.age_years >= 0 and p.race <> 'UNK' and p.ethnicity <> 'UNK', false) as demographics_known,
  case when p.told_openly is null then coalesce(p.sex_at_birth <> 'U' and r.age_years >= 0 and p.race <> 'UNK' and p.ethnicity <> 'UNK', false) else coalesce(p.told_openly ->> 'sex_at_birth' <> 'U' and r.age_years >= 0 and p.told_openly ->> 'race' <> 'UNK' and p.told_openly ->> 'ethnicity' <> 'UNK', false) end as open_demographics_known,
  app_fold(r.provider_name) collate "C" as provider_name_key,
  r.provider_npi,
  app_fold(r.notes) collate "C" as notes_key,
  app_person_number(p.id) as patient_number,
  p.county_fips as patient_county_fips,
  case when p.told_openly is null then p.county_fips else p.told_openly ->> 'county_fips' end as open_patient_county_fips,
  p.organization_ids as patient_organization_ids,
  p.facility_ids as patient_facility_ids,
  p.told_by as patient_told_by,
  p.half,
  cast(app_person_number(p.id) & 63 as integer) as person_place,
  r.test_loinc,
  r.method,
  r.county_borrowed
from result r
join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id
where r.superseded_by is null and r.disease_family = 'hiv' and coalesce(r.method, '') not in ('viral-load', 'quantity', 'genotype', 'resistance');
