-- The default roles have names in Spanish that fit women and men. A name that a tenant has changed stays as it is.
do $$
begin
  perform set_config('app.scope', 'identity', true);
  update role r set label_i18n = jsonb_set(r.label_i18n, '{es}', to_jsonb(n.new))
  from (values
      ('system-administrator', 'Administrador del sistema', 'Administración del sistema'),
      ('tenant-administrator', 'Administrador de la entidad', 'Administración de la entidad'),
      ('epidemiologist', 'Epidemiólogo', 'Profesional de epidemiología'),
      ('case-investigator', 'Investigador de casos', 'Personal de investigación de casos'),
      ('clinician', 'Profesional clínico (telemedicina)', 'Personal clínico (telemedicina)'),
      ('organization-administrator', 'Administrador de la organización', 'Administración de la organización'),
      ('facility-user', 'Usuario del establecimiento', 'Personal del establecimiento'),
      ('jurisdiction-user', 'Usuario de la jurisdicción', 'Personal de la jurisdicción'),
      ('auditor', 'Auditor', 'Auditoría')
    ) as n (code, old, new)
  where r.code = n.code and r.label_i18n ->> 'es' = n.old;
  perform set_config('app.scope', '', true);
end $$;
