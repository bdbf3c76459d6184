import { listRecoveries } from '@caseway/contract/recovery';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { useMay } from '../../session/permissions.ts';
import { useFormats } from '../../words/formats.ts';

/** Says that someone requests account recovery, if there is such a request. */
export function WaitingRecoveries({ path }: { path: string }) {
  const { t } = useTranslation('recovery');
  const formats = useFormats();
  const may = useMay();
  const query = useApi(listRecoveries, { query: { only: 'waiting' } }, { enabled: may('users/write') });
  const open = (query.data?.recoveries ?? []).filter(({ state }) => state === 'open').length;
  if (open === 0) return null;
  return (
    <Alert
      severity="info"
      action={
        <Button color="inherit" size="small" component={Link} to={path}>
          {t('waiting.look')}
        </Button>
      }
    >
      {t('waiting.text', { count: open, number: formats.count(open) })}
    </Alert>
  );
}
