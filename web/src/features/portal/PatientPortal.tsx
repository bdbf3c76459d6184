import { phoneShown } from '@caseway/contract/codes';
import { labelIn, testNameForStaff, testNameIn } from '@caseway/contract/label';
import {
  endPatientAccess,
  invitePatient,
  listWaitingInvitations,
  type PortalState,
  readPortalState,
  releaseResult,
} from '@caseway/contract/portal';
import { type Language, languages } from '@caseway/contract/session';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../data/api.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useFormats } from '../../words/formats.ts';
import { languageNames, languageOf } from '../../words/i18n.ts';
import { Guardians } from './Guardians.tsx';
import { InvitationWaiting, useRefusalWords } from './InvitationWaiting.tsx';

type Held = PortalState['held'][number];
const changed = [readPortalState, { path: '/api/web/case-reports/:id' }];

/**
 * What staff see of a patient's portal: whether the patient has signed in, what is withheld, and how to
 * invite them.
 */
export function PatientPortal({ patientId }: { patientId: string }) {
  const { t } = useTranslation(['patient-portal', 'common']);
  const query = useApi(readPortalState, { params: { id: patientId } });
  const [inviting, setInviting] = useState(false);
  const [releasing, setReleasing] = useState<Held | null>(null);
  const [ending, setEnding] = useState(false);
  const [linking, setLinking] = useState(false);
  const mayWrite = useMay()('patients/write');
  const formats = useFormats();
  // The case was opened, not the person.
  if (query.error?.code === 'not-found')
    return <Typography variant="body2">{t('common:error.not-found')}</Typography>;
  return (
    <Answered query={query} height={120}>
      {(state) => (
        <Box sx={{ display: 'grid', gap: 3 }}>
          <Facts
            facts={[
              [t('access.status'), t(`is.${state.status}`)],
              [t('access.invitedAt'), state.invitedAt && formats.instant(state.invitedAt)],
              [t('access.lastSignInAt'), state.lastSignInAt && formats.instant(state.lastSignInAt)],
              [t('access.number'), state.patientNumber],
              ...state.consents.map(
                ({ kind, given, at }) =>
                  [
                    t(`consent.${kind}`),
                    t(given ? 'access.yes' : 'access.no', { at: formats.instant(at) }),
                  ] as const,
              ),
            ]}
          />
          {state.waiting ? (
            <InvitationWaiting patientId={patientId} waiting={state.waiting} mayWrite={mayWrite} />
          ) : null}
          {mayWrite ? (
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
              <Button variant="outlined" size="small" onClick={() => setInviting(true)}>
                {t(inviteWords(state))}
              </Button>
              {state.status === 'invited' || state.status === 'active' ? (
                <Button variant="text" size="small" onClick={() => setEnding(true)}>
                  {t('access.end')}
                </Button>
              ) : null}
            </Box>
          ) : null}
          <Guardians patientId={patientId} mayWrite={mayWrite} linking={linking} onLinking={setLinking} />
          {state.held.length > 0 ? (
            <Box>
              <Typography component="h3" variant="body1" sx={{ fontWeight: 650 }}>
                {t('access.held')}
              </Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {t('access.heldLead')}
              </Typography>
              <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
                {state.held.map((held) => (
                  <HeldResult
                    key={held.id}
                    held={held}
                    onRelease={mayWrite ? () => setReleasing(held) : undefined}
                  />
                ))}
              </Box>
            </Box>
          ) : null}
          {inviting ? (
            <Invite
              patientId={patientId}
              state={state}
              onClose={() => setInviting(false)}
              onGuardian={() => {
                setInviting(false);
                setLinking(true);
              }}
            />
          ) : null}
          {ending ? <EndAccess patientId={patientId} onClose={() => setEnding(false)} /> : null}
          {releasing ? (
            <Release patientId={patientId} held={releasing} onClose={() => setReleasing(null)} />
          ) : null}
        </Box>
      )}
    </Answered>
  );
}

const useNameOf = () => {
  const { i18n } = useTranslation();
  return (held: Held) =>
    `${held.about ? labelIn(held.about, i18n.language) : testNameIn(held, i18n.language)}: ${labelIn(held.answer, i18n.language)}`;
};

function HeldResult({ held, onRelease }: { held: Held; onRelease: (() => void) | undefined }) {
  const { t, i18n } = useTranslation('patient-portal');
  const formats = useFormats();
  const nameOf = useNameOf();
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, paddingY: 2 }}>
      <Box sx={{ flex: '1 1 160px', minWidth: 0 }}>
        <Typography variant="body1">{nameOf(held)}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {held.releasedAt
            ? t('access.releasedBy', { at: formats.instant(held.releasedAt), who: held.releasedBy ?? '' })
            : [testNameForStaff(held, i18n.language), held.resultedOn && formats.dayInWords(held.resultedOn)]
                .filter(Boolean)
                .join(' · ')}
        </Typography>
      </Box>
      {onRelease && held.releasedAt === null ? (
        <Button
          size="small"
          variant="outlined"
          aria-label={`${t('access.release')}: ${nameOf(held)}`}
          onClick={onRelease}
        >
          {t('access.release')}
        </Button>
      ) : null}
    </Box>
  );
}

