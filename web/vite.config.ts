import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import react from '@vitejs/plugin-react';
import { defineConfig, type IndexHtmlTransformContext, type Plugin } from 'vite';
import { initUser, languages, refreshTokens } from '../contract/src/session.ts';
import { workerFile } from './src/kept/program.ts';
import { type Ahead, fetchAhead } from './src/loading/ahead.ts';
import { showDoor } from './src/loading/door.ts';
import { startWithoutNetwork } from './src/loading/offline-worker.ts';
import { askRowsAhead } from './src/loading/rows-ahead.ts';
import { renewAhead, type SessionAddresses } from './src/loading/session-ahead.ts';
import type { Rendered, ScreenParts } from './src/prerender.tsx';
import { renewalLock, storageKeys } from './src/session/storage-keys.ts';

const server = `http://localhost:${process.env.PORT ?? 8080}`;

/** What everybody begins with, and what follows it: signing in, the patients' portal, or the shell. */
const begin = ['src/start.tsx', 'src/shell/Main.tsx'];
const signIn = ['src/features/sign-in/SignIn.tsx', 'src/features/sign-in/SignInForm.tsx'];
const patientSignIn = ['src/features/portal/Portal.tsx'];
const ownRecord = ['src/features/portal/OwnRecord.tsx'];
const shell = ['src/shell/Shell.tsx'];
/** What the shell opens over itself, fetched ahead all at once (shell/panels.ts). */
const panels = [
  'Palette',
  'KeysDialog',
  'OrgPanel',
  'NotificationPanel',
  'UserPanel',
  'SessionExpiredDialog',
  'SessionEndingDialog',
  'LeaveDialog',
  'ConfirmIdentityDialog',
  'WhyDialog',
].map((name) => `src/shell/${name}.tsx`);
/** The one that patients open too. */
const languagePanel = ['src/shell/LanguagePanel.tsx'];
const home = ['src/features/home/Home.tsx'];
const cases = ['src/features/case-reports/CaseReports.tsx'];
/** Other screens that are a list with its filters, as that of cases is. */
const otherLists = ['src/features/audit/Audit.tsx', 'src/features/field-visits/FieldVisits.tsx'];

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[]; code: string | null } | null;
}

/**
 * The modules of each file, by their ids; what is in none is left to the bundler. Left alone it would make a file of
 * every few modules that two screens share: over a slow line sixty requests for one screen, half of whose bytes are
 * headers. What is needed together is one file, and nobody loads a file for a part of it that is large:
 * - `first` always, `shell` signed in, `panels` after that. `first` has three parts: a slow line is shared among six files,
 *   so as one it would come last, and could not run while the files of the screen are on their way;
 * - `door` to sign in, as staff or as a patient;
 * - `fields` to sign in and by lists, which home does without;
 * - `days` by home and the portal of patients, `parts` by home and lists, `shown` by patients, lists and panels, `menus` by
 *   lists and the menu of languages, `list` by screens that are one.
 * Icons are a few hundred bytes each, and as many for the headers of a file of its own: they come with `first` or `shell`
 * where these or home draw them, and the others are one file, `icons`.
 */
function filesOf(modules: Modules): ReadonlyMap<string, ReadonlySet<string>> {
  const reach = (...roots: string[][]) => withAllTheyImport(roots.flat(), modules);
  const both = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...some].filter((id) => others.has(id));
  const [ofShell, ofPortal] = [reach(shell), reach(patientSignIn, ownRecord)];
  const ofDoor = new Set([...reach(signIn), ...both(reach(patientSignIn), reach(ownRecord))]);
  const [ofHome, ofCases, ofPanels] = [reach(home), reach(cases), reach(panels)];
  const iconsOf = iconsIn(modules);
  const first = new Set([
    ...reach(begin),
    ...both(ofShell, ofDoor),
    ...both(ofShell, ofPortal),
    ...both(ofHome, ofDoor),
    ...iconsOf(reach(begin), ofDoor, ofPortal, reach(languagePanel)),
  ]);
  const ofPackages = (...names: string[]) =>
    new Set([...first].filter((id) => names.some((name) => id.includes(`/node_modules/${name}/`))));
  // The first that names a module has it, with all that it imports.
  return new Map<string, ReadonlySet<string>>([
    ['first-react', ofPackages('react', 'react-dom', 'scheduler')],
    ['first-look', ofPackages('@mui', '@emotion', 'stylis')],
    ['first', first],
    ['shell', new Set([...ofShell, ...iconsOf(ofShell, ofHome)])],
    ['fields', new Set(both(ofCases, ofDoor))],
    ['days', new Set(both(ofHome, ofPortal))],
    ['parts', new Set(both(ofHome, ofCases))],
    ['door', ofDoor],
    ['shown', new Set(both(ofPortal, new Set([...ofCases, ...ofPanels])))],
    ['menus', new Set(both(reach(languagePanel), new Set([...ofCases, ...ofPanels])))],
    ['list', new Set([...both(ofCases, reach(otherLists)), ...iconsOf(ofCases)])],
    ['panels', new Set(panels.map((file) => path.join(import.meta.dirname, file)))],
  ]);
}
const fileNames = [
  'first-react',
  'first-look',
  'first',
  'shell',
  'fields',
  'days',
  'parts',
  'door',
  'shown',
  'menus',
  'list',
  'panels',
  'icons',
];
const isIcon = (id: string) => /[\\/]lucide-react[\\/].*[\\/]icons[\\/]/.test(id);

