import { caseRecord, caseWork } from '@caseway/contract/case-record';
import { type CaseReport, searchCaseReports } from '@caseway/contract/case-reports';
import { labelIn } from '@caseway/contract/label';
import { anyRecord } from '@caseway/contract/record';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { z } from 'zod';
import { useApi } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import { RecordClocks } from '../../record/RecordClocks.tsx';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { type RecordPart, RecordScreen } from '../../record/RecordScreen.tsx';
import { RecordTasks } from '../../record/RecordTasks.tsx';
import { useMay } from '../../session/permissions.ts';
import { Facts } from '../../ui/Facts.tsx';
import { useFormats } from '../../words/formats.ts';
import { CaseTransitions } from './CaseTransitions.tsx';
import {
  nameOf,
  OfPerson,
  PatientFacts,
  PersonLink,
  Results,
  Timeline,
  useFieldText,
} from './case-parts.tsx';
import { useCaseWords } from './case-words.ts';
import { EditCase } from './EditCase.tsx';
import { GlassBanner } from './GlassBanner.tsx';
import { InvestigationForm } from './InvestigationForm.tsx';
import { NoteForm } from './NoteForm.tsx';
import { OpenGlassButton } from './OpenGlassButton.tsx';
import { Treatments } from './Treatments.tsx';
import { WhyClassified } from './WhyClassified.tsx';

interface More {
  ofPatient: (patientId: string) => ReactNode;
  contacts: (caseId: string) => ReactNode;
  followUps: (of: { caseId: string; readOnly: boolean }) => ReactNode;
  partners: (of: { caseId: string; condition: string }) => ReactNode;
  visits: (about: { id: string; label: string; caseId: string }) => ReactNode;
  documents: (of: { caseId: string; patientId: string; readOnly: boolean }) => ReactNode;
  videoVisit: (about: { id: string; label: string; caseId: string }) => ReactNode;
}

/**
 * A case report: its fields, editable in place, its person, results, and the person's records and timeline.
 * `ofPatient`: more about the person, for readers who may read patients; `contacts`: people exposed to the
 * case; `followUps`: the daily follow-up of its person; `partners`: partner services, if its disease has
 * them; `visits`: field visits to its person; `documents`: what was filed with the case; `videoVisit`: books video
 * visits for the person.
 */
export function CaseRecord(more: More) {
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
  const heading = useHeading();
  const parts = useParts(more);
  return (
    <RecordScreen
      query={isId ? query : undefined}
      id="case-reports"
      missing={<OpenGlassButton />}
      instead={
        shut
          ? {
              icon: ShieldAlert,
              title: t('break-glass:ended.title'),
              text: t('break-glass:ended.text'),
              actions: <OpenGlassButton onOpened={() => setGlassEnded(null)} />,
            }
          : undefined
      }
      title={(report) => t('record.title', { caseId: report.caseId })}
      lead={heading}
      actions={(report) =>
        report.breakGlass ? null : (
          <>
            <CaseTransitions report={report} />
            {more.videoVisit({
              id: report.patientId,
              label: nameOf(report) || t('record.nameless'),
              caseId: report.id,
            })}
          </>
        )
      }
      notes={(report) => (
        <>
          {report.breakGlass ? <GlassBanner access={report.breakGlass} onEnded={endGlass} /> : null}
          <RecordClocks work={caseWork} id={report.id} version={report.version} />
          {report.reviewReason ? (
            <Alert severity="warning">
              <Typography component="h2" variant="body1" sx={{ fontWeight: 650 }}>
                {t('review.title')}
              </Typography>
              {t(`review.${report.reviewReason}`, { defaultValue: t('review.other') })}
            </Alert>
          ) : null}
        </>
      )}
      parts={parts}
    />
  );
}

/** The key of the text why a change cannot be undone, by code. */
const undoRefusals: Readonly<Record<string, string>> = {
  'not-permitted': 'common:fault.not-permitted',
  'own-work': 'case-reports:fault.own-work',
  required: 'case-reports:fault.investigator-needed',
  unclassified: 'case-reports:fault.unclassified',
};

/**
 * The case's condition, person and status. For an otherwise hidden record, the look-ups lack the condition.
 */
function useHeading(): (report: CaseReport) => string {
  const { t, i18n } = useTranslation('case-reports');
  const condition = useLabels('conditions');
  const words = useCaseWords();
  return (report) =>
    [
      report.breakGlass?.conditionLabel
        ? labelIn(report.breakGlass.conditionLabel, i18n.language)
        : condition.of(report.condition),
      nameOf(report) || t('record.nameless'),
      words.choice('status', report.status),
    ]
      .filter(Boolean)
      .join(' · ');
}

