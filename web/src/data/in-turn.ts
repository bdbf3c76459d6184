/*
 * A browser has six requests to a server under way, one of which is the stream of events. What a screen is waiting for goes
 * first; the numbers in the menu and the like go when none of it is under way.
 */

/** Behind a slow screen they do not wait for longer. */
const patienceMs = 2000;

const underWay = new Set<Promise<unknown>>();

/** Notes a request that a screen is waiting for. */
export function goesFirst<T>(request: Promise<T>): Promise<T> {
  const done = request.then(
    () => void underWay.delete(done),
    () => void underWay.delete(done),
  );
  underWay.add(done);
  return request;
}

/** Resolves when nothing that goes first is under way any more. */
export async function whenOthersAreDone(): Promise<void> {
  // What is drawn with the caller sends its requests first.
  await new Promise((resolve) => setTimeout(resolve, 0));
  if (underWay.size === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([Promise.all(underWay), patience]);
  clearTimeout(timer);
}
