import {
  type FilterGroup,
  type FilterItem,
  type FilterModel,
  type Grid,
  mostConditions,
  mostDepth,
  mostGroups,
} from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';
import { Segments } from '../Segments.tsx';
import { filterable } from './column-filters.ts';
import { begun, Conditions, type Draft, itemOf } from './FilterConditions.tsx';
import { filterDebounceMs, type GridWords } from './values.tsx';

/** Conditions and groups, as the builder and each group edits them. */
interface Drafts {
  key: number;
  logic: 'and' | 'or';
  drafts: readonly Draft[];
  groups: readonly Drafts[];
}

/** The filter from the drafts, without conditions that lack a value and groups that lack conditions. */
function madeOf(grid: Grid, { drafts, groups, logic }: Drafts): FilterGroup {
  const items = drafts.map((draft) => itemOf(grid, draft)).filter((item) => item !== null);
  const made = groups
    .map((group) => madeOf(grid, group))
    .filter((group) => group.items.length > 0 || group.groups);
  return { items, ...(made.length > 0 && { groups: made }), logicOperator: logic };
}

const countIn = (shown: Drafts, what: 'drafts' | 'groups'): number =>
  shown.groups.reduce((sum, group) => sum + countIn(group, what), shown[what].length);

/**
 * Conditions on columns and groups of them, joined by all or any. They apply as they are entered: typed text
 * after 800 ms, everything else immediately. A condition without its value does not apply yet.
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
  /** The current number of matching rows; undefined while unknown. */
  rowCount: number | undefined;
  /** Starts a condition on this column when the builder opens. */
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
  const [added, setAdded] = useState<number | null>(null);
  const [first] = filterable(grid);
  const begin = (field = first!): Draft => begun(grid, field, newKey());
  const [shown, setShown] = useState<Drafts>(() => {
    const draftsOf = ({ items, groups = [], logicOperator }: FilterGroup): Drafts => ({
      key: newKey(),
      logic: logicOperator,
      drafts: items.map((item) => ({ ...begin(item.field), ...item, value: item.value ?? null })),
      groups: groups.map(draftsOf),
    });
    const asked = draftsOf(model);
    const isBegun = focusField === undefined || asked.drafts.some(({ field }) => field === focusField);
    const isEmpty = asked.drafts.length + asked.groups.length === 0;
    const begins = isBegun ? (isEmpty ? first : undefined) : focusField;
    return begins === undefined ? asked : { ...asked, drafts: [...asked.drafts, begin(begins)] };
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<(() => void) | null>(null);

  /** `rest`: it is being typed, so apply it when typing pauses. */
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
  // Closing applies typed text at once.
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      latest.current.current?.();
    },
    [],
  );

  const count = countIn(shown, 'drafts');
  const groupCount = countIn(shown, 'groups');
  const isFull = first === undefined || count >= mostConditions;
  return (
    <Box sx={{ display: 'grid', gap: 3, padding: { xs: 3, sm: 4 }, width: 'min(720px, calc(100vw - 32px))' }}>
      <Group
        grid={grid}
        words={words}
        shown={shown}
        within={[]}
        canAdd={!isFull}
        canGroup={!isFull && groupCount < mostGroups}
        begin={begin}
        newKey={newKey}
        added={added}
        onAdded={setAdded}
        onChange={show}
      />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
        {count > 0 || groupCount > 0 ? (
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

/** A filter as text, without the clients' numbers of conditions. */
const textOf = (filter: FilterGroup): string => {
  const bare = ({ items, groups = [], logicOperator }: FilterGroup): unknown => [
    items.map(({ field, operator, value }: FilterItem) => [field, operator, value ?? null]),
    groups.map(bare),
    logicOperator,
  ];
  return JSON.stringify(bare(filter));
};

/** The whole filter or one group: how it is joined, its conditions and groups, and what can be added. */
function Group({
  shown,
  within,
  onChange,
  onRemove,
  ...given
}: {
  grid: Grid;
  words: GridWords;
  shown: Drafts;
  /** Its number, and those of the groups around it; empty for the whole filter. */
  within: readonly number[];
  canAdd: boolean;
  canGroup: boolean;
  begin: () => Draft;
  newKey: () => number;
  /** The last added condition, which has the focus. */
  added: number | null;
  onAdded: (key: number) => void;
  onChange: (shown: Drafts, rest?: boolean) => void;
  /** Removes the group; absent for the whole filter. */
  onRemove?: () => void;
}) {
  const { t } = useTranslation();
  const { grid, words, canAdd, canGroup, begin, newKey, added, onAdded } = given;
  const { drafts, groups, logic } = shown;
  const number = within.join('.');
  const depth = within.length;
  const addedNow = () => {
    const draft = begin();
    onAdded(draft.key);
    return draft;
  };
  const content = (
    <>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: { xs: 2, sm: 3 },
          flexWrap: 'wrap',
        }}
      >
        {depth === 0 ? (
          <Typography variant="h3" component="h2">
            {t('filter.builder')}
          </Typography>
        ) : (
          <Typography variant="body2" component={`h${Math.min(6, depth + 2) as 3}`} sx={{ fontWeight: 550 }}>
            {t('filter.group', { number })}
          </Typography>
        )}
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <Segments
            hideLabel
            label={t('filter.logic')}
            value={logic}
            onChange={(value) => onChange({ ...shown, logic: value })}
            options={[
              { value: 'and', label: t('filter.and') },
              { value: 'or', label: t('filter.or') },
            ]}
          />
          {onRemove ? (
            <IconButton aria-label={t('filter.removeGroup', { number })} onClick={onRemove}>
              <Trash2 size={16} />
            </IconButton>
          ) : null}
        </Box>
      </Box>
      {drafts.length > 0 ? (
        <Conditions
          grid={grid}
          words={words}
          drafts={drafts}
          added={added}
          onChange={(next, rest) => onChange({ ...shown, drafts: next }, rest)}
        />
      ) : null}
      {groups.map((group, index) => (
        <Group
          key={group.key}
          {...given}
          shown={group}
          within={[...within, index + 1]}
          onChange={(next, rest) => onChange({ ...shown, groups: groups.with(index, next) }, rest)}
          onRemove={() => onChange({ ...shown, groups: groups.toSpliced(index, 1) })}
        />
      ))}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
        <Add
          label={t('filter.add')}
          disabled={!canAdd}
          onClick={() => onChange({ ...shown, drafts: [...drafts, addedNow()] })}
        />
        {depth < mostDepth ? (
          <Add
            label={t('filter.addGroup')}
            disabled={!canGroup}
            onClick={() => {
              // Joined in the opposite way, because otherwise it would change nothing.
              const added: Drafts = {
                key: newKey(),
                logic: logic === 'and' ? 'or' : 'and',
                drafts: [addedNow()],
                groups: [],
              };
              onChange({ ...shown, groups: [...groups, added] });
            }}
          />
        ) : null}
      </Box>
    </>
  );
  if (depth === 0) return content;
  return (
    <Box
      role="group"
      aria-label={t('filter.group', { number })}
      sx={{
        display: 'grid',
        gap: 2,
        padding: { xs: 2, sm: 3 },
        minWidth: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: '10px',
        backgroundColor: depth % 2 === 1 ? 'raised' : 'surface',
      }}
    >
      {content}
    </Box>
  );
}

function Add({ label, disabled, onClick }: { label: string; disabled: boolean; onClick: () => void }) {
  return (
    <Button
      variant="text"
      size="small"
      startIcon={<Plus size={16} aria-hidden />}
      disabled={disabled}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
