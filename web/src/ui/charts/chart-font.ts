import latinExtended from '@fontsource-variable/public-sans/files/public-sans-latin-ext-wght-normal.woff2?url';
import latin from '@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2?url';

const files = [
  { address: latin, range: 'U+0000-00FF,U+0131,U+0152-0153,U+2000-206F,U+20AC,U+2122,U+2212' },
  { address: latinExtended, range: 'U+0100-02BA,U+1E00-1E9F,U+1EF2-1EFF,U+2C60-2C7F,U+A720-A7FF' },
];

/** A file's content as base64. */
async function contentOf(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the font answered ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

let loaded: Promise<string> | undefined;

/**
 * The product's font as style rules that include its files, so that a picture looks the same on every
 * machine.
 */
export function fontFace(): Promise<string> {
  loaded ??= Promise.all(
    files.map(
      async ({ address, range }) =>
        `@font-face{font-family:"Public Sans Variable";font-weight:100 900;src:url(data:font/woff2;base64,${await contentOf(address)}) format("woff2");unicode-range:${range}}`,
    ),
  ).then((rules) => rules.join(''));
  // A failed load is retried the next time.
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}
