/** A browser and a system as people call them, from the user agent; null for unknown ones. */
export function deviceOf(userAgent: string | null): { browser: string | null; system: string | null } {
  const found = (names: readonly (readonly [name: string, mark: RegExp])[]) =>
    names.find(([, mark]) => mark.test(userAgent ?? ''))?.[0] ?? null;
  return { browser: found(browsers), system: found(systems) };
}

// Some name others for compatibility, so the order matters.
const browsers = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\/|Chromium\//],
  ['Safari', /Version\/.*Safari\//],
] as const;
const systems = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['ChromeOS', /CrOS/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux/],
] as const;

export const isPhone = (system: string | null): boolean => system === 'iPhone' || system === 'Android';
