/** The look of a card, list or table; spread into `sx`. */
export const framed = {
  border: 1,
  borderColor: 'divider',
  borderRadius: '10px',
  backgroundColor: 'surface',
} as const;
