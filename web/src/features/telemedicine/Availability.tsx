import { listAvailability } from '@caseway/contract/availability';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { CalendarClock } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { useApi } from '../../data/api.ts';
import { useAppSelector } from '../../session/store.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Field } from '../../ui/Field.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { EditAvailability } from './EditAvailability.tsx';

/** When each provider can be booked; providers see themselves first. */
export default function Availability() {
  const { t } = useTranslation('telemedicine');
  const query = useApi(listAvailability);
  const me = useAppSelector(({ authentication }) => authentication.user?.id);
  const [address, setAddress] = useSearchParams();
  const id = useId();
  return (
    <Page
      title={t('availability.title')}
      lead={t('availability.lead')}
      actions={
        <Button component={Link} to="/telemedicine" variant="outlined">
          {t('availability.back')}
        </Button>
      }
    >
      <Answered query={query} height={320}>
        {({ providers }) => {
          const shown =
            providers.find(({ provider }) => provider === address.get('provider')) ??
            providers.find(({ provider }) => provider === me) ??
            providers[0];
          if (!shown)
            return (
              <Message icon={CalendarClock} title={t('availability.nobody')}>
                {t('availability.nobodyText')}
              </Message>
            );
          return (
            <Box sx={{ display: 'grid', gap: 4, maxWidth: 920, gridTemplateColumns: 'minmax(0, 1fr)' }}>
              <Box sx={{ maxWidth: 360 }}>
                <Field id={id} label={t('column.provider')} required>
                  {() => (
                    <NativeSelect
                      id={id}
                      input={<OutlinedInput fullWidth />}
                      value={shown.provider}
                      onChange={({ target }) => setAddress({ provider: target.value }, { replace: true })}
                    >
                      {providers.map(({ provider, name, version }) => (
                        <option key={provider} value={provider}>
                          {version === 0 ? t('availability.noneYet', { name }) : name}
                        </option>
                      ))}
                    </NativeSelect>
                  )}
                </Field>
              </Box>
              <EditAvailability key={shown.provider} stored={shown} />
            </Box>
          );
        }}
      </Answered>
    </Page>
  );
}
