import {
  glassPageSize,
  glassRefusals,
  listGlass,
  reviewGlass,
  revokeGlass,
  type WatchedAccess,
} from '@caseway/contract/break-glass';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { CircleCheck, CircleSlash, Clock, type LucideIcon, SearchX, ShieldCheck, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi, useCall } from '../../data/api.ts';
import { refusalsIn } from '../../data/transport.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { useKeptForm } from '../../record/use-kept-form.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { TextField } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { framed } from '../../ui/framed.ts';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Pages } from '../../ui/Pages.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useAddressChoices } from '../../view/address-choices.ts';
import { useFormats } from '../../words/formats.ts';

type Asking = { deed: 'review' | 'revoke'; access: WatchedAccess };

const kinds = ['unreviewed', 'all'] as const;

/** Who opened which hidden record, when and why, with buttons to review and end it. */
export default function Privacy() {
  const { t } = useTranslation('break-glass');
  const formats = useFormats();
  const {
    chosen: { only },
    choose,
    page,
    setPage,
  } = useAddressChoices({ only: kinds });
  const [asking, setAsking] = useState<Asking | null>(null);
  const query = useApi(listGlass, { query: { only, page: String(page) } });
  const close = () => setAsking(null);
  return (
    <Page title={t('common:screen.privacy')} lead={t('watch.lead')}>
      <Box sx={{ maxWidth: 420 }}>
        <Segments
          label={t('watch.which')}
          value={only}
          options={kinds.map((value) => ({ value, label: t(`watch.${value}`) }))}
          onChange={(value) => choose({ only: value })}
        />
      </Box>
      <Answered query={query} height={360}>
        {({ accesses, rowCount }) =>
          accesses.length === 0 ? (
            <Message icon={ShieldCheck} title={t(`watch.none.${only}`)}>
              {t('watch.noneText')}
            </Message>
          ) : (
            <>
              <Box
                component="ul"
                aria-label={t('common:screen.privacy')}
                sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}
              >
                {accesses.map((access) => (
                  <Access key={access.id} access={access} onAsk={setAsking} />
                ))}
              </Box>
              <Pages
                page={page}
                pageSize={glassPageSize}
                rowCount={rowCount}
                words={{
                  newer: t('watch.newer'),
                  older: t('watch.older'),
                  count: t('watch.count', { count: rowCount, number: formats.count(rowCount) }),
                }}
                onPage={setPage}
              />
            </>
          )
        }
      </Answered>
      {asking?.deed === 'review' ? <Review access={asking.access} onClose={close} /> : null}
      {asking?.deed === 'revoke' ? <Revoke access={asking.access} onClose={close} /> : null}
    </Page>
  );
}

const marks: Readonly<Record<WatchedAccess['state'], { icon: LucideIcon; color: string }>> = {
  open: { icon: Clock, color: 'warning.main' },
  expired: { icon: CircleCheck, color: 'text.secondary' },
  'given-up': { icon: Undo2, color: 'text.secondary' },
  revoked: { icon: CircleSlash, color: 'error.main' },
  nothing: { icon: SearchX, color: 'text.secondary' },
};

function Access({ access, onAsk }: { access: WatchedAccess; onAsk: (asking: Asking) => void }) {
  const { t } = useTranslation('break-glass');
  const formats = useFormats();
  const { icon: Icon, color } = marks[access.state];
  const named = (deed: string) => `${deed}: ${access.who}, ${access.caseNumber}`;
  const review = t(access.review ? 'review.again' : 'review.button');
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: 3,
        padding: { xs: 3, sm: 4 },
        ...framed,
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 2 }}>
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <Typography variant="h3" component="h2">
            {access.who}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {access.email} · {access.organization}
          </Typography>
        </Box>
        <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
          <Box component="span" aria-hidden sx={{ display: 'inline-flex', color }}>
            <Icon size={16} />
          </Box>
          {t(`state.${access.state}`, { time: formats.time(access.expiresAt) })}
        </Box>
      </Box>
      <Facts
        facts={[
          [
            t('fact.record'),
            <Typography key="number" variant="mono" component="span">
              {access.caseNumber}
            </Typography>,
          ],
          [t('fact.kind'), t(`kind.${access.reasonKind}`)],
          [t('fact.reason'), access.reason],
          [t('fact.openedAt'), formats.instant(access.openedAt)],
          [t('fact.endedAt'), access.endedAt && formats.instant(access.endedAt)],
          [
            t('fact.reads'),
            access.state === 'nothing'
              ? null
              : t('fact.readTimes', { count: access.reads, number: formats.count(access.reads) }),
          ],
          [
            t('fact.review'),
            access.review &&
              [
                t('fact.reviewed', { who: access.review.by, time: formats.instant(access.review.at) }),
                access.review.note,
              ]
                .filter(Boolean)
                .join(' · '),
          ],
        ]}
      />
      {access.own ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('refusal.own-access')}
        </Typography>
      ) : null}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {access.own ? null : (
          <Button
            size="small"
            variant="outlined"
            aria-label={named(review)}
            onClick={() => onAsk({ deed: 'review', access })}
          >
            {review}
          </Button>
        )}
        {access.state === 'open' ? (
          <Button
            size="small"
            variant="outlined"
            color="error"
            aria-label={named(t('revoke.button'))}
            onClick={() => onAsk({ deed: 'revoke', access })}
          >
            {t('revoke.button')}
          </Button>
        ) : null}
      </Box>
    </Box>
  );
}

const noteForm = z.strictObject({ note: z.string().trim().max(1000) });

function Review({ access, onClose }: { access: WatchedAccess; onClose: () => void }) {
  const { t } = useTranslation('break-glass');
  const call = useCall(reviewGlass, { invalidates: [listGlass] });
  const note = access.review?.note ?? '';
  const editing = useKeptForm(noteForm, `break-glass/review/${access.id}`, { note }, call.isSuccess);
  const [refusal] = refusalsIn(call.error, glassRefusals);
  const send = editing.form.handleSubmit((typed) =>
    call.mutate(
      { params: { id: access.id }, body: { note: typed.note || null } },
      {
        onSuccess: () => {
          editing.forget();
          notify('success', 'break-glass:done.reviewed');
          onClose();
        },
      },
    ),
  );
  return (
    <FormDialog
      title={t('review.title', { who: access.who })}
      lead={t('review.lead')}
      submit={t('review.submit')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={() => void editing.close(onClose)}
    >
      <FormBody of={editing} labels={{ note: t('review.note') }}>
        <TextField name="note" label={t('review.note')} required={false} multiline minRows={2} />
      </FormBody>
      {call.error ? (
        <Alert severity="error">
          {t(refusal ? `refusal.${refusal}` : `common:error.${call.error.code}`)}
        </Alert>
      ) : null}
    </FormDialog>
  );
}

function Revoke({ access, onClose }: { access: WatchedAccess; onClose: () => void }) {
  const { t } = useTranslation('break-glass');
  const call = useCall(revokeGlass, { invalidates: [listGlass] });
  return (
    <ConfirmDialog
      open
      danger
      title={t('revoke.title', { who: access.who })}
      confirm={t('revoke.button')}
      busy={call.isPending}
      error={call.error}
      onConfirm={() =>
        call.mutate(
          { params: { id: access.id } },
          {
            onSuccess: () => {
              notify('success', 'break-glass:done.revoked');
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <Typography variant="body1">{t('revoke.text', { caseNumber: access.caseNumber })}</Typography>
    </ConfirmDialog>
  );
}
