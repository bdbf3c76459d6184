import { pngOf } from '../../src/platform/png.ts';

/* The logos of the demo's tenants: plain shapes that belong to nobody. */

/** Pixels of each side, and points within a pixel in each direction, which smooth the edges. */
const side = 96;
const fine = 3;

type Color = readonly [red: number, green: number, blue: number];
/** The color at a point, from -1 to 1 in both directions; null where it is transparent. */
type Drawing = (x: number, y: number) => Color | null;

const white: Color = [255, 255, 255];
const teal: Color = [15, 106, 115];
const plum: Color = [104, 60, 128];

async function drawn(drawing: Drawing): Promise<Buffer> {
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 6, 0, 0, 0]);
  const rows = Buffer.alloc(side * (1 + side * 4));
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      const sum = [0, 0, 0];
      let seen = 0;
      for (let part = 0; part < fine * fine; part += 1) {
        const x = column + ((part % fine) + 0.5) / fine;
        const y = row + (Math.floor(part / fine) + 0.5) / fine;
        const color = drawing((2 * x) / side - 1, (2 * y) / side - 1);
        if (!color) continue;
        seen += 1;
        for (const [index, value] of color.entries()) sum[index]! += value;
      }
      const at = row * (1 + side * 4) + 1 + column * 4;
      for (const [index, value] of sum.entries()) rows[at + index] = seen && Math.round(value / seen);
      rows[at + 3] = Math.round((255 * seen) / (fine * fine));
    }
  return pngOf(header, rows);
}

/** A sun over waves. */
export const wavesLogo = (): Promise<Buffer> =>
  drawn((x, y) => {
    if (Math.hypot(x, y) > 0.96) return null;
    const isSun = Math.hypot(x, y + 0.34) < 0.27;
    const isWave = [0.18, 0.48].some((height) => Math.abs(y - height - 0.08 * Math.sin(6 * x)) < 0.07);
    return isSun || isWave ? white : teal;
  });

/** A ring around a dot. */
export const ringLogo = (): Promise<Buffer> =>
  drawn((x, y) => {
    if (Math.max(Math.abs(x), Math.abs(y)) > 0.94) return null;
    const distance = Math.hypot(x, y);
    return (distance > 0.42 && distance < 0.64) || distance < 0.2 ? white : plum;
  });
