import type { i18n as I18n } from 'i18next';
import { outsideValue } from '../data/outside-value.ts';

/*
 * Translation files that failed after every retry. [S8.4] A file that failed in the chosen language is
 * replaced by English; if that failed too, the screen says so instead of showing keys. All of them are
 * requested again when the connection is back, and every half minute.
 */

const againMs = 30_000;
/** `language/namespace` of each failed file. */
const lost = new Set<string>();
/** Namespaces without any texts that something on the screen needs. */
const missed = new Set<string>();

/** The language and namespace of a file: `es`, `dashboards/testing`. */
export function partsOf(file: string): [language: string, namespace: string] {
  const at = file.indexOf('/');
  return [file.slice(0, at), file.slice(at + 1)];
}

/** Whether English replaces a missing translation, and whether a screen has no texts at all. */
const state = outsideValue({ fallenBack: false, wordless: false });

let instance: I18n | undefined;

/** Watches the translation files of `i18next` from now on. */
export function watchWords(i18next: I18n): void {
  instance = i18next;
  i18next.on('failedLoading', (language: string, namespace: string, reason: string) => {
    console.error(`the words of ${namespace} in ${language} did not load: ${reason}`);
    lost.add(`${language}/${namespace}`);
    settle();
  });
  i18next.on('languageChanged', settle);
  window.addEventListener('online', () => void loadWordsAgain());
  setInterval(() => void loadWordsAgain(), againMs);
}

/** A translation file has loaded. */
export function noteWords(language: string, namespace: string): void {
  if (!lost.delete(`${language}/${namespace}`)) return;
  if (hasWords(namespace)) missed.delete(namespace);
  settle();
}

/** Whether a namespace has texts, in the current language or its fallback. */
export const hasWords = (namespace: string): boolean =>
  !lost.has(`${instance?.language}/${namespace}`) || !lost.has(`en/${namespace}`);

export const wordsAreLost = (): boolean => lost.size > 0;

/** Something on the screen needs missing texts. */
export function noteMissed(namespace: string): void {
  if (hasWords(namespace) || missed.has(namespace)) return;
  missed.add(namespace);
  // This happens while React renders, when state may not be set.
  queueMicrotask(settle);
}

/** For another screen: the previous one's missing texts do not matter to it. */
export function forgetMissed(): void {
  missed.clear();
  settle();
}

/** Requests every failed file again, and shows those that load. */
export async function loadWordsAgain(): Promise<void> {
  if (lost.size === 0 || !instance) return;
  const wanted = [...lost].map(partsOf);
  await Promise.all(
    wanted.map(([language, namespace]) => instance!.reloadResources([language], [namespace])),
  );
  if (wanted.some(([language, namespace]) => !lost.has(`${language}/${namespace}`)))
    await instance.changeLanguage(instance.language);
}

function settle(): void {
  const next = {
    fallenBack: [...lost].some((file) => file.startsWith(`${instance?.language}/`)),
    wordless: missed.size > 0,
  };
  const { fallenBack, wordless } = state.get();
  if (next.fallenBack !== fallenBack || next.wordless !== wordless) state.set(next);
}

/** Which texts are missing on this screen. */
export const useLostWords = state.use;
