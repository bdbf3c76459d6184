import {
  chosenKinds,
  type NotificationWay,
  notificationWays,
  readNotificationWays,
  setNotificationWay,
} from '@caseway/contract/inbox';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../data/api.ts';
import { useUnread } from '../../data/use-inbox.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Section } from '../../ui/Section.tsx';

/** How the user gets each kind of notification; saved when chosen. Nothing without an inbox. */
export function NotificationWays() {
  const has = useUnread() !== undefined;
  return has ? <Ways /> : null;
}

function Ways() {
  const { t } = useTranslation('inbox');
  const query = useApi(readNotificationWays, {});
  const set = useCall(setNotificationWay, { invalidates: [readNotificationWays] });
  const id = useId();
  return (
    <Section title={t('ways.title')}>
      <Typography variant="body1" sx={{ color: 'text.secondary' }}>
        {t('ways.lead')}
      </Typography>
      <Answered query={query} height={280}>
        {({ ways }) => (
          <Box sx={{ display: 'grid', gap: 2 }}>
            {chosenKinds.map((kind) => (
              <Box
                key={kind}
                sx={{
                  display: 'grid',
                  alignItems: 'center',
                  gap: { xs: 1, sm: 3 },
                  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) 260px' },
                }}
              >
                <Typography component="label" htmlFor={`${id}-${kind}`} variant="body1">
                  {t(`ways.kind.${kind}`)}
                </Typography>
                <NativeSelect
                  input={<OutlinedInput fullWidth />}
                  inputProps={{ id: `${id}-${kind}` }}
                  value={ways[kind]}
                  onChange={({ target }) =>
                    set.mutate(
                      { body: { kind, way: target.value as NotificationWay } },
                      {
                        onSuccess: () => notify('success', 'inbox:ways.saved'),
                        onError: (error) => notify('error', `error.${error.code}`),
                      },
                    )
                  }
                >
                  {notificationWays.map((way) => (
                    <option key={way} value={way}>
                      {t(`ways.way.${way}`)}
                    </option>
                  ))}
                </NativeSelect>
              </Box>
            ))}
          </Box>
        )}
      </Answered>
    </Section>
  );
}
