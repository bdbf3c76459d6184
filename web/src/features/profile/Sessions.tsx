import { endOtherSessions, endSession, listSessions, type OpenSession } from '@caseway/contract/profile';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { Laptop, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../data/api.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { deviceOf, isPhone } from './device.ts';
import { Row } from './Row.tsx';

/** Where the user is signed in, with buttons to end each session. */
export function Sessions() {
  const { t } = useTranslation(['profile', 'common']);
  const query = useApi(listSessions, {});
  const [asking, setAsking] = useState(false);
  const endOthers = useCall(endOtherSessions, { invalidates: [listSessions] });
  const others = query.data?.sessions.filter(({ current }) => !current).length ?? 0;
  return (
    <Section
      title={t('sessions.title')}
      actions={
        others > 0 ? (
          <Button variant="outlined" size="small" onClick={() => setAsking(true)}>
            {t('sessions.endOthers')}
          </Button>
        ) : undefined
      }
    >
      <Typography variant="body1" sx={{ color: 'text.secondary' }}>
        {t('sessions.lead')}
      </Typography>
      <Answered query={query} height={140}>
        {({ sessions }) => (
          <Box
            component="ul"
            aria-label={t('sessions.title')}
            sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid' }}
          >
            {sessions.map((session) => (
              <Session key={session.id} session={session} />
            ))}
          </Box>
        )}
      </Answered>
      <ConfirmDialog
        open={asking}
        title={t('sessions.endOthers')}
        confirm={t('sessions.endOthers')}
        busy={endOthers.isPending}
        error={endOthers.error}
        onConfirm={() =>
          endOthers.mutate(
            { body: {} },
            {
              onSuccess: ({ ended }) => {
                setAsking(false);
                notify('success', 'profile:sessions.ended', { values: { count: ended } });
              },
            },
          )
        }
        onClose={() => setAsking(false)}
      >
        <Typography variant="body1">{t('sessions.endOthersText', { count: others })}</Typography>
      </ConfirmDialog>
    </Section>
  );
}

function Session({ session }: { session: OpenSession }) {
  const { t } = useTranslation(['profile', 'common']);
  const formats = useFormats();
  const end = useCall(endSession, { invalidates: [listSessions] });
  const { browser, system } = deviceOf(session.userAgent);
  const device =
    browser && system
      ? t('sessions.device', { browser, system })
      : (browser ?? system ?? t('sessions.unknown'));
  return (
    <Row
      icon={isPhone(system) ? Smartphone : Laptop}
      actions={
        session.current ? null : (
          <Button
            variant="outlined"
            size="small"
            aria-label={t('sessions.endOne', { device })}
            loading={end.isPending}
            onClick={() =>
              end.mutate(
                { params: { id: session.id } },
                {
                  onSuccess: () => notify('success', 'profile:sessions.ended', { values: { count: 1 } }),
                  onError: (error) => notify('error', `error.${error.code}`),
                },
              )
            }
          >
            {t('sessions.end')}
          </Button>
        )
      }
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Typography variant="body1" sx={{ fontWeight: 550 }}>
          {device}
        </Typography>
        {session.current ? <Chip size="small" label={t('sessions.current')} /> : null}
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('sessions.times', {
          begun: formats.instant(session.createdAt),
          used: formats.instant(session.lastUsedAt),
        })}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {[...session.methods.map((method) => t(`method.${method}`)), session.address]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
    </Row>
  );
}
