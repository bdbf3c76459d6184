import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoUsernames } from '@caseway/contract/demo';
import { errorStatus } from '@caseway/contract/error';
import { isGrid } from '@caseway/contract/grid';
import { importFaults } from '@caseway/contract/import-fault';
import { permissions } from '@caseway/contract/permission';
import { manufacturers } from '@caseway/contract/vaccine-codes';
import { describe, expect, test } from 'vitest';
import { builtInTexts } from '../../server/src/platform/mail/built-in-texts.ts';

/*
 * No screen in another language shows a raw key or English text [S1.4]: every key in use exists in every
 * language, no key is unused, and no translation equals the English text.
 */
const locales = join(import.meta.dirname, '../public/locales');
/** Where keys are used: on the screens, and in server texts with the same words. */
const programs = [import.meta.dirname, join(import.meta.dirname, '../../server/src')];
const namespaces = readdirSync(join(locales, 'en'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));

const namesOfManufacturers = manufacturers
  .filter((code) => code !== 'OTH')
  .map((code) => `vaccinations:choice.manufacturer.${code}`);
/** Words that really are the same in another language. */
const sameWord: Readonly<Record<string, readonly string[]>> = {
  es: [
    'case-reports:yesNoUnknown.no',
    'case-reports:classification.probable',
    'common:answers.no',
    'common:export.csv',
    'common:export.xlsx',
    'common:notifications.kind.error',
    'common:screen.roles',
    'places:panel.no',
    'places:choice.facilityType.hospital',
    'imports:severity.error',
    'imports:testMethod.naat',
    'imports:testMethod.panel',
    'users:column.roles',
    'users:field.roles',
    'users:table.column.roles',
    'settings:section.general',
    'settings:value.no',
    'settings:guideStep.roles',
    'patient-portal:access.status',
    'portal:profile.refuse',
    'portal:profile.historyNo',
    'case-reports:results.npi',
    'testing-analytics:column.providerNpi',
    'work-tasks:priority.normal',
    ...namesOfManufacturers,
    'documents:choice.fileType.pdf',
    'incident-reports:choice.vaccine.bcg',
    'incident-reports:choice.vaccine.covid-19',
    'incident-reports:choice.vaccine.dengue',
    'incident-reports:choice.vaccine.hepatitis-a',
    'incident-reports:choice.vaccine.hepatitis-b',
    'incident-reports:choice.vaccine.influenza',
    'incident-reports:choice.vaccine.rotavirus',
    'incident-reports:choice.emergencyVisit.no',
    'incident-reports:choice.pregnant.no',
    'incident-reports:choice.serious.no',
    'partner-services:choice.classification.probable',
    'partner-services:choice.metOnline.no',
    'partner-services:choice.pregnant.no',
    'partner-services:choice.hivTested.no',
    'partner-services:choice.hivCounselled.no',
    'partner-services:choice.femalePartners.no',
    'partner-services:choice.malePartners.no',
    'partner-services:choice.transgenderPartners.no',
    'partner-services:choice.internetElicited.no',
    'telemedicine:choice.interpreter.no',
    'telemedicine:choice.cancelledLate.no',
    'telemedicine:choice.overdue.no',
  ],
  ht: [
    'imports:testMethod.naat',
    ...namesOfManufacturers,
    'documents:choice.fileType.pdf',
    'common:export.csv',
    'common:export.xlsx',
    'case-reports:results.npi',
    'testing-analytics:column.providerNpi',
    'incident-reports:choice.vaccine.covid-19',
    'incident-reports:choice.vaccine.hpv',
    'incident-reports:choice.vaccine.rsv',
  ],
};

type Words = Map<string, string>;
function wordsOf(language: string, namespace: string): Words {
  const words: Words = new Map();
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') words.set(path, value);
    else
      for (const [name, inner] of Object.entries(value as object))
        walk(inner, path === '' ? name : `${path}.${name}`);
  };
  const file = join(locales, language, `${namespace}.json`);
  if (!existsSync(file))
    throw new Error(`${file} is missing; in en-GB, {} if nothing is spelled differently`);
  walk(JSON.parse(readFileSync(file, 'utf8')), '');
  return words;
}

