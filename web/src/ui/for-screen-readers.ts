/** The style of a text that only screen readers get. Its surroundings are positioned, or it makes the page longer. */
export const forScreenReaders = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;
