import { type Feature, features } from '@caseway/contract/permission';
import {
  changeSettings,
  findSwitchedPlaces,
  readSettings,
  type SettingsAnswer,
} from '@caseway/contract/settings';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { callApi, keepAnswered, queryClient, useApi, useForgottenEnd } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { AppError } from '../../data/transport.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { initAgain } from '../../session/session.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConflictAlert } from '../../ui/ConflictAlert.tsx';
import { Field } from '../../ui/Field.tsx';
import { PlainFieldset } from '../../ui/PlainFieldset.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Section } from '../../ui/Section.tsx';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { useAddressChoices } from '../../view/address-choices.ts';
import { FeatureTable } from './FeatureTable.tsx';
import { type Edit, sameSwitch, stateKey, withEdit } from './feature-edits.ts';

const kinds = ['all', 'switched', 'PHJ', 'O', 'F'] as const;
const draftName = 'settings/features';
const kept = z.object({
  first: z.array(z.enum(features)),
  on: z.array(z.enum(features)),
  edits: z.array(changeSettings.body!.shape.switches.unwrap().element.extend({ place: z.string() })),
});

/** Someone else has already changed some of the same switches. */
class Overtaken extends Error {
  readonly now: SettingsAnswer;
  readonly theirs: readonly Edit[];
  constructor(now: SettingsAnswer, theirs: readonly Edit[]) {
    super('features were changed meanwhile');
    this.now = now;
    this.theirs = theirs;
  }
}

interface Changes {
  on: readonly Feature[];
  edits: readonly Edit[];
}

/** The tenant's features, for itself and for single organizations, facilities and jurisdictions. [S1.6] */
export function Features({ answer }: { answer: SettingsAnswer }) {
  const { t } = useTranslation('settings');
  const [base, setBase] = useState(answer);
  const [begun] = useState(() => readDraft(draftName, kept));
  // The user's switches, on top of what is on now.
  const [on, setOn] = useState<readonly Feature[]>(() => {
    const now = answer.settings.features;
    if (!begun) return now;
    const touched = features.filter((one) => begun.on.includes(one) !== begun.first.includes(one));
    return touched.some((one) => now.includes(one) !== begun.on.includes(one))
      ? features.filter((one) => (touched.includes(one) ? begun.on : now).includes(one))
      : now;
  });
  const [edits, setEdits] = useState<readonly Edit[]>(begun?.edits ?? []);
  const [theirs, setTheirs] = useState<readonly string[]>([]);
  const flipped = features.filter((one) => on.includes(one) !== base.settings.features.includes(one));
  const count = flipped.length + edits.length;
  const dirty = count > 0;
  useUnsaved(dirty);
  useEffect(() => {
    if (dirty) saveDraft(draftName, { first: base.settings.features, on, edits });
    else removeDraft(draftName);
  }, [dirty, on, edits, base]);
  // No edits here, so the newest is shown.
  useEffect(() => {
    if (dirty || answer.version <= base.version) return;
    setBase(answer);
    setOn(answer.settings.features);
  });
  const nameOf = (feature: Feature) => t(`feature.${feature}`);
  const textOf = ({ place, feature, after }: Edit, tenantOn: readonly Feature[]) =>
    t('features.changedPlace', {
      place,
      feature: nameOf(feature),
      state: t(`features.${stateKey(after, tenantOn.includes(feature))}`),
    });

  const send = ({ version }: SettingsAnswer, { on: wanted, edits: changed }: Changes, from: SettingsAnswer) =>
    callApi(changeSettings, {
      body: {
        version,
        changes: wanted === from.settings.features ? {} : { features: [...wanted] },
        switches: changed.map(({ place: _, ...one }) => one),
      },
    });
  const settle = async (saved: SettingsAnswer) => {
    // Before the edits are dropped, so that no switch briefly shows its former state.
    await queryClient.invalidateQueries({ queryKey: [findSwitchedPlaces.path] });
    removeDraft(draftName);
    setTheirs([]);
    setEdits([]);
    setBase(saved);
    setOn(saved.settings.features);
    keepAnswered(readSettings, undefined, saved);
    await initAgain();
  };
  const save = useMutation<SettingsAnswer, AppError | Overtaken>({
    mutationFn: async () => {
      const changes = { on: flipped.length > 0 ? on : base.settings.features, edits };
      try {
        return await send(base, changes, base);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        const now = await callApi(readSettings);
        const moved = await movedSince(edits);
        const tenantMoved = features.some(
          (one) => now.settings.features.includes(one) !== base.settings.features.includes(one),
        );
        if (moved.length > 0 || (tenantMoved && flipped.length > 0)) throw new Overtaken(now, moved);
        return send(now, flipped.length > 0 ? changes : { ...changes, on: now.settings.features }, now);
      }
    },
    onSuccess: async (saved) => {
      const before = { on: base.settings.features, edits };
      await settle(saved);
      notify('success', 'settings:done.saved', {
        action: {
          label: 'settings:features.undo',
          run: () => {
            const back = before.edits.map((one) => ({ ...one, before: one.after, after: one.before }));
            const features = flipped.length > 0 ? before.on : saved.settings.features;
            void takeBack(
              async () => settle(await send(saved, { on: features, edits: back }, saved)),
              'settings:features.undone',
            );
          },
        },
      });
    },
    onError: (error) => {
      if (!(error instanceof Overtaken)) return;
      const { now, theirs: moved } = error;
      const tenant = features.filter(
        (one) => now.settings.features.includes(one) !== base.settings.features.includes(one),
      );
      setTheirs([
        ...tenant.map((feature) =>
          t('features.changedPlace', {
            place: t('features.tenant'),
            feature: nameOf(feature),
            state: t(now.settings.features.includes(feature) ? 'features.on' : 'features.off'),
          }),
        ),
        ...moved.map((one) => textOf(one, now.settings.features)),
      ]);
      // Unedited switches take their value; edited ones are kept, and overwrite theirs when saved again.
      setOn(
        features.filter((one) =>
          flipped.includes(one) ? on.includes(one) : now.settings.features.includes(one),
        ),
      );
      setEdits(
        edits.flatMap((one) => {
          const moving = moved.find((other) => sameSwitch(one, other));
          return moving === undefined ? [one] : withEdit([], { ...one, before: moving.after });
        }),
      );
      setBase(now);
      void queryClient.invalidateQueries({ queryKey: [findSwitchedPlaces.path] });
    },
  });
  useForgottenEnd(save);
  const failure = save.error instanceof AppError ? save.error : null;

  return (
    <Section title={t('section.features')}>
      <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {t('help.features')} {t('features.lead')}
      </Typography>
      <ConflictAlert text={t('conflict.text')} changes={theirs} />
      {failure ? <Alert severity="error">{t(`common:error.${failure.code}`)}</Alert> : null}
      <Box
        component="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (dirty) save.mutate();
        }}
        sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {/* A switch changed while saving would be lost. */}
        <PlainFieldset disabled={save.isPending}>
          <Places
            on={on}
            setOn={setOn}
            edits={edits}
            onEdit={(edit) => setEdits((all) => withEdit(all, edit))}
          />
        </PlainFieldset>
        <StickyActions>
          <Button type="submit" variant="contained" disabled={!dirty} loading={save.isPending}>
            {t('common:action.save')}
          </Button>
          <Button
            variant="outlined"
            disabled={!dirty || save.isPending}
            onClick={() => {
              setTheirs([]);
              setEdits([]);
              setOn(base.settings.features);
            }}
          >
            {t('common:action.discard')}
          </Button>
          <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
            {dirty ? t('features.begun', { count }) : null}
          </Typography>
        </StickyActions>
      </Box>
    </Section>
  );
}

