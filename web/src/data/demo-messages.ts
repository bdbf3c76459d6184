import { type DemoMessage, demoMessages } from '@caseway/contract/demo';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

/** A message takes a moment, and signed-out users are rate-limited. [P25] */
const [soonMs, laterMs, soonTimes] = [1000, 10_000, 15];

/**
 * The messages the demo has sent, newest first. Polls until the expected one is there, every second at first.
 */
export function useDemoMessages(isThere: (messages: readonly DemoMessage[]) => boolean = () => false) {
  return useQuery({
    ...apiQuery(demoMessages),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isThere(data.messages) ? false : dataUpdateCount < soonTimes ? soonMs : laterMs,
    gcTime: 0,
  });
}

/** The newest message with a code to an address, sent after an instant. */
export const newestCode = (messages: readonly DemoMessage[], to: string, after: number) =>
  messages.find(
    (message) =>
      message.code !== null &&
      message.to.toLowerCase() === to.trim().toLowerCase() &&
      Date.parse(message.at) >= after,
  )?.code ?? null;
