// Prints the first forms as HTML, and what each screen loads, for vite.config.ts. A process of its own: it pretends to be a browser.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import { builtinEnvironments } from 'vitest/runtime';
import type { Rendered } from './src/prerender.tsx';

await builtinEnvironments.jsdom.setup(globalThis, {
  jsdom: {
    url: 'https://localhost/',
    // What only some pages offer is part of each form; the page removes it (loading/door.ts).
    html: `<meta name="caseway-config" content='{"demo":true,"demoMessages":true}'>`,
  },
});
Object.assign(globalThis, {
  PublicKeyCredential: class {},
  isSecureContext: true,
  ResizeObserver: class {
    observe() {}
    disconnect() {}
  },
  fetch: async (address: string) =>
    new Response(await readFile(path.join(import.meta.dirname, 'public', address), 'utf8')),
});

const vite = await createServer({
  configFile: false,
  root: import.meta.dirname,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  plugins: [react()],
});
const { render } = (await vite.ssrLoadModule('/src/prerender.tsx')) as {
  render: () => Promise<Rendered>;
};
process.stdout.write(JSON.stringify(await render()), () => process.exit());
