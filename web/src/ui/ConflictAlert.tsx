import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';

/** What someone else has saved while this form was open; nothing if there is no such change. */
export function ConflictAlert({ text, changes }: { text: string; changes: readonly string[] }) {
  if (changes.length === 0) return null;
  return (
    <Alert severity="warning">
      {text}
      <Box component="ul" sx={{ margin: 0, paddingLeft: 5 }}>
        {changes.map((change) => (
          <Box component="li" key={change} sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {change}
          </Box>
        ))}
      </Box>
    </Alert>
  );
}
