import type { SeriesRow } from '@caseway/contract/analytics';
import { missingKey } from '@caseway/contract/label';
import { useTranslation } from 'react-i18next';
import { useLookup } from '../../data/use-lookup.ts';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { HeatChart } from '../../ui/charts/HeatChart.tsx';
import { codesOf, lookupOf } from '../labels.ts';
import { useUnitText } from '../number-text.ts';
import { type FormProps, isWithheld, useSeries } from '../shown.ts';

/** Two columns of a fact against each other: the larger a cell's first measure, the darker the cell. */
export function HeatForm({ name, series }: FormProps<'heat'>) {
  const { t } = useTranslation('analytics');
  const unitText = useUnitText();
  const own = useSeries(name, series);
  const inOrder = [useOrder(own.fact, series.by), useOrder(own.fact, series.across)];
  const [keys, columns] = [
    [...new Set(own.rows.map(({ key }) => key))].sort(inOrder[0]),
    [...new Set(own.rows.map(({ key2 }) => key2 ?? missingKey))].sort(inOrder[1]),
  ];
  const unit = own.unitOf(own.first);
  const rowOf = (key: string, key2: string) =>
    own.rows.find((row) => row.key === key && (row.key2 ?? missingKey) === key2);
  const nameOf = (key: string, key2: string) =>
    `${own.labelOf(series.by, key)}, ${own.labelOf(series.across, key2)}`;
  const { hrefOf } = own;
  return (
    <ChartFrame
      {...own.frame({
        columns: [t(`filter.${series.by}`), ...columns.map((key2) => own.labelOf(series.across, key2))],
        rows: keys.map((key) => [
          own.labelOf(series.by, key),
          ...columns.map((key2) => own.cell(rowOf(key, key2)?.values[own.first], unit)),
        ]),
      })}
    >
      <HeatChart
        label={own.label()}
        format={(value) => unitText(value, unit)}
        columns={columns.map((key) => ({ key, label: own.labelOf(series.across, key) }))}
        rows={keys.map((key) => ({
          key,
          label: own.labelOf(series.by, key),
          cells: columns.map((key2) => {
            const row: SeriesRow | undefined = rowOf(key, key2);
            const value = row?.values[own.first];
            return {
              value: value?.value ?? null,
              valueText: own.cell(value, unit) ?? '',
              text: row
                ? own.sentence(nameOf(key, key2), row)
                : t('mark.noData', { name: nameOf(key, key2) }),
              suppressed: isWithheld(value),
            };
          }),
        }))}
        hrefOf={hrefOf && ((row, column) => hrefOf({ key: row.key, key2: columns[column] }))}
      />
    </ChartFrame>
  );
}

/** The order of a column's codes: its own, or that of its look-up; missing values last. */
function useOrder(...[fact, column]: Parameters<typeof lookupOf>): (a: string, b: string) => number {
  const lookup = lookupOf(fact, column);
  const { options } = useLookup(lookup ?? '', { enabled: lookup !== undefined });
  const places = new Map(
    (codesOf(fact, column) ?? options.map(({ id }) => id)).map((code, index) => [code, index]),
  );
  const place = (key: string) => (key === missingKey ? Infinity : (places.get(key) ?? places.size));
  return (a, b) => place(a) - place(b) || (a < b ? -1 : a === b ? 0 : 1);
}
