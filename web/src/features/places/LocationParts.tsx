import { type LocationLevel, levelsWithin, locations } from '@caseway/contract/places';
import type { RecordOf } from '@caseway/contract/record';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { EditPlace } from './EditPlace.tsx';
import type { PlaceKind, PlaceRecord } from './kinds.ts';

type Location = RecordOf<typeof locations>;

/** What is in a location: shelves with their bays, and boxes. */
export function LocationParts({
  kind,
  record,
  onOpen,
}: {
  kind: PlaceKind;
  record: PlaceRecord;
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation('places');
  const [adding, setAdding] = useState<LocationLevel | null>(null);
  const query = useApi(locations.endpoints.search, {
    body: {
      filterModel: { items: [], logicOperator: 'and' },
      sortModel: [...locations.grid.defaultSort],
      paginationModel: { page: 0, pageSize: 200 },
      filters: { withinFilter: [record.id] },
    },
  });
  const level = record.level as LocationLevel;
  if (level === 'box')
    return (
      <Box>
        <Button
          variant="outlined"
          size="small"
          component={Link}
          to={`/sample-shipments/storage/${record.id}`}
        >
          {t('parts.map')}
        </Button>
      </Box>
    );
  const levels = levelsWithin[level];
  return (
    <Box component="section" sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Typography variant="body1" component="h3" sx={{ fontWeight: 650, flex: 1 }}>
          {t(`parts.${levels[0] as 'shelf'}`)}
        </Typography>
        {levels.map((one) => (
          <Button key={one} variant="outlined" size="small" onClick={() => setAdding(one)}>
            {t(`parts.add_${one as 'shelf'}`)}
          </Button>
        ))}
      </Box>
      <Answered query={query} height={80}>
        {({ rows }) => {
          const within = (parent: string) => rows.filter((row) => row.parent === parent);
          return within(record.id).length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('panel.none')}
            </Typography>
          ) : (
            <Parts rows={within(record.id)} within={within} onOpen={onOpen} />
          );
        }}
      </Answered>
      {adding ? (
        <EditPlace
          kind={kind}
          record={null}
          preset={{ facility: String(record.facility), parent: record.id, level: adding }}
          onSaved={() => setAdding(null)}
          onClose={() => setAdding(null)}
        />
      ) : null}
    </Box>
  );
}

function Parts({
  rows,
  within,
  onOpen,
}: {
  rows: readonly Location[];
  within: (parent: string) => Location[];
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation('places');
  return (
    <Box component="ul" sx={{ margin: 0, paddingLeft: 4, display: 'grid', gap: 1 }}>
      {rows.map((row) => {
        const inner = within(row.id);
        return (
          <li key={row.id}>
            <MuiLink component="button" type="button" variant="body2" onClick={() => onOpen(row.id)}>
              {row.active ? row.displayName : t('panel.inactive', { name: row.displayName })}
            </MuiLink>
            {inner.length > 0 ? <Parts rows={inner} within={within} onOpen={onOpen} /> : null}
          </li>
        );
      })}
    </Box>
  );
}
