import { labelIn } from '@caseway/contract/label';
import { type LocationLevel, listReporters, listReporting, programTypes } from '@caseway/contract/places';
import { lookup } from '@caseway/contract/reference';
import { administeredOrgs } from '@caseway/contract/users';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi } from '../../data/api.ts';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { RecordFields } from '../../record/RecordFields.tsx';
import { notify } from '../../session/notify.ts';
import { CountiesField } from './CountiesField.tsx';
import { type PlaceKind, type PlaceRecord, placeKinds } from './kinds.ts';
import { usePlaceWords, useValueText } from './words.ts';

/** What every change of a place makes stale: lists, look-ups, and where people can be given roles. */
export const oldPlaces = [
  ...placeKinds.flatMap(({ grid, endpoints }) => [
    { path: `/api/web/grid/${grid.id}/search` },
    endpoints.read,
    endpoints.history,
  ]),
  listReporting,
  listReporters,
  lookup,
  programTypes,
  administeredOrgs,
];

/** The answer of an endpoint of any kind, as every screen knows it. */
export const asRecord = (answer: unknown) => answer as PlaceRecord;

/** Whether a location is inside another: a shelf, a bay or a box. */
export const isPart = (level: LocationLevel | undefined): level is Exclude<LocationLevel, 'location'> =>
  level !== undefined && level !== 'location';

/** Creates or changes a place. */
export function EditPlace({
  kind,
  record: stored,
  preset = {},
  onSaved,
  onClose,
}: {
  kind: PlaceKind;
  /** Null for a new one. */
  record: PlaceRecord | null;
  /** Preset values of a new record. */
  preset?: Record<string, string>;
  onSaved: (record: PlaceRecord) => void;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation('places');
  const part = (preset.level ?? stored?.level) as LocationLevel | undefined;
  const words = usePlaceWords(isPart(part));
  const text = useValueText(kind);
  // Includes types that no program has yet.
  const types = useApi(programTypes, {}, { enabled: kind.name === 'programs', staleTime: cacheMs });
  const programType = {
    options: (types.data?.types ?? []).map((type) => ({ id: type.id, label: labelIn(type, i18n.language) })),
    loading: types.isPending,
  };
  const name = stored && String(stored[kind.title] ?? '');
  return (
    <EditRecord
      record={kind.record}
      stored={stored && answered(stored)}
      preset={preset}
      title={
        name !== null
          ? t('form.editTitle', { name })
          : isPart(part)
            ? t(`parts.add_${part}`)
            : t(`kind.${kind.name}.add`)
      }
      submit={t(stored ? 'form.save' : 'form.make')}
      words={words}
      text={text}
      old={oldPlaces}
      onSaved={(saved, undo) => {
        const values = { name: String(saved[kind.title]) };
        if (undo) offerUndo('places:done.saved', undo, { values, old: oldPlaces });
        else notify('success', 'places:done.made', { values });
        onSaved(asRecord(saved));
      }}
      onClose={onClose}
    >
      <RecordFields
        record={{
          ...kind.record,
          form: kind.record.form.filter((line) =>
            [line].flat().every((field) => preset[field] === undefined),
          ),
        }}
        isNew={stored === null}
        stored={stored ?? {}}
        words={words}
        help={(field) => (i18n.exists(`places:help.${field}`) ? t(`help.${field}`) : undefined)}
        none={(field) => (field === 'timeZone' ? t('form.tenantTimeZone') : undefined)}
        own={{ counties: (shown) => <CountiesField {...shown} /> }}
        offered={{ programType }}
      />
    </EditRecord>
  );
}
