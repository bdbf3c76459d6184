import type { BehindNumber as Behind } from '@caseway/contract/behind';
import { columnOfFilter, type Dashboard, factOfSeries } from '@caseway/contract/dashboard';
import { dashboards } from '@caseway/contract/dashboards/all';
import { linkToAnalytics } from '@caseway/contract/search-params';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../session/permissions.ts';
import { FilterChip } from '../ui/FilterChip.tsx';
import { useFormats } from '../words/formats.ts';
import { chosenIn, columnsOf, useColumnLabels, useFilterTitle } from './labels.ts';
import { useDashboardWords } from './words.ts';

interface Props {
  behind: Behind;
  among?: readonly Dashboard[] | undefined;
  onRemove: () => void;
}

/**
 * The number whose records a list shows, as a removable condition, and the way back to its dashboard. Nothing
 * if no dashboard has it.
 */
export default function BehindNumber({ behind, among = dashboards, onRemove }: Props) {
  const of = among.find(({ id }) => id === behind.dashboard);
  return of ? <Chip of={of} behind={behind} onRemove={onRemove} /> : null;
}

function Chip({ of, behind, onRemove }: Omit<Props, 'among'> & { of: Dashboard }) {
  const { t } = useTranslation(['analytics', 'common']);
  const formats = useFormats();
  const may = useMay();
  const words = useDashboardWords(of);
  const labels = useColumnLabels(of);
  const filterTitle = useFilterTitle(of);
  const { measure, series, key, key2, filters, eventDate, dateRangeValue } = behind;
  const main = of.facts[of.main]!;
  const one = series === undefined ? undefined : of.series[series];
  const fact = one ? of.facts[factOfSeries(of, one)]! : main;
  const keys = one
    ? columnsOf(one).flatMap((column, index) => {
        const value = [key, key2][index];
        return value === undefined ? [] : [labels.of(fact, column, value)];
      })
    : [];
  const isPeriod = one?.form === 'trend' || one?.form === 'epidemic-curve';
  const chosen = chosenIn(filters).map(
    ([name, values]) =>
      `${filterTitle(name)}: ${values
        .map((value) => labels.of(main, columnOfFilter(of, name) ?? '', value))
        .join(', ')}`,
  );
  // As it was counted: the same filters, dates and kind of date.
  const back = linkToAnalytics(of, `/analytics/${of.id}`, {
    filters,
    range: dateRangeValue,
    eventDate: eventDate ?? null,
  });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
      {may(of.permission) ? (
        <Button
          component={Link}
          to={back}
          variant="text"
          size="small"
          startIcon={<ArrowLeft size={16} aria-hidden />}
        >
          {t('screen.backTo', { dashboard: words.title })}
        </Button>
      ) : (
        <span>{words.title}</span>
      )}
      <FilterChip
        name={measure === undefined ? words.series(series!).title : words.measure(measure)}
        value={[
          ...keys,
          ...(isPeriod && key !== undefined ? [formats.dayInWords(key)] : []),
          t('screen.period', {
            start: formats.dayInWords(dateRangeValue.start),
            end: formats.dayInWords(dateRangeValue.end),
          }),
          ...(eventDate === undefined ? [] : [words.eventDate(eventDate)]),
          ...chosen,
        ].join(' · ')}
        onRemove={onRemove}
      />
    </Box>
  );
}
