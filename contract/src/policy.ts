import type { Permission } from './endpoint.ts';
import type { Experience, OrgType } from './session.ts';

/**
 * The Casbin model of both tiers: RBAC with allow and deny, where deny overrides and roles are inherited to
 * depth 10. [S6.2] The subject is a user id, the object an organization's permission subject, the action a
 * `module/action`. A line's `*` matches any user or organization.
 */
export const policyModel = `
[request_definition]
r = sub, obj, act

[policy_definition]
p = sub, obj, act, eft

[role_definition]
g = _, _

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = (p.sub == "*" || g(r.sub, p.sub)) && (p.obj == "*" || r.obj == p.obj) && r.act == p.act
`;

/** The policy if the server sends none: any user may do `general/other`. [S6.3] */
export const fallbackPolicy: readonly string[] = ['p, *, *, general/other, allow'];

/** Roles inherit over at most this many links. [S6.2] */
const maximumDepth = 10;

/**
 * The subject of permissions for an organization: `A` or `T` (tenant), `O:{id}`, `F:{id}`, `PHJ`. [S6.4]
 * @throws Error `Unknown org type for user {userId}` [S6.5]
 */
export function permissionSubject(
  org: { id: string; orgType: OrgType; experience: Experience },
  userId: string,
): string {
  switch (org.orgType) {
    case 'T':
      return org.experience === 'SYSTEM_ADMINISTRATION' ? 'A' : 'T';
    case 'O':
    case 'F':
      return `${org.orgType}:${org.id}`;
    case 'PHJ':
      return 'PHJ';
    default:
      throw new Error(`Unknown org type for user ${userId}`);
  }
}

export interface Enforcer {
  /** Whether the policy allows a subject an action on an object. Decisions are cached. */
  allows(subject: string, object: string, action: string): boolean;
  /** The lines that match a request, in order, each with the roles that lead to it. */
  explain(subject: string, object: string, action: string): DecidingLine[];
}

/** A policy line that matches a request. */
export interface DecidingLine {
  line: string;
  effect: string;
  /**
   * From the requesting subject to the line's subject, over inherited roles: `ana`, `role:epidemiologist`,
   * `role:member`.
   */
  path: string[];
}

type Condition = (request: readonly string[], rule: readonly string[]) => boolean;
interface Roles {
  inherits(name: string, role: string): boolean;
  /** The shortest path from a name to one of its roles, both included; only the name if there is none. */
  path(name: string, role: string): string[];
}

/**
 * Compiles policy lines (`p, subject, object, action, allow|deny`; `g, user or role, role`) under a Casbin
 * model. Decides as Casbin does; a server test compares the two.
 *
 * @throws Error `missing required sections: …`, `Invalid operator in matcher`, `unsupported effect` [S6.7],
 * or one that names a line with the wrong number of fields.
 */
export function compilePolicy(lines: readonly string[] | undefined, model: string = policyModel): Enforcer {
  const { requestFields, ruleFields, effect, matcher } = parseModel(model);
  const links = new Map<string, Set<string>>();
  const rules: string[][] = [];
  const ruleLines: string[] = [];
  (lines && lines.length > 0 ? lines : fallbackPolicy).forEach((line, index) => {
    const [kind, ...fields] = splitLine(line);
    if (kind === undefined) return;
    const expected = kind === 'p' ? ruleFields.length : 2;
    if (fields.length !== expected)
      throw new Error(`policy line ${index + 1} has ${fields.length} fields after its kind, not ${expected}`);
    if (kind === 'p') {
      rules.push(fields);
      ruleLines.push(line);
    } else if (kind === 'g') {
      const [name, role] = fields as [string, string];
      links.set(name, (links.get(name) ?? new Set()).add(role));
    } else throw new Error(`policy line ${index + 1} is neither p nor g`);
  });

  const roles = inheritance(links);
  const matches = compileMatcher(matcher, requestFields, ruleFields, roles);
  const subjectField = ruleFields.indexOf('sub');
  const effectField = ruleFields.indexOf('eft');
  const decisions = new Map<string, boolean>();
  return {
    allows(...request) {
      const key = request.join('\n');
      const known = decisions.get(key);
      if (known !== undefined) return known;
      const effects = rules
        .filter((rule) => matches(request, rule))
        .map((rule) => rule[effectField] ?? 'allow');
      const decision = effect(effects);
      decisions.set(key, decision);
      return decision;
    },
    explain(...request) {
      return rules.flatMap((rule, index) =>
        matches(request, rule)
          ? [
              {
                line: ruleLines[index]!,
                effect: rule[effectField] ?? 'allow',
                path: roles.path(request[0], rule[subjectField] ?? ''),
              },
            ]
          : [],
      );
    },
  };
}

