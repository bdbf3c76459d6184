import { findFreeTimes } from '@caseway/contract/availability';
import type { TelemedicineVisit } from '@caseway/contract/telemedicine';
import type { telemedicineVisitTypes } from '@caseway/contract/telemedicine-flow';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import { clockIn } from '@caseway/contract/zoned-time';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import { InstantField } from '../../record/InstantField.tsx';
import type { FieldShown } from '../../record/RecordFields.tsx';
import { Answered } from '../../ui/Answered.tsx';
import { DaySpan } from '../../ui/DaySpan.tsx';
import { useFormField } from '../../ui/Form.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { TimeChoice } from '../../ui/TimeChoice.tsx';
import { useFormats } from '../../words/formats.ts';

const days = 7;
type Way = 'free' | 'other';

/**
 * A visit's start, in the form that books it: one of the free times of the provider, or of any provider if
 * none is chosen; or another time, typed by hand. A free time brings its provider and length.
 */
export function FreeTimeField({ visit, ...shown }: FieldShown & { visit: TelemedicineVisit }) {
  const { t } = useTranslation('telemedicine');
  const [way, setWay] = useState<Way>('free');
  return (
    <Box className="across" sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Segments<Way>
        label={t('free.way')}
        value={way}
        options={[
          { value: 'free', label: t('free.free') },
          { value: 'other', label: t('free.other') },
        ]}
        onChange={setWay}
      />
      {way === 'free' ? (
        <FreeTimes {...shown} visit={visit} />
      ) : (
        <>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('free.otherText')}
          </Typography>
          <InstantField {...shown} />
        </>
      )}
    </Box>
  );
}

function FreeTimes({ name, label, visit }: FieldShown & { visit: TelemedicineVisit }) {
  const { t, i18n } = useTranslation('telemedicine');
  const formats = useFormats();
  const { timeZone, today } = formats;
  const names = useLabels('providers');
  const { watch, setValue } = useFormContext();
  const { id, field, fault } = useFormField(name);
  const provider = watch('provider') as string;
  /** The provider that came with a chosen time, whom the user did not choose. */
  const [found, setFound] = useState('');
  const asked = provider === found ? '' : provider;
  const [from, setFrom] = useState(() => {
    const present = visit.startsAt ? clockIn(timeZone, visit.startsAt).day : today;
    return present < today ? today : present;
  });
  const query = useApi(findFreeTimes, {
    query: {
      visitType: visit.visitType as (typeof telemedicineVisitTypes)[number],
      from,
      days,
      ...(asked && { provider: asked }),
      ...(!asked && visit.language && { language: visit.language }),
      ...(visit.status === 'booked' && { visit: visit.id }),
    },
  });
  const { refetch } = query;
  const [refreshed, setRefreshed] = useState<string>();
  // Someone else was faster: reload the free times.
  if (fault !== refreshed) {
    setRefreshed(fault);
    if (fault) void refetch();
  }
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <DaySpan from={from} days={days} today={today} onChange={setFrom} />
      <Typography id={`${id}-zone`} variant="caption" sx={{ color: 'text.secondary' }}>
        {t(asked ? 'free.zoneOf' : 'free.zoneAny', {
          zone: nameOfTimeZone(timeZone, i18n.language),
          provider: names.of(asked) ?? '',
        })}
      </Typography>
      <Answered query={query} height={160}>
        {({ times, offered, next }) =>
          times.length > 0 ? (
            <TimeChoice
              label={label}
              timeZone={timeZone}
              times={times.map((time) => ({
                startsAt: time.startsAt,
                detail: asked ? undefined : names.of(time.provider),
              }))}
              value={field.value as string}
              describedBy={fault ? `${id}-zone ${id}-fault` : `${id}-zone`}
              invalid={fault !== undefined}
              onChange={(startsAt) => {
                const time = times.find((one) => one.startsAt === startsAt)!;
                if (!asked) setFound(time.provider);
                setValue('provider', time.provider);
                setValue('minutes', String(time.minutes));
                field.onChange(startsAt);
              }}
            />
          ) : (
            <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
              <Typography variant="body2">
                {next
                  ? t('free.next', { at: formats.instant(next) })
                  : t(offered ? 'free.none' : asked ? 'free.noRules' : 'free.noRulesAny')}
              </Typography>
              {next ? (
                <Button size="small" variant="outlined" onClick={() => setFrom(clockIn(timeZone, next).day)}>
                  {t('free.showNext')}
                </Button>
              ) : null}
            </Box>
          )
        }
      </Answered>
      {fault ? (
        <Typography id={`${id}-fault`} variant="body2" role="alert" sx={{ color: 'error.main' }}>
          {fault}
        </Typography>
      ) : null}
    </Box>
  );
}
