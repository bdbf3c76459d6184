/** The label of a field's code, cached by pair, because a list asks for the same few in every row. */
export function once(
  words: (field: string, code: string) => string,
): (field: string, code: string) => string {
  const known = new Map<string, string>();
  return (field, code) => {
    const key = `${field}\n${code}`;
    const word = known.get(key) ?? words(field, code);
    known.set(key, word);
    return word;
  };
}
