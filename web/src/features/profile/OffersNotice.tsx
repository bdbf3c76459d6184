import { listOffers } from '@caseway/contract/users';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';

/**
 * Shows on the home screen which tenants invite the user. Loaded separately, because few users are invited.
 */
export default function OffersNotice() {
  const { t } = useTranslation();
  const offers = useApi(listOffers, {});
  return offers.data?.offers.map(({ id, tenant }) => (
    <Alert
      key={id}
      severity="info"
      action={
        <Button component={Link} to="/profile" color="inherit" size="small">
          {t('home.offeredAnswer')}
        </Button>
      }
    >
      {t('home.offered', { tenant })}
    </Alert>
  ));
}
