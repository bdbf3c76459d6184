/** The base of relative paths: npm runs a command in the checkout, wherever it was called. */
export const calledFrom: string = (process.env.npm_lifecycle_event && process.env.INIT_CWD) || process.cwd();
