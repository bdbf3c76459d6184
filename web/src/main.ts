import { config } from 'zod/v4/core';
import { sayUnloaded } from './loading/unloaded.ts';

// zod would compile its checks with `new Function`, which the content security policy forbids. This must be set before
// the first schema is made, so everything else is loaded after this line.
config({ jitless: true });

import('./start.tsx')
  .then(({ start }) => start())
  .catch((error: unknown) => {
    console.error(error);
    sayUnloaded();
  });
