import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type GridSelection, useGridSelection } from '../ui/grid/selection.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import type { GridState } from '../view/use-grid.ts';
import { BulkBar, type BulkWords } from './BulkBar.tsx';
import { type BulkRecord, useDeeds } from './use-bulk.ts';
import { useInState } from './use-in-state.ts';

/** The texts of a list for its bulk actions. */
interface ManyWords<Row> extends Required<GridWords> {
  /** A row's name, for its checkbox. */
  nameOf: (row: Row) => string;
  /** The text for no value of a field, if it has its own. */
  none?: (field: string) => string | undefined;
  /** The key of a refusal's text, if its code is not enough. */
  faultKey?: (code: string, field: string | undefined) => string | undefined;
  /** A record's address; by default its own screen. */
  address?: BulkWords['address'];
}

/** Refusals with the same text for every record; a single record's form has its own. */
const ofAnyRecord = new Set([
  'not-found',
  'changed-meanwhile',
  'not-in-this-state',
  'not-permitted',
  'reason-needed',
]);

/** Refused because of a record's state: the text then names the state and what can be done in it. */
const ofStates = new Set(['not-in-this-state', 'locked']);

/**
 * Bulk changes of a list, from its declaration: props for its grid, empty for users who may do nothing in
 * bulk.
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
  const selection = useGridSelection(state.onFirstPage.request);
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
    // Without the field, these texts do not say what is in the way.
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
