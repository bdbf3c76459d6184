import { phoneShown } from '@caseway/contract/codes';
import Box from '@mui/material/Box';

/** Telephone numbers and email addresses as links, one per line. */
export function ContactLinks({ kind, values }: { kind: 'phone' | 'email'; values: readonly string[] }) {
  return values.map((value) => (
    <Box
      key={value}
      component="a"
      // An extension is dialed by hand.
      href={kind === 'phone' ? `tel:${value.replace(/ .*/, '')}` : `mailto:${value}`}
      sx={{ display: 'block', width: 'fit-content', maxWidth: '100%', color: 'primary.main' }}
    >
      {kind === 'phone' ? phoneShown(value) : value}
    </Box>
  ));
}
