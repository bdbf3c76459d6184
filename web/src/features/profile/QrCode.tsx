import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { encode } from 'uqr';

/** A text as a QR code: black on white in both themes, as cameras need it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size: modules } = encode(text, { ecc: 'M', border: 2 });
    const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: modules, path: dark.join('') };
  }, [text]);
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      sx={{ width: 200, height: 200, borderRadius: '6px', backgroundColor: '#fff', flex: 'none' }}
    >
      <path d={path} fill="#000" />
    </Box>
  );
}
