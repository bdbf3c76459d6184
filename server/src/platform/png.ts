import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';

/* PNG as in the specification of the W3C: its chunks, read and written. */

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const pack = promisify<Buffer, object, Buffer>(deflate);
const unpack = promisify<Buffer, object, Buffer>(inflate);

/** For each type of color: samples for each pixel, and the bits that a sample can have. */
const colorTypes: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

/** The passes of an interlaced image: where the first pixel is, and how far apart they are. */
const interlaced = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const inOnePass = [[0, 0, 1, 1]] as const;

interface Chunk {
  type: string;
  data: Buffer;
}

/** The chunks up to the end of the image; null if they are not whole. What follows the end is not read. */
function chunksOf(file: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  let at = signature.length;
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return null;
    const type = file.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: file.subarray(at + 8, end) });
    if (type === 'IEND') return length === 0 ? chunks : null;
    at = end + 4;
  }
  return null;
}

/** The lengths of all rows in bytes, each with the byte that says how it is filtered; null for an unknown format. */
function rowsOf(header: Buffer): number[] | null {
  const [depth, colorType, compression, filter, interlace] = header.subarray(8);
  const kind = colorTypes[colorType!];
  if (!kind?.depths.includes(depth!) || compression !== 0 || filter !== 0 || interlace! > 1) return null;
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  return (interlace === 1 ? interlaced : inOnePass).flatMap(([x, y, across, down]) => {
    const columns = Math.max(0, Math.ceil((width - x) / across));
    const rows = Math.max(0, Math.ceil((height - y) / down));
    if (columns === 0) return [];
    return new Array<number>(rows).fill(1 + Math.ceil((columns * kind.samples * depth!) / 8));
  });
}

/** Whether the colors of a palette and what is transparent fit the type of the image. */
function areColorsRight(colorType: number, palette: Buffer | undefined, transparent: Buffer | undefined) {
  if (palette && (palette.length % 3 !== 0 || palette.length === 0 || palette.length > 768)) return false;
  if (colorType === 3 ? !palette : palette && ![2, 6].includes(colorType)) return false;
  if (!transparent) return true;
  if (colorType === 3) return transparent.length <= palette!.length / 3;
  return transparent.length === { 0: 2, 2: 6 }[colorType];
}

function chunk(type: string, data: Buffer): Buffer {
  const written = Buffer.alloc(data.length + 12);
  written.writeUInt32BE(data.length);
  written.write(type, 4, 'latin1');
  data.copy(written, 8);
  written.writeUInt32BE(crc32(written.subarray(4, data.length + 8)), data.length + 8);
  return written;
}

/** A PNG with this header and these chunks; `rows` are its filtered rows. */
export const pngOf = async (header: Buffer, rows: Buffer, colors: readonly Chunk[] = []): Promise<Buffer> =>
  Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...colors.map(({ type, data }) => chunk(type, data)),
    chunk('IDAT', await pack(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);

/**
 * The same image with nothing but its pixels: without texts, places and profiles, and without anything hidden behind
 * the image or in its compressed data. Null if a part of the image is missing or wrong.
 */
export async function onlyPixels(file: Buffer): Promise<Buffer | null> {
  const chunks = chunksOf(file);
  const header = chunks?.[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) return null;
  const types = chunks!.map(({ type }) => type);
  const known = ['IHDR', 'PLTE', 'IDAT', 'IEND'];
  // A chunk whose name begins with a capital letter is needed to show the image.
  if (types.some((type) => /^[A-Z]/.test(type) && !known.includes(type))) return null;
  const once = ['IHDR', 'PLTE', 'tRNS'];
  if (once.some((type) => types.indexOf(type) !== types.lastIndexOf(type))) return null;
  const first = types.indexOf('IDAT');
  const last = types.lastIndexOf('IDAT');
  if (first === -1 || types.slice(first, last).some((type) => type !== 'IDAT')) return null;
  // What stands in another order is not shown by every program.
  const colors = chunks!.filter(({ type }) => ['PLTE', 'tRNS'].includes(type));
  if (types.slice(first).some((type) => ['PLTE', 'tRNS'].includes(type))) return null;
  if (types.includes('PLTE') && types.includes('tRNS') && colors[0]!.type === 'tRNS') return null;
  const of = (type: string) => colors.find((one) => one.type === type)?.data;
  const lengths = rowsOf(header.data);
  if (!lengths || !areColorsRight(header.data[9]!, of('PLTE'), of('tRNS'))) return null;
  const expected = lengths.reduce((sum, length) => sum + length, 0);
  const packed = chunks!.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  // Never more than the image has, however much the data would become.
  const rows = await unpack(Buffer.concat(packed), { maxOutputLength: expected }).catch(() => null);
  if (rows?.length !== expected) return null;
  let at = 0;
  for (const length of lengths) {
    if (rows[at]! > 4) return null;
    at += length;
  }
  return pngOf(header.data, rows, colors);
}
