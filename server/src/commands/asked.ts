import { product } from '../platform/operations/product.ts';

/** Answers --help and --version, which every command has, before anything else is read. True if one was given. */
export function answered(usage: string, args: readonly string[] = process.argv.slice(2)): boolean {
  if (args.includes('--help') || args.includes('-h')) console.log(usage);
  else if (args.includes('--version')) console.log(`Caseway ${product.version} (${product.build})`);
  else return false;
  return true;
}
