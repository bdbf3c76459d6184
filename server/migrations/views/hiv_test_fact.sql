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
  case app_fold(btrim(r.specimen_site))
    when 'rectum' then 'rectum'
    when '34402009' then 'rectum'
    when 'rec' then 'rectum'
    when 'rectal' then 'rectum'
    when 'anal' then 'rectum'
    when 'anus' then 'rectum'
    when 'anorectal' then 'rectum'
    when 'recto' then 'rectum'
    when 'ano' then 'rectum'
    when 'rektom' then 'rectum'
    when 'pharynx' then 'pharynx'
    when 'throat' then 'pharynx'
    when '54066008' then 'pharynx'
    when 'pharyngeal' then 'pharynx'
    when 'oropharyngeal' then 'pharynx'
    when 'oral' then 'pharynx'
    when 'faringe' then 'pharynx'
    when 'garganta' then 'pharynx'
    when 'goj' then 'pharynx'
    when 'urethra' then 'urethra'
    when '13648007' then 'urethra'
    when 'urethral' then 'urethra'
    when 'penile' then 'urethra'
    when 'uretra' then 'urethra'
    when 'vagina' then 'vagina'
    when '76784001' then 'vagina'
    when 'vaginal' then 'vagina'
    when 'vajen' then 'vagina'
    when 'cervix' then 'cervix'
    when '71252005' then 'cervix'
    when 'cervical' then 'cervix'
    when 'endocervical' then 'cervix'
    when 'cuello uterino' then 'cervix'
    when 'kol matris' then 'cervix'
    when 'urine' then 'urine'
    when 'urinary' then 'urine'
    when 'orina' then 'urine'
    when 'pipi' then 'urine'
    when 'irin' then 'urine'
    when 'genital-lesion' then 'genital-lesion'
    when 'genital lesion' then 'genital-lesion'
    when 'lesion' then 'genital-lesion'
    when 'ulcer' then 'genital-lesion'
    when 'genital ulcer' then 'genital-lesion'
    when 'ulcera' then 'genital-lesion'
    when 'maleng' then 'genital-lesion'
    when 'skin-lesion' then 'skin-lesion'
    when 'skin lesion' then 'skin-lesion'
    when 'rash' then 'skin-lesion'
    when 'vesicle' then 'skin-lesion'
    when 'crust' then 'skin-lesion'
    when 'lesion de piel' then 'skin-lesion'
    when 'maleng po' then 'skin-lesion'
    when 'conjunctiva' then 'conjunctiva'
    when '29445007' then 'conjunctiva'
    when 'conjunctival' then 'conjunctiva'
    when 'eye' then 'conjunctiva'
    when 'conjuntiva' then 'conjunctiva'
    when 'ojo' then 'conjunctiva'
    when 'je' then 'conjunctiva'
    when 'nasopharynx' then 'nasopharynx'
    when '71836000' then 'nasopharynx'
    when 'nasopharyngeal' then 'nasopharynx'
    when 'np' then 'nasopharynx'
    when 'nasofaringe' then 'nasopharynx'
    when 'nazofarenks' then 'nasopharynx'
    when 'nose' then 'nose'
    when '45206002' then 'nose'
    when '53342003' then 'nose'
    when '1797002' then 'nose'
    when 'nasal' then 'nose'
    when 'anterior nares' then 'nose'
    when 'nares' then 'nose'
    when 'nariz' then 'nose'
    when 'nen' then 'nose'
    when 'blood' then 'blood'
    when 'venous' then 'blood'
    when 'serum' then 'blood'
    when 'plasma' then 'blood'
    when 'sangre' then 'blood'
    when 'san' then 'blood'
    when 'cerebrospinal' then 'cerebrospinal'
    when 'cerebrospinal fluid' then 'cerebrospinal'
    when 'csf' then 'cerebrospinal'
    when 'spinal' then 'cerebrospinal'
    when 'liquido cefalorraquideo' then 'cerebrospinal'
    when 'likid sefalorachidyen' then 'cerebrospinal'
    when 'lower-respiratory' then 'lower-respiratory'
    when 'lower respiratory tract' then 'lower-respiratory'
    when '39607008' then 'lower-respiratory'
    when 'lung' then 'lower-respiratory'
    when 'bronchial' then 'lower-respiratory'
    when 'lower respiratory' then 'lower-respiratory'
    when 'pulmon' then 'lower-respiratory'
    when 'poumon' then 'lower-respiratory'
    when 'stool' then 'stool'
    when 'feces' then 'stool'
    when 'faeces' then 'stool'
    when 'heces' then 'stool'
    when 'poupou' then 'stool'
    when 'wound' then 'wound'
    when 'abscess' then 'wound'
    when 'herida' then 'wound'
    when 'blese' then 'wound'
    when 'other' then 'other'
    when 'another site' then 'other'
    when 'oth' then 'other'
    when 'otro' then 'other'
    when 'lot' then 'other'
    when 'unk' then 'UNK'
    when 'unknown' then 'UNK'
    when '87100004' then 'UNK'
    when 'unspecified' then 'UNK'
    when 'desconocido' then 'UNK'
    when 'enkoni' then 'UNK' end as anatomic_site,
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