function withAllTheyImport(roots: readonly string[], modules: Modules): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = roots.map((file) => path.join(import.meta.dirname, file));
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    // Icons come from one list of all that the package has.
    if (reached.has(id) || /[\\/](zod|lucide-react)[\\/]/.test(id) || id.startsWith('\0')) continue;
    reached.add(id);
    waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

/**
 * The files of the icons that modules of ours import. They import them from one list of all that the package has, so
 * that only the names in their text say which.
 */
function iconsIn(modules: Modules): (...sets: ReadonlySet<string>[]) => string[] {
  const byName = new Map<string, string>();
  const readList = (list: string) => {
    for (const [, names, file] of modules
      .getModuleInfo(list)!
      .code!.matchAll(/export \{([^}]*)\} from '(\.\/icons\/[^']+)'/g))
      for (const [, name] of names!.matchAll(/default as (\w+)/g))
        byName.set(name!, path.join(path.dirname(list), file!));
  };
  return (...sets) =>
    sets
      .flatMap((set) => [...set])
      .flatMap((id) => {
        const { importedIds, code } = modules.getModuleInfo(id)!;
        const list = importedIds.find((imported) => /[\\/]lucide-react\.mjs$/.test(imported));
        if (list === undefined) return [];
        if (byName.size === 0) readList(list);
        return [...code!.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g)].flatMap(
          ([, names]) => names!.split(',').flatMap((name) => byName.get(name.trim().split(/\s/)[0]!) ?? []),
        );
      });
}

let files: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** The bundler's module that every `import()` goes through in a build, and what takes its place. */
const preloadHelper = '\0vite/preload-helper.js';
const loader = path.join(import.meta.dirname, 'src/loading/load-parts.ts');
const retriedImports: Plugin = {
  name: 'caseway-retried-imports',
  apply: 'build',
  enforce: 'pre',
  // What main.ts loads at once comes with the page, and so does what follows it. It is something to fetch: a module that
  // is named here and does not come would be remembered as failed.
  transformIndexHtml: async (_html, { bundle = {} }) => [
    ...Object.keys(bundle)
      .filter((file) => /^assets\/first-[^/]+\.(js|css)$/.test(file))
      .map((file) => ({
        tag: 'link',
        attrs: { rel: 'preload', as: 'fetch', crossorigin: true, href: `/${file}` },
        injectTo: 'head' as const,
      })),
    {
      tag: 'script',
      attrs: { nonce: '__CSP_NONCE__' },
      children: [
        `{ const begun = (${fetchAhead})(${JSON.stringify(aheadOf(bundle, (await rendered!).screens))});`,
        `(${renewAhead})(begun, ${JSON.stringify(addresses)});`,
        `(${askRowsAhead})(begun, ${JSON.stringify(storageKeys)}); }`,
      ].join('\n'),
      injectTo: 'head' as const,
    },
  ],
  load: (id) =>
    id === preloadHelper ? `export { loadParts as __vitePreload } from ${JSON.stringify(loader)};` : null,
};

/** What starts without a network: the first files, and the screen of what was taken along. */
const keptScreen = {
  page: '/field-visits/kept',
  modules: [
    'src/features/field-visits/kept/WithoutNetwork.tsx',
    'src/features/field-visits/kept/KeptVisits.tsx',
    'src/features/field-visits/kept/KeptBar.tsx',
  ],
  words: ['common', 'field-visits'],
};

/** The worker of people who take something along, as a file of its own beside the page. */
const offlineWorker: Plugin = {
  name: 'caseway-offline-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
    const isNeeded = (id: string) =>
      [...begin, ...keptScreen.modules].some((file) => id.endsWith(`/${file}`)) ||
      /[\\/]src[\\/]main\.ts$/.test(id) ||
      /[\\/]date-fns[\\/]locale[\\/][a-zA-Z-]+\.js$/.test(id);
    const needed = new Set(
      chunks.filter(({ moduleIds }) => moduleIds.some(isNeeded)).map(({ fileName }) => fileName),
    );
    for (const file of needed)
      for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
        needed.add(imported);
    const styles = chunks
      .filter(({ fileName }) => needed.has(fileName))
      .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
    const fonts = Object.keys(bundle).filter((file) => /-latin-[^/]*\.woff2$/.test(file));
    const words = languages.flatMap((language) =>
      keptScreen.words.map((name) => `locales/${language}/${name}.json`),
    );
    const files = [...new Set([...needed, ...styles, ...fonts, ...words, 'icon.svg'])]
      .map((file) => `/${file}`)
      .sort();
    const { page } = keptScreen;
    const code = `(${startWithoutNetwork})(self, `;
    // The words have no hash in their names.
    const hash = createHash('sha256').update(JSON.stringify([files, code]));
    for (const file of words) hash.update(readFileSync(path.join(import.meta.dirname, 'public', file)));
    const version = hash.digest('hex').slice(0, 16);
    this.emitFile({
      type: 'asset',
      fileName: workerFile.slice(1),
      source: `${code}${JSON.stringify({ version, page, files })});\n`,
    });
  },
};

