import { missingKey } from '@caseway/contract/analytics';
import {
  type Column,
  type FilterItem,
  type FilterModel,
  type Grid,
  listOperators,
  mostConditions,
  mostGroups,
  operators,
  rangeOperators,
  valuelessOperators,
} from '@caseway/contract/grid';
import { relativeRangeNames } from '@caseway/contract/relative-range';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useFormats } from '../../words/formats.ts';
import { ChoiceField } from '../ChoiceField.tsx';
import { CommandList } from '../CommandList.tsx';
import { DayField } from '../DayField.tsx';
import { Segments } from '../Segments.tsx';
import { fewChoices, filterDebounceMs, type GridWords, useChoices } from './values.tsx';

interface Draft {
  key: number;
  field: string;
  operator: string;
  /** Empty text, list or null while nothing is entered. */
  value: unknown;
}

const columnOf = (grid: Grid, field: string): Column => grid.columns[field]!;
const filterable = (grid: Grid): string[] =>
  Object.keys(grid.columns).filter((field) => columnOf(grid, field).filterable !== false);

/** Whether a row can lack a value, which can then be chosen: an open case without an investigator. */
const canBeMissing = (grid: Grid, field: string): boolean => {
  const row = grid.row as { shape?: Readonly<Record<string, z.ZodType>> };
  return columnOf(grid, field).many === true || row.shape?.[field]?.safeParse(null).success === true;
};

/** What an operator takes. */
const takenBy = (operator: string): 'one' | 'list' | 'range' =>
  listOperators.includes(operator) ? 'list' : rangeOperators.includes(operator) ? 'range' : 'one';

/** A condition that is ready to be applied; null while its value is missing. */
function itemOf(grid: Grid, { field, operator, value }: Draft): FilterItem | null {
  if (valuelessOperators.includes(operator)) return { field, operator };
  if (listOperators.includes(operator))
    return Array.isArray(value) && value.length > 0 ? { field, operator, value } : null;
  if (value === null || value === undefined || value === '' || Array.isArray(value)) return null;
  if (columnOf(grid, field).kind === 'number') {
    const number = Number(value);
    return Number.isFinite(number) ? { field, operator, value: number } : null;
  }
  return { field, operator, value };
}

/** The conditions of the builder, or of a group in it. */
interface DraftGroup {
  key: number;
  logic: 'and' | 'or';
  drafts: readonly Draft[];
}
/** What the builder shows: conditions, and groups of them. */
interface Drafts extends Omit<DraftGroup, 'key'> {
  groups: readonly DraftGroup[];
}

/** The filter that the drafts make: without conditions that lack a value, and groups that lack conditions. */
function madeOf(grid: Grid, { drafts, groups, logic }: Drafts): Omit<FilterModel, 'quickFilterValues'> {
  const itemsOf = (some: readonly Draft[]) =>
    some.map((draft) => itemOf(grid, draft)).filter((item) => item !== null);
  const made = groups
    .map((group) => ({ items: itemsOf(group.drafts), logicOperator: group.logic }))
    .filter(({ items }) => items.length > 0);
  return { items: itemsOf(drafts), ...(made.length > 0 && { groups: made }), logicOperator: logic };
}

/**
 * Conditions on the columns and groups of them, joined by all or any, applied as they are made: typed words after 800 ms,
 * everything else immediately. A condition without its value is not applied yet.
 */
