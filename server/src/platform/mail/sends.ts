/** Counts of sent and failed messages since the server started. */
export interface SendState {
  sent: number;
  failed: number;
  lastSentAt: Date | null;
  lastFailedAt: Date | null;
  /** Contains no address. */
  lastFailure: string | null;
}

/** Counts the messages that a transport accepts and refuses. `reason` gives the cause without an address. */
export function counted<Message>(
  deliver: (message: Message) => Promise<void>,
  reason: (error: Error) => string,
): { send(message: Message): Promise<void>; state(): SendState } {
  const state: SendState = { sent: 0, failed: 0, lastSentAt: null, lastFailedAt: null, lastFailure: null };
  return {
    async send(message) {
      try {
        await deliver(message);
        state.sent += 1;
        state.lastSentAt = new Date();
      } catch (error) {
        state.failed += 1;
        state.lastFailedAt = new Date();
        state.lastFailure = reason(error as Error);
        throw error;
      }
    },
    state: () => ({ ...state }),
  };
}
