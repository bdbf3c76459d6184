import type { PersonAnswer } from '@caseway/contract/patients';
import { mergedPatient } from '@caseway/contract/same-person';
import Button from '@mui/material/Button';
import { Merge } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { useApi } from '../../data/api.ts';
import type { RecordScreen } from '../../record/RecordScreen.tsx';
import { listName } from './patient-words.ts';

type Screen = ComponentProps<typeof RecordScreen<PersonAnswer>>;

/** For a person not found: the record theirs was merged into, if any. */
export function useMerged(query: Screen['query']): Pick<Screen, 'query' | 'instead'> {
  const { t } = useTranslation('patients');
  const { id = '' } = useParams();
  const isMissing = query?.error?.code === 'not-found';
  const merged = useApi(mergedPatient, { params: { id } }, { enabled: isMissing, keepPrevious: false });
  if (!isMissing) return { query };
  return {
    query: merged.isPending ? { ...query, ...merged, data: undefined } : query,
    instead: merged.data && {
      icon: Merge,
      title: t('merged.title'),
      text: t('merged.text', { name: listName(merged.data) || t('record.nameless') }),
      actions: (
        <Button variant="contained" component={Link} to={`/patients/${merged.data.id}`}>
          {t('merged.open')}
        </Button>
      ),
    },
  };
}
