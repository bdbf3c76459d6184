import type { Permission } from '@caseway/contract/endpoint';
import { directRows, gridPrepare } from '@caseway/contract/exported-files';
import {
  type ChosenRows,
  exportFormats,
  type Grid,
  type GridQuery,
  gridExport,
  namedLimit,
} from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Divider from '@mui/material/Divider';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Check, ChevronDown, Download } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { filesPath } from '../../data/exported-files.ts';
import { ofGrid } from '../../data/of-grid.ts';
import { type BackgroundFile, useBackgroundFile } from '../../data/use-background-file.ts';
import { useExport, useMayExport } from '../../data/use-export.ts';
import { useFormats } from '../../words/formats.ts';
import { takesFocus, useFocusTaken } from '../use-focus-taken.ts';
import { PreparedFile } from './PreparedFile.tsx';
import type { GridSelection } from './selection.tsx';

/** Starts an export of a list, and cancels it while it runs. */
export function ExportButton({
  isRunning,
  size = 'medium',
  disabled,
  onStart,
  onCancel,
}: {
  isRunning: boolean;
  size?: 'small' | 'medium';
  disabled: boolean;
  onStart: () => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  return isRunning ? (
    <CancelExport size={size} onCancel={onCancel} />
  ) : (
    <Button
      variant="outlined"
      size={size}
      startIcon={<Download size={16} aria-hidden />}
      disabled={disabled}
      onClick={onStart}
    >
      {t('export.start')}
    </Button>
  );
}

function CancelExport({ size, onCancel }: { size: 'small' | 'medium'; onCancel: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      variant="outlined"
      size={size}
      startIcon={<CircularProgress size={14} color="inherit" aria-hidden />}
      onClick={onCancel}
    >
      {t('export.cancel')}
    </Button>
  );
}

type Exportable = Grid & { exportable: Permission };

/** A grid's exports, declared once: directly, and in the background. */
const endpointsOf = ofGrid((grid: Exportable) => ({ direct: gridExport(grid), prepare: gridPrepare(grid) }));

interface Asked {
  /** The list's query. */
  query: GridQuery;
  /** Its columns from left to right. */
  columns: readonly string[];
  rowCount: number | undefined;
  /** The selected rows, in a list with selection. */
  selection: Pick<GridSelection, 'size' | 'ids' | 'all'> | undefined;
}

/**
 * All pages of a list, or the selected rows, as a file in the list's columns and order, if the user may
 * export it.
 */
export function GridExport({ grid, ...asked }: Asked & { grid: Grid }) {
  const mayExport = useMayExport(grid);
  if (!mayExport) return null;
  const formats = [...exportFormats, ...(grid.files ?? [])];
  return <ExportRows {...asked} name={grid.id} {...endpointsOf(grid as Exportable)} offered={formats} />;
}

/** What is exported from a list, and how many rows. */
interface Extent {
  of: 'all' | 'chosen';
  count: number;
  body: ChosenRows & { query: GridQuery };
}

interface Exported extends Asked, ReturnType<typeof endpointsOf> {
  name: string;
  offered: readonly string[];
}

function ExportRows(asked: Exported) {
  const background = useBackgroundFile(asked.name, asked.prepare);
  const rows = useExport(asked.direct, asked.name);
  const isBusy = rows.isRunning || background.isStarting;
  const { frame, take } = useFocusTaken(isBusy ? null : 'ready');
  // The button that opened the menu is gone until the file is ready.
  useEffect(() => {
    if (isBusy) take('ready');
  });
  const menu = <ExportMenu {...asked} background={background} rows={rows} />;
  return (
    <Box ref={frame} sx={{ display: 'contents' }}>
      {background.id === null ? (
        menu
      ) : (
        <PreparedFile
          id={background.id}
          onClose={() => {
            take('ready');
            background.forget();
          }}
        >
          {menu}
        </PreparedFile>
      )}
    </Box>
  );
}

function ExportMenu({
  rows,
  background,
  offered,
  query,
  columns,
  rowCount = 0,
  selection: { all, ids, size } = { size: 0 },
}: Exported & { background: BackgroundFile; rows: ReturnType<typeof useExport> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const menu = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [later, setLater] = useState(false);
  if (rows.isRunning || background.isStarting) return <CancelExport size="small" onCancel={rows.cancel} />;

  const extents: Extent[] = rowCount > 0 ? [{ of: 'all', count: rowCount, body: { query } }] : [];
  // Everything selected under other filters is exported by those, in the list's current order.
  if (ids && size > 0)
    extents.unshift({
      of: 'chosen',
      count: size,
      body: all
        ? { query: { ...all.query, sortModel: query.sortModel }, except: [...ids] }
        : { query, ids: [...ids] },
    });
  const isOpen = anchor !== null;
  const allLong = extents.every(({ count }) => count > directRows);
  const entry = ({ of, count, body }: Extent, format: string) => {
    const isOwn = !exportFormats.some((one) => one === format);
    const isLong = later || count > directRows;
    const tooMany = of === 'chosen' && ids !== undefined && ids.size > namedLimit;
    return (
      <MenuItem
        key={`${of} ${format}`}
        disabled={tooMany}
        onClick={() => {
          setAnchor(null);
          const asked = { ...body, columns: [...columns], format };
          if (isLong) background.start(asked);
          else rows.start({ body: asked });
        }}
      >
        <ListItemText
          secondary={
            tooMany
              ? t('bulk.oneByOne', { limit: formats.count(namedLimit) })
              : t(isOwn ? `export.of.${of}` : `export.${of}`, { number: formats.count(count) })
          }
          sx={{ maxWidth: 320, '& .MuiListItemText-secondary': { whiteSpace: 'normal' } }}
        >
          {t(`export.${format}`)}
        </ListItemText>
      </MenuItem>
    );
  };
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        startIcon={<Download size={16} aria-hidden />}
        endIcon={<ChevronDown size={14} aria-hidden />}
        disabled={extents.length === 0}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menu : undefined}
        {...takesFocus}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {t('export.menu')}
      </Button>
      <Menu
        open={isOpen}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { id: menu, 'aria-label': t('export.menu') } }}
      >
        {extents.flatMap((extent, index) => [
          index > 0 ? <Divider key="divider" /> : null,
          ...offered.map((format) => entry(extent, format)),
        ])}
        <Divider />
        <MenuItem
          role="menuitemcheckbox"
          aria-checked={later || allLong}
          disabled={allLong}
          onClick={() => setLater(!later)}
        >
          <ListItemIcon sx={{ visibility: later || allLong ? 'visible' : 'hidden' }}>
            <Check size={16} aria-hidden />
          </ListItemIcon>
          <ListItemText
            secondary={t('export.backgroundNote')}
            sx={{ maxWidth: 320, '& .MuiListItemText-secondary': { whiteSpace: 'normal' } }}
          >
            {t('export.background')}
          </ListItemText>
        </MenuItem>
        <MenuItem component={RouterLink} to={filesPath} onClick={() => setAnchor(null)}>
          {t('export.files')}
        </MenuItem>
      </Menu>
    </>
  );
}
