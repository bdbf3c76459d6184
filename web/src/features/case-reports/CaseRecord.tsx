import { caseRecord, caseWork } from '@caseway/contract/case-record';
import { addCaseNote, type CaseReport, noteText, searchCaseReports } from '@caseway/contract/case-reports';
import { labelIn } from '@caseway/contract/label';
import { anyRecord } from '@caseway/contract/record';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { ArrowLeft, CircleAlert, FileX, ShieldAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { z } from 'zod';
import { useApi, useCall } from '../../data/api.ts';
import { isRefused } from '../../data/transport.ts';
import { useLabels } from '../../data/use-labels.ts';
import { RecordClocks } from '../../record/RecordClocks.tsx';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { RecordTasks } from '../../record/RecordTasks.tsx';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { useMay } from '../../session/permissions.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { Outdated } from '../../ui/Answered.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Section } from '../../ui/Section.tsx';
import { useAfter } from '../../ui/useAfter.ts';
import { useFormats } from '../../words/formats.ts';
import { nameOf, OfPerson, PatientFacts, Results, Timeline, useFieldText } from './case-parts.tsx';
import { useCaseWords } from './case-words.ts';
import { EditCase, keepReport } from './EditCase.tsx';
import { GlassBanner } from './GlassBanner.tsx';
import { InvestigationForm } from './InvestigationForm.tsx';
import { OpenGlassButton } from './OpenGlass.tsx';
import { WhyClassified } from './WhyClassified.tsx';

/**
 * One case report: its fields, which can be edited in place, its person, results, other cases and timeline.
 * `ofPatient`: more about the person, for readers who may read patients.
 */
export function CaseRecord({ ofPatient }: { ofPatient: (patientId: string) => ReactNode }) {
  const { t } = useTranslation(['case-reports', 'break-glass']);
  const { id = '' } = useParams();
  const isId = z.uuid().safeParse(id).success;
  const [glassEnded, setGlassEnded] = useState<string | null>(null);
  const shut = glassEnded === id;
  const endGlass = useCallback(() => setGlassEnded(id), [id]);
  const query = useApi(
    caseRecord.endpoints.read,
    { params: { id } },
    { enabled: isId && !shut, keepPrevious: false },
  );
  const back = (
    <Button
      variant="outlined"
      component={Link}
      to="/case-reports"
      startIcon={<ArrowLeft size={16} aria-hidden />}
    >
      {t('record.back')}
    </Button>
  );
  if (shut)
    return (
      <Message
        icon={ShieldAlert}
        level="h1"
        title={t('break-glass:ended.title')}
        actions={
          <>
            <OpenGlassButton onOpened={() => setGlassEnded(null)} />
            {back}
          </>
        }
      >
        {t('break-glass:ended.text')}
      </Message>
    );
  if (!isId || query.error?.code === 'not-found')
    return (
      <Message
        icon={FileX}
        level="h1"
        title={t('record.missingTitle')}
        actions={
          <>
            <OpenGlassButton />
            {back}
          </>
        }
      >
        {t('common:error.not-found')}
      </Message>
    );
  if (query.isError && (query.data === undefined || isRefused(query.error)))
    return (
      <Message
        icon={CircleAlert}
        level="h1"
        title={t('record.errorTitle')}
        actions={
          <>
            <Button variant="contained" loading={query.isFetching} onClick={() => void query.refetch()}>
              {t('common:action.retry')}
            </Button>
            {back}
          </>
        }
      >
        <span role="alert">{t(`common:error.${query.error.code}`)}</span>
      </Message>
    );
  if (query.data === undefined) return <RecordSkeleton />;
  return (
    <>
      <Outdated query={query} />
      <Loaded key={id} report={query.data} back={back} ofPatient={ofPatient} onGlassEnded={endGlass} />
    </>
  );
}

