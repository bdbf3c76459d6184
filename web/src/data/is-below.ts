/** Whether a path is a screen's or below it: `/imports/codes` of `/imports`. */
export const isBelow = (path: string, screen: string): boolean =>
  path === screen || path.startsWith(`${screen}/`);
