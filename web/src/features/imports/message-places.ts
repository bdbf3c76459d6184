import type { MessageFault } from '@caseway/contract/imports';

/** Part of a text, from one position to another. */
export interface Stretch {
  from: number;
  to: number;
}

const place = /^([A-Z][A-Z0-9]{2})(?:\[(\d+)\])?(?:-(\d+)(?:\.(\d+))?)?$/;

/**
 * The place of the nth part (from 1) of a range, with parts separated by one character; undefined if there
 * are fewer.
 */
function partOf(text: string, { from, to }: Stretch, separator: string, n: number): Stretch | undefined {
  let start = from;
  for (let part = 1; ; part += 1) {
    const found = text.indexOf(separator, start);
    const end = found < 0 || found > to ? to : found;
    if (part === n) return { from: start, to: end };
    if (end === to) return undefined;
    start = end + 1;
  }
}

/**
 * The place such as `OBX[3]-5.1` in the text of an HL7 message. The whole segment for a missing field;
 * undefined for a missing segment.
 */
export function stretchInMessage(text: string, name: string): Stretch | undefined {
  const found = place.exec(name);
  if (!found) return undefined;
  const [, segment, occurrence = '1', field, component] = found;
  let seen = 0;
  for (const line of text.matchAll(/[^\r\n]+/g)) {
    if (!line[0].startsWith(segment!)) continue;
    seen += 1;
    if (seen < Number(occurrence)) continue;
    const whole = { from: line.index, to: line.index + line[0].length };
    if (field === undefined) return whole;
    const header = /^(MSH|FHS|BHS)/.test(segment!);
    const separator = header ? line[0].charAt(3) : (/(?:^|[\r\n])(?:MSH|FHS|BHS)(.)/.exec(text)?.[1] ?? '|');
    // A header's first field is the separator itself.
    if (header && field === '1') return { from: whole.from + 3, to: whole.from + 4 };
    const at = partOf(text, whole, separator, Number(field) + (header ? 0 : 1));
    if (!at) return whole;
    // The encoding characters are not components.
    if (component === undefined || (header && field === '2')) return at;
    const components = /(?:^|[\r\n])(?:MSH|FHS|BHS).(.)/.exec(text)?.[1] ?? '^';
    return partOf(text, at, components, Number(component)) ?? at;
  }
  return undefined;
}

/** The cells of a table row, each with its place in the text and its content. */
export function cellsOfRow(text: string, columns: number): (Stretch & { value: string })[] {
  const readings = [',', ';', '\t', '|'].map((delimiter) => split(text, delimiter));
  // The file's delimiter gives as many cells as the header has.
  return (
    readings.find((cells) => cells.length === columns) ??
    readings.reduce((best, cells) => (cells.length > best.length ? cells : best))
  );
}

function split(text: string, delimiter: string): (Stretch & { value: string })[] {
  const cells: (Stretch & { value: string })[] = [];
  const end = text.replace(/[\r\n]+$/, '').length;
  let from = 0;
  let quoted = false;
  for (let at = 0; at <= end; at += 1) {
    const character = text.charAt(at);
    if (at < end && character === '"' && (quoted || text.slice(from, at).trim() === '')) quoted = !quoted;
    if (at < end && (quoted || character !== delimiter)) continue;
    const raw = text.slice(from, at).trim();
    const value = /^".*"$/s.test(raw) ? raw.slice(1, -1).replaceAll('""', '"') : raw;
    cells.push({ from, to: at, value });
    from = at + 1;
  }
  return cells;
}

/** The fault that refuses a message or makes it wait: an error, or else the warning that is its reason. */
export const decidingFault = ({
  faults,
  reason,
}: {
  faults: readonly MessageFault[];
  reason: string | null;
}): MessageFault | undefined =>
  faults.find(({ severity }) => severity !== 'warning') ?? faults.find(({ code }) => code === reason);

const severities: readonly MessageFault['severity'][] = ['error', 'waits', 'warning'];
/** Faults in the order in which people fix them. */
export const errorsFirst = (faults: readonly MessageFault[]): MessageFault[] =>
  faults.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));

/** The places of a message's faults in its text, in order; overlapping ranges are joined. */
export function stretchesOf(
  text: string,
  faults: readonly Pick<MessageFault, 'place' | 'severity'>[],
  header: readonly string[] | null,
): (Stretch & { severity: MessageFault['severity'] })[] {
  const cells = header ? cellsOfRow(text, header.length) : [];
  const found = faults.flatMap((fault) => {
    const stretch = header ? cells[header.indexOf(fault.place)] : stretchInMessage(text, fault.place);
    return stretch ? [{ from: stretch.from, to: stretch.to, severity: fault.severity }] : [];
  });
  const sorted = found.sort((a, b) => a.from - b.from || b.to - a.to);
  const apart: typeof found = [];
  for (const one of sorted) {
    const last = apart.at(-1);
    if (!last || one.from >= last.to) apart.push({ ...one });
    else {
      last.to = Math.max(last.to, one.to);
      if (one.severity === 'error') last.severity = 'error';
    }
  }
  return apart;
}

/** Restores the original line ends of a text edited in a browser, which ends every line with \n. */
export function withLineEnds(edited: string, original: string): string {
  const end = original.includes('\r\n') ? '\r\n' : original.includes('\r') ? '\r' : '\n';
  return edited.replaceAll(/\r\n|\r|\n/g, end);
}
