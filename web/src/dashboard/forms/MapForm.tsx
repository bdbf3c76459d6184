import { type MeasureValue, type SeriesRow, stableFrom } from '@caseway/contract/analytics';
import { missingKey } from '@caseway/contract/label';
import { useTranslation } from 'react-i18next';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { CountyMap } from '../../ui/charts/CountyMap.tsx';
import { useUnitText } from '../number-text.ts';
import { countOf, type FormProps, isWithheld, useSeries, useShown } from '../shown.ts';
import { useNotDrawn } from './not-drawn.ts';

/** Whether a county's number varies too much by chance to be in a class: two of three positive say nothing. */
const isUnstable = (value: MeasureValue | undefined, unit: string): boolean =>
  value?.unstable ?? (unit === 'share' && value?.denominator != null && value.denominator < stableFrom);

/** Counties by the first measure, in the state with most rows; the table has all others. */
export function MapForm({ name, series }: FormProps<'map'>) {
  const { t } = useTranslation('analytics');
  const unitText = useUnitText();
  const { of } = useShown();
  const own = useSeries(name, series);
  const notDrawn = useNotDrawn(own.rowsInWords);
  const counties = own.rows.filter(({ key }) => key !== missingKey);
  const inState = (state: string) => counties.filter(({ key }) => key.startsWith(state)).length;
  const home = [...new Set(counties.map(({ key }) => key.slice(0, 2)))].sort(
    (a, b) => inState(b) - inState(a),
  )[0];
  const nameOf = (row: SeriesRow) => own.labelOf(series.by, row.key);
  const unit = own.unitOf(own.first);
  const count = countOf(of, own.fact)!;
  return (
    <ChartFrame
      {...own.frame(own.tableOf(t(`filter.${series.by}`), nameOf), {
        notes: notDrawn(
          'map',
          own.rows.filter(({ key }) => home === undefined || !key.startsWith(home)),
          count,
        ),
      })}
    >
      {home === undefined ? undefined : (
        <CountyMap
          label={own.label()}
          states={[home]}
          format={(value) => unitText(value, unit)}
          noDataText={(county) => t('mark.noData', { name: county })}
          counties={counties.map((row) => ({
            key: row.key,
            value: row.values[own.first]?.value ?? null,
            valueText: own.cell(row.values[own.first], unit) ?? '',
            text: own.sentence(nameOf(row), row),
            unstable: isUnstable(row.values[own.first], unit),
            suppressed: isWithheld(row.values[own.first]) || isWithheld(row.values[count]),
          }))}
          hrefOf={own.hrefOf}
        />
      )}
    </ChartFrame>
  );
}