/**
 * Zod's writing of JSON schemas is an eighth of it, and only the server writes any. Its parts are there by name, because
 * every schema refers to them.
 */
const noJsonSchemas: Plugin = {
  name: 'caseway-no-json-schemas',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    if (!/[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/.test(id)) return null;
    const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(
      ([, name]) => `export const ${name} = absent;`,
    );
    return [
      "const absent = () => () => { throw new Error('The browser writes no JSON schemas.'); };",
      ...names,
      'export { absent as process };',
    ].join('\n');
  },
};

let rendered: Promise<Rendered> | undefined;

/** The page has the first form of people who are not signed in, so that they need not wait for the program (0086). */
const formsInPage: Plugin = {
  name: 'caseway-forms-in-page',
  apply: 'build',
  buildStart() {
    rendered = renderInProcess();
    // Its failure is reported where the page is written.
    rendered.catch(() => {});
  },
  async transformIndexHtml() {
    const { forms, styles } = await rendered!;
    return [
      ...Object.entries(styles).map(([door, children]) => ({
        tag: 'style',
        attrs: { nonce: '__CSP_NONCE__', media: 'not all', 'data-door': door },
        children,
        injectTo: 'head' as const,
      })),
      ...forms.map(({ door, language, title, html }) => ({
        tag: 'template',
        attrs: { 'data-door': door, 'data-language': language, 'data-title': title },
        children: html,
        injectTo: 'body' as const,
      })),
      {
        tag: 'script',
        attrs: { nonce: '__CSP_NONCE__' },
        children: `(${showDoor})()`,
        injectTo: 'body' as const,
      },
    ];
  },
};

async function renderInProcess(): Promise<Rendered> {
  const file = path.join(import.meta.dirname, 'prerender.ts');
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}

const addresses: SessionAddresses = {
  renewal: refreshTokens.path,
  person: initUser.path,
  lock: renewalLock,
  keys: storageKeys,
};

/** What each beginning needs besides the first files. */
function aheadOf(bundle: Bundle, screens: readonly ScreenParts[]): Ahead {
  const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
  // A set grows while it is gone through: with what its files import, and those.
  const filesOf = (...roots: string[]) => {
    const all = new Set(
      roots.map((root) => {
        const made = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${root}`)));
        if (!made) throw new Error(`The build has no ${root}.`);
        return made.fileName;
      }),
    );
    for (const file of all)
      for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
        all.add(imported);
    return [...all].filter((file) => !/^assets\/(first|zod|load)-/.test(file));
  };
  const ofShell = new Set(filesOf(shell[0]!));
  // Each file is named once; a screen has its places.
  const screenFiles = new Set<string>();
  const placesOf = (modules: readonly string[]) => {
    const files = filesOf(...modules).filter((file) => !ofShell.has(file));
    for (const file of files) screenFiles.add(file);
    const all = [...screenFiles];
    return files.map((file) => all.indexOf(file));
  };
  return {
    screens: screens.map(({ modules, ...screen }) => ({ ...screen, files: placesOf(modules) })),
    screenFiles: [...screenFiles],
    files: {
      signIn: filesOf(signIn[0]!),
      patientSignIn: filesOf(...patientSignIn),
      portal: filesOf(...patientSignIn, ...ownRecord),
      shell: [...ofShell],
    },
    words: {
      signIn: ['common', 'sign-in'],
      patientSignIn: ['common', 'portal'],
      portal: ['common', 'portal'],
      shell: ['common'],
    },
    languages,
    keys: storageKeys,
  };
}

export default defineConfig({
  plugins: [react(), retriedImports, noJsonSchemas, formsInPage, offlineWorker],
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
            ...fileNames.map((file, index) => ({
              debugName: file,
              name(id: string, modules: Modules) {
                files ??= filesOf(modules);
                return files.get(file)?.has(id) || (file === 'icons' && isIcon(id)) ? file : null;
              },
              priority: 1 - index / fileNames.length,
            })),
          ],
        },
      },
    },
  },
  server: {
    port: Number(process.env.WEB_PORT ?? 5173),
    proxy: { '/api': server, '/auth': server, '/reference': server },
  },
});
