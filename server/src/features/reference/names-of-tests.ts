import { readFileSync } from 'node:fs';
import { testByLoinc } from './catalog.ts';

/**
 * Test names in Spanish and Haitian Creole, built from the parts of the English name: the agent, the measured
 * analyte, the method, the specimen. The words are in server/seeds/reference/test-terms.json; names that do not fit
 * this pattern are translated there as a whole. Pure.
 */

type Words = Record<'es' | 'ht', string>;

export interface TestTerms {
  /** Whole names, or the part before the first comma. */
  names: Record<string, Words>;
  /** The target. Spanish has the article: `el VIH 1`. */
  agents: Record<string, Words>;
  /** Names of organisms that are the same in every language. */
  latin: string[];
  drugs: Record<string, Words>;
  /** The analyte: `{of}` and `{the}` are replaced by the agent. */
  analytes: Record<string, Words>;
  /** Methods that are named before the agent. */
  methods: Record<string, Words>;
  /** Words that follow after a comma. */
  qualifiers: Record<string, Words>;
}

const file = new URL('../../../seeds/reference/test-terms.json', import.meta.url);
export const testTerms = JSON.parse(readFileSync(file, 'utf8')) as TestTerms;

const latin = new Set(testTerms.latin);
const found = (list: Record<string, Words>, key: string): Words | undefined =>
  Object.hasOwn(list, key) ? list[key] : undefined;
const agentNamed = (name: string): Words | undefined =>
  latin.has(name) ? { es: name, ht: name } : found(testTerms.agents, name);

/** `de` and `a` join a Spanish article: `del VIH`, `al meropenem`. */
const joined = (word: 'de' | 'a', name: string) =>
  `${word} ${name.replaceAll(' y el ', ` y ${word} el `)}`.replace(/\b(de|a) el /g, '$1l ');

const filled = (template: Words, agent: Words): Words => ({
  es: template.es.replace('{of}', joined('de', agent.es)).replace('{the}', agent.es),
  ht: template.ht.replace(/\{of\}|\{the\}/, agent.ht),
});

const isMarker = /^(?:g?p\d+|c\d+[cp]|NS5|22-3|100-3|5-1-1)(?: and g?p\d+)?$/;

/** One protein or antigen of an agent: `HIV 1 gp120 and gp160`. */
function partOfAgent(name: string): Words | undefined {
  const words = name.split(' ');
  for (let at = 1; at < words.length; at += 1) {
    const [agent, marker] = [agentNamed(words.slice(0, at).join(' ')), words.slice(at).join(' ')];
    if (agent && isMarker.test(marker))
      return {
        es: `${marker.replace(' and ', ' y ')} ${joined('de', agent.es)}`,
        ht: `${marker.replace(' and ', ' ak ')} ${agent.ht}`,
      };
  }
  return undefined;
}

function geneOfAgent(head: string): Words | undefined {
  const [, name, gene, kind] = /^(.+) (\S+) (gene|region)$/.exec(head) ?? [];
  const agent = name && agentNamed(name);
  if (!agent) return undefined;
  const [es, ht] = kind === 'gene' ? ['gen', 'jèn'] : ['región', 'rejyon'];
  return { es: `${es} ${gene} ${joined('de', agent.es)}`, ht: `${ht} ${gene} ${agent.ht}` };
}

function susceptibility(head: string): Words | undefined {
  const [, name, amount] = /^(.+?)(?: ([\d.]+ µg\/mL))? susceptibility$/.exec(head) ?? [];
  const drug = name && found(testTerms.drugs, name);
  if (!drug) return undefined;
  const dose = amount ? ` (${amount})` : '';
  return { es: `sensibilidad ${joined('a', drug.es)}${dose}`, ht: `sansiblite pou ${drug.ht}${dose}` };
}

/** The longest analyte that the part ends with comes first: `antibody titer` before `titer`. */
const analytes = Object.entries(testTerms.analytes).sort(([a], [b]) => b.length - a.length);

function headWords(head: string): Words | undefined {
  const whole = found(testTerms.names, head) ?? geneOfAgent(head) ?? susceptibility(head);
  if (whole) return whole;
  for (const [english, template] of analytes) {
    if (!head.endsWith(` ${english}`)) continue;
    const name = head.slice(0, -english.length - 1);
    const agent = agentNamed(name) ?? partOfAgent(name);
    if (agent) return filled(template, agent);
  }
  return agentNamed(head);
}

function qualifierWords(qualifier: string): Words | undefined {
  const limit = /^limit ([\d.]+)$/.exec(qualifier)?.[1];
  if (limit) return { es: `límite ${limit}`, ht: `limit ${limit}` };
  return found(testTerms.qualifiers, qualifier);
}

const begun = (text: string) =>
  /^(?:mecA|vanA|p\d)/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** The name of a test in Spanish and Haitian Creole; undefined if a part of it has no translation. */
export function translatedTestName(english: string): Words | undefined {
  const whole = found(testTerms.names, english);
  if (whole) return { es: begun(whole.es), ht: begun(whole.ht) };
  const [head, ...rest] = english.split(', ');
  let qualifiers = rest;
  let words: Words | undefined;
  const agent = agentNamed(head!);
  const method = rest[0] && found(testTerms.methods, rest[0]);
  const analyte =
    rest[0] && / identified$/.test(head!) && found(testTerms.analytes, `identified, ${rest[0]}`);
  const identified = analyte && agentNamed(head!.replace(/ identified$/, ''));
  if (agent && method) [words, qualifiers] = [filled(method, agent), rest.slice(1)];
  else if (analyte && identified) [words, qualifiers] = [filled(analyte, identified), rest.slice(1)];
  else if (agent) words = { ...agent, es: agent.es.replace(/^(?:el|la) /, '') };
  else words = headWords(head!);
  const parts = [words, ...qualifiers.map(qualifierWords)];
  if (!parts.every((part) => part !== undefined)) return undefined;
  return {
    es: begun(parts.map(({ es }) => es).join(', ')),
    ht: begun(parts.map(({ ht }) => ht).join(', ')),
  };
}

const known = new Map<string, Words | undefined>();

/** The translations of a test's name, by its LOINC code; undefined if the catalogue does not have the test. */
export function testNameI18N(loinc: string | null): Words | undefined {
  const component = loinc === null ? undefined : testByLoinc(loinc)?.component;
  if (component === undefined) return undefined;
  if (!known.has(component)) known.set(component, translatedTestName(component));
  return known.get(component);
}
