import type { Grid, SortModel } from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { ArrowDown, ArrowUp, Columns3, Pin, PinOff } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColumnArrangement } from './columns.ts';
import type { GridWords } from './values.tsx';

/** How a list is shown: its columns or its order, its groups, and the screen's additions. */
export const GridTools = memo(function GridTools({
  grid,
  words,
  columns,
  sort,
  onSort,
  groupPicker,
  actions,
}: {
  grid: Grid;
  words: GridWords;
  /** Null for cards, which have no columns; their order is chosen here instead. */
  columns: ColumnArrangement | null;
  sort: SortModel | null;
  onSort: (model: SortModel) => void;
  /** Chooses how rows are grouped. */
  groupPicker: ReactNode;
  actions: ReactNode;
}) {
  const { t } = useTranslation();
  const [arranging, setArranging] = useState<HTMLElement | null>(null);
  return (
    <Box
      className="no-print"
      role="toolbar"
      aria-label={t('grid.toolbar')}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 2,
        marginLeft: { sm: 'auto' },
        width: { xs: '100%', sm: 'auto' },
      }}
    >
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
      {actions ? (
        <Box sx={{ marginLeft: { xs: 'auto', sm: 0 }, display: 'flex', gap: 2 }}>{actions}</Box>
      ) : null}
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
