import { caseRecord } from '@caseway/contract/case-record';
import type { CaseEvent, CaseReport } from '@caseway/contract/case-reports';
import { cityLine } from '@caseway/contract/codes';
import { labelIn, testNameForStaff } from '@caseway/contract/label';
import { piecesOf } from '@caseway/contract/mentions';
import { anyRecord } from '@caseway/contract/record';
import { rangePosition, resultValue } from '@caseway/contract/result-value';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useIdentifiers } from '../../data/use-identifiers.ts';
import { useLabels } from '../../data/use-labels.ts';
import { PersonTimeline } from '../../record/PersonTimeline.tsx';
import { useRecordText } from '../../record/use-record-text.ts';
import { useMay } from '../../session/permissions.ts';
import { ContactLinks } from '../../ui/ContactLink.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useCaseWords } from './case-words.ts';
import { CaseMark } from './marks.tsx';
import { TaskEvent } from './TaskEvent.tsx';

/** `Müller, Ana`; the known parts of a name. */
export const nameOf = ({
  lastName,
  firstName,
}: {
  lastName: string | null;
  firstName: string | null;
}): string => [lastName, firstName].filter(Boolean).join(', ');

export function PatientFacts({ report }: { report: CaseReport }) {
  const { t } = useTranslation('case-reports');
  const formats = useFormats();
  const words = useCaseWords();
  const sex = useLabels('sex');
  const gender = useLabels('gender');
  const race = useLabels('race');
  const ethnicity = useLabels('ethnicity');
  const language = useLabels('languages');
  const county = useLabels('counties');
  const { patient } = report;
  const birth = patient.birthDate && formats.dayInWords(patient.birthDate);
  const identifiers = useIdentifiers();
  return (
    <Facts
      facts={[
        [
          t('patient.name'),
          [patient.firstName, patient.middleName, patient.lastName, patient.nameSuffix]
            .filter(Boolean)
            .join(' '),
        ],
        [
          words.column('birthDate'),
          birth && report.age !== null
            ? t('patient.birth', {
                day: birth,
                count: report.age,
                // The age on the day the case was opened, not today.
                at: formats.dayInWords(report.createdOn),
              })
            : birth,
        ],
        [words.column('sex'), sex.of(patient.sex)],
        [t('patient.gender'), gender.of(patient.gender)],
        [words.column('race'), race.of(patient.race)],
        [words.column('ethnicity'), ethnicity.of(patient.ethnicity)],
        [t('patient.language'), language.of(patient.languageCode)],
        [
          t('patient.address'),
          [patient.street, patient.street2, cityLine(patient)].filter(Boolean).map((line) => (
            <Box component="span" key={line} sx={{ display: 'block' }}>
              {line}
            </Box>
          )),
        ],
        [words.column('county'), county.of(patient.county)],
        [t('patient.phone'), linksTo('phone', patient.phones)],
        [t('patient.email'), linksTo('email', patient.emails)],
        ...[...Map.groupBy(identifiers(patient.identifiers), ({ kind }) => kind)].map(
          ([kind, numbers]) =>
            [
              kind,
              numbers.map(({ text }) => (
                <Box component="span" key={text} sx={{ display: 'block' }}>
                  {text}
                </Box>
              )),
            ] as const,
        ),
        [
          t('patient.deceased'),
          patient.deceasedOn
            ? formats.dayInWords(patient.deceasedOn)
            : patient.deceased
              ? words.choice('', 'yes')
              : null,
        ],
      ]}
    />
  );
}

/** Undefined if there is none, so that the line is left out. */
const linksTo = (kind: 'phone' | 'email', values: readonly string[]) =>
  values.length === 0 ? null : <ContactLinks kind={kind} values={values} />;

