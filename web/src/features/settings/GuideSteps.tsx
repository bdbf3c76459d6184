import type { Permission } from '@caseway/contract/endpoint';
import { checkGuideStep, type Guide, type GuideStep, readGuide } from '@caseway/contract/settings';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { ArrowRight, Circle, CircleCheck, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi, useCall } from '../../data/api.ts';
import { useMay } from '../../session/permissions.ts';
import { guideShown } from '../../session/preferences.ts';
import { useAppDispatch, useAppSelector } from '../../session/store.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Section } from '../../ui/Section.tsx';
import { sectionPath } from './sections.ts';

/** The screen of each step. */
const places: Readonly<Record<GuideStep, string>> = {
  basics: sectionPath('general'),
  places: '/organizations',
  jurisdictions: '/jurisdictions',
  programs: '/programs',
  roles: '/admin/roles',
  people: '/admin/users',
  import: '/imports',
};
/** People who only administer the system cannot open imports. */
const needed: Readonly<Record<GuideStep, Permission>> = {
  basics: 'settings/write',
  places: 'settings/write',
  jurisdictions: 'settings/write',
  programs: 'settings/write',
  roles: 'users/read',
  people: 'users/read',
  import: 'imports/read',
};
const isOpen = ({ steps }: Guide) => steps.some(({ state }) => state === 'open');
const doneOf = ({ steps }: Guide) => steps.filter(({ state }) => state !== 'open').length;

/** On the home screen, until everything is done or someone hides it. */
export default function GuideOnHome() {
  const { t } = useTranslation('settings');
  const dispatch = useAppDispatch();
  const shown = useAppSelector((state) => state.preferences.guide);
  const { data } = useApi(readGuide, undefined, { enabled: shown });
  if (!shown || data === undefined || !isOpen(data)) return null;
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-labelledby="home-guide"
      sx={{ borderRadius: '10px', padding: { xs: 4, sm: 5 } }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'flex-start', gap: 4 }}>
        <Box>
          <Typography variant="h3" component="h2" id="home-guide">
            {t('guide.title')}
          </Typography>
          <Typography variant="body1" sx={{ color: 'text.secondary' }}>
            {t('guide.progress', { done: doneOf(data), all: data.steps.length })}
          </Typography>
        </Box>
        <IconButton
          size="small"
          aria-label={t('guide.hide')}
          onClick={() => dispatch(guideShown(false))}
          sx={{ margin: -1.5 }}
        >
          <X size={16} />
        </IconButton>
      </Box>
      <Steps guide={data} />
    </Paper>
  );
}

/** In the settings, even if done or hidden. */
export function GuideSection() {
  const { t } = useTranslation('settings');
  const dispatch = useAppDispatch();
  const shown = useAppSelector((state) => state.preferences.guide);
  const query = useApi(readGuide);
  return (
    <Section title={t('guide.title')}>
      <Answered query={query} height={420}>
        {(guide) => (
          <>
            <Typography variant="body1" sx={{ color: 'text.secondary' }}>
              {isOpen(guide)
                ? t('guide.progress', { done: doneOf(guide), all: guide.steps.length })
                : t('guide.allDone')}
            </Typography>
            <Steps guide={guide} />
            {isOpen(guide) ? (
              <Box>
                <Button variant="outlined" onClick={() => dispatch(guideShown(!shown))}>
                  {t(shown ? 'guide.hideHome' : 'guide.showHome')}
                </Button>
              </Box>
            ) : null}
          </>
        )}
      </Answered>
    </Section>
  );
}

function Steps({ guide }: { guide: Guide }) {
  const { t } = useTranslation('settings');
  const may = useMay();
  const call = useCall(checkGuideStep, { invalidates: [readGuide] });
  return (
    <>
      {call.error ? <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert> : null}
      <Box component="ol" sx={{ listStyle: 'none', margin: 0, marginTop: 3, padding: 0 }}>
        {guide.steps.map(({ step, state, count }) => (
          <Box
            component="li"
            key={step}
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              gap: 3,
              padding: '10px 0',
              borderTop: 1,
              borderColor: 'divider',
            }}
          >
            <Box
              role="img"
              aria-label={t(`guideState.${state}`)}
              sx={{ display: 'flex', color: state === 'open' ? 'text.tertiary' : 'success.main' }}
            >
              {state === 'open' ? <Circle size={20} aria-hidden /> : <CircleCheck size={20} aria-hidden />}
            </Box>
            <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
              {may(needed[step]) ? (
                <Box
                  component={Link}
                  to={places[step]}
                  sx={{
                    display: 'inline-flex',
                    alignItems: 'center',
                    gap: 1,
                    typography: 'body1',
                    fontWeight: 550,
                    color: 'primary.main',
                    textDecoration: 'none',
                    '&:hover': { textDecoration: 'underline' },
                  }}
                >
                  {t(`guideStep.${step}`)}
                  <ArrowRight size={16} aria-hidden />
                </Box>
              ) : (
                <Typography variant="body1" sx={{ fontWeight: 550 }}>
                  {t(`guideStep.${step}`)}
                </Typography>
              )}
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {count > 0 ? t(`guideCount.${step}`, { count }) : t(`guideText.${step}`)}
              </Typography>
            </Box>
            {state === 'done' ? null : (
              <Button
                variant="outlined"
                size="small"
                disabled={call.isPending}
                aria-label={t(state === 'open' ? 'guide.checkOf' : 'guide.uncheckOf', {
                  step: t(`guideStep.${step}`),
                })}
                onClick={() => call.mutate({ body: { step, checked: state === 'open' } })}
              >
                {t(state === 'open' ? 'guide.check' : 'guide.uncheck')}
              </Button>
            )}
          </Box>
        ))}
      </Box>
    </>
  );
}
