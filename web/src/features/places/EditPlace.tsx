import { type LocationLevel, listReporters, listReporting, programTypes } from '@caseway/contract/places';
import { lookup } from '@caseway/contract/reference';
import { administeredOrgs } from '@caseway/contract/users';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi, queryClient, useCall } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { type FormValues, formSchema, formValues } from '../../record/form-values.ts';
import { newId } from '../../record/new-id.ts';
import { useRecordForm } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { type PlaceKind, type PlaceRecord, placeKinds } from './kinds.ts';
import { PlaceForm } from './PlaceForm.tsx';
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

/** Marks all of that as stale. */
export const refreshPlaces = () =>
  Promise.all(oldPlaces.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));

/** The answer of an endpoint of any kind, as every screen knows it. */
export const asRecord = (answer: unknown) => answer as PlaceRecord;

/** Sends the undo of a change, and reports it. */
export function offerUndo(words: string, values: Record<string, string>, undo: () => Promise<unknown>): void {
  notify('success', words, {
    values,
    action: {
      label: 'places:done.undo',
      run: () =>
        void takeBack(async () => {
          await undo();
          await refreshPlaces();
        }, 'places:done.undone'),
    },
  });
}

/** Whether a location is inside another: a shelf, a bay. */
export const isPart = (level: LocationLevel | undefined): level is 'shelf' | 'bay' =>
  level === 'shelf' || level === 'bay';

/**
 * Creates or changes a record. The draft is kept until it is sent or discarded; someone else's changes are shown field
 * by field, and nothing overwrites them unseen.
 */
export function EditPlace({
  kind,
  record,
  preset: { level, ...preset } = {},
  onSaved,
  onClose,
}: {
  kind: PlaceKind;
  /** Null: a new one. */
  record: PlaceRecord | null;
  /** Preset values of a new record, and the level of a part of a location. */
  preset?: Record<string, string> & { level?: string };
  onSaved: (record: PlaceRecord) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('places');
  const words = usePlaceWords();
  const text = useValueText(kind);
  // A shelf or a bay has a code in the place of a name.
  const part = (level ?? record?.level) as LocationLevel | undefined;
  const labels = Object.fromEntries(
    kind.fields.map(({ name }) => [name, words.field(name === 'name' && isPart(part) ? 'code' : name)]),
  );
  const make = useCall(kind.endpoints.make, { invalidates: oldPlaces });
  const change = useCall(kind.endpoints.change, { invalidates: oldPlaces });
  // A request that is sent again, because its answer was lost, makes no second record.
  const [ownId] = useState(newId);
  const params = { id: record ? record.id : ownId };
  const versionOf = (of: PlaceRecord) => ({ version: of.version, values: formValues(kind.record, of) });
  const editing = useRecordForm<FormValues, PlaceRecord>(
    formSchema(kind.record),
    `places/${kind.name}/${record?.id ?? ['new', ...Object.values(preset)].join('/')}`,
    record === null
      ? { version: 0, values: { ...formValues(kind.record, null), ...preset } }
      : versionOf(record),
    {
      write: async (changes, version) =>
        asRecord(
          await (record === null
            ? make.mutateAsync({ body: { ...changes, id: ownId } as never })
            : change.mutateAsync({ params, body: { ...changes, version } as never })),
        ),
      read: async () => versionOf(asRecord(await callApi(kind.endpoints.read, { params }))),
      versionOf,
      onSaved: (saved) => {
        const values = { name: String(saved[kind.title]) };
        if (record === null) notify('success', 'places:done.made', { values });
        else
          offerUndo('places:done.saved', values, () =>
            callApi(kind.endpoints.undo, { params, body: { version: saved.version } }),
          );
        onSaved(saved);
      },
    },
    record === null,
  );
  const { saving, send, close } = editing;
  return (
    <FormDialog
      title={
        record === null
          ? isPart(part)
            ? t(`parts.add_${part}`)
            : t(`kind.${kind.name}.add`)
          : t('form.editTitle', { name: String(record[kind.title] ?? '') })
      }
      submit={record === null ? t('form.make') : t('form.save')}
      busy={saving}
      onSubmit={() => void send(onClose)()}
      onClose={() => void close(onClose)}
    >
      <FormBody of={editing} labels={labels} text={text}>
        <PlaceForm kind={kind} labels={labels} isNew={record === null && Object.keys(preset).length === 0} />
      </FormBody>
    </FormDialog>
  );
}
