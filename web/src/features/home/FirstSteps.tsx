import type { GridQuery } from '@caseway/contract/grid';
import { searchImports } from '@caseway/contract/imports';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { ArrowRight, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { firstStepsHidden } from '../../session/preferences.ts';
import { useAppDispatch, useAppSelector } from '../../session/store.ts';
import type { Screen } from '../../shell/screens.ts';

/** Whether anything has been imported yet. */
const oneImport: GridQuery = {
  filterModel: { items: [], logicOperator: 'and' },
  sortModel: [],
  paginationModel: { page: 0, pageSize: 1 },
  filters: {},
};

/** Three steps to the first dashboard, while nothing has been imported; each links to its screen. */
export default function FirstSteps({ screens }: { screens: readonly Screen[] }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const wanted = useAppSelector((state) => state.preferences.firstSteps);
  const steps = ['/imports', '/case-reports', '/analytics/testing'].filter((path) =>
    screens.some((screen) => screen.path === path),
  );
  const possible = wanted && steps.length === 3;
  const imports = useApi(searchImports, { body: oneImport }, { enabled: possible });
  if (!possible || imports.data?.rowCount !== 0) return null;
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-labelledby="home-steps"
      sx={{ borderRadius: '10px', padding: 5 }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'flex-start', gap: 4 }}>
        <Typography variant="h3" component="h2" id="home-steps">
          {t('home.stepsTitle')}
        </Typography>
        <IconButton
          size="small"
          aria-label={t('home.stepsHide')}
          onClick={() => dispatch(firstStepsHidden())}
          sx={{ margin: -1.5 }}
        >
          <X size={16} />
        </IconButton>
      </Box>
      <Box
        component="ol"
        sx={{
          listStyle: 'none',
          margin: 0,
          marginTop: 4,
          padding: 0,
          display: 'grid',
          gap: 4,
          gridTemplateColumns: { xs: '1fr', md: 'repeat(3, 1fr)' },
        }}
      >
        {steps.map((path, index) => (
          <Box component="li" key={path} sx={{ display: 'flex', gap: 3 }}>
            <Box
              aria-hidden
              sx={{
                flex: 'none',
                display: 'grid',
                placeItems: 'center',
                width: 28,
                height: 28,
                borderRadius: '999px',
                backgroundColor: 'tint',
                fontWeight: 650,
              }}
            >
              {index + 1}
            </Box>
            <Box>
              <ButtonBase
                component={Link}
                to={path}
                sx={{
                  gap: 1,
                  typography: 'h3',
                  color: 'primary.main',
                  '&:hover': { textDecoration: 'underline' },
                }}
              >
                {t(`home.step${index + 1}`)}
                <ArrowRight size={16} aria-hidden />
              </ButtonBase>
              <Typography variant="body1" sx={{ color: 'text.secondary' }}>
                {t(`home.step${index + 1}Text`)}
              </Typography>
            </Box>
          </Box>
        ))}
      </Box>
    </Paper>
  );
}
