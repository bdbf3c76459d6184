import { caseRecord } from '@caseway/contract/case-record';
import type { CaseReport } from '@caseway/contract/case-reports';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Maximize2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import { PanelPart, RecordPanel } from '../../record/RecordPanel.tsx';
import { ContactLinks } from '../../ui/ContactLink.tsx';
import { Facts } from '../../ui/Facts.tsx';
import type { openedFrom } from '../../view/list-place.ts';
import { useFormats } from '../../words/formats.ts';
import { CaseTransitions } from './CaseTransitions.tsx';
import { OfPerson, PersonLink, Results, Timeline, useFieldText } from './case-parts.tsx';
import { useCaseWords } from './case-words.ts';
import { CaseMark } from './marks.tsx';

/** The case open next to the list: who, what, since when, and the latest findings. */
export default function CasePanel({
  id,
  from,
  onClose,
}: {
  id: string;
  /** Its place in the list; absent without a list. */
  from?: ReturnType<typeof openedFrom>;
  onClose: () => void;
}) {
  const { t } = useTranslation('case-reports');
  // The previous record stays until the next one has loaded, and shows its number.
  const query = useApi(caseRecord.endpoints.read, { params: { id } });
  return (
    <RecordPanel
      query={query}
      title={(report) => report?.caseId ?? t('panel.title')}
      actions={
        <Button
          size="small"
          variant="outlined"
          component={Link}
          to={`/case-reports/${id}`}
          state={from}
          startIcon={<Maximize2 size={14} aria-hidden />}
        >
          {t('panel.open')}
        </Button>
      }
      onClose={onClose}
    >
      {(report) => <Overview report={report} />}
    </RecordPanel>
  );
}

function Overview({ report }: { report: CaseReport }) {
  const { t } = useTranslation('case-reports');
  const formats = useFormats();
  const words = useCaseWords();
  const text = useFieldText();
  const sex = useLabels('sex');
  const fact = (name: 'condition' | 'status' | 'investigator' | 'onsetOn' | 'collectedOn' | 'facility') =>
    [words.column(name), report[name] && text(name, report[name])] as const;
  return (
    <>
      <div>
        <Typography variant="h2" component="p">
          {[report.firstName, report.lastName].filter(Boolean).join(' ') || t('record.nameless')}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {[
            sex.of(report.sex),
            report.birthDate && formats.dayInWords(report.birthDate),
            report.age === null
              ? null
              : t('record.years', { count: report.age, at: formats.dayInWords(report.createdOn) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Typography>
      </div>
      {report.breakGlass ? null : <CaseTransitions report={report} />}
      <Facts
        facts={[
          fact('condition'),
          [
            words.column('classification'),
            <CaseMark key="mark" kind={report.classification}>
              {words.choice('classification', report.classification)}
            </CaseMark>,
          ],
          fact('status'),
          fact('investigator'),
          fact('onsetOn'),
          fact('collectedOn'),
          [words.column('createdOn'), formats.dayInWords(report.createdOn)],
          fact('facility'),
          [
            t('patient.phone'),
            report.patient.phones.length > 0 ? (
              <ContactLinks key="phone" kind="phone" values={report.patient.phones} />
            ) : null,
          ],
        ]}
      />
      <PersonLink report={report} />
      <PanelPart title={t('record.results')}>
        <Results report={report} limit={3} />
      </PanelPart>
      <PanelPart title={t('common:timeline.title')}>
        <OfPerson report={report} limit={4} />
      </PanelPart>
      {report.timeline.length > 0 ? (
        <PanelPart title={t('record.timeline')}>
          <Timeline report={report} limit={4} />
        </PanelPart>
      ) : null}
    </>
  );
}
