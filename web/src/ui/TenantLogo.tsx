import Box from '@mui/material/Box';
import { type ReactNode, useState } from 'react';

/**
 * The logo of a tenant on white, for which logos are drawn, in a dark theme too. `name`: what it says, empty where the
 * name is next to it; `instead` is shown if it does not load.
 */
export function TenantLogo({
  address,
  name,
  height,
  width,
  instead = null,
}: {
  address: string;
  name: string;
  /** In pixels, the plate included. */
  height: number;
  /** The largest, in pixels. */
  width: number;
  instead?: ReactNode;
}) {
  const [failed, setFailed] = useState<string | null>(null);
  if (failed === address) return instead;
  return (
    <Box
      component="img"
      src={address}
      alt={name}
      onError={() => setFailed(address)}
      sx={{
        flex: 'none',
        height,
        maxWidth: width,
        padding: '2px',
        boxSizing: 'border-box',
        objectFit: 'contain',
        borderRadius: '4px',
        backgroundColor: '#fff',
      }}
    />
  );
}
