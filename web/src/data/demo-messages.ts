import { type DemoMessage, demoMessages } from '@caseway/contract/demo';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

/** A message takes a moment. People who are not signed in may ask only so often. [P25] */
const [soonMs, laterMs, soonTimes] = [1000, 10_000, 15];

/**
 * What the demo has sent, the newest first; asked for again and again, until it has what somebody waits for: at first each
 * second.
 */
export function useDemoMessages(isThere: (messages: readonly DemoMessage[]) => boolean = () => false) {
  return useQuery({
    ...apiQuery(demoMessages),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isThere(data.messages) ? false : dataUpdateCount < soonTimes ? soonMs : laterMs,
    gcTime: 0,
  });
}

/** The newest message with a code to an address, of those sent after an instant. */
export const newestCode = (messages: readonly DemoMessage[], to: string, after: number) =>
  messages.find(
    (message) =>
      message.code !== null &&
      message.to.toLowerCase() === to.trim().toLowerCase() &&
      Date.parse(message.at) >= after,
  )?.code ?? null;
