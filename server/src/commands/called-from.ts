/** Where relative paths begin: npm runs a command in the checkout, whatever folder it was called in. */
export const calledFrom: string = (process.env.npm_lifecycle_event && process.env.INIT_CWD) || process.cwd();
