import {
  changeSettings,
  readSettings,
  retentionDelayDays,
  type SettingsAnswer,
  type TenantSettings,
  tenantSettings,
} from '@caseway/contract/settings';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { apiKey, callApi, queryClient, useForgottenEnd } from '../../data/api.ts';
import { AppError } from '../../data/transport.ts';
import { confirmed } from '../../session/confirmation.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { initAgain } from '../../session/session.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { ConflictAlert } from '../../ui/ConflictAlert.tsx';
import { ErrorSummary, showFaults, takeSaved, useSchemaForm } from '../../ui/Form.tsx';
import { Section } from '../../ui/Section.tsx';

export type SettingsField = keyof TenantSettings;
const record = z.record(z.string(), z.unknown());
const kept = z.object({ first: record, values: record });
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Someone else has already changed some of the same fields. */
class Overtaken extends Error {
  readonly now: SettingsAnswer;
  constructor(now: SettingsAnswer) {
    super('settings were changed meanwhile');
    this.now = now;
  }
}

/**
 * Some of the settings as one form. Only changes are sent, with the version they are based on; if someone else has
 * since changed the same field, their value is shown next to the typed one, and overwritten only by saving again.
 */
export function SettingsForm({
  answer,
  title,
  fields,
  children,
}: {
  answer: SettingsAnswer;
  title: string;
  fields: readonly SettingsField[];
  children: ReactNode;
}) {
  const { t } = useTranslation('settings');
  const [base, setBase] = useState(answer);
  const [theirs, setTheirs] = useState<readonly SettingsField[]>([]);
  const valuesOf = ({ settings }: SettingsAnswer): FieldValues =>
    Object.fromEntries(fields.map((field) => [field, settings[field]]));
  const schema = useMemo(
    () =>
      z.object(
        Object.fromEntries(fields.map((field) => [field, tenantSettings.shape[field]])),
      ) as unknown as z.ZodType<unknown, FieldValues>,
    [fields],
  );
  const form = useSchemaForm<FieldValues>(schema, valuesOf(answer));
  const { isDirty } = form.formState;
  const draftName = `settings/${fields.join()}`;
  const values = form.watch();
  const labels = Object.fromEntries(fields.map((field) => [field, t(`field.${field}`)]));

  // What was begun before a reload. Only what was changed: the rest would undo what someone has saved since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears.
  useEffect(() => {
    const draft = readDraft(draftName, kept);
    if (!draft) return;
    const mine = fields.filter((field) => !same(draft.values[field], draft.first[field]));
    for (const field of mine) form.setValue(field, draft.values[field], { shouldDirty: true });
    setTheirs(mine.filter((field) => !same(base.settings[field], draft.first[field])));
  }, []);
  useUnsaved(isDirty);
  useEffect(() => {
    if (isDirty) saveDraft(draftName, { first: valuesOf(base), values });
    else removeDraft(draftName);
  });
  // Nothing is begun here, so the newest is shown.
  useEffect(() => {
    if (isDirty || answer.version <= base.version) return;
    setBase(answer);
    // A reset discards text being typed into a list of choices, so only fields of this form cause one.
    if (fields.some((field) => !same(answer.settings[field], base.settings[field])))
      form.reset(valuesOf(answer));
  });

  // `typed`: as it was in the fields when it was sent.
  const save = useMutation<SettingsAnswer, AppError | Overtaken, { next: FieldValues; typed: FieldValues }>({
    mutationFn: async ({ next }) => {
      const changed = fields.filter((field) => !same(next[field], base.settings[field]));
      const changes = Object.fromEntries(changed.map((field) => [field, next[field]]));
      const send = ({ version }: SettingsAnswer) =>
        confirmed(callApi, changeSettings, { body: { version, changes } });
      try {
        return await send(base);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        const now = await callApi(readSettings);
        if (changed.some((field) => !same(now.settings[field], base.settings[field])))
          throw new Overtaken(now);
        return send(now);
      }
    },
    onSuccess: async (saved, { typed }) => {
      removeDraft(draftName);
      setTheirs([]);
      setBase(saved);
      takeSaved(form, valuesOf(saved), typed);
      queryClient.setQueryData(apiKey(readSettings), saved);
      // The newest comes first.
      if (saved.shortenings[0]?.at !== base.shortenings[0]?.at)
        notify('success', 'settings:done.savedLater', { values: { count: retentionDelayDays } });
      else notify('success', 'settings:done.saved');
      await initAgain();
    },
    onError: (error) => {
      if (error instanceof Overtaken) {
        const { now } = error;
        setTheirs(fields.filter((field) => !same(now.settings[field], base.settings[field])));
        setBase(now);
        form.reset(valuesOf(now), { keepDirtyValues: true });
      } else
        showFaults(
          form,
          error.faults.map(({ path, code }) => ({
            path: path.replace(/^changes\./, '').split('.')[0]!,
            code,
          })),
        );
    },
  });
  useForgottenEnd(save);
  const failure = save.error instanceof AppError && save.error.faults.length === 0 ? save.error : null;

  return (
    <Section title={title}>
      <FormProvider {...form}>
        <Box
          component="form"
          noValidate
          onSubmit={(event) => {
            const typed = form.getValues();
            void form.handleSubmit((next) => save.mutate({ next, typed }))(event);
          }}
          sx={{ display: 'grid', gap: 5, maxWidth: 720, gridTemplateColumns: 'minmax(0, 1fr)' }}
        >
          <ErrorSummary labels={labels} />
          <ConflictAlert
            text={t('conflict.text')}
            changes={theirs.map((field) => `${labels[field]}: ${said(base.settings[field], t)}`)}
          />
          {failure ? <Alert severity="error">{t(`common:error.${failure.code}`)}</Alert> : null}
          {children}
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            <Button type="submit" variant="contained" disabled={!isDirty} loading={save.isPending}>
              {t('action.save')}
            </Button>
            <Button
              variant="outlined"
              disabled={!isDirty || save.isPending}
              onClick={() => {
                setTheirs([]);
                form.reset(valuesOf(base));
              }}
            >
              {t('action.discard')}
            </Button>
          </Box>
        </Box>
      </FormProvider>
    </Section>
  );
}

/** A value as a text, for the notice of what someone else has saved. */
function said(value: unknown, t: (key: string) => string): string {
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  return Array.isArray(value) ? value.join(', ') || '–' : String(value);
}
