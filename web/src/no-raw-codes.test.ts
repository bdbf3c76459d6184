import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = import.meta.dirname;
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^test\//.test(file),
);

/** A fallback to a key: `?? id`, `?? row.key`, `?? facilityId`, `defaultValue: code`. */
const fallback =
  /\?\?\s*(?!missingKey)(?:\w+\.)*(?:id|key|code|fips|\w*(?:Id|Key|Code|Fips))\b(?!\s*[(.:])|defaultValue: (?:code|kind|name|one|task|permission|\w+\.(?:code|task|permission))\b/;
/** A choice with its key as label: `{ id: one, label: one }`. */
const keyAsLabel = /\b(?:id|value): ([\w.]+), label: \1\b(?!\s*[(.[])/;

test('no source falls back to a key for a missing label', () => {
  const found = sources.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .filter((line) => fallback.test(line) || keyAsLabel.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
