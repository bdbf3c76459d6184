/** What goes wrong with a file that a command was given, by the code of the operating system. */
const ofFiles: Record<string, (path: string) => string> = {
  ENOENT: (path) => `There is no file ${path}, or no folder for it.`,
  ENOTDIR: (path) => `There is no file ${path}: a part of its path is no folder.`,
  EISDIR: (path) => `${path} is a folder; name a file.`,
  EACCES: (path) => `This account may not use ${path}.`,
  EPERM: (path) => `This account may not use ${path}.`,
  EROFS: (path) => `${path} is on a disk that can only be read.`,
  ENOSPC: (path) => `There is no room left on the disk of ${path}.`,
};

/** What an error says to the person at the terminal: words that were written for them, not those of Node. */
export function inWords(error: unknown): string {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  const ofFile = ofFiles[code]?.(path ?? 'what was named');
  if (ofFile) return `${ofFile[0]!.toUpperCase()}${ofFile.slice(1)}`;
  // Node goes on with advice about positional arguments.
  if (code.startsWith('ERR_PARSE_ARGS'))
    return `${message.split(/\. |\n/, 1)[0]}. --help says what it takes.`;
  return message;
}

/** Says what went wrong, in words, and lets the command end with 1. */
export function complain(error: unknown): void {
  console.error(inWords(error));
  process.exitCode = 1;
}
