import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Bench } from './figure.ts';

const dist = path.resolve(import.meta.dirname, '../web/dist');
interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
}

/** What the first screen is: sign-in, or the shell with home for someone who is signed in; beside the entry. */
const start = ['src/start.tsx', 'src/shell/Main.tsx'];
const screens = {
  'the sign-in screen': [...start, 'src/features/sign-in/SignIn.tsx', 'src/features/sign-in/SignInForm.tsx'],
  'shell and home': [...start, 'src/shell/Shell.tsx', 'src/features/home/Home.tsx'],
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
    for (const [what, modules] of Object.entries(screens)) {
      const first = new Set<string>();
      const add = (key: string) => {
        if (first.has(key) || !manifest[key]?.file.endsWith('.js')) return;
        first.add(key);
        for (const each of manifest[key].imports ?? []) add(each);
      };
      for (const [key, chunk] of Object.entries(manifest))
        if (chunk.isEntry || modules.includes(key)) add(key);
      const now = await sizeOf(first);
      figures.push({
        what,
        value: now,
        unit: 'kB' as const,
        promised: '≤ 250',
        against: { what: 'all screens in one', ratio: all / now },
      });
    }
    return figures;
  },
};
