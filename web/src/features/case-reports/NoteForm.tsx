import { addCaseNote, type CaseReport, findCaseColleagues, noteText } from '@caseway/contract/case-reports';
import { colleague, mentionsLimit, withMentions } from '@caseway/contract/mentions';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi, useCall } from '../../data/api.ts';
import type { AppError } from '../../data/transport.ts';
import { MentionField } from '../../record/MentionField.tsx';
import { useUnsaved } from '../../session/unsaved.ts';
import { useDraft } from '../../session/use-draft.ts';
import { keepReport } from './EditCase.tsx';

const drafted = z.object({ text: z.string(), chosen: z.array(colleague) });
type Drafted = z.infer<typeof drafted>;
const empty: Drafted = { text: '', chosen: [] };

/** A note for the timeline, which can mention colleagues; its draft is kept until it is sent. */
export function NoteForm({ report }: { report: CaseReport }) {
  const { t } = useTranslation('case-reports');
  const [draft, setDraft] = useDraft(`case-reports/${report.id}/note`, drafted);
  const { text, chosen } = draft ?? empty;
  const setNote = (change: (now: Drafted) => Drafted) =>
    setDraft((now) => {
      const next = change(now ?? empty);
      return next.text === '' ? null : next;
    });
  const call = useCall(addCaseNote);
  const [sought, setSought] = useState<string | null>(null);
  const found = useApi(
    findCaseColleagues,
    { params: { id: report.id }, query: { words: sought ?? '' } },
    { enabled: sought !== null },
  );
  const stored = withMentions(text, chosen);
  const valid = noteText.safeParse(stored).success;
  useUnsaved(text.trim() !== '');
  const wordsOf = ({ code, faults }: AppError) => {
    const codes = (faults ?? []).map((fault) => fault.code);
    if (codes.includes('mention-hidden')) return t('note.hidden');
    if (codes.includes('too-many-mentions')) return t('note.tooMany', { limit: mentionsLimit });
    return t(`common:error.${code}`);
  };
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid)
          call.mutate(
            { params: { id: report.id }, body: { text: stored } },
            {
              onSuccess: (answer) => {
                // Text typed while it was being sent becomes the start of the next one.
                setNote((now) => ({
                  ...now,
                  text: now.text.startsWith(text) ? now.text.slice(text.length).trimStart() : now.text,
                }));
                keepReport(answer);
              },
            },
          );
      }}
      sx={{ display: 'grid', gap: 2, marginBottom: 1, justifyItems: 'start' }}
    >
      <MentionField
        label={t('note.label')}
        placeholder={t('note.placeholder')}
        help={t('note.mention')}
        text={text}
        onText={(next) => setNote((now) => ({ ...now, text: next }))}
        chosen={chosen}
        onChosen={(next) => setNote((now) => ({ ...now, chosen: [...now.chosen, next] }))}
        onSought={setSought}
        found={found.data && !found.isPlaceholderData ? found.data.colleagues : undefined}
        words={{
          list: t('note.colleagues'),
          none: t('note.nobody'),
          count: (count) => t('note.found', { count }),
        }}
      />
      {call.error ? (
        <Typography role="alert" variant="body2" sx={{ color: 'error.main' }}>
          {wordsOf(call.error)}
        </Typography>
      ) : null}
      {text === '' ? null : (
        <Button type="submit" size="small" variant="outlined" disabled={!valid || call.isPending}>
          {t('note.add')}
        </Button>
      )}
    </Box>
  );
}
