import { addDays } from '@caseway/contract/date-range';
import {
  changeSettings,
  readSettings,
  retentionDelayDays,
  type SettingsAnswer,
  type TenantSettings,
  tenantSettings,
} from '@caseway/contract/settings';
import Box from '@mui/material/Box';
import { type ReactNode, useMemo, useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { callApi, keepAnswered } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { SaveButtons } from '../../record/SaveButtons.tsx';
import { useRecordForm } from '../../record/use-record-form.ts';
import { confirmed } from '../../session/confirmation.ts';
import { notify } from '../../session/notify.ts';
import { initAgain } from '../../session/session.ts';
import { showFaults } from '../../ui/Form.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';

/** The reference day for counting weekdays. */
export const aSunday = '2026-01-04';

export type SettingsField = keyof TenantSettings;
/**
 * Some of the settings as one form. Only changes are sent, with the version they are based on. If someone
 * else has since changed the same field, their value is shown next to the typed one, and overwritten only by
 * saving again.
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
  const formats = useFormats();
  /** As last read. */
  const known = useRef(answer);
  const versionOf = ({ version, settings }: SettingsAnswer) => ({
    version,
    values: Object.fromEntries(fields.map((field) => [field, settings[field]])) as FieldValues,
  });
  const schema = useMemo(
    () =>
      z.object(
        Object.fromEntries(fields.map((field) => [field, tenantSettings.shape[field]])),
      ) as unknown as z.ZodType<unknown, FieldValues>,
    [fields],
  );
  const labels = Object.fromEntries(fields.map((field) => [field, t(`field.${field}`)]));
  const editing = useRecordForm<FieldValues, SettingsAnswer>(
    schema,
    `settings/${fields.join()}`,
    versionOf(answer),
    {
      write: (changes, version) => confirmed(callApi, changeSettings, { body: { version, changes } }),
      read: async () => {
        known.current = await callApi(readSettings);
        return versionOf(known.current);
      },
      versionOf,
      onSaved: (saved) => {
        keepAnswered(readSettings, undefined, saved);
        const earlier = known.current.version > answer.version ? known.current : answer;
        // The newest comes first.
        if (saved.shortenings[0]?.at !== earlier.shortenings[0]?.at)
          notify('success', 'settings:done.savedLater', { values: { count: retentionDelayDays } });
        else notify('success', 'settings:done.saved');
        known.current = saved;
        void initAgain();
      },
      onRefused: ({ faults }) =>
        showFaults(
          editing.form,
          faults.map(({ path, code }) => ({ path: path.replace(/^changes\./, '').split('.')[0]!, code })),
        ),
    },
  );

  return (
    <Section title={title}>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void editing.send()(event)}
        sx={{ display: 'grid', gap: 5, maxWidth: 720, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        <FormBody
          of={editing}
          labels={labels}
          text={(field, value) =>
            said(
              field === 'workdays'
                ? (value as number[]).map((day) => formats.weekday(addDays(aSunday, day)))
                : value,
              t,
            )
          }
        >
          {children}
        </FormBody>
        <SaveButtons of={editing} />
      </Box>
    </Section>
  );
}

/** A value as text, for the notice of what someone else has saved. */
function said(value: unknown, t: (key: string) => string): string {
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  return Array.isArray(value) ? value.join(', ') || '–' : String(value);
}
