/** The initials of a person, for lists that others may see: `A. O.` for `Okafor, Ada`. */
export function initialsOf(name: string | null): string {
  const [last = '', first = ''] = (name ?? '').split(', ');
  return [first, last]
    .flatMap((part) => [...part.trim()].slice(0, 1))
    .map((letter) => `${letter.toLocaleUpperCase()}.`)
    .join(' ');
}
