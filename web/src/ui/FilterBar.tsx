import { missingKey } from '@caseway/contract/label';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Popover from '@mui/material/Popover';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ChevronDown, ListFilterPlus, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CountedList, useChoiceCounts } from '../data/use-choice-counts.ts';
import { useLabels } from '../data/use-labels.ts';
import { type Option, useLookup } from '../data/use-lookup.ts';
import { CommandList } from './CommandList.tsx';
import { FilterChip } from './FilterChip.tsx';
import type { ColumnFilters } from './grid/column-filters.ts';

/** One list filter of the bar. */
export interface FilterDeclaration {
  /** Its contract name: `programFilter`. */
  name: string;
  /** Its label, translated. */
  label: string;
  /** The look-up of its entries; absent if `options` are complete. */
  lookup?: string;
  /** Fixed codes with their labels. */
  options?: readonly Option[];
  /** Records without a value can be picked too. */
  missing?: boolean;
  /** At most one entry; its value is text, empty for none. */
  single?: boolean;
}

type Lists = Readonly<Record<string, string[] | string>>;
const valuesOf = (lists: Lists, name: string): string[] => {
  const value = lists[name];
  return Array.isArray(value) ? value : value ? [value] : [];
};

const dissolved = { display: 'contents' } as const;

/** What is being picked: a filter to add, or values of one. */
interface Picking {
  name: string | null;
  /** The picker's position, which stays while chips beside it change. */
  at: { top: number; left: number };
}

/**
 * A screen's active filters, each a chip that opens its choices, and a button with a searchable list of all
 * filters. Choices apply immediately. An entry with a parent in another filter (a program's program type) is
 * offered only if the parent is chosen; earlier choices stay.
 */
export function FilterBar({
  filters,
  values,
  onChange,
  onClear,
  before,
  after,
  counted,
  columns = null,
  inRow = false,
}: {
  filters: readonly FilterDeclaration[];
  values: Lists;
  /** All filters, with one changed. */
  onChange: (values: Record<string, string[] | string>) => void;
  /** Shown while something is chosen; absent: no Clear. [S4.11] */
  onClear?: () => void;
  /** To the left of the filters: the date range. */
  before?: ReactNode;
  /** To the right: presets, export. */
  after?: ReactNode;
  /** The filtered list, for the number of records next to each choice. */
  counted?: CountedList;
  /** What the records can be filtered by beside these filters. */
  columns?: ColumnFilters | null;
  /** Its parts stand in the row around it. */
  inRow?: boolean;
}) {
  const { t } = useTranslation();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const adder = useRef<HTMLButtonElement>(null);
  const opener = useRef<HTMLElement>(null);
  const [picking, setPicking] = useState<Picking>({ name: null, at: { top: 0, left: 0 } });
  const [isPicking, setIsPicking] = useState(false);
  const close = () => setIsPicking(false);
  const open = (name: string | null, anchor: HTMLElement) => {
    const { bottom, left } = anchor.getBoundingClientRect();
    opener.current = anchor;
    setPicking({ name, at: { top: bottom, left } });
    setIsPicking(true);
  };
  // A removed chip cannot get the focus back.
  useEffect(() => {
    if (!isPicking && opener.current?.isConnected === false) adder.current?.focus();
  }, [isPicking]);
  const set = ({ name, single }: FilterDeclaration, list: string[]) =>
    onChange({ ...values, [name]: single ? (list.at(-1) ?? '') : list });
  const isChosen = ({ name }: FilterDeclaration) => valuesOf(values, name).length > 0;
  const chosen = filters.filter(isChosen);
  // A filter of the list itself is easier than a rule on the column of its name.
  const others = (columns?.columns ?? []).filter(
    ({ id, label }) => !filters.some((filter) => filter.label === label || filter.name === id),
  );
  const picked = filters.find(({ name }) => name === picking.name);
  const choicesOf = (filter: FilterDeclaration, onClose: () => void) => {
    const onChosen = (list: string[]) => set(filter, list);
    const props = { filter, filters, values, onChange: onChosen, onClose };
    return counted ? (
      <CountedChoices key={filter.name} list={counted} {...props} />
    ) : (
      <Choices key={filter.name} {...props} />
    );
  };
  const clear =
    onClear && chosen.length > 0 ? (
      <Button
        variant="text"
        size="small"
        onClick={() => {
          onClear();
          adder.current?.focus();
        }}
      >
        {t('filter.clear')}
      </Button>
    ) : null;
  const chips = filters
    .filter((filter) => isChosen(filter) || (isPicking && filter === picked))
    .map((filter) => (
      <Chip
        key={filter.name}
        filter={filter}
        values={valuesOf(values, filter.name)}
        open={isPicking && filter === picked}
        onOpen={(anchor) => open(filter.name, anchor)}
        onRemove={() => {
          set(filter, []);
          adder.current?.focus();
        }}
      />
    ));
  return (
    <Box
      className="no-print"
      sx={inRow ? dissolved : { display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Box
        role="group"
        aria-label={t('filter.title')}
        sx={inRow ? dissolved : { display: 'flex', alignItems: 'flex-start', gap: 2 }}
      >
        {narrow ? (
          <FilterSheet
            ref={adder}
            count={chosen.length}
            filters={[...chosen, ...filters.filter((filter) => !isChosen(filter))]}
            before={before}
            control={(filter) => (
              <FilterButton
                key={filter.name}
                filter={filter}
                count={valuesOf(values, filter.name).length}
                choices={choicesOf}
              />
            )}
          />
        ) : (
          <Box sx={inRow ? dissolved : { display: 'flex', flexWrap: 'wrap', gap: 2, flex: 1, minWidth: 0 }}>
            {before}
            {chips}
            {filters.length > 0 ? (
              <Button
                ref={adder}
                variant="outlined"
                size="small"
                startIcon={<ListFilterPlus size={16} aria-hidden />}
                aria-haspopup="dialog"
                aria-expanded={isPicking}
                onClick={(event) => open(null, event.currentTarget)}
                sx={{ fontWeight: 400 }}
              >
                {t('filter.addFilter')}
              </Button>
            ) : null}
            {clear}
          </Box>
        )}
        {after ? <Box sx={{ marginLeft: 'auto', display: 'flex', gap: 2 }}>{after}</Box> : null}
      </Box>
      {narrow && chips.length > 0 ? (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: 1.5,
            // A row of their own, after the last button of the row around them.
            ...(inRow && { order: 1, width: '100%' }),
          }}
        >
          {chips}
          {clear}
        </Box>
      ) : null}
      <Popover
        open={isPicking}
        onClose={close}
        anchorReference="anchorPosition"
        anchorPosition={picking.at}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': picked?.label ?? t('filter.addFilter'),
            sx: { width: 'min(340px, calc(100vw - 32px))' },
          },
        }}
      >
        {picked ? (
          choicesOf(picked, close)
        ) : (
          <CommandList
            label={t('filter.addFilter')}
            placeholder={t('filter.search')}
            emptyText={t('filter.none')}
            commands={[
              ...filters.map(({ name, label }) => {
                const count = valuesOf(values, name).length;
                return {
                  id: name,
                  label,
                  selected: count > 0,
                  ...(count > 0 && { detail: t('filter.chosen', { count }) }),
                };
              }),
              ...others.map(({ id, label }) => ({ id, label, group: t('filter.builder') })),
            ]}
            onChoose={(name) => {
              if (filters.some((filter) => filter.name === name)) return setPicking({ ...picking, name });
              close();
              if (adder.current) columns?.open(name, adder.current);
            }}
          />
        )}
      </Popover>
    </Box>
  );
}