export default function FilterBuilder({
  grid,
  words,
  model,
  rowCount,
  focusField,
  onChange,
}: {
  grid: Grid;
  words: GridWords;
  model: FilterModel;
  /** Rows that match now; undefined while that is not known. */
  rowCount: number | undefined;
  /** A condition on this column is begun when the builder opens. */
  focusField?: string | undefined;
  onChange: (model: FilterModel) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const nextKey = useRef(1);
  const newKey = () => {
    const key = nextKey.current;
    nextKey.current += 1;
    return key;
  };
  const begin = (field: string): Draft => {
    const { kind } = columnOf(grid, field);
    return { key: newKey(), field, operator: operators[kind][0], value: null };
  };
  const fields = filterable(grid);
  const [shown, setShown] = useState<Drafts>(() => {
    const draftsOf = (items: readonly FilterItem[]) =>
      items.map((item) => ({ ...begin(item.field), ...item, value: item.value ?? null }));
    const groups = (model.groups ?? []).map(({ items, logicOperator }) => ({
      key: newKey(),
      logic: logicOperator,
      drafts: draftsOf(items),
    }));
    const drafts = draftsOf(model.items);
    const isBegun = focusField === undefined || drafts.some(({ field }) => field === focusField);
    const first = isBegun ? (drafts.length + groups.length > 0 ? undefined : fields[0]) : focusField;
    return {
      drafts: first === undefined ? drafts : [...drafts, begin(first)],
      groups,
      logic: model.logicOperator,
    };
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<(() => void) | null>(null);

  /** `rest`: it is being typed, and is applied when typing pauses. */
  const show = (next: Drafts, rest = false) => {
    setShown(next);
    clearTimeout(timer.current);
    pending.current = () => {
      pending.current = null;
      const made = madeOf(grid, next);
      const { quickFilterValues, ...asked } = model;
      if (textOf(made) !== textOf(asked))
        onChange({ ...made, ...(quickFilterValues && { quickFilterValues }) });
    };
    if (rest) timer.current = setTimeout(() => pending.current?.(), filterDebounceMs);
    else pending.current();
  };
  const latest = useRef(pending);
  // Closing does not wait: typed text is applied.
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      latest.current.current?.();
    },
    [],
  );

  const { drafts, groups, logic } = shown;
  const count = groups.reduce((sum, group) => sum + group.drafts.length, drafts.length);
  const isFull = fields[0] === undefined || count >= mostConditions;
  const setGroup = (key: number, changes: Partial<DraftGroup>, rest = false) =>
    show(
      { ...shown, groups: groups.map((group) => (group.key === key ? { ...group, ...changes } : group)) },
      rest,
    );
  const conditions = { grid, words, fields, begin };
  return (
    <Box sx={{ display: 'grid', gap: 3, padding: 4, width: 'min(680px, calc(100vw - 32px))' }}>
      <Box sx={headOfGroup}>
        <Typography variant="h3" component="h2">
          {t('filter.builder')}
        </Typography>
        <Logic value={logic} onChange={(value) => show({ ...shown, logic: value })} />
      </Box>
      {drafts.length > 0 ? (
        <Conditions
          {...conditions}
          drafts={drafts}
          onChange={(next, rest) => show({ ...shown, drafts: next }, rest)}
        />
      ) : null}
      {groups.map((group, index) => (
        <Box
          key={group.key}
          role="group"
          aria-label={t('filter.group', { number: index + 1 })}
          sx={{
            display: 'grid',
            gap: 2,
            padding: 3,
            border: 1,
            borderColor: 'divider',
            borderRadius: '10px',
            backgroundColor: 'raised',
          }}
        >
          <Box sx={headOfGroup}>
            <Typography variant="body2" component="h3" sx={{ fontWeight: 550 }}>
              {t('filter.group', { number: index + 1 })}
            </Typography>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
              <Logic value={group.logic} onChange={(value) => setGroup(group.key, { logic: value })} />
              <IconButton
                aria-label={t('filter.removeGroup', { number: index + 1 })}
                onClick={() => show({ ...shown, groups: groups.filter(({ key }) => key !== group.key) })}
              >
                <Trash2 size={16} />
              </IconButton>
            </Box>
          </Box>
          <Conditions
            {...conditions}
            drafts={group.drafts}
            onChange={(next, rest) => setGroup(group.key, { drafts: next }, rest)}
          />
          <Add
            label={t('filter.add')}
            disabled={isFull}
            onClick={() => setGroup(group.key, { drafts: [...group.drafts, begin(fields[0]!)] })}
          />
        </Box>
      ))}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
        <Add
          label={t('filter.add')}
          disabled={isFull}
          onClick={() => show({ ...shown, drafts: [...drafts, begin(fields[0]!)] })}
        />
        <Add
          label={t('filter.addGroup')}
          disabled={isFull || groups.length >= mostGroups}
          onClick={() =>
            show({
              ...shown,
              groups: [
                ...groups,
                { key: newKey(), logic: logic === 'and' ? 'or' : 'and', drafts: [begin(fields[0]!)] },
              ],
            })
          }
        />
        {count > 0 || groups.length > 0 ? (
          <Button variant="text" size="small" onClick={() => show({ ...shown, drafts: [], groups: [] })}>
            {t('filter.clearConditions')}
          </Button>
        ) : null}
        <Typography role="status" variant="body2" sx={{ color: 'text.secondary', marginLeft: 'auto' }}>
          {rowCount === undefined
            ? ''
            : t('filter.matches', { count: rowCount, number: formats.count(rowCount) })}
        </Typography>
      </Box>
    </Box>
  );
}

const headOfGroup = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 3,
  flexWrap: 'wrap',
} as const;