/**
 * One permission, several of which one is enough, or a map of named checks, answered as a map of booleans.
 * [S6.6]
 */
export type Check = Permission | readonly Permission[];

export function passes(enforcer: Enforcer, userId: string, subject: string, check: Check): boolean;
export function passes<Name extends string>(
  enforcer: Enforcer,
  userId: string,
  subject: string,
  checks: Readonly<Record<Name, Check>>,
): Record<Name, boolean>;
export function passes(
  enforcer: Enforcer,
  userId: string,
  subject: string,
  check: Check | Readonly<Record<string, Check>>,
): boolean | Record<string, boolean> {
  if (typeof check === 'string') return enforcer.allows(userId, subject, check);
  if (isList(check)) return check.some((permission) => enforcer.allows(userId, subject, permission));
  return Object.fromEntries(
    Object.entries(check).map(([name, one]) => [name, passes(enforcer, userId, subject, one)]),
  );
}

const isList = (
  check: readonly Permission[] | Readonly<Record<string, Check>>,
): check is readonly Permission[] => Array.isArray(check);

/** A name's roles over at most ten links, including itself. Cached by name. */
function inheritance(links: ReadonlyMap<string, ReadonlySet<string>>): Roles {
  /** Every role of a name, with the role it was reached from; undefined for the name itself. */
  const reached = new Map<string, Map<string, string | undefined>>();
  const reach = (name: string) => {
    const known = reached.get(name);
    if (known) return known;
    const all = new Map<string, string | undefined>([[name, undefined]]);
    let frontier: string[] = [name];
    for (let depth = 0; depth < maximumDepth && frontier.length > 0; depth++) {
      const next: string[] = [];
      for (const from of frontier)
        for (const role of links.get(from) ?? [])
          if (!all.has(role)) {
            all.set(role, from);
            next.push(role);
          }
      frontier = next;
    }
    reached.set(name, all);
    return all;
  };
  return {
    inherits: (name, role) => reach(name).has(role),
    path(name, role) {
      const from = reach(name);
      if (!from.has(role)) return [name];
      const path: string[] = [];
      for (let at: string | undefined = role; at !== undefined; at = from.get(at)) path.unshift(at);
      return path;
    },
  };
}

/**
 * The fields of a line: comma-separated, trimmed, in double quotes if they contain a comma. `#` starts a
 * comment.
 */
function splitLine(line: string): string[] {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return [];
  const fields: string[] = [];
  for (const match of text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(?:,|$)/g)) {
    // The expression also matches the empty string after the last field.
    if (match.index === text.length && !text.endsWith(',')) break;
    fields.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  }
  return fields;
}

type Effect = (effects: readonly string[]) => boolean;

/**
 * Casbin's effects by their text without spaces. The list has the effects of the matching lines, in order.
 */
const effectsByText: Readonly<Record<string, Effect>> = {
  'some(where(p.eft==allow))': (effects) => effects.includes('allow'),
  '!some(where(p.eft==deny))': (effects) => !effects.includes('deny'),
  'some(where(p.eft==allow))&&!some(where(p.eft==deny))': (effects) =>
    effects.includes('allow') && !effects.includes('deny'),
};

