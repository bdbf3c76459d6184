import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';

/** What a number means, in words. */
export interface Definition {
  numerator: string;
  /** Absent for a plain count. */
  denominator?: string;
  exclusions?: string;
  /** The source of the definition. */
  source?: string;
}

/** A definition's parts, each under its name. */
export function DefinitionList({ definition }: { definition: Definition }) {
  const { t } = useTranslation();
  return (
    <Box component="dl" sx={{ margin: 0, display: 'grid', gap: 2 }}>
      {(['numerator', 'denominator', 'exclusions', 'source'] as const).map((part) =>
        definition[part] === undefined ? null : (
          <Box key={part}>
            <Typography component="dt" variant="caption" sx={{ color: 'text.secondary', fontWeight: 550 }}>
              {t(
                `tile.definition.${part === 'numerator' && definition.denominator === undefined ? 'counted' : part}`,
              )}
            </Typography>
            <Typography component="dd" variant="body1" sx={{ margin: 0 }}>
              {definition[part]}
            </Typography>
          </Box>
        ),
      )}
    </Box>
  );
}
