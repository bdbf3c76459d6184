import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = `http://localhost:${process.env.PORT ?? 8080}`;

/** What everybody begins with, and what follows it: signing in, or the shell. */
const begin = ['src/start.tsx', 'src/shell/Main.tsx'];
const signIn = ['src/features/sign-in/SignIn.tsx', 'src/features/sign-in/SignInForm.tsx'];
const shell = ['src/shell/Shell.tsx'];

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * The file that a module goes into, by its id; none for what is left to the bundler. What is always needed is one file,
 * and what the shell adds another: they pack a twentieth smaller than the fifty it would be, and are asked for once.
 */
function filesOf(modules: Modules): ReadonlyMap<string, string> {
  const ofSignIn = withAllTheyImport(signIn, modules);
  const ofShell = [...withAllTheyImport(shell, modules)];
  const ofBoth = ofShell.filter((id) => ofSignIn.has(id));
  return new Map([
    ...ofShell.map((id) => [id, 'shell'] as const),
    ...[...withAllTheyImport(begin, modules), ...ofBoth].map((id) => [id, 'first'] as const),
  ]);
}

function withAllTheyImport(roots: readonly string[], modules: Modules): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = roots.map((file) => path.join(import.meta.dirname, file));
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    // Icons come from one list of all; each stays with the screens that show it.
    if (reached.has(id) || /[\\/](zod|lucide-react)[\\/]/.test(id) || id.startsWith('\0')) continue;
    reached.add(id);
    waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

let files: ReadonlyMap<string, string> | undefined;

/** The bundler's module that every `import()` goes through in a build, and what takes its place. */
const preloadHelper = '\0vite/preload-helper.js';
const loader = path.join(import.meta.dirname, 'src/load-parts.ts');
const retriedImports: Plugin = {
  name: 'caseway-retried-imports',
  apply: 'build',
  enforce: 'pre',
  // What main.ts loads at once comes with the page, as something to fetch: a module that is named here and does not
  // come would be remembered as failed.
  transformIndexHtml: (_html, { bundle = {} }) =>
    Object.keys(bundle)
      .filter((file) => /^assets\/first-[^/]+\.(js|css)$/.test(file))
      .map((file) => ({
        tag: 'link',
        attrs: { rel: 'preload', as: 'fetch', crossorigin: true, href: `/${file}` },
        injectTo: 'head' as const,
      })),
  load: (id) =>
    id === preloadHelper ? `export { loadParts as __vitePreload } from ${JSON.stringify(loader)};` : null,
};

export default defineConfig({
  plugins: [react(), retriedImports],
  // Served from the root path. [S2.4]
  base: '/',
  build: {
    target: 'es2023',
    // The content security policy allows no data: addresses for fonts and images.
    assetsInlineLimit: 0,
    // The county shapes of the map are the largest; they come with the map alone.
    chunkSizeWarningLimit: 900,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // By itself, so that main.ts can set it up before anything makes a schema.
            { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]/, priority: 2 },
            // By itself too: main.ts loads the rest through it, and says so when the rest does not come.
            { name: 'load', test: /(load-parts|unloaded)\.ts$/, priority: 3 },
            {
              debugName: 'together',
              name(id, modules) {
                files ??= filesOf(modules);
                return files.get(id) ?? null;
              },
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    port: Number(process.env.WEB_PORT ?? 5173),
    proxy: { '/api': server, '/auth': server },
  },
});
