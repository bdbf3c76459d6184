import { readOwnRecord } from '@caseway/contract/portal';
import { listOwnVaccinations, type OwnVaccination } from '@caseway/contract/vaccinations';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { MessageSquareWarning, Printer, Syringe } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { framed } from '../../ui/framed.ts';
import { Message } from '../../ui/Message.tsx';
import { useFormats } from '../../words/formats.ts';
import { Screen } from './Screen.tsx';
import { useShownChild } from './shown-child.ts';

/** The patient's vaccinations, to read and print. */
export function OwnVaccinations() {
  const { t } = useTranslation(['portal', 'vaccinations']);
  const query = useApi(listOwnVaccinations);
  const own = useApi(readOwnRecord).data;
  const child = useShownChild();
  const tenant = own?.tenant;
  const { data } = query;
  return (
    <Screen
      name={t('nav.vaccinations')}
      title={
        child
          ? t('vaccinations:own.titleOf', { name: child.firstName ?? t('child.unnamed') })
          : t('vaccinations:own.title')
      }
      lead={tenant && t('vaccinations:own.lead', { tenant })}
      said={
        data &&
        `${t('vaccinations:own.title')} ${t('vaccinations:own.count', { count: data.vaccinations.length })}`
      }
    >
      <Answered query={query} height={280}>
        {({ vaccinations }) =>
          vaccinations.length === 0 ? (
            <Message icon={Syringe} title={t('vaccinations:own.emptyTitle')}>
              {t('vaccinations:own.empty')}
            </Message>
          ) : (
            <>
              <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
                {vaccinations.map((one) => (
                  <Given key={one.id} vaccination={one} />
                ))}
              </Box>
              <Typography sx={{ color: 'text.secondary' }}>
                {t('vaccinations:own.wrong', { tenant: tenant ?? '' })}
              </Typography>
              <Button
                className="no-print"
                variant="outlined"
                startIcon={<Printer size={18} aria-hidden />}
                onClick={() => window.print()}
                sx={{ justifySelf: { xs: 'stretch', sm: 'start' } }}
              >
                {t('vaccinations:own.print')}
              </Button>
            </>
          )
        }
      </Answered>
      {(child ? child.may.includes('reactions') : own?.reactions) ? (
        <Button
          className="no-print"
          component={Link}
          to="/portal/vaccinations/reaction"
          variant="outlined"
          startIcon={<MessageSquareWarning size={18} aria-hidden />}
          sx={{ justifySelf: { xs: 'stretch', sm: 'start' } }}
        >
          {t('vaccinations:report.open')}
        </Button>
      ) : null}
    </Screen>
  );
}

/** The vaccine's name. */
export function useVaccineName() {
  const { t } = useTranslation(['vaccinations', 'common']);
  return ({ vaccine, otherVaccine }: Pick<OwnVaccination, 'vaccine' | 'otherVaccine'>) =>
    otherVaccine || t(`choice.vaccine.${vaccine}`, { defaultValue: t('common:label.unknown.other') });
}

function Given({ vaccination }: { vaccination: OwnVaccination }) {
  const { t } = useTranslation('vaccinations');
  const formats = useFormats();
  const nameOf = useVaccineName();
  const { givenOn, dose, manufacturer, lot, facility, source } = vaccination;
  const counted = dose && /^\d/.exec(dose)?.[0];
  const lines = [
    [formats.dayInWords(givenOn), facility],
    [
      counted && t('own.dose', { dose: counted }),
      manufacturer && manufacturer !== 'OTH' && t(`choice.manufacturer.${manufacturer}`),
      lot && t('own.lot', { lot }),
    ],
    [source === 'patient' && t('own.told')],
  ].map((parts) => parts.filter(Boolean).join(' · '));
  return (
    <Box
      component="li"
      sx={{
        breakInside: 'avoid',
        padding: '14px 16px',
        ...framed,
        display: 'grid',
        gap: 1,
        overflowWrap: 'anywhere',
      }}
    >
      <Typography component="h2" sx={{ fontWeight: 650, fontSize: '1.0625rem' }}>
        {nameOf(vaccination)}
      </Typography>
      {lines.filter(Boolean).map((line) => (
        <Typography key={line} variant="body2" sx={{ color: 'text.secondary' }}>
          {line}
        </Typography>
      ))}
    </Box>
  );
}
