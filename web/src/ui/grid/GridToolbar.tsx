import {
  conditionsOf,
  type FilterGroup,
  type FilterModel,
  type Grid,
  type SortModel,
} from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { ArrowDown, ArrowUp, Columns3, ListFilter, Pin, PinOff, Search, X } from 'lucide-react';
import { Fragment, memo, type ReactNode, type Ref, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { part, useAhead } from '../../loading/part.tsx';
import { FilterChip } from '../FilterChip.tsx';
import type { ColumnArrangement } from './columns.ts';
import { ConditionText, filterDebounceMs, type GridWords } from './values.tsx';

const loadBuilder = () => import('./FilterBuilder.tsx');
const FilterBuilder = part('filter-builder', loadBuilder);

/** What opened the filter builder: its anchor, and the column to start with. */
export interface BuilderOpening {
  anchor: HTMLElement;
  field?: string;
}

/** Search box, conditions as chips with their builder, columns, and the screen's additions. */
export const GridToolbar = memo(function GridToolbar({
  grid,
  words,
  model,
  rowCount,
  columns,
  sort,
  onSort,
  searchLabel,
  searchRef,
  builder,
  onBuilder,
  onModel,
  groupPicker,
  actions,
}: {
  grid: Grid;
  words: GridWords;
  model: FilterModel;
  rowCount: number | undefined;
  /** Null for cards, which have no columns; their order is chosen here instead. */
  columns: ColumnArrangement | null;
  sort: SortModel | null;
  onSort: (model: SortModel) => void;
  /** The name of the search box; absent: no search box. */
  searchLabel: string | undefined;
  searchRef: Ref<HTMLInputElement>;
  builder: BuilderOpening | null;
  onBuilder: (opening: BuilderOpening | null) => void;
  onModel: (model: FilterModel) => void;
  /** Chooses how rows are grouped. */
  groupPicker: ReactNode;
  actions: ReactNode;
}) {
  const { t } = useTranslation();
  const [arranging, setArranging] = useState<HTMLElement | null>(null);
  useAhead(loadBuilder);
  const groups = model.groups ?? [];
  const count = conditionsOf(model).length;
  const filterButton = useRef<HTMLButtonElement>(null);
  return (
    <Box className="no-print" sx={{ display: 'grid', gap: 2 }}>
      <Box role="toolbar" aria-label={t('grid.toolbar')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {searchLabel === undefined ? null : (
          <QuickSearch ref={searchRef} label={searchLabel} model={model} onModel={onModel} />
        )}
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
        {columns ? (
          <Button
            variant="outlined"
            size="small"
            startIcon={<Columns3 size={16} aria-hidden />}
            aria-haspopup="dialog"
            aria-expanded={arranging !== null}
            onClick={(event) => setArranging(event.currentTarget)}
            sx={{ fontWeight: 400 }}
          >
            {t('grid.columns')}
          </Button>
        ) : null}
        {groupPicker}
        {sort ? <SortField grid={grid} words={words} model={sort} onSort={onSort} /> : null}
        {actions ? <Box sx={{ marginLeft: 'auto', display: 'flex', gap: 2 }}>{actions}</Box> : null}
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
      <Popover
        open={arranging !== null}
        anchorEl={arranging}
        onClose={() => setArranging(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('grid.columns') } }}
      >
        {columns ? <ColumnsPanel words={words} columns={columns} /> : null}
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

/** The order of a list of cards. */
function SortField({
  grid,
  words,
  model,
  onSort,
}: {
  grid: Grid;
  words: GridWords;
  model: SortModel;
  onSort: (model: SortModel) => void;
}) {
  const { t } = useTranslation();
  const sortable = Object.entries(grid.columns).filter(([, column]) => column.sortable !== false);
  const [first] = model;
  return (
    <NativeSelect
      value={first ? `${first.field} ${first.sort}` : ''}
      onChange={({ target }) => {
        const [field = '', way] = target.value.split(' ');
        onSort(field ? [{ field, sort: way === 'desc' ? 'desc' : 'asc' }] : []);
      }}
      inputProps={{ 'aria-label': t('grid.order') }}
      input={<OutlinedInput sx={{ minHeight: 32, flex: '1 1 0', minWidth: 120, fontSize: '0.8125rem' }} />}
    >
      {first ? null : <option value="">{t('grid.order')}</option>}
      {sortable.flatMap(([field]) =>
        (['asc', 'desc'] as const).map((way) => (
          <option key={`${field} ${way}`} value={`${field} ${way}`}>
            {t(`grid.orderBy.${way}`, { column: words.column(field) })}
          </option>
        )),
      )}
    </NativeSelect>
  );
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

function ColumnsPanel({ words, columns }: { words: GridWords; columns: ColumnArrangement }) {
  const { t } = useTranslation();
  const { settings, shown } = columns;
  const ordered = [
    ...settings.order.filter((field) => settings.pinned.includes(field)),
    ...settings.order.filter((field) => !settings.pinned.includes(field)),
  ];
  return (
    <Box sx={{ width: 'min(360px, calc(100vw - 32px))' }}>
      <Typography variant="h3" component="h2" sx={{ padding: '12px 16px 4px' }}>
        {t('grid.columns')}
      </Typography>
      <Box
        component="ul"
        sx={{ listStyle: 'none', margin: 0, padding: '0 8px', maxHeight: 400, overflowY: 'auto' }}
      >
        {ordered.map((field) => {
          const label = words.column(field);
          const visible = shown.includes(field);
          const pinned = settings.pinned.includes(field);
          return (
            <Box component="li" key={field} sx={{ display: 'flex', alignItems: 'center', paddingLeft: 2 }}>
              <FormControlLabel
                sx={{
                  flex: 1,
                  minWidth: 0,
                  marginRight: 0,
                  '& .MuiFormControlLabel-label': { fontSize: '0.875rem' },
                }}
                control={
                  <Checkbox
                    size="small"
                    checked={visible}
                    // One column always stays visible.
                    disabled={visible && shown.length === 1}
                    onChange={() => columns.toggle(field)}
                  />
                }
                label={label}
              />
              <IconButton
                size="small"
                aria-label={t('grid.moveLeft', { column: label })}
                disabled={!visible}
                onClick={() => columns.move(field, -1)}
              >
                <ArrowUp size={14} />
              </IconButton>
              <IconButton
                size="small"
                aria-label={t('grid.moveRight', { column: label })}
                disabled={!visible}
                onClick={() => columns.move(field, 1)}
              >
                <ArrowDown size={14} />
              </IconButton>
              <IconButton
                size="small"
                aria-pressed={pinned}
                aria-label={t('grid.pin', { column: label })}
                onClick={() => columns.pin(field)}
                sx={{ color: pinned ? 'primary.main' : undefined }}
              >
                {pinned ? <PinOff size={14} /> : <Pin size={14} />}
              </IconButton>
            </Box>
          );
        })}
      </Box>
      <Box sx={{ padding: 2, borderTop: 1, borderColor: 'divider' }}>
        <Button variant="text" size="small" onClick={columns.reset}>
          {t('grid.resetColumns')}
        </Button>
      </Box>
    </Box>
  );
}
