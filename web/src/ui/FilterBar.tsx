import { missingKey } from '@caseway/contract/analytics';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Popover from '@mui/material/Popover';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ChevronDown, SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLabels } from '../data/use-labels.ts';
import { type Option, useLookup } from '../data/use-lookup.ts';
import { CommandList } from './CommandList.tsx';

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
  /** One entry at most; its value is a text, empty for none. */
  single?: boolean;
}

type Lists = Readonly<Record<string, string[] | string>>;
const valuesOf = (lists: Lists, name: string): string[] => {
  const value = lists[name];
  return Array.isArray(value) ? value : value ? [value] : [];
};

/**
 * The filters of a screen: each a list with a search box, of which one or several entries are chosen, applied immediately; every choice is a chip
 * below and can be removed there. An entry that belongs to an entry of another filter (a program to its program type)
 * is offered only if that one is chosen; earlier choices stay.
 */
export function FilterBar({
  filters,
  values,
  onChange,
  onClear,
  before,
  after,
  children,
}: {
  filters: readonly FilterDeclaration[];
  values: Lists;
  /** The whole filter set with one list changed. */
  onChange: (values: Record<string, string[] | string>) => void;
  /** Shown while something is chosen; absent: no Clear. [S4.11] */
  onClear?: () => void;
  /** At the left of the filters: the date range. */
  before?: ReactNode;
  /** At the right: presets, export. */
  after?: ReactNode;
  /** More chips, in the same row. */
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const set = ({ name, single }: FilterDeclaration, list: string[]) =>
    onChange({ ...values, [name]: single ? (list.at(-1) ?? '') : list });
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const chosen = filters.filter(({ name }) => valuesOf(values, name).length > 0);
  const controls = filters.map((filter) => (
    <FilterButton
      key={filter.name}
      filter={filter}
      filters={filters}
      values={values}
      onChange={(list) => set(filter, list)}
    />
  ));
  return (
    <Box className="no-print" sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box role="group" aria-label={t('filter.title')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {narrow ? (
          <FilterSheet count={chosen.length}>
            {before}
            {controls}
          </FilterSheet>
        ) : (
          <>
            {before}
            {controls}
          </>
        )}
        {after ? <Box sx={{ marginLeft: 'auto', display: 'flex', gap: 2 }}>{after}</Box> : null}
      </Box>
      {chosen.length > 0 || children ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          {chosen.map((filter) => (
            <Chips
              key={filter.name}
              filter={filter}
              values={valuesOf(values, filter.name)}
              onChange={(list) => set(filter, list)}
            />
          ))}
          {children}
          {onClear && chosen.length > 0 ? (
            <Button variant="text" size="small" onClick={onClear}>
              {t('filter.clear')}
            </Button>
          ) : null}
        </Box>
      ) : null}
    </Box>
  );
}

/** On a phone the dates and filters are in a sheet at the bottom, so that what they narrow stays in sight. */
function FilterSheet({ count, children }: { count: number; children: ReactNode }) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        startIcon={<SlidersHorizontal size={16} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        sx={{ fontWeight: 400 }}
      >
        {t('filter.title')}
        {count > 0 ? <strong>{count}</strong> : null}
      </Button>
      <Dialog
        open={open}
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
          {children}
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

/** The entries of a filter that belong to the choices in the others. */
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

/** The choices of a filter: its codes or its look-up's entries and, if it offers that, "not recorded". */
function useFilterOptions({ lookup, options: fixed, missing }: FilterDeclaration, enabled: boolean) {
  const { t } = useTranslation();
  const found = useLookup(lookup ?? '', { enabled: enabled && lookup !== undefined });
  const { loading, error } = found;
  const options = fixed ?? found.options;
  const label = t('filter.missing');
  const all = useMemo(
    () => (missing && options.length > 0 ? [...options, { id: missingKey, label }] : options),
    [missing, options, label],
  );
  return { options: all, loading, error };
}

function FilterButton({
  filter,
  filters,
  values,
  onChange,
}: {
  filter: FilterDeclaration;
  filters: readonly FilterDeclaration[];
  values: Lists;
  onChange: (list: string[]) => void;
}) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { options, loading, error } = useFilterOptions(filter, anchor !== null);
  const chosen = valuesOf(values, filter.name);
  const offered = useMemo(
    () => narrowed(options, filter.name, filters, values),
    [options, filter.name, filters, values],
  );
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
          ...(chosen.length > 0 ? { backgroundColor: 'tint', borderColor: 'primary.main' } : {}),
        }}
      >
        {filter.label}
        {chosen.length > 0 ? (
          <Box
            component="span"
            sx={{ fontWeight: 650 }}
            aria-label={t('filter.chosen', { count: chosen.length })}
          >
            {chosen.length}
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
        <CommandList
          multiple={!filter.single}
          label={filter.label}
          placeholder={t('filter.search')}
          emptyText={t(loading ? 'state.loading' : error ? `error.${error.code}` : 'filter.none')}
          commands={offered.map(({ id, label }) => ({ id, label, selected: chosen.includes(id) }))}
          onChoose={(id) => {
            onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
            if (filter.single) setAnchor(null);
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
              <Button variant="outlined" size="small" onClick={() => setAnchor(null)}>
                {t('action.close')}
              </Button>
            </Box>
          }
        />
      </Popover>
    </>
  );
}

/** This many entries of one filter are named; the rest are only counted. */
const namedChips = 3;

function Chips({
  filter,
  values,
  onChange,
}: {
  filter: FilterDeclaration;
  values: readonly string[];
  onChange: (list: string[]) => void;
}) {
  const { t } = useTranslation();
  const labels = useLabels(filter.lookup ?? '', { enabled: filter.lookup !== undefined });
  const fixed = filter.options;
  const label = (id: string) =>
    fixed && id !== missingKey
      ? (fixed.find((option) => option.id === id)?.label ?? t('label.unknown.other'))
      : labels.of(id);
  if (values.length > namedChips)
    return (
      <FilterChip
        name={filter.label}
        value={t('filter.chosen', { count: values.length })}
        onRemove={() => onChange([])}
      />
    );
  return values.map((value) => (
    <FilterChip
      key={value}
      name={filter.label}
      value={label(value)}
      onRemove={() => onChange(values.filter((one) => one !== value))}
    />
  ));
}

/** One active filter, which can be opened or removed. */
export function FilterChip({
  name,
  value,
  whole = false,
  onOpen,
  onRemove,
}: {
  name: string;
  value: ReactNode;
  /** Takes as many lines as its text needs. */
  whole?: boolean;
  onOpen?: (anchor: HTMLElement) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const text = (
    <>
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>{' '}
      {value}
    </>
  );
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        maxWidth: '100%',
        ...(whole ? { minHeight: 32, borderRadius: '16px' } : { height: 32, borderRadius: '999px' }),
        border: 1,
        borderColor: 'divider',
        backgroundColor: 'surface',
        fontSize: '0.8125rem',
        '& > *': { borderRadius: '999px' },
      }}
    >
      {onOpen ? (
        <ButtonBase
          onClick={(event) => onOpen(event.currentTarget)}
          sx={{ height: '100%', padding: '0 4px 0 12px' }}
        >
          <Ellipsis>{text}</Ellipsis>
        </ButtonBase>
      ) : (
        <Box component="span" sx={{ padding: whole ? '5px 4px 5px 12px' : '0 4px 0 12px', minWidth: 0 }}>
          {whole ? text : <Ellipsis>{text}</Ellipsis>}
        </Box>
      )}
      <ButtonBase
        aria-label={t('filter.remove', { name })}
        onClick={onRemove}
        sx={{ width: 30, height: 30, color: 'text.secondary', '&:hover': { backgroundColor: 'raised' } }}
      >
        <X size={14} aria-hidden />
      </ButtonBase>
    </Box>
  );
}

const Ellipsis = ({ children }: { children: ReactNode }) => (
  <Box
    component="span"
    sx={{
      display: 'block',
      maxWidth: 280,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }}
  >
    {children}
  </Box>
);
