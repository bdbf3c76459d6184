import { labelIn } from '@caseway/contract/label';
import { acceptOffer, listOffers, type MembershipOffer, refuseOffer } from '@caseway/contract/users';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { MailOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient, useApi, useCall } from '../../data/api.ts';
import { notify } from '../../session/notify.ts';
import { initAgain } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { Row } from './Row.tsx';

/** Tenants that invite someone with an account; empty without an invitation. */
export function Offers() {
  const { t } = useTranslation('profile');
  const { data } = useApi(listOffers, {});
  if (!data || data.offers.length === 0) return null;
  return (
    <Section title={t('offers.title')}>
      <Typography variant="body1" sx={{ color: 'text.secondary' }}>
        {t('offers.lead')}
      </Typography>
      <Box
        component="ul"
        aria-label={t('offers.title')}
        sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid' }}
      >
        {data.offers.map((offer) => (
          <Offer key={offer.id} offer={offer} />
        ))}
      </Box>
    </Section>
  );
}

function Offer({ offer: { id, tenant, invitedBy, invitedAt, organizations } }: { offer: MembershipOffer }) {
  const { t, i18n } = useTranslation(['profile', 'common']);
  const formats = useFormats();
  const [refusing, setRefusing] = useState(false);
  // Reloaded after the notification, because the row is then gone.
  const accept = useCall(acceptOffer);
  const refuse = useCall(refuseOffer);
  const answered = () => queryClient.invalidateQueries({ queryKey: [listOffers.path] });
  const when = formats.instant(invitedAt);
  return (
    <Row
      icon={MailOpen}
      actions={
        <>
          <Button
            variant="outlined"
            size="small"
            aria-label={t('offers.refuseOne', { tenant })}
            onClick={() => setRefusing(true)}
          >
            {t('offers.refuse')}
          </Button>
          <Button
            variant="contained"
            size="small"
            aria-label={t('offers.acceptOne', { tenant })}
            loading={accept.isPending}
            onClick={() =>
              accept.mutate(
                { params: { id }, body: {} },
                {
                  onSuccess: async () => {
                    notify('success', 'profile:offers.accepted', { values: { tenant } });
                    await Promise.all([answered(), initAgain()]);
                  },
                  // It was withdrawn, or the person who invited may no longer give it.
                  onError: ({ code }) =>
                    notify('error', code === 'conflict' ? 'profile:offers.lapsed' : `error.${code}`),
                },
              )
            }
          >
            {t('offers.accept')}
          </Button>
        </>
      }
    >
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {tenant}
      </Typography>
      {organizations.map(({ orgType, name, roles }) => (
        <Typography key={`${orgType} ${name}`} variant="body2">
          {t('offers.roles', {
            org: name,
            roles: roles.map((role) => labelIn(role, i18n.language)).join(', '),
          })}
        </Typography>
      ))}
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {invitedBy ? t('offers.from', { name: invitedBy, when }) : t('offers.unknown', { when })}
      </Typography>
      <ConfirmDialog
        open={refusing}
        title={t('offers.refuseOne', { tenant })}
        confirm={t('offers.refuse')}
        busy={refuse.isPending}
        error={refuse.error}
        onConfirm={() =>
          refuse.mutate(
            { params: { id }, body: {} },
            {
              onSuccess: async () => {
                notify('success', 'profile:offers.refused');
                await answered();
              },
            },
          )
        }
        onClose={() => setRefusing(false)}
      >
        <Typography variant="body1">{t('offers.refuseText', { tenant })}</Typography>
      </ConfirmDialog>
    </Row>
  );
}
