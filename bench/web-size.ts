import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Bench } from './figure.ts';

const dist = path.resolve(import.meta.dirname, '../web/dist');
interface Chunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
}

/**
 * What a page has loaded when its screen is shown, besides the entry: modules, or files that web/vite.config.ts
 * combines, by name.
 */
const screens: Readonly<Record<string, { parts: readonly string[]; promised: string }>> = {
  'the sign-in screen': { parts: ['first', 'door'], promised: '≤ 250' },
  'shell and home': { parts: ['first', 'shell', 'src/features/home/Home.tsx'], promised: '≤ 250' },
  "the patients' door": { parts: ['first', 'src/features/portal/Portal.tsx'], promised: '≤ 250' },
  'the portal of patients': { parts: ['first', 'src/features/portal/OwnRecord.tsx'], promised: '≤ 290' },
  'shell and the list of cases': {
    parts: ['first', 'shell', 'src/features/case-reports/CaseReports.tsx'],
    promised: '≤ 400',
  },
};

export const webSize: Bench = {
  name: 'Script of the web client, gzip (npm start builds it)',
  async run() {
    const manifest = JSON.parse(await readFile(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
      string,
      Chunk
    >;
    const sizeOf = async (keys: Iterable<string>) => {
      let bytes = 0;
      for (const key of keys)
        bytes += gzipSync(await readFile(path.join(dist, manifest[key]!.file)), { level: 9 }).length;
      return bytes / 1000;
    };
    const everything = Object.entries(manifest).flatMap(([key, chunk]) =>
      chunk.file.endsWith('.js') ? [key] : [],
    );
    const all = await sizeOf(everything);
    const figures = [];
    for (const [what, { parts, promised }] of Object.entries(screens)) {
      const first = new Set<string>();
      const add = (key: string) => {
        if (first.has(key) || !manifest[key]?.file.endsWith('.js')) return;
        first.add(key);
        for (const each of manifest[key].imports ?? []) add(each);
      };
      for (const [key, { isEntry }] of Object.entries(manifest)) if (isEntry) add(key);
      for (const part of parts) {
        const found = Object.entries(manifest).find(
          ([key, { name, file }]) =>
            key === part || (key.startsWith('_') && name === part && file.endsWith('.js')),
        );
        if (!found) throw new Error(`The build has no ${part}.`);
        add(found[0]);
      }
      const now = await sizeOf(first);
      figures.push({
        what: `${what}, ${first.size} files`,
        value: now,
        unit: 'kB' as const,
        promised,
        against: { what: 'all screens in one', ratio: all / now },
      });
    }
    return figures;
  },
};
