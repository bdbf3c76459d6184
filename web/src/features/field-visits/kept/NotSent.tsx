import { todayIn } from '@caseway/contract/date-range';
import { comparedFields } from '@caseway/contract/kept-visits';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changedFields } from '../../../kept/outbox.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { framed } from '../../../ui/framed.ts';
import { AttemptForm } from '../AttemptForm.tsx';
import { useVisitText, useVisitWords } from '../visit-words.ts';
import { type AttemptEntry, discard, type KeptList, sendAgain, sendKept } from './kept-list.ts';
import { useKeptFormats } from './use-kept.ts';

/** Unsent work, the next try, and what needs a decision. Nothing if everything is sent. */
export function NotSent({ kept }: { kept: KeptList }) {
  const { t } = useTranslation('field-visits');
  const formats = useKeptFormats();
  const title = useId();
  const { entries, sending, nextAt, waits, lease } = kept;
  const waiting = entries.filter(({ refusal }) => !refusal);
  const when = () => {
    if (sending) return t('kept.sending');
    if (waits === 'other-org') return t('kept.waits.other-org', { org: lease?.orgName ?? '' });
    if (waits === 'signed-out') return t('kept.waits.signed-out');
    return nextAt === null ? null : t('kept.next', { time: formats.time(new Date(nextAt)) });
  };
  return (
    <>
      <Box role="status">
        {entries.length > 0 ? (
          <Typography id={title} variant="body1" sx={{ fontWeight: 550 }}>
            {[t('kept.notSent', { count: entries.length }), waiting.length > 0 && when()]
              .filter(Boolean)
              .join(' · ')}
          </Typography>
        ) : null}
      </Box>
      {waiting.length > 0 ? (
        <Button
          variant="outlined"
          loading={sending}
          onClick={() => void sendKept()}
          sx={{ justifySelf: 'start', alignSelf: 'start' }}
        >
          {t('kept.sendNow')}
        </Button>
      ) : null}
      {entries.length > 0 ? (
        <Box
          component="ol"
          aria-labelledby={title}
          sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}
        >
          {entries.map((entry) => (
            <One key={entry.id} entry={entry} kept={kept} />
          ))}
        </Box>
      ) : null}
    </>
  );
}

function One({ entry, kept }: { entry: AttemptEntry; kept: KeptList }) {
  const words = useVisitWords();
  const formats = useKeptFormats();
  const { seen, made, record, refusal } = entry;
  const initials = kept.visits.find(({ id }) => id === record)?.initials;
  return (
    <Box component="li" sx={{ ...framed, display: 'grid', gap: 2, padding: 3, overflowWrap: 'anywhere' }}>
      <Typography variant="body2" sx={{ fontWeight: 550 }}>
        {[initials, String(seen.number)].filter(Boolean).join(' · ')}
      </Typography>
      <Typography variant="body2">
        {[
          `${formats.dayInWords(made.day)}, ${formats.clock(made.time)}`,
          words.choice('method', made.method),
          words.choice('outcome', made.outcome),
        ].join(' · ')}
      </Typography>
      {made.note ? (
        <Typography variant="body2" sx={{ whiteSpace: 'pre-line' }}>
          {made.note}
        </Typography>
      ) : null}
      {refusal ? <Decision entry={entry} refusal={refusal} kept={kept} /> : null}
    </Box>
  );
}

function Decision({
  entry,
  refusal,
  kept,
}: {
  entry: AttemptEntry;
  refusal: NonNullable<AttemptEntry['refusal']>;
  kept: KeptList;
}) {
  const { t, i18n } = useTranslation('field-visits');
  const words = useVisitWords();
  const text = useVisitText(null);
  const [asking, setAsking] = useState<'change' | 'discard' | null>(null);
  const { theirs, faults, code } = refusal;
  const changes = theirs ? changedFields(entry.seen, theirs, comparedFields) : [];
  const shown = (field: string, value: unknown) => text(field, value) || t('kept.empty');
  const why = () => {
    if (theirs) return t('kept.conflict');
    if (code === 'not-found') return t('kept.gone');
    return faults.length > 0 ? t('kept.refused') : t(`common:error.${code}`);
  };
  return (
    <>
      <Alert severity="warning">
        {why()}
        <Box component="ul" sx={{ margin: 0, paddingLeft: 5 }}>
          {changes.map(({ field, from, to }) => (
            <li key={field}>
              {t('kept.change', {
                field: words.column(field),
                from: shown(field, from),
                to: shown(field, to),
                interpolation: { escapeValue: false },
              })}
            </li>
          ))}
          {theirs
            ? null
            : faults.map(({ path, code: fault }) => (
                <li key={`${path} ${fault}`}>
                  {`${words.column(path)}: ${t(i18n.exists(`field-visits:fault.${fault}`) ? `fault.${fault}` : 'common:fault.invalid')}`}
                </li>
              ))}
        </Box>
      </Alert>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button variant="contained" onClick={() => void sendAgain(entry)}>
          {t(theirs ? 'kept.sendAnyway' : 'common:action.retry')}
        </Button>
        <Button variant="outlined" onClick={() => setAsking('change')}>
          {t('kept.edit')}
        </Button>
        <Button variant="outlined" onClick={() => setAsking('discard')}>
          {t('kept.discard')}
        </Button>
      </Box>
      {asking === 'change' && kept.lease ? (
        <AttemptForm
          visit={{ name: null, number: String(entry.seen.number), noLetter: entry.seen.noLetter === true }}
          before={undefined}
          now={{ today: todayIn(kept.lease.timeZone), timeZone: kept.lease.timeZone }}
          begun={{ ...entry.made, nextStep: entry.made.nextStep ?? '', note: entry.made.note ?? '' }}
          faults={faults}
          busy={false}
          isDone={false}
          submit={t('kept.keep')}
          onSend={(made) => {
            setAsking(null);
            void sendAgain(entry, made);
          }}
          onClose={() => setAsking(null)}
        />
      ) : null}
      <ConfirmDialog
        open={asking === 'discard'}
        title={t('kept.discardTitle')}
        confirm={t('kept.discard')}
        danger
        onConfirm={() => void discard(entry)}
        onClose={() => setAsking(null)}
      >
        {t('kept.discardText')}
      </ConfirmDialog>
    </>
  );
}