const plural = /_(zero|one|two|few|many|other)$/;
/** The plural forms each language needs; Spanish `many` falls back to `other`, Creole nouns have one form. */
const forms: Readonly<Record<string, readonly string[]>> = {
  en: ['one', 'other'],
  es: ['one', 'other'],
  ht: ['other'],
};
/** The keys a language must have for the English ones. */
function required(english: Words, language: string): string[] {
  const keys = new Set<string>();
  for (const key of english.keys()) {
    const base = key.replace(plural, '');
    if (base !== key && english.has(`${base}_other`))
      for (const form of forms[language]!) keys.add(`${base}_${form}`);
    else keys.add(key);
  }
  return [...keys].sort();
}
/** A language may use a placeholder twice. */
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1]))].sort();

describe.each(namespaces)('the texts of %s', (namespace) => {
  const english = wordsOf('en', namespace);

  test.each(['es', 'ht'])('[S1.4] %s has every English key and no other', (language) => {
    expect([...wordsOf(language, namespace).keys()].sort()).toEqual(required(english, language));
  });

  test('[S1.4] British English has only English keys, and only where its text differs', () => {
    for (const [key, text] of wordsOf('en-GB', namespace)) {
      expect(english.has(key), key).toBe(true);
      expect(text, key).not.toBe(english.get(key));
    }
  });

  test.each(['es', 'ht'])('[S1.4] no text of %s equals the English one', (language) => {
    const same = [...wordsOf(language, namespace)].filter(
      ([key, text]) =>
        text === english.get(key) &&
        /\p{L}/u.test(text.replaceAll(/\{\{.*?\}\}/g, '')) &&
        !sameWord[language]!.includes(`${namespace}:${key}`),
    );
    expect(same, 'translate them; a word that is the same in both languages is in `sameWord`').toEqual([]);
  });

  test.each(['es', 'ht', 'en-GB'])('%s has the same placeholders as English', (language) => {
    for (const [key, text] of wordsOf(language, namespace)) {
      const model = english.get(key) ?? english.get(key.replace(plural, '_other'));
      // "one" may write the number as a word.
      if (!key.endsWith('_one'))
        expect(placeholders(text), `${language} ${key}`).toEqual(placeholders(model!));
    }
  });
});

interface Use {
  file: string;
  /** A key, or a pattern if part of it is computed. */
  key: string;
  pattern: RegExp;
  namespaces: string[];
}

