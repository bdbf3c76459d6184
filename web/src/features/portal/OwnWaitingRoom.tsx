import { listOwnVisits } from '@caseway/contract/own-visits';
import {
  checkInTime,
  enterWaitingRoom,
  mayCheckIn,
  type OwnWaiting,
  readOwnQueue,
  readOwnWaiting,
  videoConsent,
} from '@caseway/contract/own-waiting';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ArrowLeft, Video } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { useApi, useCall } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Section } from '../../ui/Section.tsx';
import { useNow } from '../../ui/useNow.ts';
import { useFormats } from '../../words/formats.ts';
import { DeviceCheck } from './DeviceCheck.tsx';
import { Screen } from './Screen.tsx';
import { useVisitRefusal } from './Visits.tsx';

/**
 * Seconds between checks whether the person is admitted, while they wait, and whether the visit is still in
 * progress.
 */
const refreshSeconds = { arrived: 15, 'in-progress': 60 } as const;

const isLive = (status: string): status is keyof typeof refreshSeconds => status in refreshSeconds;

/** A visit's waiting room: the patient says that they are here, sees the expected wait, and is admitted. */
export function OwnWaitingRoom() {
  const { t, i18n } = useTranslation('portal');
  const formats = useFormats();
  const { id = '' } = useParams();
  const query = useApi(readOwnWaiting, { params: { id } }, { keepPrevious: false });
  const queue = useApi(readOwnQueue, { params: { id } }, { keepPrevious: false, enabled: false });
  const { data } = query;
  const status = data?.status ?? 'arrived';
  const now = useNow(isLive(status) ? refreshSeconds[status] : refreshSeconds.arrived);
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked again at every tick of the clock.
  useEffect(() => {
    if (!data || !isLive(status)) return;
    // The full answer is logged, so it is requested only once there is more to know than the place.
    void queue.refetch().then(({ data: latest }) => {
      if (latest?.status !== status) void query.refetch();
    });
  }, [now]);
  const isLatest = queue.data?.status === status && queue.dataUpdatedAt >= query.dataUpdatedAt;
  const state = useStateWords(data && isLatest ? { ...data, ...queue.data } : data, now);
  const at = data?.startsAt && formats.instant(data.startsAt);
  return (
    <Screen
      name={t('nav.visits')}
      title={t('waiting.title')}
      lead={at && (data.provider ? t('waiting.lead', { at, provider: data.provider }) : at)}
      said={data && `${t('waiting.title')}: ${state.title}. ${state.lines.join(' ')}`}
    >
      {at ? (
        <Typography sx={{ color: 'text.secondary' }}>
          {t('visits.zone', { zone: nameOfTimeZone(formats.timeZone, i18n.language) })}
        </Typography>
      ) : null}
      <Button
        variant="text"
        component={Link}
        to="/portal/visits"
        startIcon={<ArrowLeft size={16} aria-hidden />}
        sx={{ justifySelf: 'start', marginX: -2.5 }}
      >
        {t('visits.back')}
      </Button>
      {query.error?.code === 'not-found' ? (
        <Typography role="alert">{t('visits.missing')}</Typography>
      ) : (
        <Answered query={query} height={220}>
          {(waiting) => (
            <>
              <Section title={state.title}>
                {state.lines.map((line) => (
                  <Typography key={line}>{line}</Typography>
                ))}
                {waiting.url ? (
                  <Button
                    variant="contained"
                    href={waiting.url}
                    target="_blank"
                    rel="noreferrer noopener"
                    startIcon={<Video size={18} aria-hidden />}
                    sx={{ justifySelf: 'start' }}
                  >
                    {t('waiting.join')}
                  </Button>
                ) : null}
                {mayCheckIn(waiting, now) ? <Enter id={id} /> : null}
              </Section>
              {isToCome(waiting, now) ? <DeviceCheck /> : null}
            </>
          )}
        </Answered>
      )}
    </Screen>
  );
}

/** Whether a video visit will need the camera: it has not begun, and still can. */
function isToCome(waiting: OwnWaiting, now: number): boolean {
  const { byVideo, status } = waiting;
  const isOpen = status === 'booked' && now < (checkInTime(waiting)?.until ?? 0);
  return byVideo && (status === 'arrived' || isOpen);
}

/** The visit's state in words: a heading and some lines. */
function useStateWords(waiting: OwnWaiting | undefined, now: number): { title: string; lines: string[] } {
  const { t } = useTranslation('portal');
  const formats = useFormats();
  if (!waiting) return { title: '', lines: [] };
  const { status, arrivedAt, place, expectedMinutes, provider, url, byVideo } = waiting;
  const isLine = (line: string | null | false): line is string => typeof line === 'string';
  if (status === 'arrived')
    return {
      title: t('waiting.arrived'),
      lines: [
        arrivedAt !== null && t('waiting.since', { time: formats.time(arrivedAt) }),
        place === 1 && t('waiting.next'),
        place !== null && place > 1 && t('waiting.before', { count: place - 1 }),
        expectedMinutes !== null && t('waiting.minutes', { count: expectedMinutes }),
        t(byVideo ? 'waiting.stay' : 'waiting.phoneLater'),
      ].filter(isLine),
    };
  if (status === 'in-progress')
    return {
      title: provider ? t('waiting.admittedBy', { provider }) : t('waiting.admitted'),
      lines: [t(url ? 'waiting.joinText' : 'waiting.phone')],
    };
  const time = checkInTime(waiting);
  if (status === 'booked' && time && now < time.until)
    return now < time.from
      ? {
          title: t('waiting.notOpen'),
          lines: [t('waiting.early', { at: formats.instant(new Date(time.from).toISOString()) })],
        }
      : { title: t('waiting.open'), lines: [t(`waiting.consent.${videoConsent}`)] };
  return {
    title: status === 'booked' ? t('waiting.over') : t(`visits.state.${status}`),
    lines: [t(status === 'booked' ? 'waiting.overText' : 'waiting.nothing')],
  };
}

/** The patient agrees, and the clinic sees that they are here. */
function Enter({ id }: { id: string }) {
  const { t } = useTranslation('portal');
  const words = useVisitRefusal();
  const call = useCall(enterWaitingRoom, { invalidates: [readOwnWaiting, listOwnVisits] });
  return (
    <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
      {call.error ? <Alert severity="error">{words(call.error)}</Alert> : null}
      <Button
        variant="contained"
        loading={call.isPending}
        onClick={() => call.mutate({ params: { id }, body: { consent: videoConsent } })}
      >
        {t('waiting.enter')}
      </Button>
    </Box>
  );
}
