import { cancelOwnVisit, listOwnVisits, type OwnVisit } from '@caseway/contract/own-visits';
import { mayCheckIn } from '@caseway/contract/own-waiting';
import { readOwnRecord } from '@caseway/contract/portal';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Video } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi, useCall } from '../../data/api.ts';
import type { AppError } from '../../data/transport.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Message } from '../../ui/Message.tsx';
import { Section } from '../../ui/Section.tsx';
import { useNow } from '../../ui/useNow.ts';
import { useFormats } from '../../words/formats.ts';
import { Screen } from './Screen.tsx';
import { useShownChild } from './shown-child.ts';

/** In these states the patient is in the waiting room, or in the visit. */
const inside: ReadonlySet<string> = new Set(['arrived', 'in-progress']);
const ended: ReadonlySet<string> = new Set(['fulfilled', 'cancelled', 'no-show']);

/** Why a visit could not be booked, moved or cancelled, in words. */
export function useVisitRefusal(): (error: AppError) => string {
  const { t, i18n } = useTranslation(['portal', 'common']);
  return ({ code, faults }) => {
    const key = `visits.fault.${code === 'conflict' ? code : faults[0]?.code}`;
    return i18n.exists(`portal:${key}`) ? t(key) : t(`common:error.${code}`);
  };
}

/** The patient's video visits, in their phone's time zone, with what they can do about them. */
export function Visits() {
  const { t, i18n } = useTranslation('portal');
  const query = useApi(listOwnVisits);
  const own = useApi(readOwnRecord).data;
  const child = useShownChild();
  const { timeZone } = useFormats();
  const coming = query.data?.visits.filter(({ status }) => !ended.has(status));
  return (
    <Screen
      name={t('nav.visits')}
      title={child ? t('visits.titleOf', { name: child.firstName ?? t('child.unnamed') }) : t('visits.title')}
      lead={own && t('visits.lead', { tenant: own.tenant })}
      said={coming && `${t('visits.title')}: ${t('visits.said', { count: coming.length })}`}
    >
      <Answered query={query} height={220}>
        {({ visits, booking, left }) => {
          const past = visits.filter(({ status }) => ended.has(status));
          return (
            <>
              {booking && left > 0 ? (
                <Button
                  component={Link}
                  to="/portal/visits/book"
                  variant="contained"
                  sx={{ justifySelf: 'start' }}
                >
                  {t('visits.book')}
                </Button>
              ) : null}
              {booking && left === 0 ? <Alert severity="info">{t('visits.full')}</Alert> : null}
              {visits.length === 0 ? (
                <Message icon={Video} title={t('visits.emptyTitle')}>
                  {t('visits.empty')}
                </Message>
              ) : (
                <Typography sx={{ color: 'text.secondary' }}>
                  {t('visits.zone', { zone: nameOfTimeZone(timeZone, i18n.language) })}
                </Typography>
              )}
              {coming && coming.length > 0 ? (
                <Section title={t('visits.toCome')}>
                  <List visits={coming} />
                </Section>
              ) : null}
              {past.length > 0 ? (
                <Section title={t('visits.past')}>
                  <List visits={past} />
                </Section>
              ) : null}
            </>
          );
        }}
      </Answered>
    </Screen>
  );
}

function List({ visits }: { visits: readonly OwnVisit[] }) {
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 4 }}>
      {visits.map((visit) => (
        <Visit key={visit.id} visit={visit} />
      ))}
    </Box>
  );
}

function Visit({ visit }: { visit: OwnVisit }) {
  const { t } = useTranslation('portal');
  const formats = useFormats();
  const [cancelling, setCancelling] = useState(false);
  const now = useNow(30);
  // The person who goes in answers for themselves.
  const child = useShownChild();
  const { id, status, startsAt, minutes, provider, visitType, mayChange } = visit;
  const at = startsAt ? formats.instant(startsAt) : t('visits.noTime');
  return (
    <Box component="li" sx={{ display: 'grid', gap: 1, overflowWrap: 'anywhere' }}>
      <Typography sx={{ fontWeight: 650 }}>{at}</Typography>
      <Typography>
        {[
          t(`visits.state.${status}`),
          provider && t('visits.with', { provider }),
          visitType && t(`visits.type.${visitType}`),
          minutes && t('visits.length', { count: minutes }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
      {!child && (inside.has(status) || mayCheckIn(visit, now)) ? (
        <Button
          component={Link}
          to={`/portal/visits/${id}/waiting`}
          variant="contained"
          aria-label={t('waiting.goOf', { at })}
          sx={{ justifySelf: 'start', marginTop: 1 }}
        >
          {t('waiting.go')}
        </Button>
      ) : null}
      {mayChange ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, marginTop: 1 }}>
          <Button
            component={Link}
            to={`/portal/visits/${id}`}
            variant="outlined"
            aria-label={t('visits.moveOf', { at })}
          >
            {t('visits.move')}
          </Button>
          <Button
            variant="text"
            aria-label={t('visits.cancelOf', { at })}
            onClick={() => setCancelling(true)}
          >
            {t('visits.cancel')}
          </Button>
        </Box>
      ) : null}
      {cancelling ? <Cancel visit={visit} at={at} onClose={() => setCancelling(false)} /> : null}
    </Box>
  );
}

function Cancel({
  visit: { id, version },
  at,
  onClose,
}: {
  visit: OwnVisit;
  at: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('portal');
  const field = useId();
  const [why, setWhy] = useState('');
  const words = useVisitRefusal();
  const call = useCall(cancelOwnVisit, { invalidates: [listOwnVisits] });
  return (
    <ConfirmDialog
      open
      title={t('visits.cancelTitle')}
      confirm={t('visits.cancel')}
      busy={call.isPending}
      error={null}
      onConfirm={() =>
        call.mutate(
          { params: { id }, body: { version, why } },
          {
            onSuccess: () => {
              notify('success', 'portal:visits.canceled');
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <Typography>{t('visits.cancelText', { at })}</Typography>
      <Field id={field} label={t('visits.why')}>
        {() => (
          <OutlinedInput
            id={field}
            multiline
            minRows={2}
            value={why}
            onChange={({ target }) => setWhy(target.value)}
            inputProps={{ maxLength: 500 }}
          />
        )}
      </Field>
      {call.error ? <Alert severity="error">{words(call.error)}</Alert> : null}
    </ConfirmDialog>
  );
}