/** A filter as a text, without the numbers that a client gave its conditions. */
const textOf = ({ items, groups = [], logicOperator }: Omit<FilterModel, 'quickFilterValues'>): string => {
  const bare = (some: readonly FilterItem[]) =>
    some.map(({ field, operator, value }) => [field, operator, value ?? null]);
  return JSON.stringify([
    bare(items),
    groups.map((one) => [bare(one.items), one.logicOperator]),
    logicOperator,
  ]);
};

function Add({ label, disabled, onClick }: { label: string; disabled: boolean; onClick: () => void }) {
  return (
    <Button
      variant="text"
      size="small"
      startIcon={<Plus size={16} aria-hidden />}
      disabled={disabled}
      onClick={onClick}
      sx={{ justifySelf: 'start' }}
    >
      {label}
    </Button>
  );
}

/** Whether all conditions have to be met, or any of them. */
function Logic({ value, onChange }: { value: 'and' | 'or'; onChange: (value: 'and' | 'or') => void }) {
  const { t } = useTranslation();
  return (
    <Segments
      hideLabel
      label={t('filter.logic')}
      value={value}
      onChange={onChange}
      options={[
        { value: 'and', label: t('filter.and') },
        { value: 'or', label: t('filter.or') },
      ]}
    />
  );
}

function Conditions({
  grid,
  words,
  fields,
  drafts,
  begin,
  onChange,
}: {
  grid: Grid;
  words: GridWords;
  fields: readonly string[];
  drafts: readonly Draft[];
  begin: (field: string) => Draft;
  onChange: (drafts: readonly Draft[], rest?: boolean) => void;
}) {
  const { t } = useTranslation();
  const change = (key: number, changes: Partial<Draft>, rest?: boolean) =>
    onChange(
      drafts.map((draft) => (draft.key === key ? { ...draft, ...changes } : draft)),
      rest,
    );
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}>
      {drafts.map((draft, index) => {
        const column = columnOf(grid, draft.field);
        const name = t('filter.condition', { number: index + 1 });
        return (
          <li key={draft.key}>
            <Box
              role="group"
              aria-label={name}
              sx={{
                display: 'grid',
                gap: 2,
                alignItems: 'start',
                gridTemplateColumns: {
                  xs: 'minmax(0, 1fr) minmax(0, 1fr) 36px',
                  sm: 'minmax(0, 5fr) minmax(0, 4fr) minmax(0, 6fr) 36px',
                },
                '& > :nth-of-type(3)': {
                  gridColumn: { xs: '1 / 3', sm: 'auto' },
                  gridRow: { xs: 2, sm: 'auto' },
                },
              }}
            >
              <Choose
                label={t('filter.column')}
                value={draft.field}
                onChange={(field) => {
                  const { kind } = columnOf(grid, field);
                  const keeps = kind === column.kind && kind !== 'choice';
                  change(draft.key, keeps ? { field } : { ...begin(field), key: draft.key });
                }}
                options={fields.map((field) => ({ value: field, label: words.column(field) }))}
              />
              <Choose
                label={t('filter.operator')}
                value={draft.operator}
                onChange={(operator) =>
                  change(draft.key, {
                    operator,
                    ...(takenBy(operator) === takenBy(draft.operator) ? {} : { value: null }),
                  })
                }
                options={operators[column.kind].map((operator) => ({
                  value: operator,
                  label: t(`operator.${operator}`),
                }))}
              />
              <Box sx={{ minWidth: 0 }}>
                {valuelessOperators.includes(draft.operator) ? null : (
                  <ValueField
                    field={draft.field}
                    column={column}
                    words={words}
                    missable={canBeMissing(grid, draft.field)}
                    takes={takenBy(draft.operator)}
                    value={draft.value}
                    onChange={(value, rest) => change(draft.key, { value }, rest)}
                  />
                )}
              </Box>
              <IconButton
                aria-label={t('filter.removeCondition', { condition: words.column(draft.field) })}
                onClick={() => onChange(drafts.filter(({ key }) => key !== draft.key))}
              >
                <Trash2 size={16} />
              </IconButton>
            </Box>
          </li>
        );
      })}
    </Box>
  );
}

