/*
 * A browser sends six requests to a server at a time, and the event stream is one of them. Requests that a
 * screen waits for go first; menu counts and the like go when none of these is pending.
 */

/** The longest they wait behind a slow screen, in milliseconds. */
const patienceMs = 2000;

const underWay = new Set<Promise<unknown>>();

/** Registers a request that a screen waits for. */
export function goesFirst<T>(request: Promise<T>): Promise<T> {
  const done = request.then(
    () => void underWay.delete(done),
    () => void underWay.delete(done),
  );
  underWay.add(done);
  return request;
}

/** Resolves when no priority request is pending any more. */
export async function whenOthersAreDone(): Promise<void> {
  // Components rendered together with the caller send their requests first.
  await new Promise((resolve) => setTimeout(resolve, 0));
  if (underWay.size === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([Promise.all(underWay), patience]);
  clearTimeout(timer);
}
