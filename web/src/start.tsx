import '@fontsource-variable/public-sans/wght.css';
import '@fontsource/ibm-plex-mono/latin-400.css';
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router';
import { queryClient } from './data/api.ts';
import { readNonce, readRuntimeConfig, setUiLicenseKey } from './data/runtime-config.ts';
import { sayUnloaded } from './loading/unloaded.ts';
import { AppRoutes, beginScreen } from './routes.tsx';
import { guardHistory } from './session/history-guard.ts';
import { followOtherTabs, startSession } from './session/session.ts';
import { store } from './session/store.ts';
import { currentRefreshToken } from './session/tokens.ts';
import { theme } from './theme.ts';
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
    <StrictMode>
      <CacheProvider value={styles}>
        <ThemeProvider theme={theme} modeStorageKey="caseway.theme" defaultMode="system">
          <CssBaseline />
          <Provider store={store}>
            <QueryClientProvider client={queryClient}>
              {/* The address and the screen change together: a screen that follows later would be used under another address. */}
              <BrowserRouter useTransitions={false}>
                <AppRoutes />
              </BrowserRouter>
            </QueryClientProvider>
          </Provider>
        </ThemeProvider>
      </CacheProvider>
    </StrictMode>,
  );
  await session;
}
