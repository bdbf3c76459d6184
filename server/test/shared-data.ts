import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of messages and tables from elsewhere, if it is beside the checkout. */
export const sharedData = [
  process.env.CASEWAY_SHARED_DATA,
  join(checkout, '../shared/data'),
  join(checkout, '../../shared/data'),
]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(join(path, 'hl7-elr')));