const requiredSections = ['request_definition', 'policy_definition', 'policy_effect', 'matchers'];

function parseModel(model: string) {
  const sections = new Map<string, string>();
  let section = '';
  for (const raw of model.split('\n')) {
    const line = raw.replace(/#.*$/, '').trim();
    const heading = /^\[(\w+)\]$/.exec(line);
    if (heading) section = heading[1]!;
    else if (line.includes('=')) sections.set(section, line.slice(line.indexOf('=') + 1).trim());
  }
  const missing = requiredSections.filter((name) => !sections.get(name));
  if (missing.length > 0) throw new Error(`missing required sections: ${missing.join(',')}`);
  const fieldsOf = (name: string) =>
    sections
      .get(name)!
      .split(',')
      .map((field) => field.trim());
  const effect = effectsByText[sections.get('policy_effect')!.replaceAll(/\s/g, '')];
  if (!effect) throw new Error('unsupported effect');
  return {
    requestFields: fieldsOf('request_definition'),
    ruleFields: fieldsOf('policy_definition'),
    effect,
    matcher: sections.get('matchers')!,
  };
}

/** Compiles `g(r.sub, p.sub) && (r.obj == p.obj || !(…))` into one function of a request and a rule. */
function compileMatcher(
  matcher: string,
  requestFields: readonly string[],
  ruleFields: readonly string[],
  roles: Roles,
): Condition {
  const refuse = () => new Error('Invalid operator in matcher');
  const tokens: string[] = [];
  let rest = matcher;
  while (rest !== '') {
    const token = /^\s*("[^"]*"|[A-Za-z_][\w.]*|&+|\|+|==|!=|!|[(),])\s*/.exec(rest);
    if (!token) throw refuse();
    tokens.push(token[1]!);
    rest = rest.slice(token[0].length);
  }
  let at = 0;
  const take = (wanted: string) => {
    if (tokens[at] !== wanted) throw refuse();
    at += 1;
  };

  type Operand = (request: readonly string[], rule: readonly string[]) => string | undefined;
  const operand = (): Operand => {
    const token = tokens[at++] ?? '';
    if (token.startsWith('"')) {
      const text = token.slice(1, -1);
      return () => text;
    }
    const [side, name = ''] = token.split('.');
    const index = (side === 'r' ? requestFields : side === 'p' ? ruleFields : []).indexOf(name);
    if (index < 0)
      throw new Error(`the matcher names ${token || 'nothing'}, which the model does not define`);
    return side === 'r' ? (request) => request[index] : (_, rule) => rule[index];
  };
  const primary = (): Condition => {
    if (tokens[at] === '!') {
      at += 1;
      const inner = primary();
      return (request, rule) => !inner(request, rule);
    }
    if (tokens[at] === '(') {
      at += 1;
      const inner = either();
      take(')');
      return inner;
    }
    if (tokens[at] === 'g' && tokens[at + 1] === '(') {
      at += 2;
      const name = operand();
      take(',');
      const role = operand();
      take(')');
      return (request, rule) => roles.inherits(name(request, rule) ?? '', role(request, rule) ?? '');
    }
    const left = operand();
    const operator = tokens[at++];
    if (operator !== '==' && operator !== '!=') throw refuse();
    const right = operand();
    return operator === '=='
      ? (request, rule) => left(request, rule) === right(request, rule)
      : (request, rule) => left(request, rule) !== right(request, rule);
  };
  const both = (): Condition => {
    const parts = [primary()];
    while (tokens[at] === '&&') {
      at += 1;
      parts.push(primary());
    }
    return (request, rule) => parts.every((part) => part(request, rule));
  };
  const either = (): Condition => {
    const parts = [both()];
    while (tokens[at] === '||') {
      at += 1;
      parts.push(both());
    }
    return (request, rule) => parts.some((part) => part(request, rule));
  };
  const condition = either();
  if (at !== tokens.length) throw refuse();
  return condition;
}
