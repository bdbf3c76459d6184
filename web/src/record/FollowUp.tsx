import {
  type FollowUpDayState,
  type FollowUpEntry,
  type FollowUpWindow,
  followUpDays,
  type followUpOf,
} from '@caseway/contract/follow-up';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useApi } from '../data/api.ts';
import { Answered } from '../ui/Answered.tsx';
import { useFormats } from '../words/formats.ts';
import { unitSigns } from './follow-up-form.ts';

/** The color next to a day's text. */
const colors: Readonly<Record<FollowUpDayState, string>> = {
  seen: 'success.main',
  'seen-ill': 'error.main',
  answered: 'success.main',
  'answered-ill': 'error.main',
  'not-seen': 'warning.main',
  'not-attempted': 'warning.main',
  nothing: 'warning.main',
  today: 'primary.main',
  before: 'divider',
  'to-come': 'divider',
};

/** The daily follow-up of a record: each day with its state, and all entries, newest first. */
export function FollowUp({ of, id }: { of: ReturnType<typeof followUpOf>; id: string }) {
  const { t } = useTranslation('follow-up');
  const query = useApi(of.read, { params: { id } }, { keepPrevious: false });
  return (
    <Answered query={query} height={160}>
      {({ window, entries }) => (
        <>
          <Days window={window} entries={entries} />
          <Box component="section" aria-label={t('entries.title')}>
            {entries.length === 0 ? (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {t('entries.none')}
              </Typography>
            ) : (
              <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
                {entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </Box>
            )}
          </Box>
        </>
      )}
    </Answered>
  );
}

function Days({ window, entries }: { window: FollowUpWindow; entries: readonly FollowUpEntry[] }) {
  const { t } = useTranslation('follow-up');
  const formats = useFormats();
  const days = followUpDays(window, entries, formats.today);
  if (days.length === 0)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('days.none')}
      </Typography>
    );
  return (
    <Box
      component="ol"
      aria-label={t('days.title')}
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        display: 'grid',
        gap: 1,
        gridTemplateColumns: 'repeat(auto-fill, minmax(104px, 1fr))',
      }}
    >
      {days.map(({ day, state }) => (
        <Box
          key={day}
          component="li"
          {...(day === formats.today && { 'aria-current': 'date' as const })}
          sx={{
            display: 'grid',
            alignContent: 'start',
            padding: 2,
            borderRadius: '6px',
            backgroundColor: 'raised',
            borderLeft: '4px solid',
            borderColor: colors[state],
            overflowWrap: 'anywhere',
          }}
        >
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {formats.day(day)}
          </Typography>
          <Typography variant="body2" sx={{ fontWeight: day === formats.today ? 650 : 400 }}>
            {t(`state.${state}`)}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

function Entry({ entry }: { entry: FollowUpEntry }) {
  const { t } = useTranslation('follow-up');
  const formats = useFormats();
  const { day, outcome, symptoms, temperature, temperatureUnit, note, addedAt, by, former } = entry;
  const found = [
    ...symptoms.map((one) => t(`symptom.${one}`, { defaultValue: t('common:label.unknown.other') })),
    ...(temperature !== null && temperatureUnit
      ? [`${formats.rate(temperature)} ${unitSigns[temperatureUnit]}`]
      : []),
  ];
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {formats.dayInWords(day)} · {t(`state.${outcome}`)}
      </Typography>
      {outcome === 'seen' || outcome === 'answered' ? (
        <Typography variant="body2">
          {found.length === 0 ? t('entries.noSymptoms') : found.join(' · ')}
        </Typography>
      ) : null}
      {note ? (
        <Typography variant="body2" sx={{ whiteSpace: 'pre-line' }}>
          {note}
        </Typography>
      ) : null}
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {outcome === 'answered'
          ? t(former ? 'entries.former' : 'entries.answered', { at: formats.instant(addedAt) })
          : t('entries.added', { at: formats.instant(addedAt), by: by ?? t('entries.unknown') })}
      </Typography>
    </Box>
  );
}
