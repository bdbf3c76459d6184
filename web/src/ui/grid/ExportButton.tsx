import type { Permission } from '@caseway/contract/endpoint';
import { type Grid, type GridQuery, gridExport } from '@caseway/contract/grid';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useExport, useMayExport } from '../../data/use-export.ts';

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
    <Button
      variant="outlined"
      size={size}
      startIcon={<CircularProgress size={14} color="inherit" aria-hidden />}
      onClick={onCancel}
    >
      {t('export.cancel')}
    </Button>
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

type Exportable = Grid & { exportable: Permission };

const endpoints = new WeakMap<Grid, ReturnType<typeof gridExport>>();
/** The export of a grid, declared once. */
function endpointOf(grid: Exportable): ReturnType<typeof gridExport> {
  const endpoint = endpoints.get(grid) ?? gridExport(grid);
  endpoints.set(grid, endpoint);
  return endpoint;
}

interface Asked {
  /** The query of the list. */
  query: GridQuery;
  /** Its columns from left to right. */
  columns: readonly string[];
  rowCount: number | undefined;
}

/** All pages of a list, in its columns and order, as a file, if the person may export it. */
export function GridExport({ grid, ...asked }: Asked & { grid: Grid }) {
  const mayExport = useMayExport(grid);
  if (!mayExport) return null;
  return <ExportRows {...asked} name={`${grid.id}.csv`} endpoint={endpointOf(grid as Exportable)} />;
}

function ExportRows({
  name,
  endpoint,
  query,
  columns,
  rowCount,
}: Asked & { name: string; endpoint: ReturnType<typeof gridExport> }) {
  const rows = useExport(endpoint, name);
  return (
    <ExportButton
      size="small"
      isRunning={rows.isRunning}
      disabled={!rowCount}
      onStart={() => rows.start({ body: { query, columns: [...columns] } })}
      onCancel={rows.cancel}
    />
  );
}
