/** A card of the home screen that is a link. */
export const card = {
  width: '100%',
  height: '100%',
  display: 'block',
  textAlign: 'left',
  padding: 4,
  borderRadius: '10px',
  border: 1,
  borderColor: 'divider',
  backgroundColor: 'surface',
  '&:hover': { borderColor: 'control' },
} as const;
