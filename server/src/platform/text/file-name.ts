import { withoutFormless } from '@caseway/contract/name';

/**
 * The name of a file for lists, headers and downloads: without line ends and direction marks, so that its visible
 * ending is the real one.
 */
export const nameOfFile = (given: string): string =>
  withoutFormless(given)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim() || 'file';

/** The `content-disposition` of a file that is saved under this name (RFC 8187), and never shown by the browser. */
export const attachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(nameOfFile(name)).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )}`;
