import type { SeriesRow } from '@caseway/contract/analytics';
import { missingKey } from '@caseway/contract/label';
import { useTranslation } from 'react-i18next';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { type FormProps, isWithheld, useSeries } from '../shown.ts';

/** Rows by one column with their measures, or by two columns with the first measure. */
export function TableForm({ name, series }: FormProps<'table'>) {
  const { t } = useTranslation('analytics');
  const own = useSeries(name, series);
  const { across } = series;
  const nameOf = (row: SeriesRow) => row.label ?? own.labelOf(series.by, row.key);
  const head = t(`filter.${series.by}`);
  const { hrefOf } = own;
  if (across === undefined)
    return (
      <ChartFrame
        // Its columns are the measures it shows.
        {...own.frame(own.tableOf(head, nameOf, undefined, undefined, []))}
        hrefOf={
          hrefOf &&
          ((index) => {
            const row = own.rows[index]!;
            return isWithheld(row.values[own.first]) ? undefined : hrefOf(row);
          })
        }
      />
    );
  const keys = [...new Set(own.rows.map(({ key }) => key))];
  const columns = [...new Set(own.rows.map(({ key2 }) => key2 ?? missingKey))].sort();
  const cells = new Map(own.rows.map((row) => [`${row.key}\n${row.key2 ?? missingKey}`, row]));
  return (
    <ChartFrame
      {...own.frame({
        columns: [head, ...columns.map((key2) => own.labelOf(across, key2))],
        rows: keys.map((key) => [
          nameOf(own.rows.find((row) => row.key === key)!),
          ...columns.map((key2) =>
            own.cell(cells.get(`${key}\n${key2}`)?.values[own.first], own.unitOf(own.first)),
          ),
        ]),
      })}
    />
  );
}
