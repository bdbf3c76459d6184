import { caseRecord } from '@caseway/contract/case-record';
import { phoneShown } from '@caseway/contract/codes';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { CircleAlert, Maximize2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { isRefused } from '../../data/transport.ts';
import { useLabels } from '../../data/use-labels.ts';
import { Outdated } from '../../ui/Answered.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Message } from '../../ui/Message.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { useFormats } from '../../words/formats.ts';
import { OfPerson, Results, Timeline } from './case-parts.tsx';
import { useCaseWords } from './case-words.ts';
import { CaseMark } from './marks.tsx';

/** The case that is open next to the list: who, what, since when, and the latest findings. */
export function CasePanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('case-reports');
  const formats = useFormats();
  const words = useCaseWords();
  const condition = useLabels('conditions');
  const investigator = useLabels('investigators');
  const facility = useLabels('facilities');
  const sex = useLabels('sex');
  const query = useApi(caseRecord.endpoints.read, { params: { id } });
  // The previous record stays until the next is there, and shows its number.
  const report = query.data;
  return (
    <SidePanel
      title={report?.caseId ?? t('panel.title')}
      onClose={onClose}
      actions={
        <Button
          size="small"
          variant="outlined"
          component={Link}
          to={`/case-reports/${id}`}
          startIcon={<Maximize2 size={14} aria-hidden />}
        >
          {t('panel.open')}
        </Button>
      }
    >
      {query.isError && (report === undefined || isRefused(query.error)) ? (
        <Message icon={CircleAlert} title={t('record.errorTitle')}>
          <span role="alert">{t(`common:error.${query.error.code}`)}</span>
        </Message>
      ) : report === undefined ? (
        <Box role="status" aria-label={t('common:state.loading')} sx={{ display: 'grid', gap: 3 }}>
          <Skeleton variant="rounded" height={24} width="70%" />
          <Skeleton variant="rounded" height={120} />
          <Skeleton variant="rounded" height={80} />
        </Box>
      ) : (
        <Box
          aria-busy={query.isPlaceholderData}
          sx={{ display: 'grid', gap: 4, opacity: query.isPlaceholderData ? 0.6 : 1 }}
        >
          <Outdated query={query} />
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
          <Facts
            facts={[
              [words.column('condition'), condition.of(report.condition)],
              [
                words.column('classification'),
                <CaseMark key="mark" kind={report.classification}>
                  {words.choice('classification', report.classification)}
                </CaseMark>,
              ],
              [words.column('status'), words.choice('status', report.status)],
              [words.column('investigator'), investigator.of(report.investigator)],
              [words.column('onsetOn'), report.onsetOn && formats.dayInWords(report.onsetOn)],
              [words.column('collectedOn'), report.collectedOn && formats.dayInWords(report.collectedOn)],
              [words.column('createdOn'), formats.dayInWords(report.createdOn)],
              [words.column('facility'), facility.of(report.facility)],
              [t('patient.phone'), report.patient.phones.map(phoneShown).join(', ')],
            ]}
          />
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
        </Box>
      )}
    </SidePanel>
  );
}

function PanelPart({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Box component="section" sx={{ borderTop: 1, borderColor: 'divider', paddingTop: 3 }}>
      <Typography variant="body1" component="h3" sx={{ fontWeight: 650, marginBottom: 2 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}