/** The person of a visit about the case. */
const visitedOf = (report: CaseReport) => ({
  id: report.patient.id,
  label: nameOf(report) || report.caseId,
  caseId: report.id,
});

function useParts({
  ofPatient,
  contacts,
  followUps,
  partners,
  visits,
  documents,
}: More): (report: CaseReport) => RecordPart[] {
  const { t } = useTranslation(['case-reports', 'case-rules', 'treatments']);
  const words = useCaseWords();
  const fieldText = useFieldText();
  const may = useMay();
  return (report) => {
    // An emergency access opens the case, and nothing more about the person.
    const own = report.breakGlass === null;
    const writes = may('case-reports/write') && own;
    return [
      { title: t('record.fields'), content: <EditCase report={report} /> },
      {
        content: (
          <RecordTasks
            work={caseWork}
            id={report.id}
            version={report.version}
            readOnly={!own}
            caseId={report.id}
          />
        ),
      },
      ...(own
        ? [
            { content: <InvestigationForm report={report} /> },
            { content: partners({ caseId: report.id, condition: report.condition }) },
            { content: contacts(report.id) },
            { content: visits(visitedOf(report)) },
          ]
        : []),
      { content: followUps({ caseId: report.id, readOnly: !own }) },
      {
        title: t('treatments:screen.title'),
        content: <Treatments caseId={report.id} mayWrite={writes} />,
      },
      ...(may('documents/read')
        ? [
            {
              title: t('common:screen.documents'),
              content: documents({ caseId: report.id, patientId: report.patient.id, readOnly: !own }),
            },
          ]
        : []),
      { title: t('case-rules:why.title'), content: <WhyClassified report={report} /> },
      { title: t('record.results'), content: <Results report={report} /> },
      {
        title: t('record.timeline'),
        content: (
          <>
            {writes ? <NoteForm report={report} /> : null}
            <Timeline report={report} />
            <RecordHistory
              record={anyRecord(caseRecord)}
              id={report.id}
              label={words.column}
              text={(field, value) => fieldText(field, value as string | null)}
              deed={(transition) => t(`transition.${transition}`)}
              refusal={(code) => undoRefusals[code]}
              mayUndo={writes}
              invalidates={[caseRecord.endpoints.read, caseRecord.endpoints.history, searchCaseReports]}
            />
          </>
        ),
      },
      {
        aside: true,
        title: t('record.patient'),
        content: (
          <>
            <PatientFacts report={report} />
            <PersonLink report={report} />
          </>
        ),
      },
      ...(may('patients/read')
        ? [
            {
              aside: true as const,
              title: t('record.portal'),
              content: own ? ofPatient(report.patient.id) : null,
            },
          ]
        : []),
      { aside: true, title: t('record.about'), content: <About report={report} /> },
      { aside: true, title: t('common:timeline.title'), content: <OfPerson report={report} /> },
    ];
  };
}

/** The parts of a case that no one edits. */
function About({ report }: { report: CaseReport }) {
  const { t, i18n } = useTranslation('case-reports');
  const formats = useFormats();
  const words = useCaseWords();
  const family = useLabels('diseaseFamilies');
  const program = useLabels('programs');
  const task = useLabels('tasks');
  const text = useFieldText();
  const familyLabel = report.breakGlass?.familyLabel;
  const fact = (name: 'county' | 'jurisdiction' | 'facility' | 'visitType') =>
    [words.column(name), report[name] && text(name, report[name])] as const;
  return (
    <Facts
      facts={[
        [
          words.column('diseaseFamily'),
          familyLabel ? labelIn(familyLabel, i18n.language) : family.of(report.diseaseFamily),
        ],
        [words.column('createdOn'), formats.dayInWords(report.createdOn)],
        [words.column('source'), words.choice('source', report.source)],
        [words.column('externalId'), report.externalId],
        fact('county'),
        fact('jurisdiction'),
        fact('facility'),
        [words.column('program'), program.of(report.program)],
        [words.column('task'), task.of(report.task)],
        fact('visitType'),
        [words.column('updatedAt'), formats.instant(report.updatedAt)],
        [t('record.closedAt'), report.closedAt && formats.instant(report.closedAt)],
      ]}
    />
  );
}
