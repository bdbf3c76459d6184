/** Whether a path is that of a screen or of one below it: `/imports/codes` of `/imports`. */
export const isBelow = (path: string, screen: string): boolean =>
  path === screen || path.startsWith(`${screen}/`);
