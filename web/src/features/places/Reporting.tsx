import { changeReporting, listReporting, type ReportedJurisdiction } from '@caseway/contract/places';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { CircleCheck, CircleMinus, MapPinOff } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient, useApi, useCall } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { IconMark } from '../../ui/IconMark.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { useFormats } from '../../words/formats.ts';
import { oldPlaces } from './EditPlace.tsx';
import { PlaceTabs } from './PlaceTabs.tsx';

type Deed = 'begin' | 'end' | 'include' | 'leaveOut';

/** The possible decisions about a jurisdiction in its current state. */
function deedsFor({ reporting }: ReportedJurisdiction): Deed[] {
  if (reporting === null) return ['begin'];
  return [reporting.restrictedFamilies ? 'leaveOut' : 'include', 'end'];
}

/**
 * The jurisdictions the tenant reports to, and whether its restricted disease families are included. [S6.9,
 * P18]
 */
export default function Reporting() {
  const { t } = useTranslation('places');
  const [words, setWords] = useState('');
  const [asking, setAsking] = useState<{ deed: Deed; id: string } | null>(null);
  const query = useApi(listReporting, { query: { words } });
  const close = () => setAsking(null);
  // In its current state: a decision someone else has made is not asked again.
  const asked = query.data?.jurisdictions.find((one) => one.id === asking?.id);
  return (
    <Page title={t('reporting.title')} lead={t('reporting.lead')}>
      <PlaceTabs />
      <Box sx={{ maxWidth: 420 }}>
        <SearchField label={t('reporting.find')} onSearch={setWords} />
      </Box>
      <Answered query={query} height={320}>
        {({ jurisdictions, total }) => (
          <>
            <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
              {total > jurisdictions.length
                ? t('reporting.more', { number: jurisdictions.length, count: total })
                : t('reporting.found', { count: total })}
            </Typography>
            {total === 0 ? (
              <Message icon={MapPinOff} title={t(words === '' ? 'reporting.empty' : 'common:filter.none')}>
                {words === '' ? t('reporting.emptyText') : null}
              </Message>
            ) : (
              <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
                {jurisdictions.map((jurisdiction) => (
                  <Jurisdiction
                    key={jurisdiction.id}
                    jurisdiction={jurisdiction}
                    onAsk={(deed) => setAsking({ deed, id: jurisdiction.id })}
                  />
                ))}
              </Box>
            )}
          </>
        )}
      </Answered>
      {asked && asking && deedsFor(asked).includes(asking.deed) ? (
        asking.deed === 'begin' ? (
          <Begin jurisdiction={asked} onClose={close} />
        ) : (
          <Decide deed={asking.deed} jurisdiction={asked} onClose={close} />
        )
      ) : null}
    </Page>
  );
}

function Jurisdiction({
  jurisdiction,
  onAsk,
}: {
  jurisdiction: ReportedJurisdiction;
  onAsk: (deed: Deed) => void;
}) {
  const { t } = useTranslation('places');
  const mayShow = useMay()('restricted-families/read');
  const { name, counties, managedBy, own, open, reporting } = jurisdiction;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        paddingY: 3,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 280px', minWidth: 0, display: 'grid', gap: 0.5 }}>
        <Typography variant="body1" component="h2" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('reporting.counties', { count: counties.length })}
          {' · '}
          {own ? t('reporting.own') : t('reporting.managedBy', { tenant: managedBy })}
        </Typography>
        <Typography variant="body2" component="div">
          <State jurisdiction={jurisdiction} />
        </Typography>
        {reporting === null ? null : (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t(reporting.restrictedFamilies ? 'reporting.restrictedIn' : 'reporting.restrictedOut')}
          </Typography>
        )}
        {open ? null : (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('reporting.closed')}
          </Typography>
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {deedsFor(jurisdiction)
          .filter((deed) => deed !== 'include' || mayShow)
          .map((deed) => (
            <Button
              key={deed}
              size="small"
              variant="outlined"
              aria-label={`${t(`reporting.${deed}.action`)}: ${name}`}
              onClick={() => onAsk(deed)}
            >
              {t(`reporting.${deed}.action`)}
            </Button>
          ))}
      </Box>
    </Box>
  );
}

