import { endedVisits } from '@caseway/contract/field-visit-flow';
import { type FieldVisit, visitAttempts } from '@caseway/contract/field-visits';
import { cadenceOf, countsAsContact, daysNeeded, type VisitAttempt } from '@caseway/contract/visit-attempts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { useFormats } from '../../words/formats.ts';
import { useVisitWords } from './visit-words.ts';

/** The progress of a visit's attempts, when to try again, and all attempts, newest first. */
export function Attempts({ visit }: { visit: FieldVisit }) {
  const query = useApi(visitAttempts.read, { params: { id: visit.id } }, { keepPrevious: false });
  const isOver = (endedVisits as readonly string[]).includes(visit.status);
  return (
    <Answered query={query} height={120}>
      {({ attempts }) => (
        <>
          {isOver ? null : <HowFar attempts={attempts} />}
          <AttemptList attempts={attempts} />
        </>
      )}
    </Answered>
  );
}

/** The progress of a visit's attempts, and when to try again. */
export function HowFar({ attempts }: { attempts: readonly VisitAttempt[] }) {
  const { t } = useTranslation('field-visits');
  const formats = useFormats();
  const { days, isEnough, tryIn } = cadenceOf(attempts);
  const isReached = attempts.some(countsAsContact);
  const next = isEnough ? 'enough' : tryIn;
  return (
    <Typography variant="body1" sx={{ fontWeight: 550 }}>
      {isReached
        ? t('cadence.reached')
        : [
            t('cadence.days', { days: formats.count(days), needed: formats.count(daysNeeded) }),
            next && t(`cadence.${next}`),
          ]
            .filter(Boolean)
            .join('; ')}
    </Typography>
  );
}

/** Attempts, newest first. `notSent`: those only on this device. */
export function AttemptList({
  attempts,
  notSent,
}: {
  attempts: readonly VisitAttempt[];
  notSent?: ReadonlySet<string>;
}) {
  const { t } = useTranslation('field-visits');
  if (attempts.length === 0)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('attempt.none')}
      </Typography>
    );
  return (
    <Box
      component="ol"
      aria-label={t('attempt.list')}
      sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}
    >
      {attempts.map((attempt) => (
        <One key={attempt.id} attempt={attempt} notSent={notSent?.has(attempt.id) ?? false} />
      ))}
    </Box>
  );
}

function One({ attempt, notSent }: { attempt: VisitAttempt; notSent: boolean }) {
  const { t } = useTranslation('field-visits');
  const words = useVisitWords();
  const formats = useFormats();
  const { day, time, method, outcome, nextStep, left, note, addedAt, by } = attempt;
  const more = [
    nextStep && t('attempt.next', { step: words.choice('nextStep', nextStep) }),
    left === 'sealed-letter' && t('attempt.letterLeft'),
  ].filter(Boolean);
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {`${formats.dayInWords(day)}, ${formats.clock(time)} · ${words.choice('outcome', outcome)}`}
      </Typography>
      <Typography variant="body2">{[words.choice('method', method), ...more].join(' · ')}</Typography>
      {note ? (
        <Typography variant="body2" sx={{ whiteSpace: 'pre-line' }}>
          {note}
        </Typography>
      ) : null}
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {notSent
          ? t('kept.entry', { at: formats.instant(addedAt) })
          : t('attempt.added', { at: formats.instant(addedAt), by: by ?? t('attempt.unknown') })}
      </Typography>
    </Box>
  );
}
