import { type DemoMessage, demoMessages } from '@caseway/contract/demo';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

/** What the demo has sent, the newest first; asked for again and again, because a message takes a moment. */
export function useDemoMessages({ everyMs }: { everyMs: number }) {
  return useQuery({ ...apiQuery(demoMessages), refetchInterval: everyMs, gcTime: 0 });
}

/** The newest message with a code to an address, of those sent after an instant. */
export const newestCode = (messages: readonly DemoMessage[], to: string, after: number) =>
  messages.find(
    (message) =>
      message.code !== null &&
      message.to.toLowerCase() === to.trim().toLowerCase() &&
      Date.parse(message.at) >= after,
  )?.code ?? null;
