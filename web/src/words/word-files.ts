import type { BackendModule, ReadCallback, ResourceKey } from 'i18next';

/**
 * Reads `/locales/{language}/{namespace}.json` for i18next, which retries results marked for it: no answer,
 * or a server error. `parse` turns a file into texts. [S7.7, S8.4]
 */
export const wordFiles = (
  language: () => string,
  parse: (text: string, language: string, namespace: string) => ResourceKey,
): BackendModule => ({
  type: 'backend',
  init: () => {},
  read(of, namespace, done) {
    void readFile(`/locales/${of}/${namespace}.json`, language(), (text) => parse(text, of, namespace), done);
  },
});

async function readFile(
  path: string,
  language: string,
  parse: (text: string) => ResourceKey,
  done: ReadCallback,
): Promise<void> {
  let text: string;
  try {
    const response = await fetch(path, { headers: { 'Accept-Language': language } });
    if (!response.ok)
      return done(`failed loading ${path}; status code: ${response.status}`, response.status >= 500);
    text = await response.text();
  } catch (error) {
    return done(`failed loading ${path}: ${(error as Error).message}`, true);
  }
  let words: ResourceKey;
  try {
    words = parse(text);
  } catch {
    return done(`failed parsing ${path} to json`, false);
  }
  done(null, words);
}
