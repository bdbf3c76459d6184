import type { PaginationModel } from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { memo, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';

const pageSizes = [25, 50, 100, 200];

/** Which rows of how many, and the way to the others. */
export function GridFooter({
  model,
  rowCount,
  shown,
  hasGroups,
  onModel,
}: {
  model: PaginationModel;
  rowCount: number | undefined;
  /** Rows on this page. */
  shown: number;
  /** There are groups, and so rows, even if none is visible. */
  hasGroups: boolean;
  onModel: (model: PaginationModel) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const { page, pageSize } = model;
  const lastPage = rowCount === undefined ? page : Math.max(0, Math.ceil(rowCount / pageSize) - 1);
  const go = (to: number) => onModel({ ...model, page: to });
  const turns = [
    { label: 'grid.firstPage', icon: ChevronFirst, to: 0, off: page === 0 },
    { label: 'grid.previousPage', icon: ChevronLeft, to: page - 1, off: page === 0 },
    { label: 'grid.nextPage', icon: ChevronRight, to: page + 1, off: page >= lastPage },
    { label: 'grid.lastPage', icon: ChevronLast, to: lastPage, off: page >= lastPage },
  ] as const;
  return (
    <Box
      className="no-print"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        paddingX: 3,
        paddingY: 1,
        borderTop: 1,
        borderColor: 'divider',
        position: 'relative',
        backgroundColor: 'surface',
      }}
    >
      <Typography role="status" variant="body2" sx={{ color: 'text.secondary' }}>
        {rowCount === undefined
          ? ''
          : shown === 0
            ? t(hasGroups ? 'grid.allClosed' : 'grid.noRows')
            : t('grid.rows', {
                from: formats.count(page * pageSize + 1),
                to: formats.count(page * pageSize + shown),
                number: formats.count(rowCount),
                count: rowCount,
              })}
      </Typography>
      <Box sx={{ flex: 1 }} />
      <Box sx={{ display: { xs: 'none', sm: 'flex' }, alignItems: 'center', gap: 2 }}>
        <Typography component="label" htmlFor={id} variant="body2" sx={{ color: 'text.secondary' }}>
          {t('grid.pageSize')}
        </Typography>
        <PageSize id={id} pageSize={pageSize} onModel={onModel} />
      </Box>
      <Box component="nav" aria-label={t('grid.pages')} sx={{ display: 'flex', alignItems: 'center' }}>
        {turns.slice(0, 2).map((turn) => (
          <Turn key={turn.label} {...turn} label={t(turn.label)} onGo={go} />
        ))}
        <Typography variant="body2" sx={{ color: 'text.secondary', paddingX: 1, whiteSpace: 'nowrap' }}>
          {t('grid.page', { page: formats.count(page + 1), pages: formats.count(lastPage + 1) })}
        </Typography>
        {turns.slice(2).map((turn) => (
          <Turn key={turn.label} {...turn} label={t(turn.label)} onGo={go} />
        ))}
      </Box>
    </Box>
  );
}

/** Separate, because another page does not change it. */
const PageSize = memo(function PageSize({
  id,
  pageSize,
  onModel,
}: {
  id: string;
  pageSize: number;
  onModel: (model: PaginationModel) => void;
}) {
  return (
    <NativeSelect
      value={pageSize}
      onChange={(event) => onModel({ page: 0, pageSize: Number(event.target.value) })}
      input={<OutlinedInput id={id} sx={{ minHeight: 32, fontSize: '0.8125rem' }} />}
    >
      {[...new Set([...pageSizes, pageSize])]
        .sort((a, b) => a - b)
        .map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
    </NativeSelect>
  );
});

function Turn({
  label,
  icon: Icon,
  to,
  off,
  onGo,
}: {
  label: string;
  icon: typeof ChevronFirst;
  to: number;
  off: boolean;
  onGo: (page: number) => void;
}) {
  return (
    <IconButton size="small" aria-label={label} disabled={off} onClick={() => onGo(to)}>
      <Icon size={16} />
    </IconButton>
  );
}
