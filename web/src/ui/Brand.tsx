import Box from '@mui/material/Box';

/** The product's logo. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <Box component="svg" viewBox="0 0 32 32" width={size} height={size} aria-hidden sx={{ flex: 'none' }}>
      <Box
        component="rect"
        width="32"
        height="32"
        rx="8"
        sx={{ fill: (theme) => theme.vars.palette.primary.main }}
      />
      <Box
        component="path"
        d="M22 11.5A7.5 7.5 0 1 0 22 20.5"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        sx={{ stroke: (theme) => theme.vars.palette.primary.contrastText }}
      />
      <Box
        component="circle"
        cx="22.5"
        cy="16"
        r="2.5"
        sx={{ fill: (theme) => theme.vars.palette.primary.contrastText }}
      />
    </Box>
  );
}
