import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Skeleton from '@mui/material/Skeleton';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { ChartColumn, Download, Table2 } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { saveFile } from '../../data/api.ts';
import { fontFace } from './chart-font.ts';
import { type ChartTable, chartCsv, chartPng, chartSvg, shownIn } from './export-chart.ts';
import { PaperContext, picturePaper, printPaper, usePrinting } from './paper.ts';

/**
 * The frame of every chart: title, unit and period, the chart or its table, and its exports. A chart is never
 * the only form of its numbers.
 */
export function ChartFrame({
  title,
  subtitle,
  notes = [],
  context,
  table,
  fileName,
  empty,
  names = 'ready',
  onRetryNames,
  onFailure,
  hrefOf,
  tools,
  children,
}: {
  title: string;
  /** Unit, period and n. */
  subtitle: string;
  /** What a reader must know: withheld numbers, incomplete weeks. */
  notes?: readonly string[];
  /** The active filters and the as-of time; included in every export. */
  context: readonly string[];
  table: ChartTable;
  /** Without its extension. */
  fileName: string;
  /** Replaces the chart if there is nothing to draw. */
  empty?: string;
  /** Whether the labels are loaded. Without them nothing is drawn or exported. */
  names?: 'ready' | 'loading' | 'failed';
  onRetryNames?: () => void;
  onFailure: (message: string) => void;
  /** The address of the records of a table row. */
  hrefOf?: ((index: number) => string | undefined) | undefined;
  /** More options of the chart. */
  tools?: ReactNode;
  /** Absent if there is only the table. */
  children?: ReactNode;
}) {
  const { t } = useTranslation(['charts', 'common']);
  const { vars } = useTheme();
  const heading = useId();
  const body = useRef<HTMLDivElement>(null);
  const [tableChosen, setAsTable] = useState(false);
  const asTable = tableChosen || children === undefined;
  const [menuAt, setMenuAt] = useState<HTMLElement | null>(null);
  const caption = { title, lines: [subtitle, ...context, ...notes] };

  const [exporting, setExporting] = useState(false);
  const printing = usePrinting();
  const paper = exporting ? picturePaper : printing ? printPaper : null;

  /** The chart as drawn for a picture, whatever the screen size. */
  const picture = async () => {
    const face = await fontFace();
    const element = body.current!;
    flushSync(() => setExporting(true));
    try {
      const { color, fontFamily } = getComputedStyle(element);
      const { backgroundColor } = getComputedStyle(element.parentElement!);
      return chartSvg(element, caption, {
        background: backgroundColor,
        text: color,
        family: fontFamily,
        fontFace: face,
      });
    } finally {
      flushSync(() => setExporting(false));
    }
  };
  const save = async (kind: 'csv' | 'svg' | 'png') => {
    setMenuAt(null);
    if (kind === 'csv') return saveFile(chartCsv(caption, table), `${fileName}.csv`);
    try {
      const page = await picture();
      saveFile(
        kind === 'svg' ? new Blob([page.svg], { type: 'image/svg+xml' }) : await chartPng(page),
        `${fileName}.${kind}`,
      );
    } catch (error) {
      console.error('the chart could not be saved', error);
      onFailure(t('chart.picture-failed'));
    }
  };

  return (
    <Box
      component="section"
      aria-labelledby={heading}
      sx={{
        backgroundColor: vars!.palette.surface,
        border: `1px solid ${vars!.palette.divider}`,
        borderRadius: '10px',
        padding: 4,
        minWidth: 0,
        breakInside: 'avoid',
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 2, marginBottom: 3 }}>
        <Box sx={{ flex: '1 1 12rem', minWidth: 0 }}>
          <Typography variant="h3" component="h3" id={heading}>
            {title}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {subtitle}
          </Typography>
        </Box>
        {empty === undefined && names === 'ready' && (
          <Box sx={{ display: 'flex', alignItems: 'center', '@media print': { display: 'none' } }}>
            {tools}
            {children !== undefined && (
              <IconButton
                size="small"
                aria-label={t(asTable ? 'chart.as-chart' : 'chart.as-table', { title })}
                aria-pressed={asTable}
                onClick={() => setAsTable(!asTable)}
              >
                {asTable ? <ChartColumn size={18} aria-hidden /> : <Table2 size={18} aria-hidden />}
              </IconButton>
            )}
            <IconButton
              size="small"
              aria-label={t('chart.download', { title })}
              aria-haspopup="menu"
              onClick={(event) => setMenuAt(event.currentTarget)}
            >
              <Download size={18} aria-hidden />
            </IconButton>
            <Menu anchorEl={menuAt} open={menuAt !== null} onClose={() => setMenuAt(null)}>
              <MenuItem onClick={() => save('csv')}>CSV</MenuItem>
              <MenuItem disabled={asTable} onClick={() => save('svg')}>
                SVG
              </MenuItem>
              <MenuItem disabled={asTable} onClick={() => save('png')}>
                PNG
              </MenuItem>
            </Menu>
          </Box>
        )}
      </Box>
      <Box ref={body}>
        {empty !== undefined ? (
          <Typography variant="body2" sx={{ color: 'text.secondary', paddingBlock: 8, textAlign: 'center' }}>
            {empty}
          </Typography>
        ) : names === 'loading' ? (
          <Skeleton variant="rounded" height={220} role="status" aria-label={t('common:state.loading')} />
        ) : names === 'failed' ? (
          <Box sx={{ paddingBlock: 8, display: 'grid', gap: 2, justifyItems: 'center' }}>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('chart.names-failed')}
            </Typography>
            <Button variant="outlined" size="small" onClick={onRetryNames}>
              {t('common:action.retry')}
            </Button>
          </Box>
        ) : asTable ? (
          <NumbersTable caption={title} table={table} hrefOf={hrefOf} />
        ) : (
          <PaperContext value={paper}>{children}</PaperContext>
        )}
      </Box>
      {notes.map((note) => (
        <Typography key={note} variant="caption" component="p" sx={{ color: 'text.secondary', marginTop: 1 }}>
          {note}
        </Typography>
      ))}
    </Box>
  );
}