/** The answer of each result, newest first; superseded ones are struck through. */
export function Results({ report, limit }: { report: CaseReport; limit?: number }) {
  const { t, i18n } = useTranslation('case-reports');
  const formats = useFormats();
  const category = useLabels('resultCategories');
  const status = useLabels('resultStatuses');
  const facility = useLabels('facilities');
  if (report.results.length === 0)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('results.none')}
      </Typography>
    );
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
      {report.results.slice(0, limit).map((result) => {
        const day = result.collectedAt ?? result.reportedAt;
        const { text: value, measured } = resultValue(result, i18n.language, { sign: true });
        const position = rangePosition(result);
        const isAmount = result.resultCategory === 'quantitative';
        const label = category.of(result.resultCategory);
        // If the answer is a number, the category adds nothing; if there are both, neither is enough alone.
        const headline = isAmount && value ? value : [label, measured && value].filter(Boolean).join(' · ');
        return (
          <Box
            component="li"
            key={result.id}
            sx={{
              borderTop: 1,
              borderColor: 'divider',
              paddingTop: 3,
              '&:first-of-type': { border: 0, paddingTop: 0 },
            }}
          >
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'baseline' }}>
              <Typography
                variant="body1"
                sx={{ fontWeight: 550, textDecoration: result.supersededBy ? 'line-through' : 'none' }}
              >
                {headline}
              </Typography>
              <Typography variant="body2" sx={{ flex: '1 1 160px', minWidth: 0 }}>
                {testNameForStaff(result, i18n.language)}
              </Typography>
              {day ? (
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {formats.instant(day)}
                </Typography>
              ) : null}
            </Box>
            {result.supersededBy ? (
              <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                {t('results.superseded')}
              </Typography>
            ) : null}
            {limit === undefined ? (
              <Box sx={{ marginTop: 2 }}>
                <Facts
                  facts={[
                    [
                      t('results.value'),
                      value === null || value === label || (isAmount && !measured) ? null : (
                        // As the laboratory wrote it.
                        <span key="value" translate="no">
                          {value}
                        </span>
                      ),
                    ],
                    [t('results.range'), result.referenceRange],
                    [t('results.position'), position && t(`results.positions.${position}`)],
                    [t('results.status'), status.of(result.status)],
                    [t('results.loinc'), result.testLoinc],
                    [
                      t('results.specimen'),
                      result.specimen &&
                        [
                          ...new Set(
                            [result.specimen.type, result.specimen.site].map(
                              (label) => label && labelIn(label, i18n.language),
                            ),
                          ),
                          result.specimen.accession,
                        ]
                          .filter(Boolean)
                          .join(' · '),
                    ],
                    [t('results.facility'), facility.of(result.facilityId)],
                    [
                      t('results.provider'),
                      result.orderingProvider && <Provider of={result.orderingProvider} />,
                    ],
                    [t('results.laboratory'), facility.of(result.performingFacilityId)],
                    [t('results.received'), result.receivedAt && formats.instant(result.receivedAt)],
                    [t('results.resulted'), result.resultedAt && formats.instant(result.resultedAt)],
                    [t('results.reported'), result.reportedAt && formats.instant(result.reportedAt)],
                    [
                      t('results.notes'),
                      result.notes && <Box sx={{ whiteSpace: 'pre-line' }}>{result.notes}</Box>,
                    ],
                  ]}
                />
              </Box>
            ) : null}
          </Box>
        );
      })}
    </Box>
  );
}

/** Who ordered a test, with a number to call. */
function Provider({ of: provider }: { of: NonNullable<CaseReport['results'][number]['orderingProvider']> }) {
  const { t } = useTranslation('case-reports');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
      {provider.name ? <span>{provider.name}</span> : null}
      {provider.npi ? <span>{t('results.npi', { npi: provider.npi })}</span> : null}
      {provider.phone ? <ContactLinks kind="phone" values={[provider.phone]} /> : null}
    </Box>
  );
}

/** The person's own record, for readers of patients. An emergency access opens the case, and nothing more. */
export function PersonLink({ report }: { report: CaseReport }) {
  const { t } = useTranslation('case-reports');
  const may = useMay();
  if (report.breakGlass || !may('patients/read')) return null;
  return (
    <Button
      size="small"
      variant="outlined"
      component={Link}
      to={`/patients/${report.patientId}`}
      startIcon={<UserRound size={14} aria-hidden />}
      sx={{ justifySelf: 'start' }}
    >
      {t('patient.open')}
    </Button>
  );
}

/** Everything the reader may see about the person, including this case. */
export function OfPerson({ report, limit }: { report: CaseReport; limit?: number }) {
  const words = useCaseWords();
  const code = (field: string, value: string) =>
    field === 'classification' ? (
      <CaseMark kind={value as CaseReport['classification']}>{words.choice(field, value)}</CaseMark>
    ) : (
      words.choice(field, value)
    );
  return (
    <PersonTimeline
      patientId={report.patientId}
      currentId={report.id}
      codes={{ 'case-reports': code }}
      {...(limit === undefined ? {} : { limit })}
    />
  );
}

/** The number of timeline entries shown until the reader asks for more. */
const timelineLimit = 12;

/** Everything that happened to a case, newest first. */
export function Timeline({ report, limit }: { report: CaseReport; limit?: number }) {
  const { t } = useTranslation('case-reports');
  const formats = useFormats();
  const [all, setAll] = useState(false);
  const shown = report.timeline.slice(0, limit ?? (all ? undefined : timelineLimit));
  return (
    <>
      <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
        {shown.map((event) => (
          <Box component="li" key={event.id} sx={{ fontSize: '0.8125rem', lineHeight: 20 / 13, minWidth: 0 }}>
            <EventText event={event} report={report} />
            <Typography variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
              <time dateTime={event.at}>{formats.instant(event.at)}</time>
              {event.by?.name ? ` · ${event.by.name}` : ''}
            </Typography>
          </Box>
        ))}
      </Box>
      {limit === undefined && !all && report.timeline.length > timelineLimit ? (
        <Button variant="text" size="small" onClick={() => setAll(true)} sx={{ justifySelf: 'start' }}>
          {t('timeline.all', { count: report.timeline.length })}
        </Button>
      ) : null}
    </>
  );
}