function State({ jurisdiction: { reporting, since } }: { jurisdiction: ReportedJurisdiction }) {
  const { t } = useTranslation('places');
  const formats = useFormats();
  if (reporting === null)
    return (
      <IconMark icon={CircleMinus} color="text.secondary">
        {t('reporting.not')}
      </IconMark>
    );
  return (
    <IconMark icon={CircleCheck} color="success.main">
      {since === null ? t('reporting.reports') : t('reporting.since', { time: formats.instant(since) })}
    </IconMark>
  );
}

/** Sends a decision, based on the jurisdiction as shown. */
function useDecision({ id, name, version, reporting: before }: ReportedJurisdiction, onDone: () => void) {
  const call = useCall(changeReporting, { invalidates: oldPlaces });
  const decide = (deed: Deed, after: ReportedJurisdiction['reporting']) =>
    call.mutate(
      { params: { id }, body: { version, before, after } },
      {
        onSuccess: () => {
          notify('success', `places:reporting.${deed}.done`, { values: { name } });
          onDone();
        },
        // The next question is about the current state.
        onError: ({ code }) => {
          if (code === 'conflict') void queryClient.invalidateQueries({ queryKey: [listReporting.path] });
        },
      },
    );
  return { call, decide };
}

function Begin({ jurisdiction, onClose }: { jurisdiction: ReportedJurisdiction; onClose: () => void }) {
  const { t } = useTranslation('places');
  const id = useId();
  const mayShow = useMay()('restricted-families/read');
  const names = useLabels('counties');
  const [restrictedFamilies, setRestrictedFamilies] = useState(false);
  const { call, decide } = useDecision(jurisdiction, onClose);
  const { name, managedBy, own, counties } = jurisdiction;
  return (
    <FormDialog
      title={t('reporting.begin.title', { name })}
      lead={own ? t('reporting.begin.leadOwn') : t('reporting.begin.lead', { tenant: managedBy })}
      submit={t('reporting.begin.action')}
      busy={call.isPending}
      onSubmit={() => decide('begin', { restrictedFamilies })}
      onClose={onClose}
    >
      {call.error ? <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert> : null}
      <Box>
        <Typography variant="body2" sx={{ fontWeight: 550 }}>
          {t('field.counties')}
        </Typography>
        <Typography variant="body1">{counties.map((fips) => names.of(fips)).join('; ')}</Typography>
      </Box>
      <Box>
        <FormControlLabel
          disabled={!mayShow}
          label={t('reporting.restricted')}
          control={
            <Checkbox
              checked={restrictedFamilies}
              onChange={(event) => setRestrictedFamilies(event.target.checked)}
              slotProps={{ input: { 'aria-describedby': id } }}
            />
          }
        />
        <Typography
          id={id}
          variant="caption"
          component="div"
          sx={{ color: 'text.secondary', paddingLeft: 6.25, maxWidth: '64ch' }}
        >
          {t(mayShow ? 'reporting.restrictedHelp' : 'reporting.restrictedNot')}
        </Typography>
      </Box>
    </FormDialog>
  );
}

function Decide({
  deed,
  jurisdiction,
  onClose,
}: {
  deed: Exclude<Deed, 'begin'>;
  jurisdiction: ReportedJurisdiction;
  onClose: () => void;
}) {
  const { t } = useTranslation('places');
  const { call, decide } = useDecision(jurisdiction, onClose);
  const { name, managedBy } = jurisdiction;
  return (
    <ConfirmDialog
      open
      title={t(`reporting.${deed}.title`, { name })}
      confirm={t(`reporting.${deed}.confirm`)}
      danger={deed === 'end'}
      busy={call.isPending}
      error={call.error}
      onConfirm={() => decide(deed, deed === 'end' ? null : { restrictedFamilies: deed === 'include' })}
      onClose={onClose}
    >
      <Typography variant="body1">{t(`reporting.${deed}.text`, { tenant: managedBy })}</Typography>
    </ConfirmDialog>
  );
}
