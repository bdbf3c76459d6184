import { todayIn } from '@caseway/contract/date-range';
import {
  bookOwnVisit,
  findOwnFreeTimes,
  listOwnVisits,
  moveOwnVisit,
  type OwnVisit,
  type PatientVisitType,
  patientDays,
  patientVisitTypes,
} from '@caseway/contract/own-visits';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import { clockIn } from '@caseway/contract/zoned-time';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { useApi, useCall } from '../../data/api.ts';
import { newId } from '../../record/new-id.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { DaySpan } from '../../ui/DaySpan.tsx';
import { Field } from '../../ui/Field.tsx';
import { TimeChoice } from '../../ui/TimeChoice.tsx';
import { useFormats } from '../../words/formats.ts';
import { Screen } from './Screen.tsx';
import { useVisitRefusal } from './Visits.tsx';

const place = '/portal/visits';
const old = [listOwnVisits, findOwnFreeTimes];

/** A new visit: its purpose, and one of the free times. */
export function BookOwnVisit() {
  const { t } = useTranslation('portal');
  const query = useApi(listOwnVisits);
  return (
    <Screen name={t('nav.visits')} title={t('visits.bookTitle')} said={query.data && t('visits.bookTitle')}>
      <Answered query={query} height={220}>
        {({ booking, left }) => (booking && left > 0 ? <Booking /> : <Nothing text={t('visits.full')} />)}
      </Answered>
    </Screen>
  );
}

/** Why there is nothing to choose, and the way back. */
function Nothing({ text }: { text: string }) {
  const { t } = useTranslation('portal');
  return (
    <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
      <Typography>{text}</Typography>
      <Button component={Link} to={place} variant="outlined">
        {t('visits.back')}
      </Button>
    </Box>
  );
}

function Booking() {
  const { t } = useTranslation('portal');
  const id = useId();
  const [visitType, setVisitType] = useState<PatientVisitType>('follow-up');
  const [made] = useState(newId);
  const call = useCall(bookOwnVisit, { invalidates: old });
  return (
    <Choosing
      submit={t('visits.submit')}
      of={{ visitType }}
      call={call}
      send={(time, handlers) => call.mutate({ body: { id: made, visitType, ...time } }, handlers)}
    >
      <Field id={id} label={t('visits.for')} required>
        {() => (
          <NativeSelect
            id={id}
            input={<OutlinedInput />}
            value={visitType}
            onChange={({ target }) => setVisitType(target.value as PatientVisitType)}
          >
            {patientVisitTypes.map((one) => (
              <option key={one} value={one}>
                {t(`visits.type.${one}`)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </Choosing>
  );
}

/** Another time for a booked visit. */
export function MoveOwnVisit() {
  const { t } = useTranslation('portal');
  const formats = useFormats();
  const { id } = useParams();
  const query = useApi(listOwnVisits);
  const visit = query.data?.visits.find((one) => one.id === id && one.mayChange);
  return (
    <Screen
      name={t('nav.visits')}
      title={t('visits.moveTitle')}
      lead={visit?.startsAt && t('visits.moveLead', { at: formats.instant(visit.startsAt) })}
      said={query.data && t('visits.moveTitle')}
    >
      <Answered query={query} height={220}>
        {() => (visit ? <Moving visit={visit} /> : <Nothing text={t('visits.missing')} />)}
      </Answered>
    </Screen>
  );
}

function Moving({ visit: { id, version } }: { visit: OwnVisit }) {
  const { t } = useTranslation('portal');
  const call = useCall(moveOwnVisit, { invalidates: old });
  return (
    <Choosing
      submit={t('visits.submitMove')}
      of={{ visit: id }}
      call={call}
      send={(time, handlers) => call.mutate({ params: { id }, body: { version, ...time } }, handlers)}
    />
  );
}

interface ChosenTime {
  startsAt: string;
  provider: string;
}

/** The free times of some days, and the button that books the chosen one. */
function Choosing({
  submit,
  of,
  call,
  send,
  children,
}: {
  submit: string;
  of: { visitType: PatientVisitType } | { visit: string };
  call: Pick<ReturnType<typeof useCall<typeof bookOwnVisit>>, 'error' | 'isPending' | 'reset'>;
  send: (time: ChosenTime, handlers: { onSuccess: () => void; onError: () => void }) => void;
  children?: ReactNode;
}) {
  const { t, i18n } = useTranslation('portal');
  const navigate = useNavigate();
  const words = useVisitRefusal();
  const formats = useFormats();
  const { timeZone } = formats;
  const isMoved = 'visit' in of;
  const today = todayIn(timeZone);
  const [from, setFrom] = useState(today);
  const [chosen, setChosen] = useState<ChosenTime | null>(null);
  const [lacking, setLacking] = useState(false);
  const query = useApi(findOwnFreeTimes, { query: { ...of, from } });
  const id = useId();
  const at = chosen && formats.instant(chosen.startsAt);
  const book = () => {
    setLacking(chosen === null);
    if (!chosen) return;
    send(chosen, {
      onSuccess: () => {
        notify('success', isMoved ? 'portal:visits.moved' : 'portal:visits.booked', { values: { at: at! } });
        navigate(place);
      },
      // Show the times that are still free.
      onError: () => {
        setChosen(null);
        void query.refetch();
      },
    });
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        book();
      }}
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      {children}
      {call.error ? <Alert severity="error">{words(call.error)}</Alert> : null}
      <DaySpan from={from} days={patientDays} today={today} onChange={setFrom} />
      <Typography id={`${id}-zone`} sx={{ color: 'text.secondary' }}>
        {t('visits.zone', { zone: nameOfTimeZone(timeZone, i18n.language) })}
      </Typography>
      <Answered query={query} height={220}>
        {({ times, next }) =>
          times.length > 0 ? (
            <TimeChoice
              label={t('visits.time')}
              timeZone={timeZone}
              times={times.map(({ startsAt, name }) => ({ startsAt, detail: name }))}
              value={chosen?.startsAt ?? ''}
              describedBy={`${id}-zone`}
              invalid={lacking}
              onChange={(startsAt) => {
                const { provider } = times.find((one) => one.startsAt === startsAt)!;
                setLacking(false);
                call.reset();
                setChosen({ startsAt, provider });
              }}
            />
          ) : (
            <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
              <Typography>
                {next ? t('visits.next', { at: formats.instant(next) }) : t('visits.none')}
              </Typography>
              {next ? (
                <Button variant="outlined" onClick={() => setFrom(clockIn(timeZone, next).day)}>
                  {t('visits.showNext')}
                </Button>
              ) : null}
            </Box>
          )
        }
      </Answered>
      <Box role="status">
        {lacking ? (
          <Typography sx={{ color: 'error.main' }}>{t('visits.chooseTime')}</Typography>
        ) : at ? (
          <Typography>{t('visits.chosen', { at })}</Typography>
        ) : null}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button type="submit" variant="contained" loading={call.isPending}>
          {submit}
        </Button>
        <Button component={Link} to={place} variant="text">
          {t('visits.back')}
        </Button>
      </Box>
    </Box>
  );
}
