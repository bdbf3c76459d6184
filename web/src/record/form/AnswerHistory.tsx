import { type Form, walk } from '@caseway/contract/form';
import type { AnswerHistoryEntry } from '@caseway/contract/form-sent';
import { labelIn } from '@caseway/contract/label';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';
import { type AnswerWords, answerText } from './form-values.ts';

/** Who changed which answers and when, newest first. */
export function AnswerHistory({
  form,
  entries,
  words,
}: {
  form: Form;
  entries: readonly AnswerHistoryEntry[];
  words: AnswerWords;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const items = new Map(walk(form.items).map((item) => [item.linkId, item]));
  if (entries.length === 0)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('history.none')}
      </Typography>
    );
  return (
    <Box
      component="ol"
      aria-label={t('history.title')}
      sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}
    >
      {entries.map(({ version, at, by, changes, completes }) => (
        <Box component="li" key={version} sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {formats.instant(at)}
            {by?.name ? ` · ${by.name}` : null}
          </Typography>
          {completes === null ? null : (
            <Typography variant="body2">
              {t(completes ? 'answers.wasCompleted' : 'answers.wasReopened')}
            </Typography>
          )}
          {Object.entries(changes).map(([linkId, { from, to }]) => {
            const item = items.get(linkId)!;
            return (
              <Typography key={linkId} variant="body2">
                {t('history.change', {
                  field: labelIn(item.words, words.language),
                  from: answerText(form, item, from, words) || '–',
                  to: answerText(form, item, to, words) || '–',
                })}
              </Typography>
            );
          })}
        </Box>
      ))}
    </Box>
  );
}
