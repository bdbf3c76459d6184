import { conditionsOf, type FilterGroup, type FilterModel, type Grid } from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { ListFilter, Search, X } from 'lucide-react';
import {
  Fragment,
  memo,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { part, useAhead } from '../../loading/part.tsx';
import { FilterChip } from '../FilterChip.tsx';
import { ColumnFiltersContext, filterable } from './column-filters.ts';
import { ConditionText, filterDebounceMs, type GridWords } from './values.tsx';

const loadBuilder = () => import('./FilterBuilder.tsx');
const FilterBuilder = part('filter-builder', loadBuilder);

/** What opened the filter builder: its anchor, and the column to start with. */
export interface BuilderOpening {
  anchor: HTMLElement;
  field?: string;
}

/** What narrows a list, in one row: search, the list's own filters, and conditions, which follow as chips. */
export const GridFilters = memo(function GridFilters({
  grid,
  words,
  model,
  rowCount,
  searchLabel,
  searchRef,
  builder,
  onBuilder,
  onModel,
  filters,
}: {
  grid: Grid;
  words: GridWords;
  model: FilterModel;
  rowCount: number | undefined;
  /** The name of the search box; absent: no search box. */
  searchLabel: string | undefined;
  searchRef: Ref<HTMLInputElement>;
  builder: BuilderOpening | null;
  onBuilder: (opening: BuilderOpening | null) => void;
  onModel: (model: FilterModel) => void;
  /** The list's own filters. */
  filters: ReactNode;
}) {
  const { t } = useTranslation();
  useAhead(loadBuilder);
  const groups = model.groups ?? [];
  const count = conditionsOf(model).length;
  const filterButton = useRef<HTMLButtonElement>(null);
  const columnFilters = useMemo(
    () => ({
      columns: filterable(grid).map((id) => ({ id, label: words.column(id) })),
      open: (field: string, anchor: HTMLElement) => onBuilder({ anchor, field }),
    }),
    [grid, words, onBuilder],
  );
  return (
    <Box className="no-print" sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 2 }}>
        {searchLabel === undefined ? null : (
          <QuickSearch ref={searchRef} label={searchLabel} model={model} onModel={onModel} />
        )}
        <ColumnFiltersContext value={columnFilters}>{filters}</ColumnFiltersContext>
        <Button
          ref={filterButton}
          variant="outlined"
          size="small"
          startIcon={<ListFilter size={16} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={builder !== null}
          onClick={(event) => onBuilder({ anchor: event.currentTarget })}
          sx={{ fontWeight: 400 }}
        >
          {t('filter.conditions')}
          {count > 0 ? <strong>{count}</strong> : null}
        </Button>
      </Box>
      {count > 0 ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          {model.items.map((item, index) => {
            const column = grid.columns[item.field];
            if (!column) return null;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two conditions can be equal.
              <Box key={`${index} ${item.field}`} sx={{ display: 'contents' }}>
                {index > 0 ? (
                  <Typography variant="caption" sx={{ color: 'text.tertiary' }}>
                    {t(`filter.joined.${model.logicOperator}`)}
                  </Typography>
                ) : null}
                <FilterChip
                  name={words.column(item.field)}
                  value={<ConditionText {...item} column={column} value={item.value} words={words} />}
                  onOpen={(anchor) => onBuilder({ anchor })}
                  onRemove={() => onModel({ ...model, items: model.items.toSpliced(index, 1) })}
                />
              </Box>
            );
          })}
          {groups.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two groups can be equal.
            <Box key={`group ${index}`} sx={{ display: 'contents' }}>
              {model.items.length + index > 0 ? (
                <Typography variant="caption" sx={{ color: 'text.tertiary' }}>
                  {t(`filter.joined.${model.logicOperator}`)}
                </Typography>
              ) : null}
              <FilterChip
                name={t('filter.group', { number: index + 1 })}
                value={<GroupText grid={grid} words={words} group={group} />}
                onOpen={(anchor) => onBuilder({ anchor })}
                onRemove={() => onModel(withGroups(model, groups.toSpliced(index, 1)))}
              />
            </Box>
          ))}
          <Button
            variant="text"
            size="small"
            onClick={() => onModel(withGroups({ ...model, items: [] }, []))}
          >
            {t('filter.clearConditions')}
          </Button>
        </Box>
      ) : null}
      <Popover
        open={builder !== null}
        anchorEl={builder?.anchor.isConnected ? builder.anchor : filterButton.current}
        onClose={() => onBuilder(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('filter.builder') } }}
      >
        {builder ? (
          <Suspense fallback={<Box sx={{ width: 480, height: 160 }} />}>
            <FilterBuilder
              grid={grid}
              words={words}
              model={model}
              rowCount={rowCount}
              focusField={builder.field}
              onChange={onModel}
            />
          </Suspense>
        ) : null}
      </Popover>
    </Box>
  );
});

