import { listRecoveries, type Recovery, recoveryPageSize } from '@caseway/contract/recovery';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import {
  CircleCheck,
  CircleSlash,
  Clock,
  Hourglass,
  type LucideIcon,
  ShieldCheck,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ContactLinks } from '../../ui/ContactLink.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { framed } from '../../ui/framed.ts';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Pages } from '../../ui/Pages.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useFormats } from '../../words/formats.ts';
import { Approve, Decline } from './decisions.tsx';

type Asking = { deed: 'approve' | 'decline'; recovery: Recovery };

/** Requests to recover an account, for its administrators to decide. `navigation`: to the users. */
export function Recoveries({ navigation }: { navigation: ReactNode }) {
  const { t } = useTranslation('recovery');
  const formats = useFormats();
  const [only, setOnly] = useState<'waiting' | 'all'>('waiting');
  const [page, setPage] = useState(0);
  const [asking, setAsking] = useState<Asking | null>(null);
  const query = useApi(listRecoveries, { query: { only, page: String(page) } });
  const close = () => setAsking(null);
  return (
    <Page title={t('common:screen.recoveries')} lead={t('list.lead')}>
      {navigation}
      <Box sx={{ maxWidth: 420 }}>
        <Segments
          label={t('list.which')}
          value={only}
          options={(['waiting', 'all'] as const).map((value) => ({ value, label: t(`list.${value}`) }))}
          onChange={(value) => {
            setOnly(value);
            setPage(0);
          }}
        />
      </Box>
      <Answered query={query} height={360}>
        {({ recoveries, rowCount }) =>
          recoveries.length === 0 ? (
            <Message icon={ShieldCheck} title={t(`list.none.${only}`)}>
              {t('list.noneText')}
            </Message>
          ) : (
            <>
              {recoveries.some(({ state }) => state === 'open') ? (
                <Alert severity="warning">{t('list.verify')}</Alert>
              ) : null}
              <Box
                component="ul"
                aria-label={t('common:screen.recoveries')}
                sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}
              >
                {recoveries.map((recovery) => (
                  <Item key={recovery.id} recovery={recovery} onAsk={setAsking} />
                ))}
              </Box>
              <Pages
                page={page}
                pageSize={recoveryPageSize}
                rowCount={rowCount}
                words={{
                  newer: t('list.newer'),
                  older: t('list.older'),
                  count: t('list.count', { count: rowCount, number: formats.count(rowCount) }),
                }}
                onPage={setPage}
              />
            </>
          )
        }
      </Answered>
      {asking?.deed === 'approve' ? <Approve recovery={asking.recovery} onClose={close} /> : null}
      {asking?.deed === 'decline' ? <Decline recovery={asking.recovery} onClose={close} /> : null}
    </Page>
  );
}

const marks: Readonly<Record<Recovery['state'], { icon: LucideIcon; color: string }>> = {
  open: { icon: Clock, color: 'warning.main' },
  approved: { icon: Hourglass, color: 'info.main' },
  completed: { icon: CircleCheck, color: 'success.main' },
  declined: { icon: CircleSlash, color: 'error.main' },
  cancelled: { icon: Undo2, color: 'error.main' },
  expired: { icon: CircleSlash, color: 'text.secondary' },
};

function Item({ recovery, onAsk }: { recovery: Recovery; onAsk: (asking: Asking) => void }) {
  const { t } = useTranslation('recovery');
  const formats = useFormats();
  const { who, state, approvals, needed, refusal } = recovery;
  const { icon: Icon, color } = marks[state];
  const isOpen = state === 'open';
  const named = (deed: string) => `${deed}: ${who}`;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: 3,
        gridTemplateColumns: 'minmax(0, 1fr)',
        padding: { xs: 3, sm: 4 },
        ...framed,
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 2 }}>
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <Typography variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
            {who}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('list.asked', { time: formats.instant(recovery.askedAt) })}
          </Typography>
        </Box>
        <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
          <Box component="span" aria-hidden sx={{ display: 'inline-flex', color }}>
            <Icon size={16} />
          </Box>
          {t(`state.${state}`)}
        </Box>
      </Box>
      <Facts
        facts={[
          [
            t('fact.phone'),
            recovery.phone ? (
              <ContactLinks key="phone" kind="phone" values={[recovery.phone]} />
            ) : (
              t('fact.noPhone')
            ),
          ],
          // Typed by someone unknown: no email goes there before approval.
          [t('fact.email'), recovery.email],
          [
            t('fact.contactChanged'),
            recovery.contactChangedAt &&
              t('fact.contactChangedAt', { time: formats.instant(recovery.contactChangedAt) }),
          ],
          [t('fact.newEmail'), recovery.newEmail],
          [
            t('fact.reason'),
            <span key="reason" translate="no">
              {recovery.reason}
            </span>,
          ],
          [
            t('fact.approvals'),
            t('fact.approvalsOf', { given: formats.count(approvals.length), needed: formats.count(needed) }),
          ],
          ...approvals.map(
            ({ by, at, verifiedBy, verification }, index) =>
              [
                t('fact.approved', { number: formats.count(index + 1) }),
                by === null
                  ? t('fact.elsewhere', { time: formats.instant(at) })
                  : `${by}, ${formats.instant(at)} · ${t(`verified.${verifiedBy ?? 'other'}`)}: ${verification}`,
              ] as const,
          ),
          [t('fact.usableAt'), state === 'approved' ? formats.instant(recovery.usableAt!) : null],
          [
            t(isOpen ? 'fact.decideUntil' : 'fact.codeUntil'),
            isOpen || state === 'approved' ? formats.instant(recovery.expiresAt) : null,
          ],
          [t('fact.endedAt'), recovery.endedAt && formats.instant(recovery.endedAt)],
          [t('fact.note'), recovery.note],
        ]}
      />
      {isOpen && refusal ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t(`refusal.${refusal}`)}
        </Typography>
      ) : null}
      {isOpen || state === 'approved' ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          {isOpen && refusal === null ? (
            <Button
              size="small"
              variant="outlined"
              aria-label={named(t('approve.button'))}
              onClick={() => onAsk({ deed: 'approve', recovery })}
            >
              {t('approve.button')}
            </Button>
          ) : null}
          <Button
            size="small"
            variant="outlined"
            color="error"
            aria-label={named(t('decline.button'))}
            onClick={() => onAsk({ deed: 'decline', recovery })}
          >
            {t('decline.button')}
          </Button>
        </Box>
      ) : null}
    </Box>
  );
}
