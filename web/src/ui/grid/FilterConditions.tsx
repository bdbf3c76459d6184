import {
  type Column,
  type FilterItem,
  type Grid,
  listOperators,
  operators,
  rangeOperators,
  valuelessOperators,
} from '@caseway/contract/grid';
import { missingKey } from '@caseway/contract/label';
import { relativeRangeNames } from '@caseway/contract/relative-range';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';
import { ChoiceField } from '../ChoiceField.tsx';
import { CommandList } from '../CommandList.tsx';
import { DayField } from '../DayField.tsx';
import { filterable } from './column-filters.ts';
import { canBeMissing } from './declared-filters.ts';
import { fewChoices, type GridWords, useChoices } from './values.tsx';

/** A condition being edited. */
export interface Draft {
  key: number;
  field: string;
  operator: string;
  /** Empty text, list or null while nothing is entered. */
  value: unknown;
}

const columnOf = (grid: Grid, field: string): Column => grid.columns[field]!;
/** What an operator takes. */
const takenBy = (operator: string): 'one' | 'list' | 'range' =>
  listOperators.includes(operator) ? 'list' : rangeOperators.includes(operator) ? 'range' : 'one';

/** A finished condition; null while its value is missing. */
export function itemOf(grid: Grid, { field, operator, value }: Draft): FilterItem | null {
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

/** A condition on a column, with the first operator of its kind. */
export const begun = (grid: Grid, field: string, key: number): Draft => ({
  key,
  field,
  operator: operators[columnOf(grid, field).kind][0],
  value: null,
});

const toColumn = (row: HTMLElement | null) => row?.querySelector('input')?.focus();

/** The conditions of the builder or a group: column, operator and value of each. */
export function Conditions({
  grid,
  words,
  drafts,
  added,
  onChange,
}: {
  grid: Grid;
  words: GridWords;
  drafts: readonly Draft[];
  /** The condition just added: the focus goes to its column. */
  added: number | null;
  onChange: (drafts: readonly Draft[], rest?: boolean) => void;
}) {
  const { t } = useTranslation();
  const columns = filterable(grid).map((field) => ({ id: field, label: words.column(field) }));
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
          <li key={draft.key} ref={draft.key === added ? toColumn : undefined}>
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
              <ChoiceField
                hideLabel
                required
                label={t('filter.column')}
                value={columns.find(({ id }) => id === draft.field) ?? null}
                onChange={(chosen) => {
                  if (!chosen) return;
                  const field = chosen.id;
                  const { kind } = columnOf(grid, field);
                  const keeps = kind === column.kind && kind !== 'choice';
                  change(draft.key, keeps ? { field } : begun(grid, field, draft.key));
                }}
                options={columns}
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
  /** `rest`: it is being typed, so apply it when typing pauses. */
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
        footer={
          chosen.length === 0 ? undefined : (
            <Typography variant="body2" sx={{ padding: '8px 14px', borderTop: 1, borderColor: 'divider' }}>
              {choices
                .filter(({ id }) => chosen.includes(id))
                .map(({ label: text }) => text)
                .join(', ')}
            </Typography>
          )
        }
      />
    </Box>
  );
}