function Release({ patientId, held, onClose }: { patientId: string; held: Held; onClose: () => void }) {
  const { t } = useTranslation('patient-portal');
  const nameOf = useNameOf();
  const call = useCall(releaseResult, { invalidates: changed });
  return (
    <ConfirmDialog
      open
      title={t('access.releaseTitle')}
      confirm={t('access.release')}
      busy={call.isPending}
      error={call.error}
      onConfirm={() =>
        call.mutate(
          { params: { id: patientId }, body: { resultId: held.id } },
          {
            onSuccess: () => {
              notify('success', 'patient-portal:access.released');
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {nameOf(held)}
      </Typography>
      <Typography variant="body1">{t('access.releaseText')}</Typography>
    </ConfirmDialog>
  );
}

function EndAccess({ patientId, onClose }: { patientId: string; onClose: () => void }) {
  const { t } = useTranslation('patient-portal');
  const call = useCall(endPatientAccess, { invalidates: [readPortalState, listWaitingInvitations] });
  return (
    <ConfirmDialog
      open
      title={t('access.endTitle')}
      confirm={t('access.end')}
      busy={call.isPending}
      error={call.error}
      onConfirm={() =>
        call.mutate(
          { params: { id: patientId }, body: {} },
          {
            onSuccess: () => {
              notify('success', 'patient-portal:access.ended');
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <Typography variant="body1">{t('access.endText')}</Typography>
    </ConfirmDialog>
  );
}

/** The label of the button that requests an invitation. */
const inviteWords = ({ status, waiting }: PortalState) =>
  waiting
    ? 'access.inviteOther'
    : status === 'none' || status === 'disabled'
      ? 'access.invite'
      : 'access.inviteAgain';

function Invite({
  patientId,
  state,
  onClose,
  onGuardian,
}: {
  patientId: string;
  state: PortalState;
  onClose: () => void;
  /** For a child who is too young to be invited. */
  onGuardian: () => void;
}) {
  const { t } = useTranslation(['patient-portal', 'common']);
  const id = useId();
  // A patient who signs in changes their address themselves.
  const offered = (to: string) => state.status !== 'active' || state.confirmed.includes(to);
  const places = [
    ...state.emails.filter(offered).map((to) => ({ by: 'EMAIL' as const, to })),
    ...state.phones.filter(offered).map((to) => ({ by: 'SMS' as const, to })),
  ];
  const [chosen, setChosen] = useState(0);
  const [languageCode, setLanguageCode] = useState<Language>(languageOf(state.languageCode) ?? 'en');
  const words = useRefusalWords();
  const call = useCall(invitePatient, { invalidates: [readPortalState, listWaitingInvitations] });
  const place = places[chosen];
  if (!place)
    return (
      <ConfirmDialog
        open
        title={t('access.invite')}
        confirm={t('common:action.close')}
        busy={false}
        error={null}
        onConfirm={onClose}
        onClose={onClose}
      >
        <Typography variant="body1">
          {t(state.status === 'active' ? 'fault.signs-in-elsewhere' : 'access.noContact')}
        </Typography>
      </ConfirmDialog>
    );
  const isConfirmed = state.confirmed.includes(place.to);
  return (
    <FormDialog
      title={t('access.invite')}
      lead={t('access.inviteLead')}
      submit={t(isConfirmed ? 'access.send' : 'access.ask')}
      busy={call.isPending}
      onSubmit={() =>
        call.mutate(
          { params: { id: patientId }, body: { ...place, languageCode } },
          {
            onSuccess: () => {
              notify('success', isConfirmed ? 'patient-portal:access.sent' : 'patient-portal:access.asked');
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      {call.error ? (
        <Alert
          severity="error"
          action={
            call.error.faults.some(({ code }) => code === 'too-young') ? (
              <Button color="inherit" size="small" onClick={onGuardian}>
                {t('guardians.link')}
              </Button>
            ) : null
          }
        >
          {words(call.error)}
        </Alert>
      ) : null}
      <Field id={`${id}-to`} label={t('access.to')} required>
        {() => (
          <NativeSelect
            id={`${id}-to`}
            input={<OutlinedInput />}
            value={chosen}
            onChange={(event) => setChosen(Number(event.target.value))}
          >
            {places.map(({ to }, index) => (
              <option key={to} value={index}>
                {phoneShown(to)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      {isConfirmed ? null : (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('access.inviteByTwo')}
        </Typography>
      )}
      <Field id={`${id}-language`} label={t('access.language')} required>
        {() => (
          <NativeSelect
            id={`${id}-language`}
            input={<OutlinedInput />}
            value={languageCode}
            onChange={(event) => setLanguageCode(event.target.value as Language)}
          >
            {languages.map((one) => (
              <option key={one} value={one}>
                {languageNames[one]}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </FormDialog>
  );
}
