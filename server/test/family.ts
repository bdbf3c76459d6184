import { spawnSync } from 'node:child_process';

/** A process and its descendants, itself first. */
export function family(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const parents = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const members = [pid];
  for (const member of members)
    members.push(...parents.filter(([, parent]) => parent === member).map(([child]) => child));
  return members;
}