/** On a phone, dates and filters are in a sheet at the bottom, so that the filtered content stays visible. */
function FilterSheet({
  ref,
  count,
  filters,
  before,
  control,
}: {
  ref: Ref<HTMLButtonElement>;
  count: number;
  /** In their order when it opens, so that none moves under the finger. */
  filters: readonly FilterDeclaration[];
  before: ReactNode;
  control: (filter: FilterDeclaration) => ReactNode;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const close = () => setOrder(null);
  const place = ({ name }: FilterDeclaration) => order?.indexOf(name) ?? 0;
  return (
    <>
      <Button
        ref={ref}
        variant="outlined"
        size="small"
        startIcon={<SlidersHorizontal size={16} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={order !== null}
        onClick={() => setOrder(filters.map(({ name }) => name))}
        sx={{ fontWeight: 400 }}
      >
        {t('filter.title')}
        {count > 0 ? <strong>{count}</strong> : null}
      </Button>
      <Dialog
        open={order !== null}
        onClose={close}
        aria-labelledby={id}
        sx={{
          '& .MuiDialog-container': { alignItems: 'flex-end' },
          '& .MuiDialog-paper': { margin: 0, width: '100%', maxWidth: '100%', borderRadius: '10px 10px 0 0' },
        }}
      >
        <DialogTitle id={id}>{t('filter.title')}</DialogTitle>
        <DialogContent
          sx={{ display: 'grid', gap: 2, '& .MuiButton-root': { justifyContent: 'space-between' } }}
        >
          {before}
          {filters.toSorted((one, other) => place(one) - place(other)).map(control)}
        </DialogContent>
        <DialogActions>
          <Button variant="contained" onClick={close}>
            {t('action.close')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

/** The entries of a filter whose parents are chosen in other filters. */
export function narrowed(
  options: readonly Option[],
  own: string,
  filters: readonly FilterDeclaration[],
  values: Lists,
): Option[] {
  const others = filters
    .filter(({ name }) => name !== own)
    .map(({ name, lookup }) => ({ lookup, chosen: valuesOf(values, name) }))
    .filter(({ chosen }) => chosen.length > 0);
  const kept = valuesOf(values, own);
  return options.filter(
    (option) =>
      kept.includes(option.id) ||
      others.every(({ lookup, chosen }) => {
        const parent = lookup === undefined ? undefined : option.within?.[lookup];
        return parent === undefined || chosen.includes(parent);
      }),
  );
}

/** A filter's choices: its codes or its look-up's entries and, if offered, "not recorded". */
function useFilterOptions({ lookup, options: fixed, missing }: FilterDeclaration) {
  const { t } = useTranslation();
  const found = useLookup(lookup ?? '', { enabled: lookup !== undefined });
  const { loading, error } = found;
  const options = fixed ?? found.options;
  const label = t('filter.missing');
  const all = useMemo(
    () => (missing && options.length > 0 ? [...options, { id: missingKey, label }] : options),
    [missing, options, label],
  );
  return { options: all, loading, error };
}

interface ChoicesProps {
  filter: FilterDeclaration;
  filters: readonly FilterDeclaration[];
  values: Lists;
  onChange: (list: string[]) => void;
  onClose: () => void;
}

/** A filter's choices, each with its number of records in the list. */
function CountedChoices({ list, ...props }: ChoicesProps & { list: CountedList }) {
  return <Choices {...props} countOf={useChoiceCounts(list, props.filter.name)} />;
}

/** A filter's choices, ticked as they are chosen. */
function Choices({
  filter,
  filters,
  values,
  onChange,
  onClose,
  countOf,
}: ChoicesProps & { countOf?: ((id: string) => number | undefined) | undefined }) {
  const { t } = useTranslation();
  const { options, loading, error } = useFilterOptions(filter);
  const chosen = valuesOf(values, filter.name);
  const offered = useMemo(
    () => narrowed(options, filter.name, filters, values),
    [options, filter.name, filters, values],
  );
  return (
    <CommandList
      multiple={!filter.single}
      label={filter.label}
      placeholder={t('filter.search')}
      emptyText={t(loading ? 'state.loading' : error ? `error.${error.code}` : 'filter.none')}
      commands={offered.map(({ id, label }) => {
        const count = countOf?.(id);
        return { id, label, selected: chosen.includes(id), ...(count !== undefined && { count }) };
      })}
      onChoose={(id) => {
        onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
        if (filter.single) onClose();
      }}
      footer={
        <Box
          sx={{
            display: 'flex',
            justifyContent: 'space-between',
            gap: 2,
            padding: 2,
            borderTop: 1,
            borderColor: 'divider',
          }}
        >
          <Button variant="text" size="small" disabled={chosen.length === 0} onClick={() => onChange([])}>
            {t('filter.clearOne')}
          </Button>
          <Button variant="outlined" size="small" onClick={onClose}>
            {t('action.close')}
          </Button>
        </Box>
      }
    />
  );
}

/** A filter in the sheet on a phone. */
function FilterButton({
  filter,
  count,
  choices,
}: {
  filter: FilterDeclaration;
  /** The number of chosen entries. */
  count: number;
  choices: (filter: FilterDeclaration, onClose: () => void) => ReactNode;
}) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<ChevronDown size={14} aria-hidden />}
        sx={{
          fontWeight: 400,
          ...(count > 0 ? { backgroundColor: 'tint', borderColor: 'primary.main' } : {}),
        }}
      >
        {filter.label}
        {count > 0 ? (
          <Box component="span" sx={{ fontWeight: 650 }} aria-label={t('filter.chosen', { count })}>
            {count}
          </Box>
        ) : null}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': filter.label,
            sx: { width: 'min(340px, calc(100vw - 32px))' },
          },
        }}
      >
        {choices(filter, () => setAnchor(null))}
      </Popover>
    </>
  );
}

/** A filter names this many entries; more are only counted. */
const namedChoices = 3;

/** An active filter with its choices. */
function Chip({
  filter,
  values,
  open,
  onOpen,
  onRemove,
}: {
  filter: FilterDeclaration;
  values: readonly string[];
  open: boolean;
  onOpen: (anchor: HTMLElement) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const { lookup, options: fixed } = filter;
  const labels = useLabels(lookup ?? '', { enabled: lookup !== undefined && values.length > 0 });
  const labelOf = (id: string) =>
    fixed && id !== missingKey
      ? (fixed.find((option) => option.id === id)?.label ?? t('label.unknown.other'))
      : labels.of(id);
  return (
    <FilterChip
      name={filter.label}
      value={
        values.length > namedChoices
          ? t('filter.chosen', { count: values.length })
          : values.map(labelOf).join(', ')
      }
      open={open}
      onOpen={onOpen}
      onRemove={onRemove}
    />
  );
}
