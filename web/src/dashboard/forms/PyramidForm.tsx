import type { SeriesRow } from '@caseway/contract/analytics';
import { missingKey } from '@caseway/contract/label';
import { useTranslation } from 'react-i18next';
import { useLookup } from '../../data/use-lookup.ts';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { PyramidChart } from '../../ui/charts/PyramidChart.tsx';
import { lookupOf } from '../labels.ts';
import { type FormProps, isWithheld, useSeries } from '../shown.ts';
import { useNotDrawn } from './not-drawn.ts';

/** The codes of the two sides: female and male. */
const [left, right] = ['F', 'M'];

/** Age bands down the middle, in look-up order, with women and men on either side. */
export function PyramidForm({ name, series }: FormProps<'pyramid'>) {
  const { t } = useTranslation('analytics');
  const own = useSeries(name, series);
  const notDrawn = useNotDrawn(own.rowsInWords);
  const bands = useLookup(lookupOf(own.fact, series.by)!).options;
  const found = new Set(own.rows.map(({ key }) => key));
  const ages = bands.map(({ id }) => id).filter((id) => id !== missingKey && found.has(id));
  const nameOf = (band: string, side: string) =>
    `${own.labelOf(series.by, band)}, ${own.labelOf(series.sides, side)}`;
  const sideOf = (band: string, side: string) => {
    const row = own.rows.find(({ key, key2 }) => key === band && key2 === side);
    const name = nameOf(band, side);
    const value = row?.values[own.first];
    return {
      value: value?.value ?? (row ? null : 0),
      valueText: own.cell(value, own.unitOf(own.first)) ?? '0',
      text: row ? own.sentence(name, row) : t('mark.values', { name, values: '0' }),
      suppressed: isWithheld(value),
    };
  };
  const { hrefOf } = own;
  return (
    <ChartFrame
      {...own.frame(
        own.tableOf([t(`filter.${series.by}`), t(`filter.${series.sides}`)].join(', '), (row: SeriesRow) =>
          nameOf(row.key, row.key2 ?? missingKey),
        ),
        {
          notes: notDrawn(
            'pyramid',
            own.rows.filter(({ key, key2 }) => key === missingKey || (key2 !== left && key2 !== right)),
            own.first,
          ),
        },
      )}
    >
      <PyramidChart
        label={own.label()}
        leftLabel={own.labelOf(series.sides, left!)}
        rightLabel={own.labelOf(series.sides, right!)}
        rows={ages.map((band) => ({
          key: band,
          label: own.labelOf(series.by, band),
          left: sideOf(band, left!),
          right: sideOf(band, right!),
        }))}
        hrefOf={hrefOf && ((row, side) => hrefOf({ key: row.key, key2: side === 'left' ? left : right }))}
      />
    </ChartFrame>
  );
}
