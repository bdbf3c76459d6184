import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';

/** The pages of a list that is not a table, newest first; nothing if there is only one. */
export function Pages({
  page,
  pageSize,
  rowCount,
  words,
  onPage,
}: {
  /** From 0. */
  page: number;
  pageSize: number;
  rowCount: number;
  words: { newer: string; older: string; count: string };
  onPage: (page: number) => void;
}) {
  if (rowCount <= pageSize) return null;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
      <Button variant="outlined" size="small" disabled={page === 0} onClick={() => onPage(page - 1)}>
        {words.newer}
      </Button>
      <Button
        variant="outlined"
        size="small"
        disabled={(page + 1) * pageSize >= rowCount}
        onClick={() => onPage(page + 1)}
      >
        {words.older}
      </Button>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {words.count}
      </Typography>
    </Box>
  );
}
