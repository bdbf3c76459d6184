import type { BehindNumber as Behind } from '@caseway/contract/behind';
import { columnOfFilter, type Dashboard, factOfSeries } from '@caseway/contract/dashboard';
import { dashboards } from '@caseway/contract/dashboards/all';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { FilterChip } from '../ui/FilterChip.tsx';
import { useFormats } from '../words/formats.ts';
import { chosenIn, columnsOf, useColumnLabels, useFilterTitle } from './labels.ts';
import { useDashboardWords } from './words.ts';

interface Props {
  behind: Behind;
  among?: readonly Dashboard[] | undefined;
  onRemove: () => void;
}

/** The number whose records a list shows, as a removable condition. Nothing if no dashboard has it. */
export default function BehindNumber({ behind, among = dashboards, onRemove }: Props) {
  const of = among.find(({ id }) => id === behind.dashboard);
  return of ? <Chip of={of} behind={behind} onRemove={onRemove} /> : null;
}

function Chip({ of, behind, onRemove }: Omit<Props, 'among'> & { of: Dashboard }) {
  const { t } = useTranslation(['analytics', 'common']);
  const formats = useFormats();
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
  return (
    <Box sx={{ display: 'flex' }}>
      <FilterChip
        whole
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
