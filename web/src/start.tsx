import '@fontsource-variable/public-sans/wght.css';
import '@fontsource/ibm-plex-mono/latin-400.css';
import createCache from '@emotion/cache';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Around } from './Around.tsx';
import { readNonce, readRuntimeConfig, setUiLicenseKey } from './data/runtime-config.ts';
import { sayUnloaded } from './loading/unloaded.ts';
import { AppRoutes, beginScreen } from './routes.tsx';
import { guardHistory } from './session/history-guard.ts';
import { followOtherTabs, startSession } from './session/session.ts';
import { currentRefreshToken } from './session/tokens.ts';
import { showWholeTexts } from './ui/whole-text.ts';
import { startI18n } from './words/i18n.ts';
import { splitLanguage } from './words/language-of-link.ts';
import { hasWords } from './words/lost-words.ts';

/** Starts the product in the page. */
export async function start(): Promise<void> {
  const config = readRuntimeConfig();
  setUiLicenseKey(config.uiLicenseKey);
  const { path } = splitLanguage(window.location.pathname);
  const locales = startI18n(beginScreen(path, { signedIn: currentRefreshToken() !== null }));
  const session = startSession();
  followOtherTabs();
  guardHistory();
  showWholeTexts(document);
  await locales;
  if (!hasWords('common')) {
    sayUnloaded();
    return;
  }
  const nonce = readNonce();
  const styles = createCache({ key: 'cw', ...(nonce === undefined ? {} : { nonce }) });
  createRoot(document.getElementById('root')!, {
    // React then removes everything it had drawn.
    onUncaughtError: (error) => {
      console.error(error);
      sayUnloaded();
    },
  }).render(
    <Around styles={styles}>
      {/* Address and screen change together: otherwise a screen would briefly be used under another
          address. */}
      <BrowserRouter useTransitions={false}>
        <AppRoutes />
      </BrowserRouter>
    </Around>,
  );
  await session;
}
