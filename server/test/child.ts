import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

const ofFile: ChildProcess[] = [];
const end = (child: ChildProcess): void => void child.kill('SIGKILL');
afterAll(() => ofFile.forEach(end));

/**
 * Starts a process that is killed at the end of its test, or of the file if no test started it. After a failure it
 * would continue: hold a lock that the end of the file waits for, or never end.
 */
export const startChild = ((...given: Parameters<typeof spawn>) => {
  const child = spawn(...given);
  if (TestRunner.getCurrentTest()) onTestFinished(() => end(child));
  else ofFile.push(child);
  return child;
}) as typeof spawn;
