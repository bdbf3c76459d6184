import { type LocationLevel, listReporters, removeLocation } from '@caseway/contract/places';
import { isAsked } from '@caseway/contract/record';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi, useCall } from '../../data/api.ts';
import type { AppError } from '../../data/transport.ts';
import { type Option, useLookup } from '../../data/use-lookup.ts';
import { refresh } from '../../record/offer-undo.ts';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { PanelPart, RecordPanel } from '../../record/RecordPanel.tsx';
import { SwitchActive } from '../../record/SwitchActive.tsx';
import { shownField } from '../../record/shown-field.tsx';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useFormats } from '../../words/formats.ts';
import { EditPlace, isPart, oldPlaces } from './EditPlace.tsx';
import type { PlaceKind, PlaceRecord } from './kinds.ts';
import { LocationParts } from './LocationParts.tsx';
import { StatusMark } from './StatusMark.tsx';
import { WaitingFacility } from './WaitingFacility.tsx';
import { usePlaceWords, useTitle, useValueText } from './words.ts';

/** The record open next to the list: its values, and the actions on it. */
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
  const query = useApi(kind.endpoints.read, { params: { id } }) as UseQueryResult<PlaceRecord, AppError>;
  const titleOf = useTitle(kind);
  return (
    <RecordPanel
      query={query}
      title={(record) => (record ? titleOf(record) : t(`kind.${kind.name}.title`))}
      onClose={onClose}
    >
      {(record) => (
        <Place kind={kind} record={record} features={features} onOpen={onOpen} onClose={onClose} />
      )}
    </RecordPanel>
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
  const words = usePlaceWords(isPart(record.level as LocationLevel));
  const text = useValueText(kind);
  const formats = useFormats();
  const [editing, setEditing] = useState(false);
  const name = useTitle(kind)(record);
  const isEmpty = kind.name === 'locations' && record.parts === 0 && record.specimens === 0;
  return (
    <>
      {record.status === 'waiting' ? <WaitingFacility record={record} onOpen={onOpen} /> : null}
      <Facts
        facts={[
          [words.column('status'), <StatusMark key="status" status={record.status} />],
          ...kind.record.form
            .flat()
            .filter((field) => field !== kind.title && isAsked(kind.record.fields[field]!, record))
            .map(
              (field) => [words.column(field), shownField(kind.record, text, field, record[field])] as const,
            ),
          [words.column('specimens'), record.specimens ? formats.count(Number(record.specimens)) : null],
        ]}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button variant="outlined" size="small" onClick={() => setEditing(true)}>
          {t('panel.edit')}
        </Button>
        <SwitchActive
          record={kind.record}
          stored={record}
          name={name}
          labels={{ deactivate: t('panel.deactivate'), activate: t('panel.activate') }}
          question={{
            title: t('deactivate.title', { name }),
            confirm: t('deactivate.confirm'),
            text: <Typography variant="body1">{t(`kind.${kind.name}.deactivate`)}</Typography>,
          }}
          done={{ deactivated: 'places:done.deactivated', activated: 'places:done.activated' }}
          old={oldPlaces}
        />
        {isEmpty ? <Remove record={record} name={name} onRemoved={onClose} /> : null}
      </Box>
      {kind.name === 'organizations' ? <OfOrganization id={record.id} /> : null}
      {kind.name === 'jurisdictions' ? <OfJurisdiction id={record.id} /> : null}
      {kind.name === 'programs' ? <OfProgram id={record.id} /> : null}
      {kind.name === 'locations' ? <LocationParts kind={kind} record={record} onOpen={onOpen} /> : null}
      {record.status === 'waiting' ? null : features?.(record.id)}
      <RecordHistory
        record={kind.record}
        id={record.id}
        label={words.column}
        text={text}
        invalidates={oldPlaces}
      />
      {editing ? (
        <EditPlace
          kind={kind}
          record={record}
          onSaved={() => setEditing(false)}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </>
  );
}

/** Removes an empty location, after confirmation. */
function Remove({
  record: { id, version },
  name,
  onRemoved,
}: {
  record: PlaceRecord;
  name: string;
  onRemoved: () => void;
}) {
  const { t } = useTranslation('places');
  const [asked, setAsked] = useState(false);
  const remove = useCall(removeLocation);
  return (
    <>
      <Button variant="outlined" size="small" onClick={() => setAsked(true)}>
        {t('panel.remove')}
      </Button>
      <ConfirmDialog
        open={asked}
        title={t('remove.title', { name })}
        confirm={t('remove.confirm')}
        danger
        busy={remove.isPending}
        error={remove.error}
        onClose={() => setAsked(false)}
        onConfirm={() =>
          remove.mutate(
            { params: { id }, query: { version } },
            {
              onSuccess: () => {
                notify('success', 'places:done.removed', { values: { name } });
                // The record is gone and must not be reloaded.
                flushSync(onRemoved);
                void refresh(oldPlaces);
              },
            },
          )
        }
      >
        <Typography variant="body1">{t('remove.text')}</Typography>
      </ConfirmDialog>
    </>
  );
}

/** The places of an organization. */
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
    <PanelPart title={t('reporting.reporters')}>
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
    </PanelPart>
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
    <PanelPart
      title={title}
      actions={
        <Button variant="text" size="small" component={Link} to={to} aria-label={t('panel.allOf', { title })}>
          {t('panel.all')}
        </Button>
      }
    >
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
    </PanelPart>
  );
}