/** The present name of a colleague whom a note mentions. */
const nameOfMentioned = ({ mentioned }: CaseEvent['detail'], id: string): string | undefined =>
  (mentioned as Record<string, string> | undefined)?.[id];

function EventText({ event: { kind, detail }, report }: { event: CaseEvent; report: CaseReport }) {
  const { t, i18n } = useTranslation('case-reports');
  const words = useCaseWords();
  const investigator = useLabels('investigators');
  const condition = useLabels('conditions');
  const category = useLabels('resultCategories');
  const value = useFieldText();
  const text = (name: string) => (typeof detail[name] === 'string' ? (detail[name] as string) : '');
  const result = report.results.find(({ id }) => id === detail.resultId);
  switch (kind) {
    case 'opened':
      return (
        <>
          {t('event.opened', {
            classification: words.choice('classification', text('classification')),
            source: words.choice('source', text('source')),
          })}
        </>
      );
    case 'result-received':
      return (
        <>
          {result
            ? t('event.resultReceived', {
                result: category.of(result.resultCategory),
                test: testNameForStaff(result, i18n.language),
              })
            : t('event.resultReceivedUnknown')}
        </>
      );
    case 'result-released':
      return (
        <>
          {result
            ? t('event.resultReleased', {
                result: category.of(result.resultCategory),
                test: testNameForStaff(result, i18n.language),
              })
            : t('event.resultReleasedUnknown')}
        </>
      );
    case 'result-corrected': {
      const [from, to] = [category.of(text('from')), category.of(text('to'))];
      return (
        <>
          {text('from') === text('to')
            ? t('event.resultCorrectedSame', { result: to })
            : t('event.resultCorrected', { from, to })}
        </>
      );
    }
    case 'classification-changed':
      return (
        <>
          {t('event.classificationChanged', {
            from: words.choice('classification', text('from')),
            to: words.choice('classification', text('to')),
          })}
        </>
      );
    case 'explanation-changed': {
      const to = (detail.to ?? {}) as { classification?: string };
      return (
        <>
          {t('event.explanationChanged', {
            classification: words.choice('classification', to.classification ?? 'unknown'),
          })}
        </>
      );
    }
    case 'rule-followed':
      return <>{t('event.ruleFollowed')}</>;
    case 'condition-changed':
      return (
        <>{t('event.conditionChanged', { from: condition.of(text('from')), to: condition.of(text('to')) })}</>
      );
    case 'status-changed':
      return (
        <>
          {t('event.statusChanged', {
            from: words.choice('status', text('from')),
            to: words.choice('status', text('to')),
          })}
          {text('reason') === '' ? null : (
            <Box component="span" sx={{ display: 'block', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {t('common:history.because', { reason: text('reason') })}
            </Box>
          )}
        </>
      );
    case 'assigned':
      return (
        <>
          {detail.to === null
            ? t('event.unassigned')
            : t('event.assigned', { investigator: investigator.of(text('to')) })}
        </>
      );
    case 'updated': {
      const changes = (detail.changes ?? {}) as Record<string, { from: string | null; to: string | null }>;
      const fields = Array.isArray(detail.fields) ? (detail.fields as string[]) : Object.keys(changes);
      return (
        <>
          {t(detail.source === 'csv' ? 'event.updatedByList' : 'event.updated')}
          {fields.map((field) => (
            <Box component="span" key={field} sx={{ display: 'block' }}>
              {words.column(field)}
              {changes[field]
                ? `: ${t('event.fromTo', { from: value(field, changes[field].from), to: value(field, changes[field].to) })}`
                : ''}
            </Box>
          ))}
        </>
      );
    }
    case 'note':
      return (
        <Box component="span" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {detail.source === 'csv' ? `${t('event.notedByList')} ` : ''}
          {detail.source === 'csv'
            ? text('text')
            : piecesOf(text('text')).map((piece, index) =>
                typeof piece === 'string' ? (
                  piece
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have a fixed order.
                  <Box component="strong" key={index} sx={{ fontWeight: 600 }}>
                    @{nameOfMentioned(detail, piece.id) ?? t('note.someone')}
                  </Box>
                ),
              )}
        </Box>
      );
    case 'task':
      return <TaskEvent detail={detail} />;
    case 'patient-merged':
      return <>{t('event.patientMerged')}</>;
    case 'patient-unmerged':
      return <>{t('event.patientUnmerged')}</>;
    case 'review-settled':
      return <>{t('event.reviewSettled')}</>;
    case 'review-needed':
      return <>{t(`review.${text('reason')}`, { defaultValue: t('review.other') })}</>;
    default:
      return <>{t('event.other')}</>;
  }
}

/** An editable field's value as text; a dash for none. */
export function useFieldText(): (field: string, value: string | null | undefined) => string {
  const { t } = useTranslation('case-reports');
  const text = useRecordText(anyRecord(caseRecord), useCaseWords());
  return (field, value) =>
    field === 'reviewReason' && value
      ? t(`review.${value}`, { defaultValue: t('review.other') })
      : text(field, value) || '–';
}
