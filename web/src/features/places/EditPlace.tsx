import { type LocationLevel, listReporters, listReporting, programTypes } from '@caseway/contract/places';
import { lookup } from '@caseway/contract/reference';
import { administeredOrgs } from '@caseway/contract/users';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { callApi, queryClient, useCall } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { mayLeave, useUnsaved } from '../../session/unsaved.ts';
import { ConflictAlert } from '../../ui/ConflictAlert.tsx';
import { ErrorSummary, showFaults, useSchemaForm } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import {
  formSchema,
  type PlaceKind,
  type PlaceRecord,
  type PlaceValues,
  placeKinds,
  valuesOf,
} from './kinds.ts';
import { PlaceForm } from './PlaceForm.tsx';
import { usePlaceWords, useValueText } from './words.ts';

/** What every change of a place makes stale: lists, look-ups, and where people can be given roles. */
export const oldPlaces = [
  ...placeKinds.flatMap(({ grid, endpoints }) => [
    { path: `/api/web/grid/${grid.id}/search` },
    endpoints.read,
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

const draftValues = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]));
/** The draft, and the values it is based on: on others it would undo someone else's change. */
const draftSchema = z.object({ first: draftValues, values: draftValues });
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

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
  const [base, setBase] = useState(record);
  const begun = { ...valuesOf(kind, base), ...(record === null ? preset : {}) };
  const draftName = `places/${kind.name}/${record?.id ?? ['new', ...Object.values(preset)].join('/')}`;
  const [draft, setDraft] = useState(() => readDraft(draftName, draftSchema));
  const restored = Object.keys(begun).filter(
    (name) => draft !== null && name in draft.values && !same(draft.values[name], draft.first[name]),
  );
  const saidOf = (name: string, from: PlaceRecord) =>
    t('form.theirs', { field: words.field(name), value: text(name, from[name]) || '–' });
  const [theirs, setTheirs] = useState<readonly string[]>(() =>
    record === null
      ? []
      : restored.filter((name) => !same(begun[name], draft!.first[name])).map((name) => saidOf(name, record)),
  );
  const form = useSchemaForm<PlaceValues>(formSchema(kind), {
    ...begun,
    ...Object.fromEntries(restored.map((name) => [name, draft!.values[name]!])),
  });
  const values = form.watch();
  const changed = Object.keys(begun).filter((name) => !same(values[name], begun[name]));
  const dirty = changed.length > 0;
  const kept = JSON.stringify(dirty ? { first: begun, values } : null);
  useEffect(() => {
    const now = JSON.parse(kept) as z.infer<typeof draftSchema> | null;
    if (now === null) removeDraft(draftName);
    else saveDraft(draftName, now);
  }, [kept, draftName]);
  useUnsaved(dirty);

  const close = async () => {
    if (!dirty || (await mayLeave('screen'))) onClose();
  };
  const saved = (answer: unknown) => {
    removeDraft(draftName);
    onSaved(asRecord(answer));
  };
  const meet = async () => {
    const latest = asRecord(await callApi(kind.endpoints.read, { params: { id: record!.id } }));
    const now = valuesOf(kind, latest);
    const before = valuesOf(kind, base);
    const differing = kind.fields.filter(({ name }) => !same(now[name], before[name]));
    setTheirs(differing.map(({ name }) => saidOf(name, latest)));
    // Untouched fields take their value; edited ones are kept, and overwrite theirs when sent again.
    for (const { name } of differing) if (!changed.includes(name)) form.setValue(name, now[name]!);
    setBase(latest);
  };
  const send = form.handleSubmit((parsed) => {
    const body = parsed as Record<string, unknown>;
    const onError = (error: { code: string; faults: readonly { path: string; code: string }[] }) => {
      if (error.code === 'conflict') void meet();
      else showFaults(form, error.faults);
    };
    if (base === null) {
      make.mutate(
        { body: body as never },
        {
          onSuccess: (answer) => {
            notify('success', 'places:done.made', { values: { name: String(asRecord(answer)[kind.title]) } });
            saved(answer);
          },
          onError,
        },
      );
      return;
    }
    if (!dirty) return onClose();
    const only = (from: Record<string, unknown>) =>
      Object.fromEntries(changed.map((name) => [name, from[name]]));
    const params = { id: base.id };
    change.mutate(
      { params, body: { version: base.version, ...only(body) } as never },
      {
        onSuccess: (answer) => {
          const { version } = asRecord(answer);
          offerUndo('places:done.saved', { name: String(asRecord(answer)[kind.title]) }, () =>
            callApi(kind.endpoints.change, { params, body: { version, ...only(base) } as never }),
          );
          saved(answer);
        },
        onError,
      },
    );
  });
  const error = make.error ?? change.error;
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
      busy={make.isPending || change.isPending}
      onSubmit={() => void send()}
      onClose={() => void close()}
    >
      {draft === null || !dirty ? null : (
        <Alert
          severity="info"
          action={
            <Button
              size="small"
              variant="text"
              color="inherit"
              onClick={() => {
                setDraft(null);
                setTheirs([]);
                form.reset(begun);
              }}
            >
              {t('form.anew')}
            </Button>
          }
        >
          {t('form.restored')}
        </Alert>
      )}
      <ConflictAlert text={t('form.conflict')} changes={theirs} />
      <FormProvider {...form}>
        <ErrorSummary labels={labels} />
        <PlaceForm kind={kind} labels={labels} isNew={record === null && Object.keys(preset).length === 0} />
      </FormProvider>
      {error && error.faults.length === 0 && error.code !== 'conflict' ? (
        <Alert severity="error">{t(`common:error.${error.code}`)}</Alert>
      ) : null}
    </FormDialog>
  );
}
