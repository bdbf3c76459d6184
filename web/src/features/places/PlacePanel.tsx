import { type LocationLevel, listReporters, removeLocation } from '@caseway/contract/places';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { callApi, useApi, useCall } from '../../data/api.ts';
import { type Option, useLookup } from '../../data/use-lookup.ts';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { useFormats } from '../../words/formats.ts';
import { asRecord, EditPlace, isPart, offerUndo, oldPlaces, refreshPlaces } from './EditPlace.tsx';
import type { PlaceKind, PlaceRecord } from './kinds.ts';
import { LocationParts } from './LocationParts.tsx';
import { StatusMark } from './StatusMark.tsx';
import { WaitingFacility } from './WaitingFacility.tsx';
import { usePlaceWords, useTitle, useValueText } from './words.ts';

/** The record that is open next to the list: its values, and the actions on it. */
export function PlacePanel({
  kind,
  id,
  features,
  onOpen,
  onClose,
}: {
  kind: PlaceKind;
  id: string;
  features?: ((id: string) => ReactNode) | undefined;
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('places');
  const query = useApi(kind.endpoints.read, { params: { id } });
  const record = query.data && asRecord(query.data);
  const titleOf = useTitle(kind);
  return (
    <SidePanel title={record ? titleOf(record) : t(`kind.${kind.name}.title`)} onClose={onClose}>
      <Answered query={query} height={320}>
        {(answer) => (
          <Box aria-busy={query.isPlaceholderData} sx={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}>
            <Place
              key={`${kind.name} ${asRecord(answer).id}`}
              kind={kind}
              record={asRecord(answer)}
              features={features}
              onOpen={onOpen}
              onClose={onClose}
            />
          </Box>
        )}
      </Answered>
    </SidePanel>
  );
}

function Place({
  kind,
  record,
  features,
  onOpen,
  onClose,
}: {
  kind: PlaceKind;
  record: PlaceRecord;
  features: ((id: string) => ReactNode) | undefined;
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('places');
  const words = usePlaceWords();
  const text = useValueText(kind);
  const formats = useFormats();
  const [opened, setOpened] = useState<'edit' | 'deactivate' | 'remove' | null>(null);
  const change = useCall(kind.endpoints.change, { invalidates: oldPlaces });
  const remove = useCall(removeLocation);
  const name = useTitle(kind)(record);
  const params = { id: record.id };
  const setActive = (active: boolean) =>
    change.mutate(
      { params, body: { version: record.version, active } },
      {
        onSuccess: (answer) => {
          setOpened(null);
          const { version } = asRecord(answer);
          offerUndo(active ? 'places:done.activated' : 'places:done.deactivated', { name }, () =>
            callApi(kind.endpoints.undo, { params, body: { version } }),
          );
        },
      },
    );
  const isEmpty = kind.name === 'locations' && record.parts === 0 && record.specimens === 0;
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {record.status === 'waiting' ? <WaitingFacility record={record} onOpen={onOpen} /> : null}
      <Facts
        facts={[
          [words.field('status'), <StatusMark key="status" status={record.status} />],
          ...kind.fields
            .filter(({ name: field }) => field !== kind.title)
            .map(
              ({ name: field }) =>
                [
                  words.field(field === 'name' && isPart(record.level as LocationLevel) ? 'code' : field),
                  text(field, record[field]),
                ] as const,
            ),
          [words.field('specimens'), record.specimens ? formats.count(Number(record.specimens)) : null],
        ]}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button variant="outlined" size="small" onClick={() => setOpened('edit')}>
          {t('panel.edit')}
        </Button>
        {record.active ? (
          <Button variant="outlined" size="small" onClick={() => setOpened('deactivate')}>
            {t('panel.deactivate')}
          </Button>
        ) : (
          <Button variant="outlined" size="small" loading={change.isPending} onClick={() => setActive(true)}>
            {t('panel.activate')}
          </Button>
        )}
        {isEmpty ? (
          <Button variant="outlined" size="small" onClick={() => setOpened('remove')}>
            {t('panel.remove')}
          </Button>
        ) : null}
      </Box>
      {change.error && opened === null ? (
        <Alert severity="error">
          {change.error.faults.length > 0
            ? change.error.faults.map(({ code }) => t(`common:fault.${code}`)).join(' ')
            : t(`common:error.${change.error.code}`)}
        </Alert>
      ) : null}
      {kind.name === 'organizations' ? <OfOrganization id={record.id} /> : null}
      {kind.name === 'jurisdictions' ? <OfJurisdiction id={record.id} /> : null}
      {kind.name === 'programs' ? <OfProgram id={record.id} /> : null}
      {kind.name === 'locations' ? <LocationParts kind={kind} record={record} onOpen={onOpen} /> : null}
      {record.status === 'waiting' ? null : features?.(record.id)}
      <RecordHistory
        record={kind.record}
        id={record.id}
        label={words.field}
        text={text}
        invalidates={oldPlaces}
      />

      {opened === 'edit' ? (
        <EditPlace
          kind={kind}
          record={record}
          onSaved={() => setOpened(null)}
          onClose={() => setOpened(null)}
        />
      ) : null}
      <ConfirmDialog
        open={opened === 'deactivate'}
        title={t('deactivate.title', { name })}
        confirm={t('deactivate.confirm')}
        danger
        busy={change.isPending}
        error={change.error}
        onClose={() => setOpened(null)}
        onConfirm={() => setActive(false)}
      >
        <Typography variant="body1">{t(`kind.${kind.name}.deactivate`)}</Typography>
      </ConfirmDialog>
      <ConfirmDialog
        open={opened === 'remove'}
        title={t('remove.title', { name })}
        confirm={t('remove.confirm')}
        danger
        busy={remove.isPending}
        error={remove.error}
        onClose={() => setOpened(null)}
        onConfirm={() =>
          remove.mutate(
            { params, query: { version: record.version } },
            {
              onSuccess: () => {
                notify('success', 'places:done.removed', { values: { name } });
                // The record is gone and is not loaded again.
                flushSync(onClose);
                void refreshPlaces();
              },
            },
          )
        }
      >
        <Typography variant="body1">{t('remove.text')}</Typography>
      </ConfirmDialog>
    </Box>
  );
}

/** The places that belong to an organisation. */
function OfOrganization({ id }: { id: string }) {
  const { t } = useTranslation('places');
  const { options: programs } = useLookup('programs');
  const { options: facilities } = useLookup('facilities');
  const mine = (options: readonly Option[]) => options.filter(({ within }) => within?.organizations === id);
  return (
    <>
      <Names title={t('kind.programs.title')} to="/programs" entries={mine(programs)} />
      <Names title={t('kind.facilities.title')} to="/facilities" entries={mine(facilities)} />
    </>
  );
}

/** The tenants whose residents of its counties it sees. */
function OfJurisdiction({ id }: { id: string }) {
  const { t } = useTranslation('places');
  const formats = useFormats();
  const query = useApi(listReporters, { params: { id } });
  return (
    <Box component="section" sx={{ display: 'grid', gap: 1.5 }}>
      <Typography variant="body1" component="h3" sx={{ fontWeight: 650 }}>
        {t('reporting.reporters')}
      </Typography>
      <Answered query={query} height={60}>
        {({ tenants }) =>
          tenants.length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('reporting.noReporters')}
            </Typography>
          ) : (
            <Box component="ul" sx={{ margin: 0, paddingLeft: 4, display: 'grid', gap: 1 }}>
              {tenants.map(({ id: tenantId, name, active, since, restrictedFamilies }) => (
                <Typography key={tenantId} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                  {active ? name : t('panel.inactive', { name })}
                  <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                    {since === null ? null : `${t('reporting.since', { time: formats.instant(since) })} · `}
                    {t(restrictedFamilies ? 'reporting.restrictedIn' : 'reporting.restrictedOut')}
                  </Typography>
                </Typography>
              ))}
            </Box>
          )
        }
      </Answered>
    </Box>
  );
}

function OfProgram({ id }: { id: string }) {
  const { t } = useTranslation('places');
  const { options } = useLookup('tasks');
  return (
    <Names
      title={t('kind.tasks.title')}
      to="/tasks"
      entries={options.filter(({ within }) => within?.programs === id)}
    />
  );
}

function Names({ title, to, entries }: { title: string; to: string; entries: readonly Option[] }) {
  const { t } = useTranslation('places');
  return (
    <Box component="section" sx={{ display: 'grid', gap: 1.5 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Typography variant="body1" component="h3" sx={{ fontWeight: 650, flex: 1 }}>
          {title}
        </Typography>
        <Button variant="text" size="small" component={Link} to={to} aria-label={t('panel.allOf', { title })}>
          {t('panel.all')}
        </Button>
      </Box>
      {entries.length === 0 ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('panel.none')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ margin: 0, paddingLeft: 4, display: 'grid', gap: 0.5 }}>
          {entries.map((entry) => (
            <Typography key={entry.id} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {entry.inactive ? t('panel.inactive', { name: entry.label }) : entry.label}
            </Typography>
          ))}
        </Box>
      )}
    </Box>
  );
}