function Loaded({
  report,
  back,
  ofPatient,
  onGlassEnded,
}: {
  report: CaseReport;
  back: ReactNode;
  ofPatient: (patientId: string) => ReactNode;
  onGlassEnded: () => void;
}) {
  const { t, i18n } = useTranslation(['case-reports', 'case-rules']);
  const formats = useFormats();
  const words = useCaseWords();
  const fieldText = useFieldText();
  const condition = useLabels('conditions');
  const family = useLabels('diseaseFamilies');
  // For an otherwise hidden record, the look-ups have neither.
  const { conditionLabel, familyLabel } = report.breakGlass ?? {};
  const county = useLabels('counties');
  const facility = useLabels('facilities');
  const program = useLabels('programs');
  const task = useLabels('tasks');
  const jurisdiction = useLabels('jurisdictions');
  const may = useMay();
  return (
    <Page
      title={t('record.title', { caseId: report.caseId })}
      lead={[
        conditionLabel ? labelIn(conditionLabel, i18n.language) : condition.of(report.condition),
        nameOf(report) || t('record.nameless'),
      ]
        .filter(Boolean)
        .join(' · ')}
      actions={back}
    >
      {report.breakGlass ? <GlassBanner access={report.breakGlass} onEnded={onGlassEnded} /> : null}
      <RecordClocks work={caseWork} id={report.id} version={report.version} />
      {report.reviewReason ? (
        <Alert severity="warning">
          <Typography component="h2" variant="body1" sx={{ fontWeight: 650 }}>
            {t('review.title')}
          </Typography>
          {t(`review.${report.reviewReason}`, { defaultValue: t('review.other') })}
        </Alert>
      ) : null}
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(280px, 1fr)' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
          <Section title={t('record.fields')}>
            <EditCase report={report} />
          </Section>
          <RecordTasks
            work={caseWork}
            id={report.id}
            version={report.version}
            readOnly={report.breakGlass !== null}
          />
          {report.breakGlass ? null : <InvestigationForm report={report} />}
          <Section title={t('case-rules:why.title')}>
            <WhyClassified report={report} />
          </Section>
          <Section title={t('record.results')}>
            <Results report={report} />
          </Section>
          <Section title={t('record.timeline')}>
            {may('case-reports/write') && !report.breakGlass ? <NoteForm report={report} /> : null}
            <Timeline report={report} />
            <RecordHistory
              record={anyRecord(caseRecord)}
              id={report.id}
              label={words.column}
              text={(field, value) => fieldText(field, value as string | null)}
              mayUndo={may('case-reports/write') && !report.breakGlass}
              invalidates={[caseRecord.endpoints.read, caseRecord.endpoints.history, searchCaseReports]}
            />
          </Section>
        </Box>
        <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
          <Section title={t('record.patient')}>
            <PatientFacts report={report} />
          </Section>
          {may('patients/read') ? (
            <Section title={t('record.portal')}>
              {/* An access opens the case, and nothing more about the person. */}
              {report.breakGlass ? null : ofPatient(report.patient.id)}
            </Section>
          ) : null}
          <Section title={t('record.about')}>
            <Facts
              facts={[
                [
                  words.column('diseaseFamily'),
                  familyLabel ? labelIn(familyLabel, i18n.language) : family.of(report.diseaseFamily),
                ],
                [words.column('createdOn'), formats.dayInWords(report.createdOn)],
                [words.column('source'), words.choice('source', report.source)],
                [words.column('externalId'), report.externalId],
                [words.column('county'), county.of(report.county)],
                [words.column('jurisdiction'), jurisdiction.of(report.jurisdiction)],
                [words.column('facility'), facility.of(report.facility)],
                [words.column('program'), program.of(report.program)],
                [words.column('task'), task.of(report.task)],
                [words.column('visitType'), report.visitType && words.choice('visitType', report.visitType)],
                [words.column('updatedAt'), formats.instant(report.updatedAt)],
                [t('record.closedAt'), report.closedAt && formats.instant(report.closedAt)],
              ]}
            />
          </Section>
          <Section title={t('common:timeline.title')}>
            <OfPerson report={report} />
          </Section>
        </Box>
      </Box>
    </Page>
  );
}

/** A note for the timeline; a draft is kept until it is sent. */
function NoteForm({ report }: { report: CaseReport }) {
  const { t } = useTranslation('case-reports');
  const draft = `case-reports/${report.id}/note`;
  const [text, setText] = useState(() => readDraft(draft, z.string()) ?? '');
  const call = useCall(addCaseNote);
  const valid = noteText.safeParse(text).success;
  useEffect(() => {
    if (text === '') removeDraft(draft);
    else saveDraft(draft, text);
  }, [draft, text]);
  useUnsaved(text.trim() !== '');
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid)
          call.mutate(
            { params: { id: report.id }, body: { text } },
            {
              onSuccess: (answer) => {
                // Text typed while it was being sent is the start of the next one.
                setText((now) => (now.startsWith(text) ? now.slice(text.length).trimStart() : now));
                keepReport(answer);
              },
            },
          );
      }}
      sx={{ display: 'grid', gap: 2, marginBottom: 1, justifyItems: 'start' }}
    >
      <OutlinedInput
        multiline
        fullWidth
        minRows={2}
        maxRows={10}
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={t('note.placeholder')}
        inputProps={{ 'aria-label': t('note.label'), maxLength: 10_000 }}
      />
      {call.isError ? (
        <Typography role="alert" variant="body2" sx={{ color: 'error.main' }}>
          {t(`common:error.${call.error.code}`)}
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

function RecordSkeleton() {
  const { t } = useTranslation();
  const late = useAfter(150);
  if (!late) return null;
  return (
    <Box
      role="status"
      aria-label={t('state.loading')}
      sx={{ display: 'grid', gap: 4, padding: { xs: 3, sm: 5 } }}
    >
      <Skeleton variant="rounded" width={280} height={32} />
      <Skeleton variant="rounded" height={260} />
      <Skeleton variant="rounded" height={180} />
    </Box>
  );
}
