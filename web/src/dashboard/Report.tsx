import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useAppSelector } from '../session/store.ts';
import { usePrinting } from '../ui/charts/paper.ts';
import { DefinitionList } from '../ui/DefinitionList.tsx';
import { useShown } from './shown.ts';
import { useUnseen } from './unseen.ts';
import { useDashboardWords } from './words.ts';

/*
 * The parts of a dashboard that appear only on paper. A report is read without the screen, so it says whose
 * numbers they are, what they count, as of when, and how each is calculated.
 */

/** Whose numbers they are, for which days and filters, and as of when. */
export function ReportHead() {
  const { period, context } = useShown();
  const organization = useAppSelector(({ authentication }) => authentication.selectedTenantOrg?.name);
  if (!usePrinting()) return null;
  return (
    <Box data-print="context" sx={{ display: 'grid', gap: 1, borderBottom: '1px solid', paddingBottom: 3 }}>
      <Typography variant="h2" component="p">
        {organization}
      </Typography>
      {[period, ...context].map((line) => (
        <Typography key={line} variant="body2">
          {line}
        </Typography>
      ))}
    </Box>
  );
}

/** How each number in the report is calculated. */
export function ReportDefinitions() {
  const { t } = useTranslation('analytics');
  const { of, answer } = useShown();
  const words = useDashboardWords(of);
  const unseen = useUnseen();
  if (!usePrinting()) return null;
  const shown = [...new Set([...of.leading, ...Object.values(of.sections).flat()])].filter(
    (name) => answer.measures[name] !== undefined,
  );
  return (
    <Box component="section" data-print="definitions" sx={{ breakBefore: 'page' }}>
      <Typography variant="h2" sx={{ marginBottom: 3 }}>
        {t('screen.definitions')}
      </Typography>
      <Box sx={{ columns: 2, columnGap: 6 }}>
        {shown.map((name) => (
          <Box key={name} sx={{ breakInside: 'avoid', paddingBottom: 4 }}>
            <Typography variant="h3" sx={{ marginBottom: 1 }}>
              {[words.measure(name), of.measures[name]!.definition].filter(Boolean).join(' · ')}
            </Typography>
            <DefinitionList definition={words.definition(name, unseen.isWithin)} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}
