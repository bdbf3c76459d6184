import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A text in the program that is a statement for the database, or a part of one. */
export interface SqlText {
  /** Its place: the file below `server`, and its line. */
  at: string;
  /** With `${}` for each inserted value. */
  text: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every text of the program that contains SQL, without tests. */
export async function sqlTexts(): Promise<SqlText[]> {
  const texts: SqlText[] = [];
  for (const folder of ['src', 'seeds'])
    for (const name of (await readdir(join(root, folder), { recursive: true })).sort()) {
      if (!name.endsWith('.ts') || /(^|\/)test-|\.test\.ts$/.test(name)) continue;
      const source = await readFile(join(root, folder, name), 'utf8');
      for (const { start, text } of literals(source))
        if (/\b(select|insert into|update|delete from)\b/.test(text))
          texts.push({ at: `${folder}/${name}:${source.slice(0, start).split('\n').length}`, text });
    }
  return texts;
}

/** The string and template literals of a TypeScript source, including those inside `${…}`. */
export function literals(source: string): { start: number; text: string }[] {
  const found: { start: number; text: string }[] = [];
  /**
   * Reads code from a position up to a closing brace that was not opened in it, or to the end; returns that
   * position.
   */
  const code = (from: number): number => {
    let depth = 0;
    for (let i = from; i < source.length; i++) {
      const char = source[i]!;
      const next = source[i + 1];
      if (char === '/' && next === '/') i = ending(source.indexOf('\n', i));
      else if (char === '/' && next === '*') i = ending(source.indexOf('*/', i) + 1);
      else if (
        char === '/' &&
        /(?:^|[(,=:[!&|?{};>]|\breturn)\s*$/.test(source.slice(Math.max(0, i - 80), i))
      )
        i = expression(i);
      else if (char === '`') i = template(i);
      else if (char === "'" || char === '"') i = string(i, char);
      else if (char === '{') depth++;
      else if (char === '}' && depth-- === 0) return i;
    }
    return source.length;
  };
  const ending = (place: number) => (place <= 0 ? source.length : place);
  /**
   * The length of the token at a position. Throws past the end, because then something was wrongly read as a
   * literal.
   */
  const within = (place: number): number => {
    if (place >= source.length) throw new Error('a literal does not end');
    return source[place] === '\\' ? 2 : 1;
  };
  const string = (from: number, quote: string): number => {
    let i = from + 1;
    while (source[i] !== quote) i += within(i);
    found.push({ start: from, text: source.slice(from + 1, i) });
    return i;
  };
  const template = (from: number): number => {
    let i = from + 1;
    let text = '';
    while (source[i] !== '`') {
      const length = within(i);
      if (source[i] === '$' && source[i + 1] === '{') {
        i = code(i + 2) + 1;
        // biome-ignore lint/suspicious/noTemplateCurlyInString: part of the text
        text += '${}';
        continue;
      }
      text += source.slice(i, i + length);
      i += length;
    }
    found.push({ start: from, text });
    return i;
  };
  const expression = (from: number): number => {
    let i = from + 1;
    let isClass = false;
    while (source[i] !== '/' || isClass) {
      if (source[i] === '[') isClass = true;
      else if (source[i] === ']') isClass = false;
      i += within(i);
    }
    return i;
  };
  code(0);
  return found;
}
