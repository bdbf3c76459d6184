import { labelIn } from '@caseway/contract/label';
import { readTimeline } from '@caseway/contract/timeline';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import type { Option } from '../../data/use-lookup.ts';
import { useMay } from '../../session/permissions.ts';
import { useFormats } from '../../words/formats.ts';

/** The cases of a person that the reader may see, the newest first, as they are on the first page of the timeline. */
export function useCasesOf(patientId: string, enabled: boolean): readonly Option[] {
  const { i18n } = useTranslation();
  const formats = useFormats();
  const may = useMay()('case-reports/read');
  const condition = useLabels('conditions');
  const { data } = useApi(
    readTimeline,
    { params: { id: patientId }, query: {} },
    { enabled: enabled && may, keepPrevious: false },
  );
  return (data?.entries ?? [])
    .filter((entry) => entry.record === 'case-reports')
    .map(({ id, name, at, shows }) => ({
      id,
      label: [labelIn(name, i18n.language), condition.of(shows.condition ?? ''), formats.day(at)]
        .filter(Boolean)
        .join(', '),
    }));
}
