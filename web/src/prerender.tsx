import { type Language, languages } from '@caseway/contract/session';
import createCache from '@emotion/cache';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { Around } from './Around.tsx';
import type { Door } from './loading/ahead.ts';
import type { RowsAhead } from './loading/rows-ahead.ts';
import { declaredGrids, rowsAheadOf } from './loading/rows-ahead-of.ts';
import { doorScreens, screens } from './routes.tsx';
import { startSession } from './session/session.ts';
import type { Screen } from './shell/screens.ts';
import { startI18n } from './words/i18n.ts';

/** What a page that begins with a screen loads. */
export interface ScreenParts {
  path: string;
  /** Its modules, as paths from this package's root. */
  modules: string[];
  /** The namespaces of its texts. */
  words: readonly string[];
  /** Its first request, if it is a list. */
  list?: RowsAhead | undefined;
}

/** The first forms as HTML, their styles, and the parts of every screen. */
export interface Rendered {
  screens: ScreenParts[];
  forms: { door: Door; language: Language; title: string; html: string }[];
  styles: Record<Door, string>;
}

/** The grids by their screens' paths. */
const grids = new Map(declaredGrids.map((grid) => [`/${grid.id}`, grid]));

/** The modules that a screen's load function imports, from the function's text. */
function partsOf({ path, load, words = [] }: Screen): ScreenParts {
  const grid = grids.get(path);
  return {
    path,
    modules: [...String(load).matchAll(/import\w*\("\/([^"]+)"\)/g)].map(([, module]) => module!),
    words,
    list: grid && rowsAheadOf(grid),
  };
}

/** Renders the screens of signed-out users in every language. The build writes them into the page. */
export async function render(): Promise<Rendered> {
  const i18n = await startI18n(['sign-in', 'portal']);
  await i18n.loadLanguages([...languages]);
  await startSession();
  const forms: Rendered['forms'] = [];
  const styles: Record<Door, Set<string>> = { signIn: new Set(), patientSignIn: new Set() };
  for (const language of languages) {
    await i18n.changeLanguage(language);
    for (const door of Object.keys(doorScreens) as Door[]) {
      const place = document.createElement('div');
      // Styles as text; by default, a build keeps them only in the browser's internal form.
      const cache = createCache({ key: 'cw', speedy: false });
      const root = createRoot(place);
      const Screen = doorScreens[door];
      root.render(
        <Around styles={cache}>
          <MemoryRouter>
            <Screen />
          </MemoryRouter>
        </Around>,
      );
      while (!place.querySelector('input')) await new Promise((resolve) => setTimeout(resolve, 5));
      // The title is set after the screen is shown.
      await new Promise((resolve) => setTimeout(resolve, 50));
      // The content security policy forbids style attributes; door.ts sets them.
      for (const styled of place.querySelectorAll<HTMLElement>('[style]')) {
        styled.dataset.style = styled.style.cssText;
        styled.removeAttribute('style');
      }
      forms.push({ door, language, title: document.title, html: place.innerHTML });
      for (const style of document.querySelectorAll('style[data-emotion]'))
        styles[door].add(style.textContent!);
      root.unmount();
      for (const style of document.querySelectorAll('style[data-emotion]')) style.remove();
    }
  }
  const used = (door: Door) => withoutUnusedVariables([...styles[door]].join(''));
  return {
    screens: screens.map(partsOf),
    forms,
    styles: { signIn: used('signIn'), patientSignIn: used('patientSignIn') },
  };
}

/** The theme declares hundreds of variables; a form uses only some of them. */
function withoutUnusedVariables(styles: string): string {
  const rest = styles.replaceAll(/(--cw-[\w-]+):[^;}]*;/g, (declaration, name: string) =>
    styles.includes(`var(${name})`) || styles.includes(`var(${name},`) ? declaration : '',
  );
  return rest.length < styles.length ? withoutUnusedVariables(rest) : rest;
}