/** The filter with these groups; without the property if there are none. */
function withGroups({ groups: _, ...model }: FilterModel, groups: readonly FilterGroup[]): FilterModel {
  return groups.length > 0 ? { ...model, groups: [...groups] } : model;
}

/**
 * A group's conditions as one phrase, with its groups in brackets: `State is new or (County is empty and …)`.
 */
function GroupText({ grid, words, group }: { grid: Grid; words: GridWords; group: FilterGroup }): ReactNode {
  const { t } = useTranslation();
  const parts = [
    ...group.items.flatMap((item) => {
      const column = grid.columns[item.field];
      return column
        ? [
            <>
              {words.column(item.field)}{' '}
              <ConditionText {...item} column={column} value={item.value} words={words} />
            </>,
          ]
        : [];
    }),
    ...(group.groups ?? []).map((inner) => (
      <>
        (<GroupText grid={grid} words={words} group={inner} />)
      </>
    )),
  ];
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two conditions can be equal.
    <Fragment key={index}>
      {index > 0 ? ` ${t(`filter.joined.${group.logicOperator}`)} ` : ''}
      {part}
    </Fragment>
  ));
}

/** Words that find rows by their search keys; applied when typing pauses, or on Enter. [S9.4] */
function QuickSearch({
  ref,
  label,
  model,
  onModel,
}: {
  ref: Ref<HTMLInputElement>;
  label: string;
  model: FilterModel;
  onModel: (model: FilterModel) => void;
}) {
  const { t } = useTranslation();
  const asked = (model.quickFilterValues ?? []).join(' ');
  const [typed, setTyped] = useState(asked);
  const [askedBefore, setAskedBefore] = useState(asked);
  // Cleared or restored from elsewhere.
  if (asked !== askedBefore) {
    setAskedBefore(asked);
    if (asked !== typed.trim().split(/\s+/).filter(Boolean).slice(0, 10).join(' ')) setTyped(asked);
  }
  const ask = (text: string) => {
    const words = text.trim().split(/\s+/).filter(Boolean).slice(0, 10);
    const { quickFilterValues: _, ...rest } = model;
    if (words.join(' ') !== asked) onModel(words.length > 0 ? { ...rest, quickFilterValues: words } : rest);
  };
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed), filterDebounceMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <OutlinedInput
      inputRef={ref}
      value={typed}
      placeholder={label}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') ask(typed);
        else if (event.key === 'Escape' && typed !== '') {
          event.stopPropagation();
          setTyped('');
          ask('');
        }
      }}
      inputProps={{ 'aria-label': label, type: 'search', autoComplete: 'off', spellCheck: false }}
      startAdornment={
        <Box component="span" aria-hidden sx={{ display: 'flex', color: 'text.tertiary' }}>
          <Search size={16} />
        </Box>
      }
      endAdornment={
        typed === '' ? undefined : (
          <IconButton
            size="small"
            aria-label={t('grid.clearSearch')}
            onClick={() => {
              setTyped('');
              ask('');
            }}
            sx={{ width: 24, height: 24, marginRight: -1.5 }}
          >
            <X size={14} />
          </IconButton>
        )
      }
      sx={{
        minHeight: 32,
        // Wide enough for its placeholder in every language.
        width: { xs: '100%', sm: `max(280px, ${label.length}ch)` },
        maxWidth: '100%',
        fontSize: '0.8125rem',
        '& .MuiOutlinedInput-input': { paddingY: '5px' },
        '& input::-webkit-search-cancel-button': { display: 'none' },
      }}
    />
  );
}