function NumbersTable({
  caption,
  table,
  hrefOf,
}: {
  caption: string;
  table: ChartTable;
  hrefOf?: ((index: number) => string | undefined) | undefined;
}) {
  return (
    <Box
      tabIndex={0}
      // Not a region, because the frame is one of the same name.
      role="group"
      aria-label={caption}
      sx={{
        // Keeps the hidden caption inside: positioned by the page, it would make the page as long as the list
        // scrolls.
        position: 'relative',
        overflow: 'auto',
        maxHeight: 380,
        // A shadow at edges with more content beyond, covered at the end of the content.
        background: ({ vars: { palette } }) => {
          const edge = `color-mix(in srgb, ${palette.control} 45%, transparent)`;
          return [
            `linear-gradient(to left, ${palette.surface} 40%, transparent) right / 32px 100% no-repeat local`,
            `linear-gradient(to top, ${palette.surface} 40%, transparent) bottom / 100% 32px no-repeat local`,
            `linear-gradient(to left, ${edge}, transparent) right / 8px 100% no-repeat scroll`,
            `linear-gradient(to top, ${edge}, transparent) bottom / 100% 8px no-repeat scroll`,
          ].join(', ');
        },
        // Paper does not scroll.
        '@media print': { overflow: 'visible', maxHeight: 'none', background: 'none' },
        '& table': {
          borderCollapse: 'collapse',
          width: '100%',
          fontSize: '0.8125rem',
          fontVariantNumeric: 'tabular-nums',
        },
        '& th, & td': {
          padding: '4px 8px',
          borderBottom: '1px solid',
          borderColor: 'divider',
          textAlign: 'right',
        },
        // Headings and names wrap before the numbers leave the screen.
        '& thead th': {
          position: 'sticky',
          top: 0,
          zIndex: 1,
          backgroundColor: 'surface',
          fontWeight: 550,
          verticalAlign: 'bottom',
        },
        // Names stay next to the numbers while scrolling.
        '& th:first-of-type': {
          position: 'sticky',
          left: 0,
          backgroundColor: 'surface',
          textAlign: 'left',
          minWidth: '6.5em',
        },
        '& thead th:first-of-type': { zIndex: 2 },
        '& tbody th': { fontWeight: 'inherit' },
      }}
    >
      <table>
        <caption
          style={{ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' }}
        >
          {caption}
        </caption>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table have no other identity
            <tr key={index}>
              {row.map((cell, column) => {
                const key = table.columns[column];
                if (column > 0) return <td key={key}>{shownIn(cell)}</td>;
                const href = hrefOf?.(index);
                return (
                  <th key={key} scope="row">
                    {href === undefined ? (
                      shownIn(cell)
                    ) : (
                      <Link component={RouterLink} to={href}>
                        {shownIn(cell)}
                      </Link>
                    )}
                  </th>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
