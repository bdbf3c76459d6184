/** The words of a code of a field, worked out once for each pair: a list asks for the same few in every row. */
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
