import { betaFeatures, features } from '@caseway/contract/permission';
import { findSwitchedPlaces } from '@caseway/contract/settings';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { CircleCheck, CircleMinus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { BetaTag } from '../../ui/BetaTag.tsx';
import { IconMark } from '../../ui/IconMark.tsx';
import { isOn, stateKey } from './feature-edits.ts';
import { sectionPath } from './sections.ts';

/** Which features are on for one organization, facility or jurisdiction, and why. [S1.6] */
export function PlaceFeatures({ id }: { id: string }) {
  const { t } = useTranslation('settings');
  const query = useApi(findSwitchedPlaces, { query: { id } });
  return (
    <Answered query={query} height={120}>
      {({ features: tenantOn, places: [place] }) =>
        place === undefined ? null : (
          <Box component="section" sx={{ borderTop: 1, borderColor: 'divider', paddingTop: 3 }}>
            <Typography variant="body1" component="h3" sx={{ fontWeight: 650 }}>
              {t('features.here')}
            </Typography>
            <Box
              component="ul"
              sx={{ listStyle: 'none', margin: 0, padding: '8px 0', display: 'grid', gap: 1 }}
            >
              {features.map((feature) => {
                const state = place.own[feature] ?? null;
                const on = isOn(feature, tenantOn, state);
                return (
                  <Box component="li" key={feature} sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
                    <Box sx={{ flex: '1 1 140px' }}>
                      {t(`feature.${feature}`)}
                      {betaFeatures.includes(feature) ? <BetaTag /> : null}
                    </Box>
                    <Box sx={{ flex: '1 1 160px', color: 'text.secondary' }}>
                      <IconMark
                        icon={on ? CircleCheck : CircleMinus}
                        color={on ? 'success.main' : 'text.secondary'}
                      >
                        {t(
                          `features.${stateKey(on === tenantOn.includes(feature) ? null : state, tenantOn.includes(feature))}`,
                        )}
                      </IconMark>
                    </Box>
                  </Box>
                );
              })}
            </Box>
            <Button
              variant="outlined"
              size="small"
              component={Link}
              to={`${sectionPath('features')}?place=${id}`}
            >
              {t('features.change')}
            </Button>
          </Box>
        )
      }
    </Answered>
  );
}
