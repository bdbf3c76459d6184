import { load } from '../server/test/load.ts';
import { freePort } from '../server/test/port.ts';
import { dataFolder, makeSmallDemo, Product } from './product.ts';

/** Starts the product with its demo, in its own data folder; returns a function that stops it. */
export default async function startServer(): Promise<() => Promise<void>> {
  const { dataDir, remove } = await dataFolder();
  if (load(true, false)) await makeSmallDemo(dataDir);
  // A recovery code can be used immediately: no one waits for an hour here.
  const product = await Product.start(dataDir, await freePort(), {
    RECOVERY_WAIT_MINUTES: '0',
    VIDEO_URL: 'https://meet.example.test',
  });
  process.env.CASEWAY_E2E_URL = product.url;
  process.env.CASEWAY_E2E_DATA_DIR = dataDir;
  return async () => {
    try {
      await product.stop();
    } finally {
      await remove();
    }
  };
}