function Choose({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
}) {
  return (
    <NativeSelect
      value={value}
      onChange={(event) => onChange(event.target.value)}
      input={<OutlinedInput fullWidth />}
      inputProps={{ 'aria-label': label }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </NativeSelect>
  );
}

function ValueField({
  field,
  column,
  words,
  missable,
  takes,
  value,
  onChange,
}: {
  field: string;
  column: Column;
  words: GridWords;
  missable: boolean;
  takes: ReturnType<typeof takenBy>;
  value: unknown;
  /** `rest`: it is being typed, and is applied when typing pauses. */
  onChange: (value: unknown, rest?: boolean) => void;
}) {
  const { t } = useTranslation();
  const { today } = useFormats();
  const label = t('filter.value');
  if (column.kind === 'choice')
    return (
      <ChoiceValue
        field={field}
        column={column}
        words={words}
        missable={missable}
        list={takes === 'list'}
        label={label}
        value={value}
        onChange={onChange}
      />
    );
  if (takes === 'range')
    return (
      <Choose
        label={label}
        value={typeof value === 'string' ? value : ''}
        onChange={(range) => onChange(range === '' ? null : range)}
        options={[
          { value: '', label: t('filter.choose') },
          ...relativeRangeNames.map((range) => ({ value: range, label: t(`date.relative.${range}`) })),
        ]}
      />
    );
  if (column.kind === 'date')
    return (
      <DayField
        label={label}
        value={typeof value === 'string' ? value : null}
        today={today}
        onChange={onChange}
      />
    );
  if (takes === 'list')
    return (
      <OutlinedInput
        fullWidth
        defaultValue={Array.isArray(value) ? value.join(', ') : ''}
        placeholder={t('filter.listHint')}
        onChange={(event) =>
          onChange(
            event.target.value
              .split(/[,;\n]/)
              .map((one) => one.trim())
              .filter(Boolean),
            true,
          )
        }
        inputProps={{ 'aria-label': label }}
      />
    );
  return (
    <OutlinedInput
      fullWidth
      value={value === null || value === undefined ? '' : String(value)}
      type={column.kind === 'number' ? 'number' : 'text'}
      onChange={(event) => onChange(event.target.value, true)}
      inputProps={{ 'aria-label': label, maxLength: 500, step: 'any' }}
    />
  );
}

function ChoiceValue({
  field,
  column,
  words,
  missable,
  list,
  label,
  value,
  onChange,
}: {
  field: string;
  column: Column;
  words: GridWords;
  missable: boolean;
  list: boolean;
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { options } = useChoices(field, column, words);
  const choices = missable ? [...options, { id: missingKey, label: t('filter.missing') }] : options;
  if (!list && options.length > fewChoices)
    return (
      <ChoiceField
        hideLabel
        label={label}
        placeholder={t('filter.search')}
        options={choices}
        value={choices.find(({ id }) => id === value) ?? null}
        onChange={(chosen) => onChange(chosen?.id ?? null)}
      />
    );
  if (!list)
    return (
      <Choose
        label={label}
        value={typeof value === 'string' ? value : ''}
        onChange={(code) => onChange(code === '' ? null : code)}
        options={[
          { value: '', label: t('filter.choose') },
          ...choices.map(({ id, label: text }) => ({ value: id, label: text })),
        ]}
      />
    );
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  return (
    <Box
      sx={{ border: 1, borderColor: 'control', borderRadius: '6px', backgroundColor: 'surface', minWidth: 0 }}
    >
      <CommandList
        multiple
        autoFocus={false}
        maxHeight={168}
        label={label}
        placeholder={t('filter.search')}
        emptyText={t('filter.none')}
        commands={choices.map(({ id, label: text }) => ({ id, label: text, selected: chosen.includes(id) }))}
        onChoose={(id) =>
          onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
        }
      />
    </Box>
  );
}
