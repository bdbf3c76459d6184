/** What stands for a person in a list that others may look at: `A. O.` of `Okafor, Ada`. */
export function initialsOf(name: string | null): string {
  const [last = '', first = ''] = (name ?? '').split(', ');
  return [first, last]
    .flatMap((part) => [...part.trim()].slice(0, 1))
    .map((letter) => `${letter.toLocaleUpperCase()}.`)
    .join(' ');
}
