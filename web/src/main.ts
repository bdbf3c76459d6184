import { config } from 'zod/v4/core';
import { sayUnloaded } from './loading/unloaded.ts';

// zod would compile its checks with `new Function`, which the content security policy forbids. This must
// be set before the first schema is created, so everything else is imported after this line.
config({ jitless: true });

import('./start.tsx')
  .then(({ start }) => start())
  .catch((error: unknown) => {
    console.error(error);
    sayUnloaded();
  });
