import { todayIn } from '@caseway/contract/date-range';
import { fieldVisitRecord } from '@caseway/contract/field-visits';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { AppError } from '../../../data/transport.ts';
import { leaseState } from '../../../kept/lease.ts';
import { wipeKept } from '../../../kept/mark.ts';
import { canKeep } from '../../../kept/program.ts';
import { useMay } from '../../../session/permissions.ts';
import { useAppSelector } from '../../../session/store.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { framed } from '../../../ui/framed.ts';
import { Page } from '../../../ui/Page.tsx';
import { useVisitWords } from '../visit-words.ts';
import { KeptVisit } from './KeptVisit.tsx';
import { type KeptList, lockKept, type Outline, takeKept, unlock } from './kept-list.ts';
import { NotSent } from './NotSent.tsx';
import { PinForm, WrongPin } from './PinForm.tsx';
import { useKept, useKeptFormats } from './use-kept.ts';

/** The visits taken along, and unsent work. Works offline and without a session. */
export default function KeptVisits() {
  const kept = useKept();
  const [params] = useSearchParams();
  const visit = kept.visits.find(({ id }) => id === params.get('visit'));
  if (kept.phase === 'loading') return null;
  if (kept.phase === 'none') return <NothingKept />;
  if (kept.phase === 'locked') return <Locked kept={kept} />;
  return visit && kept.lease ? (
    <KeptVisit key={visit.id} visit={visit} kept={kept} />
  ) : (
    <Opened kept={kept} />
  );
}

/** Takes today's list along; errors are shown next to the button. */
function useTaking() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const take = async (pin?: string) => {
    setBusy(true);
    setError(null);
    try {
      await takeKept(pin);
    } catch (failed) {
      if (!(failed instanceof AppError)) throw failed;
      setError(failed);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, take };
}

function Failed({ error }: { error: AppError | null }) {
  const { t } = useTranslation();
  return error ? <Alert severity="error">{t(`error.${error.code}`)}</Alert> : null;
}

function NothingKept() {
  const { t } = useTranslation('field-visits');
  const may = useMay();
  const { error, take } = useTaking();
  const isSignedIn = useAppSelector(({ authentication }) => authentication.user !== null);
  const mayTake = isSignedIn && may(fieldVisitRecord.access.read) && may(fieldVisitRecord.access.write);
  return (
    <Page title={t('kept.title')} lead={t('kept.lead')} actions={<Back />}>
      {!canKeep() ? <Alert severity="info">{t('kept.cannot')}</Alert> : null}
      {canKeep() && mayTake ? (
        <>
          <Typography variant="body1" sx={{ maxWidth: '72ch' }}>
            {t('kept.pinWhy')}
          </Typography>
          <PinForm isNew submit={t('kept.take')} trouble={<Failed error={error} />} onEnter={take} />
        </>
      ) : null}
    </Page>
  );
}

function Back() {
  const { t } = useTranslation('field-visits');
  const isSignedIn = useAppSelector(({ authentication }) => authentication.user !== null);
  return isSignedIn ? (
    <Button variant="outlined" component={Link} to="/field-visits">
      {t('kept.back')}
    </Button>
  ) : null;
}

function Locked({ kept: { lease } }: { kept: KeptList }) {
  const { t } = useTranslation('field-visits');
  const [left, setLeft] = useState<number | null>(null);
  return (
    <Page title={t('kept.title')} lead={t('kept.locked', { org: lease?.orgName ?? '' })} actions={<Back />}>
      <PinForm
        submit={t('kept.open')}
        trouble={<WrongPin left={left} />}
        onEnter={async (pin) => setLeft(await unlock(pin))}
      >
        <Remove />
      </PinForm>
    </Page>
  );
}

function Remove() {
  const { t } = useTranslation('field-visits');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="outlined" onClick={() => setAsking(true)}>
        {t('kept.remove')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('kept.removeTitle')}
        confirm={t('kept.remove')}
        danger
        onConfirm={() => void wipeKept().then(() => setAsking(false))}
        onClose={() => setAsking(false)}
      >
        {t('kept.removeText')}
      </ConfirmDialog>
    </>
  );
}

function Opened({ kept }: { kept: KeptList }) {
  const { t } = useTranslation('field-visits');
  const formats = useKeptFormats();
  const { busy, error, take } = useTaking();
  const isOnline = useAppSelector(({ authentication }) => authentication.authenticated);
  const { lease, visits } = kept;
  if (!lease) return null;
  const held = leaseState(lease, Date.now());
  return (
    <Page
      title={t('kept.title')}
      lead={
        held === 'good'
          ? t('kept.until', {
              taken: formats.instant(new Date(lease.takenAt)),
              until: formats.instant(new Date(lease.until)),
            })
          : undefined
      }
      actions={
        <>
          {isOnline ? (
            <Button variant="contained" loading={busy} onClick={() => void take()}>
              {t('kept.again')}
            </Button>
          ) : null}
          <Button variant="outlined" onClick={lockKept}>
            {t('kept.lock')}
          </Button>
          <Remove />
          <Back />
        </>
      }
    >
      <Failed error={error} />
      {held === 'good' ? null : <Alert severity="warning">{t(`kept.held.${held}`)}</Alert>}
      <NotSent kept={kept} />
      {lease.more ? <Alert severity="info">{t('kept.more', { number: visits.length })}</Alert> : null}
      {held === 'good' && visits.length === 0 ? <Alert severity="info">{t('kept.none')}</Alert> : null}
      <Box
        component="ul"
        aria-label={t('kept.list')}
        sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}
      >
        {visits.map((visit) => (
          <One
            key={visit.id}
            visit={visit}
            today={todayIn(lease.timeZone)}
            unsent={unsentOf(kept, visit.id)}
          />
        ))}
      </Box>
    </Page>
  );
}

const unsentOf = ({ entries }: KeptList, id: string) => entries.filter(({ record }) => record === id).length;

/** Shows only initials, in case someone looks over the user's shoulder. */
function One({ visit, today, unsent }: { visit: Outline; today: string; unsent: number }) {
  const { t } = useTranslation('field-visits');
  const words = useVisitWords();
  const { id, initials, birthYear, visitType, place, attempts, tryIn, dueOn } = visit;
  return (
    <Box component="li" sx={{ ...framed, display: 'grid', gap: 0.5, padding: 3, overflowWrap: 'anywhere' }}>
      <Box
        component={Link}
        to={`/field-visits/kept?visit=${id}`}
        sx={{ color: 'primary.main', fontWeight: 550, minHeight: 24 }}
      >
        {[
          `${initials}${birthYear ? ` ${t('kept.about', { years: Number(today.slice(0, 4)) - Number(birthYear) })}` : ''}`,
          words.choice('visitType', visitType),
        ].join(' · ')}
      </Box>
      <Typography variant="body2">{place ?? t('kept.noPlace')}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {[
          t('kept.attempts', { count: attempts.length }),
          tryIn && `${words.column('tryIn')}: ${words.choice('tryIn', tryIn)}`,
          dueOn && dueOn < today && t('kept.late'),
          unsent > 0 && t('kept.notSent', { count: unsent }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
    </Box>
  );
}
