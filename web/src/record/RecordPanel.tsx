import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';
import type { AppError } from '../data/transport.ts';
import { Answered } from '../ui/Answered.tsx';
import { SidePanel } from '../ui/SidePanel.tsx';

/** What `useApi` returns for a record. */
export interface RecordQuery<Row> {
  data: Row | undefined;
  isError: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  error: AppError | null;
  refetch: () => unknown;
}

/** The record open next to its list, in one column. The previous one stays until the next one has loaded. */
export function RecordPanel<Row extends { id: string }>({
  query,
  title,
  actions,
  onClose,
  children,
}: {
  query: RecordQuery<Row>;
  /** Its name; before it has loaded, its kind. */
  title: (row: Row | undefined) => string;
  actions?: ReactNode;
  onClose: () => void;
  children: (row: Row) => ReactNode;
}) {
  return (
    <SidePanel title={title(query.data)} onClose={onClose} actions={actions}>
      <Answered query={query} height={320}>
        {(row) => (
          <Box
            aria-busy={query.isPlaceholderData}
            sx={{
              display: 'grid',
              gap: 4,
              gridTemplateColumns: 'minmax(0, 1fr)',
              opacity: query.isPlaceholderData ? 0.6 : 1,
            }}
          >
            <Fragment key={row.id}>{children(row)}</Fragment>
          </Box>
        )}
      </Answered>
    </SidePanel>
  );
}

/** Part of a panel, with a heading. */
export function PanelPart({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Box
      component="section"
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'minmax(0, 1fr)',
        borderTop: 1,
        borderColor: 'divider',
        paddingTop: 3,
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Typography variant="body1" component="h3" sx={{ fontWeight: 650, flex: 1 }}>
          {title}
        </Typography>
        {actions}
      </Box>
      {children}
    </Box>
  );
}
