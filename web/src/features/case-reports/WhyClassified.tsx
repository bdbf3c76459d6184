import { followCaseRule } from '@caseway/contract/case-record';
import type { CaseReport } from '@caseway/contract/case-reports';
import type { CaseExplanation, CriterionLine } from '@caseway/contract/case-rules';
import { labelIn, testNameForStaff } from '@caseway/contract/label';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Check, CircleHelp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { useFormats } from '../../words/formats.ts';
import { useCaseWords } from './case-words.ts';
import { criterionText } from './criterion-text.ts';
import { keepReport } from './EditCase.tsx';

/** The case rule's explanation of a case, each criterion with its state, and what would change it. */
export function WhyClassified({ report }: { report: CaseReport }) {
  const { t, i18n } = useTranslation('case-rules');
  const words = useCaseWords();
  const offered = useLabels('conditions');
  const opened = report.breakGlass?.conditionLabel;
  // For an otherwise hidden record, the look-up lacks the condition.
  const condition = (code: string) => (opened ? labelIn(opened, i18n.language) : offered.of(code));
  const may = useMay();
  const { explanation } = report;
  if (!explanation)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('why.none')}
      </Typography>
    );
  const classOf = ({
    classification,
    condition: code,
  }: Pick<CaseExplanation, 'classification' | 'condition'>) => ({
    classification: words.choice('classification', classification),
    condition: condition(code),
  });
  const variant = explanation.variant ? t(`variant.${explanation.variant}`) : null;
  const differs = explanation.classification !== report.classification;
  const held = explanation.classes.find(({ state }) => state === 'met');
  const others = explanation.classes.filter((each) => each !== held);
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)', minWidth: 0 }}>
      <Box>
        <Typography variant="body1" sx={{ fontWeight: 650 }}>
          {t('why.says', classOf(explanation))}
          {variant === null ? '' : ` · ${variant}`}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('why.source', { source: explanation.source, year: String(explanation.validFrom) })}{' '}
          {t(`by.${report.classifiedBy}`)}
        </Typography>
      </Box>
      {differs ? (
        <Alert
          severity="info"
          // The button wraps below the message if both do not fit on one line.
          sx={{ flexWrap: 'wrap', '& .MuiAlert-message': { flex: '1 1 160px' } }}
          action={
            may('case-reports/write') && !report.breakGlass ? <FollowRule report={report} /> : undefined
          }
        >
          {t('why.differs', classOf(explanation))}
        </Alert>
      ) : null}
      <Part title={t('why.holds')}>
        {held ? (
          <Criteria lines={held.criteria} report={report} />
        ) : (
          <Typography variant="body2">{t('why.noClass')}</Typography>
        )}
      </Part>
      {explanation.against ? (
        <Part title={t('why.against')}>
          <Criteria lines={explanation.against} report={report} />
        </Part>
      ) : null}
      <Part title={t('why.next')}>
        {explanation.next.length === 0 ? (
          <Typography variant="body2">{t('why.nextNone')}</Typography>
        ) : (
          explanation.next.map((each) => (
            <Box key={`${each.classification} ${each.condition} ${JSON.stringify(each.needs)}`}>
              <Typography variant="body2" sx={{ fontWeight: 600 }}>
                {t('why.becomes', classOf(each))}
              </Typography>
              <Criteria lines={each.needs} report={report} />
            </Box>
          ))
        )}
      </Part>
      {others.length > 0 ? (
        <Box component="details">
          <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>
            {t('why.tried')}
          </Typography>
          <Box sx={{ display: 'grid', gap: 2, marginTop: 2 }}>
            {others.map((each) => (
              <Box key={`${each.classification} ${each.condition} ${JSON.stringify(each.criteria)}`}>
                <Typography variant="body2" sx={{ fontWeight: 600 }}>
                  {`${words.choice('classification', each.classification)} (${condition(each.condition)})`}
                </Typography>
                <Criteria lines={each.criteria} report={report} />
              </Box>
            ))}
          </Box>
        </Box>
      ) : null}
    </Box>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <Typography component="h3" variant="body2" sx={{ fontWeight: 650 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

const icons = { met: Check, 'not-met': X, unknown: CircleHelp } as const;
const colors = { met: 'success.main', 'not-met': 'text.secondary', unknown: 'warning.main' } as const;

/** The lines of a criteria tree, indented, each with its state in words and the results that decided it. */
function Criteria({ lines, report }: { lines: readonly CriterionLine[]; report: CaseReport }) {
  const { t, i18n } = useTranslation('case-rules');
  const formats = useFormats();
  const textOf = useCriterionText();
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1 }}>
      {lines.map((line, at) => {
        const Icon = icons[line.state];
        const days = (line.results ?? []).flatMap((id) => {
          const result = report.results.find((each) => each.id === id);
          if (!result) return [];
          const day = result.collectedAt ?? result.reportedAt;
          const name = testNameForStaff(result, i18n.language);
          return [day ? `${name}, ${formats.day(day.slice(0, 10))}` : name];
        });
        return (
          <Box
            component="li"
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an explanation never move
            key={`${at} ${line.kind}`}
            sx={{ display: 'flex', gap: 1.5, paddingInlineStart: line.depth * 4, minWidth: 0 }}
          >
            <Box component="span" sx={{ color: colors[line.state], flex: 'none', lineHeight: 1.54 }}>
              <Icon size={16} aria-hidden />
            </Box>
            <Typography component="span" variant="body2" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {textOf(line)}
              {' · '}
              <Box component="span" sx={{ color: colors[line.state] }}>
                {t(`state.${line.state}`)}
              </Box>
              {days.length > 0 ? (
                <Typography
                  component="span"
                  variant="caption"
                  sx={{ display: 'block', color: 'text.secondary' }}
                >
                  {days.join('; ')}
                </Typography>
              ) : null}
            </Typography>
          </Box>
        );
      })}
    </Box>
  );
}

function useCriterionText(): (line: CriterionLine) => string {
  const { t } = useTranslation('case-rules');
  const sex = useLabels('sex');
  const formats = useFormats();
  return (line) => criterionText(line, { t, sex: sex.of, number: formats.number });
}

/** Replaces the current decision with the rule's result. */
function FollowRule({ report }: { report: CaseReport }) {
  const { t } = useTranslation('case-rules');
  const call = useCall(followCaseRule);
  return (
    <Button
      size="small"
      color="inherit"
      disabled={call.isPending}
      onClick={() =>
        call.mutate(
          {
            params: { id: report.id },
            body: { version: report.version },
          },
          {
            onSuccess: (answer) => {
              keepReport(answer);
              notify('success', 'case-rules:why.followed');
            },
            onError: (error) => notify('error', `error.${error.code}`),
          },
        )
      }
    >
      {t('why.follow')}
    </Button>
  );
}
