import { phoneShown } from '@caseway/contract/codes';
import {
  type Consent,
  type ConsentKind,
  changeOwnLanguage,
  consentKinds,
  consentWording,
  endOwnSession,
  giveConsent,
  listOwnSessions,
  type OwnRecordAnswer,
  readOwnRecord,
} from '@caseway/contract/portal';
import { type Language, languages } from '@caseway/contract/session';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../data/api.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Section } from '../../ui/Section.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useFormats } from '../../words/formats.ts';
import { chooseLanguage, languageNames, languageOf } from '../../words/i18n.ts';
import { ContactChange } from './ContactChange.tsx';
import { Screen } from './Screen.tsx';

/** The patient's addresses, language, consents, and sessions. */
export function Details() {
  const { t } = useTranslation('portal');
  const query = useApi(readOwnRecord);
  return (
    <Screen name={t('nav.profile')} title={t('profile.title')} said={query.data && t('profile.title')}>
      <Answered query={query} height={420}>
        {(own) => (
          <>
            <Contact own={own} />
            <Consents own={own} />
          </>
        )}
      </Answered>
      <Sessions />
    </Screen>
  );
}

function Contact({ own }: { own: OwnRecordAnswer }) {
  const { t } = useTranslation('portal');
  const id = useId();
  const [changing, setChanging] = useState<'EMAIL' | 'PHONE' | null>(null);
  const change = useCall(changeOwnLanguage, { invalidates: [readOwnRecord] });
  const row = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 } as const;
  const line = (kind: 'EMAIL' | 'PHONE', label: string, value: string | null) => (
    <Box sx={row}>
      <Box sx={{ flex: '1 1 180px', minWidth: 0 }}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {label}
        </Typography>
        <Typography sx={{ overflowWrap: 'anywhere' }}>
          {value === null ? t('profile.none') : kind === 'PHONE' ? phoneShown(value) : value}
        </Typography>
      </Box>
      <Button
        variant="outlined"
        aria-label={`${t(value === null ? 'profile.add' : 'profile.change')}: ${label}`}
        onClick={() => setChanging(kind)}
      >
        {t(value === null ? 'profile.add' : 'profile.change')}
      </Button>
    </Box>
  );
  return (
    <Section title={t('profile.contact')}>
      {line('EMAIL', t('profile.email'), own.email)}
      {line('PHONE', t('profile.phone'), own.phone)}
      {own.patientNumber === own.email ? null : (
        <Box>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('profile.number')}
          </Typography>
          <Typography sx={{ overflowWrap: 'anywhere' }}>{own.patientNumber}</Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('profile.numberHelp')}
          </Typography>
        </Box>
      )}
      <Box sx={{ display: 'grid', gap: 1 }}>
        <Typography component="label" htmlFor={id} variant="body2" sx={{ color: 'text.secondary' }}>
          {t('profile.language')}
        </Typography>
        <NativeSelect
          id={id}
          input={<OutlinedInput />}
          value={languageOf(own.languageCode) ?? 'en'}
          disabled={change.isPending}
          onChange={(event) => {
            const languageCode = event.target.value as Language;
            change.mutate(
              { body: { languageCode } },
              {
                onSuccess: () => {
                  notify('success', 'portal:profile.languageSaved');
                  void chooseLanguage(languageCode);
                },
                onError: (error) => notify('error', `error.${error.code}`),
              },
            );
          }}
          sx={{ maxWidth: 320 }}
        >
          {languages.map((code) => (
            <option key={code} value={code}>
              {languageNames[code]}
            </option>
          ))}
        </NativeSelect>
      </Box>
      {changing ? <ContactChange kind={changing} own={own} onClose={() => setChanging(null)} /> : null}
    </Section>
  );
}

function Consents({ own: { consents } }: { own: OwnRecordAnswer }) {
  const { t } = useTranslation('portal');
  return (
    <Section title={t('profile.consents')}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('profile.consentsLead')}
      </Typography>
      {consentKinds.map((kind) => (
        <Question key={kind} kind={kind} answers={consents.filter((one) => one.kind === kind)} />
      ))}
    </Section>
  );
}

/** One question with its answer, and earlier answers. */
function Question({ kind, answers }: { kind: ConsentKind; answers: readonly Consent[] }) {
  const { t } = useTranslation('portal');
  const formats = useFormats();
  const give = useCall(giveConsent, { invalidates: [readOwnRecord] });
  const [present, ...before] = answers;
  return (
    <Box sx={{ display: 'grid', gap: 2, borderTop: 1, borderColor: 'divider', paddingTop: 3 }}>
      <Typography>{t(`profile.consent.${kind}`)}</Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
        <Segments
          label={t(`profile.consent.${kind}`)}
          hideLabel
          value={present ? (present.given ? 'yes' : 'no') : ''}
          options={[
            { value: 'yes', label: t('profile.agree') },
            { value: 'no', label: t('profile.refuse') },
          ]}
          onChange={(value) => {
            if (give.isPending || (present && present.given === (value === 'yes'))) return;
            give.mutate(
              { body: { kind, given: value === 'yes', wording: consentWording } },
              {
                onSuccess: () => notify('success', 'portal:profile.saved'),
                onError: (error) => notify('error', `error.${error.code}`),
              },
            );
          }}
        />
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {present
            ? t(present.given ? 'profile.yes' : 'profile.no', { at: formats.instant(present.at) })
            : t('profile.notAnswered')}
          {present && !present.byPatient ? ` (${t('profile.byStaff')})` : ''}
        </Typography>
      </Box>
      {before.length > 0 ? (
        <Box component="details" sx={{ color: 'text.secondary' }}>
          <summary>{t('profile.history')}</summary>
          {before.map((one) => (
            <div key={one.at}>
              {t(one.given ? 'profile.historyYes' : 'profile.historyNo', { at: formats.instant(one.at) })}
            </div>
          ))}
        </Box>
      ) : null}
    </Box>
  );
}

function Sessions() {
  const { t } = useTranslation('portal');
  const formats = useFormats();
  const query = useApi(listOwnSessions);
  const end = useCall(endOwnSession, { invalidates: [listOwnSessions] });
  return (
    <Section title={t('sessions.title')}>
      <Answered query={query} height={90}>
        {({ sessions }) => (
          <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}>
            {sessions.map(({ id, current, createdAt }) => (
              <Box
                component="li"
                key={id}
                sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}
              >
                <Box sx={{ flex: '1 1 160px' }}>
                  <Typography>{t(current ? 'sessions.here' : 'sessions.other')}</Typography>
                  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                    {t('sessions.since', { at: formats.instant(createdAt) })}
                  </Typography>
                </Box>
                {current ? null : (
                  <Button
                    variant="outlined"
                    disabled={end.isPending}
                    onClick={() =>
                      end.mutate(
                        { params: { id } },
                        {
                          onSuccess: () => notify('success', 'portal:sessions.ended'),
                          onError: (error) => notify('error', `error.${error.code}`),
                        },
                      )
                    }
                  >
                    {t('sessions.end')}
                  </Button>
                )}
              </Box>
            ))}
          </Box>
        )}
      </Answered>
    </Section>
  );
}
