import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, type RenderResult, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { queryClient } from '../data/api.ts';
import { store } from '../session/store.ts';
import { theme } from '../theme.ts';

// Styles are in no document: jsdom would recompute them for every query of an element.
const styles = createCache({ key: 'test', container: document.createElement('div') });

/** Renders a part of the product with everything that surrounds it in the page. */
export function renderInApp(part: ReactNode, { path = '/' }: { path?: string } = {}): RenderResult {
  return render(
    <CacheProvider value={styles}>
      <ThemeProvider theme={theme}>
        <Provider store={store}>
          <QueryClientProvider client={queryClient}>
            <MemoryRouter initialEntries={[path]}>{part}</MemoryRouter>
          </QueryClientProvider>
        </Provider>
      </ThemeProvider>
    </CacheProvider>,
  );
}

/** Keeps notifications on screen: they stay while a pointer moves over them, otherwise for five seconds. */
export function holdNotifications(): void {
  const move = new MouseEvent('mousemove', { bubbles: true });
  Object.defineProperties(move, { movementX: { value: 2 }, movementY: { value: 0 } });
  fireEvent(screen.getByRole('region', { name: /^Notifications/, hidden: true }), move);
}
