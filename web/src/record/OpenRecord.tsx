import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../session/permissions.ts';

/** A link from part of a record's screen to another record. */
export function OpenRecord({ to, label }: { to: string; label: string }) {
  return (
    <Button
      component={Link}
      to={to}
      variant="outlined"
      size="small"
      sx={{ justifySelf: 'start', marginTop: 3 }}
    >
      {label}
    </Button>
  );
}

/** A link to the person, for users who may read people; nothing without a person. */
export function OpenPerson({ id }: { id: string | null }) {
  const { t } = useTranslation();
  const may = useMay()('patients/read');
  return id && may ? <OpenRecord to={`/patients/${id}`} label={t('record.openPerson')} /> : null;
}

/** A link to a case, for users who may read cases. `number`: null if the user cannot see it. */
export function OpenCase({
  id,
  number,
  label,
}: {
  id: string | null;
  number: string | null;
  label?: string;
}) {
  const { t } = useTranslation();
  const may = useMay()('case-reports/read');
  return id && number && may ? (
    <OpenRecord to={`/case-reports/${id}`} label={label ?? t('record.openCase')} />
  ) : null;
}
