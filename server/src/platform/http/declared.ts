import type { z } from 'zod';

/**
 * Throws if an answer does not match its endpoint's declaration or has undeclared properties: the answer must not
 * contain what a screen does not show. The message names paths, never values.
 */
export function assertDeclared(schema: z.ZodType, answer: unknown, name: string): void {
  // The answer as the browser will parse it.
  const sent: unknown = answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
  const parsed = schema.safeParse(sent);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
    throw new Error(`the answer of ${name} is not as declared (${faults.join('; ')})`);
  }
  const undeclared = [...extraPaths(sent, parsed.data, '')];
  if (undeclared.length > 0)
    throw new Error(`the answer of ${name} holds what is not declared (${undeclared.join(', ')})`);
}

/** Properties that parsing dropped. */
function* extraPaths(sent: unknown, parsed: unknown, path: string): Generator<string> {
  if (typeof sent !== 'object' || sent === null || typeof parsed !== 'object' || parsed === null) return;
  for (const [key, value] of Object.entries(sent)) {
    const at = path ? `${path}.${key}` : key;
    if (!(key in parsed)) yield at;
    else yield* extraPaths(value, (parsed as Record<string, unknown>)[key], at);
  }
}
