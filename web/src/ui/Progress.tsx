import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { useFormats } from '../words/formats.ts';

/** The progress of something: a share from 0 to 1, or null while unknown. */
export function Progress({
  label,
  value,
  detail,
}: {
  label: string;
  value: number | null;
  /** What is being done, or how much of it: "12,400 of 60,000 messages". */
  detail?: ReactNode;
}) {
  const formats = useFormats();
  const id = useId();
  const share = value === null ? null : Math.max(0, Math.min(1, value));
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 3 }}>
        <Typography id={id} variant="body1" sx={{ fontWeight: 550 }}>
          {label}
        </Typography>
        {share === null ? null : (
          <Typography variant="body1" sx={{ color: 'text.secondary' }}>
            {formats.wholeShare(share)}
          </Typography>
        )}
      </Box>
      <LinearProgress
        aria-labelledby={id}
        variant={share === null ? 'indeterminate' : 'determinate'}
        {...(share === null ? {} : { value: Math.floor(share * 100) })}
      />
      {detail ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {detail}
        </Typography>
      ) : null}
    </Box>
  );
}
