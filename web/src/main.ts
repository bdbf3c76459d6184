import { config } from 'zod/v4/core';

// zod would compile its checks with `new Function`, which the content security policy forbids. It must know before
// the first schema is made; therefore everything else is loaded after this line.
config({ jitless: true });

import('./start.tsx')
  .then(({ start }) => start())
  .catch((error: unknown) => {
    console.error(error);
    // No locale has been loaded to say it in; so it is said in each language.
    const root = document.getElementById('root')!;
    if (root.childElementCount === 0)
      root.textContent =
        'Caseway could not be loaded. Reload the page. — Caseway no se pudo cargar. Vuelva a cargar la página. — Nou pa t ka chaje Caseway. Rechaje paj la.';
  });
