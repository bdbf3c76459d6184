import type { EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { Provider } from 'react-redux';
import { queryClient } from './data/api.ts';
import { storageKeys } from './session/storage-keys.ts';
import { store } from './session/store.ts';
import { theme } from './theme.ts';

/** What every screen needs around it. */
export const Around = ({ styles, children }: { styles: EmotionCache; children: ReactNode }) => (
  <StrictMode>
    <CacheProvider value={styles}>
      <ThemeProvider theme={theme} modeStorageKey={storageKeys.theme} defaultMode="system">
        <CssBaseline />
        <Provider store={store}>
          <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
        </Provider>
      </ThemeProvider>
    </CacheProvider>
  </StrictMode>
);
