const texts = new WeakMap<object, string>();

/**
 * Caches the JSON of a value that many answers have as a property, so that it is written only once. Answers then send
 * it as it is now, so nothing may change it afterwards. Returns the same value.
 */
export function keepJson<Value extends readonly unknown[]>(value: Value): Value {
  texts.set(Object.freeze(value), JSON.stringify(value));
  return value;
}

/** The JSON of an answer, the same as `JSON.stringify`. */
export function jsonOf(answer: unknown): string {
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer) || 'toJSON' in answer)
    return JSON.stringify(answer);
  if (!Object.values(answer).some((value) => kept(value) !== undefined)) return JSON.stringify(answer);
  const properties = Object.entries(answer).flatMap(([name, value]) => {
    const text = kept(value) ?? JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${properties.join(',')}}`;
}

const kept = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? texts.get(value) : undefined;
