/*
 * Requests built from the API's own description (/api/openapi.json), so that a new route is tested without being
 * added anywhere: each part of an address, a query and a body is filled with what its schema allows, and every id or
 * free text with what the caller gives.
 */

type Json = Record<string, unknown>;
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  access: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Json }[];
  body?: Json;
  /** The properties of a grid's rows, for filters and sorting. */
  fields: string[];
  produces: string;
}

export interface ApiDescription {
  paths: Record<string, Record<string, Json>>;
}

/** Every operation of a description, in its order. */
export function operationsOf({ paths }: ApiDescription): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const schemaIn = (given: unknown) =>
        (given as { content?: Record<string, { schema?: Json }> } | undefined)?.content;
      const success = schemaIn((operation.responses as Json)['200']) ?? {};
      const [produces = ''] = Object.keys(success);
      const rows = (success[produces]?.schema?.properties as Record<string, Json> | undefined)?.rows;
      const row = rows?.items as { properties?: Json } | undefined;
      return {
        method: method.toUpperCase() as Operation['method'],
        path,
        access: operation['x-access'] as string,
        parameters: operation.parameters as Operation['parameters'],
        body: schemaIn(operation.requestBody)?.['application/json']?.schema,
        fields: Object.keys(row?.properties ?? {}),
        produces,
      };
    }),
  );
}

/** A stream of numbers from 0 to 1 that a seed determines (mulberry32). */
export class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  maybe(share: number): boolean {
    return this.next() < share;
  }
}

/** A request as `fetch` takes it. */
export interface Question {
  method: string;
  /** Address from the root, with its query. */
  url: string;
  payload?: unknown;
}

/** The value for an id or a text. */
export interface Bait {
  id(): string;
  text(): string;
  /** The largest number of ids in a list. */
  listLength: number;
}

const days = ['2026-03-01', '2026-03-05', '2020-01-01', '1980-05-17'];
const operatorNames = [
  'contains',
  'equals',
  'startsWith',
  'isEmpty',
  'isNotEmpty',
  'isAnyOf',
  'isNoneOf',
  'doesNotContain',
  'is',
  'not',
  'after',
  '>=',
];

/** The filter names to try if filters are records of any name: all that the description declares. */
export const filterNamesIn = (description: ApiDescription): string[] =>
  [...new Set(JSON.stringify(description).match(/"\w+Filter"/g) ?? [])].map((name) => name.slice(1, -1));

/** Makes requests that depend only on the random source and the bait. */
export class Requests {
  readonly #chance: Chance;
  readonly #bait: Bait;
  readonly #filterNames: readonly string[];
  /** Ids that were put into the current request. */
  #placed = 0;
  #fields: readonly string[] = [];

  constructor(chance: Chance, bait: Bait, filterNames: readonly string[]) {
    this.#chance = chance;
    this.#bait = bait;
    this.#filterNames = filterNames;
  }

  /** A request of an operation, and how many ids it contains. */
  make(operation: Operation): { request: Question; placed: number } {
    this.#placed = 0;
    this.#fields = operation.fields;
    const query = new URLSearchParams();
    let url = operation.path;
    for (const { name, in: place, required, schema } of operation.parameters) {
      if (place === 'path') {
        const value =
          schema.format === 'uuid' || /id$/i.test(name) ? this.#id() : String(this.#value(schema, name));
        url = url.replace(`{${name}}`, encodeURIComponent(value));
      } else if (required || this.#chance.maybe(0.6)) query.set(name, String(this.#value(schema, name)));
    }
    return {
      request: {
        method: operation.method,
        url: query.size > 0 ? `${url}?${query}` : url,
        ...(operation.body && { payload: this.#value(operation.body, '') }),
      },
      placed: this.#placed,
    };
  }

  #id(): string {
    this.#placed += 1;
    return this.#bait.id();
  }

  #value(schema: Json, name: string): unknown {
    const {
      enum: values,
      const: fixed,
      anyOf,
      oneOf,
      type,
    } = schema as {
      enum?: unknown[];
      const?: unknown;
      anyOf?: Json[];
      oneOf?: Json[];
      type?: string;
    };
    if (fixed !== undefined) return fixed;
    if (values) return this.#chance.pick(values);
    const choices = anyOf ?? oneOf;
    if (choices) return this.#value(this.#chance.pick(choices), name);
    switch (type) {
      case 'string':
        return this.#string(schema, name);
      case 'integer':
      case 'number': {
        const low = Number(schema.minimum ?? 0);
        const high = Math.min(Number(schema.maximum ?? low + 50), low + 50);
        return low + this.#chance.below(Math.max(1, high - low + 1));
      }
      case 'boolean':
        return this.#chance.maybe(0.5);
      case 'null':
        return null;
      case 'array':
        return this.#array(schema, name);
      case 'object':
        return this.#object(schema, name);
      default:
        // Any value, for a filter.
        return this.#chance.pick([
          this.#bait.text(),
          this.#id(),
          this.#chance.pick(days),
          [this.#id(), this.#id()],
          1,
        ]);
    }
  }

  #string({ format, pattern, minLength }: Json, name: string): string {
    if (format === 'uuid') return this.#id();
    if (format === 'date') return this.#chance.pick(days);
    if (format === 'date-time') return '2026-03-01T00:00:00Z';
    if (format === 'email') return 'nobody@example.test';
    if (name === 'field' || name === 'rangeField') return this.#chance.pick([...this.#fields, 'id']);
    if (name === 'operator') return this.#chance.pick(operatorNames);
    const candidates = [
      () => this.#id(),
      () => this.#bait.text(),
      () => this.#chance.pick(days),
      () => '1',
      () => 'en',
      () => `O:${this.#id()}`,
      () => '+14045550111',
      () => 'America/New_York',
    ];
    const first = this.#chance.maybe(0.7) ? 0 : 1;
    const matches = (text: string) =>
      (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text)) &&
      text.length >= Number(minLength ?? 0);
    for (const make of [candidates[first]!, ...candidates]) {
      const text = make();
      if (matches(text)) return text;
    }
    return 'x';
  }

  #array(schema: Json, name: string): unknown[] {
    const items = (schema.items ?? {}) as Json;
    const holdsIds = items.type === 'string' && items.enum === undefined;
    const most = Math.min(
      Number(schema.maxItems ?? 50),
      holdsIds || name === 'changes' ? this.#bait.listLength : 3,
    );
    const least = Number(schema.minItems ?? 0);
    const count = least + this.#chance.below(Math.max(1, most - least + 1));
    return Array.from({ length: count }, () => this.#value(items, name));
  }

  #object(schema: Json, name: string): Json {
    const properties = (schema.properties ?? {}) as Record<string, Json>;
    const required = (schema.required ?? []) as string[];
    const made: Json = {};
    for (const [key, part] of Object.entries(properties))
      if (required.includes(key) || this.#chance.maybe(0.4)) made[key] = this.#value(part, key);
    // A range has an order.
    if (typeof made.start === 'string' && typeof made.end === 'string' && made.start > made.end)
      [made.start, made.end] = [made.end, made.start];
    const others = schema.additionalProperties;
    if (typeof others === 'object' && others !== null && Object.keys(properties).length === 0)
      for (let count = this.#chance.below(3); count > 0; count -= 1)
        made[name === 'filters' ? this.#chance.pick(this.#filterNames) : this.#id()] = this.#value(
          others as Json,
          name,
        );
    return made;
  }
}