/** The switches that have changed since they were seen, with their current values. */
async function movedSince(edits: readonly Edit[]): Promise<Edit[]> {
  const ids = [...new Set(edits.map(({ orgId }) => orgId))];
  const answers = await Promise.all(ids.map((id) => callApi(findSwitchedPlaces, { query: { id } })));
  const places = answers.flatMap((one) => one.places);
  return edits.flatMap((edit) => {
    const place = places.find(({ id, orgType }) => id === edit.orgId && orgType === edit.orgType);
    const now = place?.own[edit.feature] ?? null;
    return now === edit.before ? [] : [{ ...edit, after: now }];
  });
}

/** The places found, each with its switches. */
function Places({
  on,
  setOn,
  edits,
  onEdit,
}: {
  on: readonly Feature[];
  setOn: (on: readonly Feature[]) => void;
  edits: readonly Edit[];
  onEdit: (edit: Edit) => void;
}) {
  const { t } = useTranslation('settings');
  const id = useId();
  // A record's own screen links here to show only that record.
  const { chosen, choose } = useAddressChoices({ place: null, which: kinds });
  const { place: only, which } = chosen;
  const [words, setWords] = useState('');
  const isId = z.uuid().safeParse(only).success;
  const query = useApi(findSwitchedPlaces, { query: only && isId ? { id: only } : { words, which } });
  return (
    <>
      {only ? (
        <Box>
          <Button variant="outlined" size="small" onClick={() => choose({ place: null })}>
            {t('features.showAll')}
          </Button>
        </Box>
      ) : (
        <Box
          sx={{
            display: 'grid',
            gap: 4,
            maxWidth: 720,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 2fr) minmax(0, 1fr)' },
          }}
        >
          <SearchField label={t('features.find')} onSearch={setWords} />
          <Field id={`${id}-which`} label={t('features.which')} required>
            {() => (
              <NativeSelect
                value={which}
                onChange={(event) => choose({ which: event.target.value as (typeof kinds)[number] })}
                input={<OutlinedInput fullWidth />}
                inputProps={{ id: `${id}-which` }}
              >
                {kinds.map((one) => (
                  <option key={one} value={one}>
                    {t(`features.${one}`)}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Field>
        </Box>
      )}
      <Answered query={query} height={420}>
        {({ places, total }) => (
          <>
            <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
              {total > places.length
                ? t('features.more', { number: places.length, count: total })
                : t('features.found', { count: total })}
            </Typography>
            <FeatureTable on={on} onTenant={setOn} places={places} edits={edits} onEdit={onEdit} />
            {total === 0 ? <Typography variant="body1">{t('features.none')}</Typography> : null}
          </>
        )}
      </Answered>
    </>
  );
}
