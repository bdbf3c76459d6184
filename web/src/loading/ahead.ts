import type { storageKeys } from '../session/storage-keys.ts';
import type { RowsAhead } from './rows-ahead.ts';

/** Where a page begins: sign-in of staff or of patients, the portal, or the shell. */
export type Beginning = 'signIn' | 'patientSignIn' | 'portal' | 'shell';

/** How a page begins. */
export interface Begun {
  beginning: Beginning;
  language: string;
  /** The list it shows. */
  list?: RowsAhead | undefined;
}

/** The beginnings whose first form is part of the page itself (door.ts). */
export type Door = 'signIn' | 'patientSignIn';

export interface Ahead {
  /** The files of each beginning, as paths from the root. */
  files: Readonly<Record<Beginning, readonly string[]>>;
  /** The namespaces of its texts. */
  words: Readonly<Record<Beginning, readonly string[]>>;
  /**
   * The shell's screens: path, positions of its files in `screenFiles`, namespaces of its texts, and a list's
   * first request.
   */
  screens: readonly {
    path: string;
    files: readonly number[];
    words: readonly string[];
    list?: RowsAhead | undefined;
  }[];
  screenFiles: readonly string[];
  languages: readonly string[];
  keys: typeof storageKeys;
}

/**
 * Preloads what the page needs after its first script, so that the browser fetches everything at once. On a
 * slow line, each round trip that waits for another costs more than its bytes. Marks on the document element
 * in which language and theme the page begins, and with which form if no one is signed in.
 *
 * The build writes this function into index.html as text, so it may not use anything outside itself.
 */
export function fetchAhead({ files, words, screens, screenFiles, languages, keys }: Ahead): Begun {
  const read = (open: () => Storage, key: string): string | null => {
    try {
      return open().getItem(key);
    } catch {
      // A browser that blocks its storage has nothing in it.
      return null;
    }
  };
  const ofTab = (key: string) => read(() => window.sessionStorage, key);
  const ofBrowser = (key: string) => read(() => window.localStorage, key);
  const parts = window.location.pathname.split('/');
  const linked = languages.find((one) => one === parts[1]);
  const door = linked ? parts[2] : parts[1];
  const atPatientDoor = door === 'portal' || door === 'patient';
  const signedIn =
    ofTab(keys.refreshToken) || ofBrowser(atPatientDoor ? keys.patientToken : keys.refreshToken);
  const beginning = atPatientDoor ? (signedIn ? 'portal' : 'patientSignIn') : signedIn ? 'shell' : 'signIn';
  const wanted = [ofBrowser(keys.locale), linked, ofTab(keys.linkedLocale)];
  const language = wanted.find((one) => one && languages.includes(one)) ?? 'en';
  // English is always loaded, as the fallback for missing texts.
  const localesOf = (namespaces: readonly string[]) =>
    [...new Set([language, 'en'])].flatMap((one) =>
      namespaces.map((namespace) => `locales/${one}/${namespace}.json`),
    );
  const steps = parts.slice(linked ? 2 : 1).filter((step) => step !== '');
  const matches = (path: string) => {
    const wanted = path.split('/').filter((step) => step !== '');
    return (
      wanted.length === steps.length &&
      wanted.every((step, index) => step.startsWith(':') || step === steps[index])
    );
  };
  const shown = beginning === 'shell' ? screens.find(({ path }) => matches(path)) : undefined;
  const page = document.documentElement;
  page.lang = language;
  const mode = ofBrowser(keys.theme);
  const isDark =
    mode === 'dark' || (mode !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  page.dataset.theme = isDark ? 'dark' : 'light';
  if (!signedIn && !(steps[0] === 'sign-in' && steps.length > 1)) {
    page.dataset.door = beginning;
    page.dataset.language = language;
  }
  const begun = [...files[beginning], ...localesOf(words[beginning])];
  const ofScreen = shown
    ? [...shown.files.map((place) => screenFiles[place]!), ...localesOf(shown.words)]
    : [];
  for (const file of [...begun, ...ofScreen]) {
    const link = document.createElement('link');
    link.setAttribute('rel', 'preload');
    link.setAttribute('as', 'fetch');
    link.setAttribute('crossorigin', 'anonymous');
    link.setAttribute('href', `/${file}`);
    // A browser sends six requests at a time: the session and the first script come before the screen.
    if (!begun.includes(file)) link.setAttribute('fetchpriority', 'low');
    document.head.append(link);
  }
  return { beginning, language, list: shown?.list };
}
