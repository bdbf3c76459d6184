import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type GridSelection, useGridSelection } from '../ui/grid/selection.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import type { GridState } from '../view/use-grid.ts';
import { BulkBar, type BulkWords } from './BulkBar.tsx';
import { type BulkRecord, useDeeds } from './use-bulk.ts';
import { useInState } from './use-in-state.ts';

/** The words of a list for its bulk actions. */
interface ManyWords<Row> extends Required<GridWords> {
  /** The name of a row, for its checkbox. */
  nameOf: (row: Row) => string;
  /** No value of a field, where it has words of its own. */
  none?: (field: string) => string | undefined;
  /** The key of the words of a refusal, where more than its code is needed for it. */
  faultKey?: (code: string, field: string | undefined) => string | undefined;
  /** Where one is shown; by default on a screen of its own. */
  address?: BulkWords['address'];
}

/** Refusals with the same words for every record; a form of one record has its own. */
const ofAnyRecord = new Set([
  'not-found',
  'changed-meanwhile',
  'not-in-this-state',
  'not-permitted',
  'reason-needed',
]);

/** Refused in the state that a record is in: then it is said which that is, and what can be done there. */
const ofStates = new Set(['not-in-this-state', 'locked']);

/**
 * Many records of a list changed at once, by what their declaration says: props of its grid, which are none for people who
 * may do nothing to many.
 */
export function useMany<Row extends { id: string }>(
  record: BulkRecord,
  state: GridState<Row>,
  of: ManyWords<Row>,
): {
  selection?: GridSelection & {
    nameOf: (row: Row) => string;
    bar: ReactNode;
    change: (row: Row) => void;
  };
} {
  const { t, i18n } = useTranslation();
  const { transitions, fields } = useDeeds(record);
  const selection = useGridSelection(state.request);
  const [changing, setChanging] = useState(false);
  const inState = useInState(record);
  const deed: BulkWords['deed'] = (transition) =>
    String(t(`${record.id}:transition.${transition}` as 'fault.invalid'));
  const fault: BulkWords['fault'] = ({ code, field, state: now }) => {
    if (ofStates.has(code) && now !== null) {
      const { key, values } = inState(now, { choice: of.choice, deed });
      return String(t(key as 'fault.invalid', { ...values }));
    }
    const key = of.faultKey?.(code, field ?? undefined);
    if (key !== undefined && !ofAnyRecord.has(code)) return String(t(key as 'fault.invalid'));
    const own = `${record.id}:fault.${code}`;
    if (!ofAnyRecord.has(code) && code !== 'required' && i18n.exists(own))
      return String(t(own as 'fault.invalid'));
    const why = t(`fault.${code}`, { defaultValue: t('fault.invalid') });
    // Without the field these words do not say what is in the way.
    return field === null || field === record.workflow?.of ? why : `${of.column(field)}: ${why}`;
  };
  const words: BulkWords = {
    column: of.column,
    choice: of.choice,
    none: (field) => of.none?.(field) ?? t('bulk.none'),
    fault,
    deed,
    address: of.address ?? ((id) => `/${record.id}/${id}`),
  };
  if (transitions.length === 0 && fields.length === 0) return {};
  return {
    selection: {
      ...selection,
      nameOf: of.nameOf,
      bar: (
        <BulkBar
          record={record}
          selection={selection}
          rowCount={state.rowCount}
          words={words}
          changing={changing}
          onChanging={setChanging}
        />
      ),
      change: ({ id }) => {
        if (selection.size === 0) selection.toggle([id], true);
        setChanging(true);
      },
    },
  };
}
