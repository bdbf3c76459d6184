import { fillWarnings, listStorage, type StoragePlace } from '@caseway/contract/storage';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Boxes, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../../data/api.ts';
import { useLabels } from '../../../data/use-labels.ts';
import { useMay } from '../../../session/permissions.ts';
import { Answered } from '../../../ui/Answered.tsx';
import { IconMark } from '../../../ui/IconMark.tsx';
import { Message } from '../../../ui/Message.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Section } from '../../../ui/Section.tsx';
import { useFormats } from '../../../words/formats.ts';
import { ShipmentTabs } from '../ShipmentTabs.tsx';

/** Where specimens are stored: facility by facility, with how full each place is. */
export default function Storage() {
  const { t } = useTranslation('storage');
  const query = useApi(listStorage, {});
  const facilities = useLabels('facilities');
  const maySetUp = useMay()('settings/write');
  return (
    <Page title={t('list.title')} lead={t('list.lead')}>
      <ShipmentTabs />
      <Answered query={query} height={240}>
        {({ places }) => {
          // A place without a box has nothing to show here.
          const used = places.filter(({ positions }) => positions > 0);
          const roots = used.filter(({ parent }) => parent === null);
          const within = (id: string) => used.filter(({ parent }) => parent === id);
          if (roots.length === 0)
            return (
              <Message
                icon={Boxes}
                title={t('list.empty')}
                actions={
                  maySetUp ? (
                    <Button variant="contained" component={Link} to="/locations">
                      {t('list.setUp')}
                    </Button>
                  ) : undefined
                }
              >
                {t('list.emptyText')}
              </Message>
            );
          return [...new Set(roots.map(({ facility }) => facility))].map((facility) => (
            <Section key={facility} title={facilities.of(facility) ?? t('list.title')}>
              <Places places={roots.filter((root) => root.facility === facility)} within={within} />
            </Section>
          ));
        }}
      </Answered>
    </Page>
  );
}

function Places({
  places,
  within,
}: {
  places: readonly StoragePlace[];
  within: (id: string) => readonly StoragePlace[];
}) {
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}>
      {places.map((place) => {
        const inner = within(place.id);
        return (
          <Box component="li" key={place.id} sx={{ display: 'grid', gap: 2 }}>
            <Place place={place} />
            {inner.length > 0 ? (
              <Box sx={{ paddingLeft: { xs: 3, sm: 5 }, borderLeft: 1, borderColor: 'divider' }}>
                <Places places={inner} within={within} />
              </Box>
            ) : null}
          </Box>
        );
      })}
    </Box>
  );
}

function Place({ place }: { place: StoragePlace }) {
  const { t } = useTranslation('storage');
  const { count } = useFormats();
  const { id, level, active, positions, taken } = place;
  const known = t(`level.${level}`, { name: place.name });
  const name = active ? known : t('list.inactive', { name: known });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 3, rowGap: 1 }}>
      {level === 'box' ? (
        <MuiLink component={Link} to={`/sample-shipments/storage/${id}`} sx={{ overflowWrap: 'anywhere' }}>
          {name}
        </MuiLink>
      ) : (
        <Typography variant="body1" component="span" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
      )}
      <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
        {t('list.free', { taken: count(taken), positions: count(positions) })}
      </Typography>
      <Fill taken={taken} positions={positions} />
    </Box>
  );
}

/** A warning when a place is filling up. */
export function Fill({ taken, positions }: Pick<StoragePlace, 'taken' | 'positions'>) {
  const { t } = useTranslation('storage');
  const reached = fillWarnings.findLast((share) => positions > 0 && taken >= share * positions);
  if (reached === undefined) return null;
  return (
    <Typography variant="body2" component="span">
      <IconMark icon={TriangleAlert} color={reached === 1 ? 'error.main' : 'warning.main'}>
        {t(`fill.${reached * 100}` as 'fill.80')}
      </IconMark>
    </Typography>
  );
}