/** Every string of the program that is a key or becomes one. */
function uses(): Use[] {
  const found: Use[] = [];
  const groups = new Map(
    namespaces.map((name) => [
      name,
      new Set([...wordsOf('en', name).keys()].map((key) => key.split('.')[0]!)),
    ]),
  );
  const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const files = programs.flatMap((program) =>
    readdirSync(program, { recursive: true, encoding: 'utf8' }).map((file) => ({ program, file })),
  );
  for (const { program, file } of files) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$|^test\//.test(file)) continue;
    const source = readFileSync(join(program, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    if (program !== import.meta.dirname && !/wordsIn\('/.test(source)) continue;
    const own = [
      ...source.matchAll(/(?:useTranslation\(\[?|wordsIn\()((?:'[\w-]+'(?:, )?)+)[\]),]?/g),
    ].flatMap((match) => [...match[1]!.matchAll(/'([\w-]+)'/g)].map((name) => name[1]!));
    // Dashboard texts are used by convention, for any dashboard.
    const ofDashboards = source.includes('useDashboardWords')
      ? namespaces.filter((name) => name.startsWith('dashboards/'))
      : [];
    const here = [...new Set([...own, ...ofDashboards, 'common'])];
    // Each kind separately, because a template can contain a quoted key.
    for (const [, quoted, template] of [
      ...source.matchAll(/'([\w:.-]+)'/g),
      ...source.matchAll(/()`([^`\n]+)`/g),
    ]) {
      const text = quoted || template!;
      const explicit = /^([\w-]+):/.exec(text)?.[1];
      // `${record.id}:transition.…`: any record's file.
      const ofAny = /^\$\{(?:\w+\.)?id\}:/.exec(text)?.[0];
      const inNamespaces =
        ofAny !== undefined
          ? namespaces
          : explicit !== undefined && namespaces.includes(explicit)
            ? [explicit]
            : here;
      const key =
        ofAny !== undefined
          ? text.slice(ofAny.length)
          : explicit === inNamespaces[0] && explicit !== undefined
            ? text.slice(explicit.length + 1)
            : text;
      const group = /^([A-Za-z]\w*)\./.exec(key)?.[1];
      const known = group !== undefined && inNamespaces.some((name) => groups.get(name)?.has(group));
      // A theme color, not a key.
      if (!known || /^\w+\.(main|primary|secondary|tertiary)$/.test(key)) continue;
      if (template !== undefined && !template.includes('${')) continue;
      const pattern = key
        .split(/\$\{[^}]*\}/)
        .map(literally)
        .join('.+');
      found.push({ file, key, pattern: new RegExp(`^${pattern}$`), namespaces: inNamespaces });
    }
  }
  return found;
}

describe('the keys in the program', () => {
  const all = uses();
  const bare = (key: string) => key.replace(plural, '');
  const keysOf = (namespace: string) => [...wordsOf('en', namespace).keys()];

  test('[S1.4] every key in use exists', () => {
    const missing = all.filter(
      ({ pattern, namespaces: names }) =>
        !names.some((name) => keysOf(name).some((key) => pattern.test(key) || pattern.test(bare(key)))),
    );
    expect(missing.map(({ file, key }) => `${file}: ${key}`)).toEqual([]);
  });

  test('no key is unused', () => {
    const contexts = /_[A-Z][A-Z_]+$/;
    const unused = namespaces.flatMap((name) =>
      keysOf(name)
        .filter(
          (key) =>
            // A dashboard's title is in no group: its type requires it.
            !(name.startsWith('dashboards/') && key === 'title') &&
            !all.some(
              ({ pattern, namespaces: names }) =>
                names.includes(name) &&
                (pattern.test(key) ||
                  pattern.test(bare(key)) ||
                  pattern.test(bare(key).replace(contexts, ''))),
            ),
        )
        .map((key) => `${name}:${key}`),
    );
    expect(unused).toEqual([]);
  });

  test('[S1.4] every column of every grid has its label, and every exported list its name', async () => {
    const inbox = wordsOf('en', 'inbox');
    const contract = join(import.meta.dirname, '../../contract/src');
    const missing: string[] = [];
    let columns = 0;
    for (const file of readdirSync(contract).filter((name) => /^[\w-]+\.ts$/.test(name))) {
      const part = file.replace('.ts', '');
      // A case's record is declared separately from its columns, and shares their labels.
      const feature = part === 'case-record' ? 'case-reports' : part;
      const exported = Object.values<unknown>(await import(`../../contract/src/${part}.ts`));
      // A record's declaration contains its lists.
      const grids = exported
        .flatMap((value) => [value, ...Object.values((value as { grids?: object } | null)?.grids ?? {})])
        .filter(isGrid);
      if (grids.length === 0) continue;
      for (const { id, exportable } of grids)
        if (exportable && !inbox.has(`list.${id}`)) missing.push(`inbox: list.${id}`);
      const words = wordsOf('en', feature);
      // Places label their columns like their form fields.
      const group = feature === 'places' ? 'field' : 'column';
      // Questions bring their own labels.
      const inLocales = grids.flatMap((grid) =>
        Object.entries(grid.columns).filter(([, column]) => column.words === undefined),
      );
      for (const [name] of inLocales) {
        columns++;
        if (!words.has(`${group}.${name}`)) missing.push(`${feature}: ${group}.${name}`);
      }
    }
    expect(columns).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  test('every permission has its text', () => {
    const words = wordsOf('en', 'common');
    expect(permissions.filter((permission) => !words.has(`permission.${permission}`))).toEqual([]);
  });

  test('every refusal of the server has its text', () => {
    const words = wordsOf('en', 'common');
    expect(Object.keys(errorStatus).filter((code) => !words.has(`error.${code}`))).toEqual([]);
  });
});

/* The style guides in docs/style. Their tables list refused words; rules beyond single words are here. */
const guides = join(import.meta.dirname, '../../docs/style');
/** The rows of a table that have this many cells. */
const rowsOf = (page: string, cells: number) =>
  readFileSync(join(guides, `${page}.md`), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((row) => row.length === cells + 2 && /`/.test(row.join('')))
    .map((row) => row.slice(1, -1));
const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const inTicks = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, one]) => one!);

/** Spanish words for staff of only one gender. */
const oneGender =
  /\b(?:un|el|su|al|otro|primer|ningún|del) (?:administrador|investigador|epidemiólogo|médico|enfermero|auditor|analista)\b/i;
interface Rule {
  not: RegExp;
  but: string;
  /** Whether the rule applies to a text. */
  of: (key: string) => boolean;
}
const everywhere = () => true;

/** A row of refused words: `*` is any ending; the last cell says which texts it applies to. */
function ruleOf([not, but, where]: string[]): Rule {
  const words = inTicks(not!).map((word) => {
    const stem = literal(word.replace(/\*$/, ''));
    if (!/\p{L}/u.test(word)) return stem;
    return `(?<!\\p{L})${stem}${word.endsWith('*') ? '' : '(?!\\p{L})'}`;
  });
  const texts = where!.replace(/^(?:only|not) /, '').split(', ');
  const named = (key: string) => texts.some((text) => key.startsWith(text));
  return {
    not: new RegExp(words.join('|'), 'iu'),
    but: but!,
    of: where === '' ? everywhere : where!.startsWith('only ') ? named : (key) => !named(key),
  };
}

const patterns: Readonly<Record<string, readonly Omit<Rule, 'of'>[]>> = {
  en: [
    { not: /\w'\w/, but: '’' },
    { not: /\d\s%/, but: '90%, as numbers are written' },
  ],
  es: [
    { not: /\d\s%/, but: '90%, as numbers are written' },
    // Staff and patients are women and men.
    { not: oneGender, but: 'quien administra, personal de …' },
  ],
  ht: [
    { not: /[\d}]\s*[KMG]o(?!\p{L})/iu, but: 'kB, MB, GB' },
    { not: /klase (?:yon )?k(?:òd|olòn)(?! sa a)/i, but: 'matche' },
    { not: /(?<!(?:\p{L}|an ))pèsòn(?!\p{L})/iu, but: 'pèsonn, where it means nobody' },
  ],
};

describe.each(Object.entries(patterns))('the style guide of %s', (language, written) => {
  const texts = [language, ...(language === 'en' ? ['en-GB'] : [])].flatMap((one) =>
    namespaces.flatMap((namespace) =>
      [...wordsOf(one, namespace)].map(([key, text]) => [`${namespace}:${key}`, text] as const),
    ),
  );
  // Messages are the product's texts too.
  for (const [kind, { subject, body }] of Object.entries(builtInTexts[language as keyof typeof builtInTexts]))
    texts.push([`mail:${kind}.subject`, subject], [`mail:${kind}.body`, body]);
  const refused = rowsOf(language, 3)
    .filter(([not]) => /^`/.test(not!))
    .map(ruleOf);
  // Explanations were reviewed word by word, and are written for patients.
  const rules = [
    ...refused,
    ...written.map((rule) => ({ ...rule, of: (key: string) => !/^explanations:/.test(key) })),
  ];

  test('the guide lists the words it refuses', () => {
    expect(refused.length).toBeGreaterThan(10);
  });

  test.each(rules)('[S1.4] not $not but $but', ({ not, of }) => {
    // No one reads the names of placeholders.
    const read = (text: string) => text.replaceAll(/\{\{\w+\}\}/g, '{{}}');
    expect(texts.filter(([key, text]) => of(key) && not.test(read(text)))).toEqual([]);
  });
});

test("[S1.4] an accessible name that says which one a button is about contains the button's visible text", () => {
  // Voice control users say what is on the screen (WCAG 2.5.3). In English, the words of the button
  // suffice.
  const has = (whole: string, part: string) =>
    whole
      .replaceAll(/\{\{\w+\}\}/g, '')
      .toLowerCase()
      .includes(part.toLowerCase());
  const others = namespaces.flatMap((namespace) => {
    const english = wordsOf('en', namespace);
    return ['es', 'ht'].flatMap((language) => {
      const words = wordsOf(language, namespace);
      return [...english].flatMap(([key, text]) => {
        const [name, shown, said] = [english.get(`${key}Of`), words.get(key), words.get(`${key}Of`)];
        if (name === undefined || !has(name, text) || shown === undefined || said === undefined) return [];
        return has(said, shown) ? [] : [`${language} ${namespace}:${key}: ${said}`];
      });
    });
  });
  expect(others).toEqual([]);
});

test('the demo says of each of its accounts who it is', () => {
  const who = [...demoUsernames.map((name) => name.split('.')[0]!.replace('@', '_')), 'patient'];
  for (const language of ['en', 'es', 'ht'])
    expect(
      [...wordsOf(language, 'sign-in').keys()]
        .filter((key) => key.startsWith('demo.who.'))
        .map((key) => key.slice('demo.who.'.length)),
    ).toEqual(expect.arrayContaining(who));
});

test('file faults read the same for programs and on the screen', () => {
  const words = wordsOf('en', 'imports');
  // Programs also get the name of what is missing; a screen says what follows for the row.
  const same = (text: string) => text.replace(/: \{name\}/, '').replace(' The row would wait.', '');
  const different = Object.entries(importFaults).filter(
    ([code, text]) =>
      same(text) !== same(words.get(`importFault.${code}`)!.replaceAll(/\{(\{\w+\})\}/g, '$1')),
  );
  expect(different).toEqual([]);
});

test("[S1.4] the glossary's words are those on the screens", () => {
  const glossary = rowsOf('glossary', 5);
  expect(glossary.length).toBeGreaterThan(50);
  const different = glossary.flatMap(([word, , es, ht, where]) => {
    const [namespace, key] = inTicks(where!)[0]!.split(/:(.*)/s) as [string, string];
    const [, en, british] = /^(.*?)(?: \(en-GB: (.*)\))?$/.exec(word!)!;
    const words = { en, es, ht, ...(british !== undefined && { 'en-GB': british }) };
    return Object.entries(words).flatMap(([language, expected]) => {
      const text = wordsOf(language, namespace).get(key);
      return text?.toLowerCase().includes(expected!.toLowerCase())
        ? []
        : [`${language} ${namespace}:${key}: ${text}, in the glossary: ${expected}`];
    });
  });
  expect(different).toEqual([]);
});

test('[S1.4] no server text is about staff of only one gender', () => {
  const server = join(import.meta.dirname, '../../server/src');
  const found = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file))
    .flatMap((file) => readFileSync(join(server, file), 'utf8').split('\n'))
    // A line of a message begins after the two characters that end the last one.
    .filter((line) => oneGender.test(line.replaceAll('\\n', ' ')));
  expect(found).toEqual([]);
});

/** The beginnings of questions, in each language. */
const asking =
  /^(?:¿|which\b|what\b|how\b|who\b|cuál(?:es)?\b|qué\b|quién\b|cómo |kiyès\b|kilès\b|ki \b|kisa\b|kijan\b)|[.?:]$/i;

describe('the style guide of labels and messages [docs/style.md]', () => {
  const languages = ['en', 'en-GB', 'es', 'ht'];
  const textsOf = (keys: RegExp) =>
    languages.flatMap((language) =>
      namespaces.flatMap((namespace) =>
        [...wordsOf(language, namespace)]
          .filter(([key]) => keys.test(`${namespace}:${key}`))
          .map(([key, text]) => ({ key: `${language} ${namespace}:${key}`, text })),
      ),
    );

  test('[S1.4] a segmented choice is labeled with what is chosen, not with a question', () => {
    const source = join(import.meta.dirname);
    const labels = readdirSync(source, { recursive: true, encoding: 'utf8' })
      // Patients' own answers are labeled with the sentence they answer.
      .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx') && !name.includes('portal'))
      .flatMap((name) => [
        ...readFileSync(join(source, name), 'utf8').matchAll(/<Segments\b[^>]*?\blabel=\{t\('([^']+)'\)\}/gs),
      ])
      .map(([, key]) => key!.replace(/^[\w-]+:/, ''));
    expect(labels.length).toBeGreaterThan(10);
    const faulty = languages.flatMap((language) =>
      namespaces.flatMap((namespace) => {
        const words = wordsOf(language, namespace);
        return labels.flatMap((key) => {
          const text = words.get(key);
          return text !== undefined && asking.test(text) ? [`${language} ${namespace}:${key}: ${text}`] : [];
        });
      }),
    );
    expect(faulty).toEqual([]);
  });

  test('[S1.4] a fault, an error and a refusal are sentences', () => {
    const texts = textsOf(
      /^[\w-]+:(?:[\w-]+\.)*(?:fault|error|refusal|importFault|tableFault|tableReason)\.[^.]+$/,
    );
    expect(texts.length).toBeGreaterThan(500);
    // A refusal followed by a list ends with a colon; audit log and file faults name the place.
    expect(
      texts.filter(({ key, text }) => !/[.:]$/.test(text) && !/ (?:audit:fault|imports:fault)\./.test(key)),
    ).toEqual([]);
  });

  test('[S1.4] an English question is a question in each language', () => {
    const questions = new Set(
      textsOf(/./).flatMap(({ key, text }) =>
        key.startsWith('en ') && text.endsWith('?') ? [key.slice(3)] : [],
      ),
    );
    expect(questions.size).toBeGreaterThan(20);
    const statements = textsOf(/./).filter(({ key, text }) => {
      const [language, of] = key.split(' ') as [string, string];
      return questions.has(of) && !(text.endsWith('?') && (language !== 'es' || text.includes('¿')));
    });
    expect(statements).toEqual([]);
  });
});
