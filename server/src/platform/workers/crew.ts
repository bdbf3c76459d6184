import { randomUUID } from 'node:crypto';

/** The processes of one server, as one of them sees them. */
export interface Crew {
  /** The number of processes. */
  readonly of: number;
  /** Sends a message to all others. */
  tell(topic: string, message: unknown): void;
  /** Calls `heard` with the messages of others. */
  hear(topic: string, heard: (message: unknown) => void): void;
  /** Sets what `gather` collects from this process. */
  offer(topic: string, make: () => unknown): void;
  /** What each process offers, this one's first. One that does not answer in time is left out. */
  gather<T>(topic: string): Promise<T[]>;
  /** Calls `ended` with the id of each other process that ends. */
  onEnded(ended: (id: string) => void): void;
}

/** Messages between workers and their primary. */
export type CrewMessage =
  | { crew: 'tell'; topic: string; message: unknown }
  | { crew: 'ask'; topic: string; question: string; from: number }
  | { crew: 'answer'; question: string; to: number; answer: unknown }
  | { crew: 'ended'; id: string };

/** Milliseconds after which a busy process is left out. */
const patienceMs = 2000;

/** The connection to the others: `send` reaches the primary, which passes messages on. */
export interface CrewLink {
  number: number;
  of: number;
  send(message: CrewMessage): void;
  /** Calls `heard` with each message. */
  receive(heard: (message: CrewMessage) => void): void;
}

/** The crew of a process; without a link it is alone. */
export function crewOf(link?: CrewLink): Crew {
  const hearing = new Map<string, (message: unknown) => void>();
  const offers = new Map<string, () => unknown>();
  const asked = new Map<string, (answer: unknown) => void>();
  const ending: ((id: string) => void)[] = [];
  const of = link?.of ?? 1;

  link?.receive((message) => {
    if (message.crew === 'tell') hearing.get(message.topic)?.(message.message);
    else if (message.crew === 'answer') asked.get(message.question)?.(message.answer);
    else if (message.crew === 'ended') for (const ended of ending) ended(message.id);
    else {
      const { question, from } = message;
      Promise.resolve(offers.get(message.topic)?.()).then(
        (answer) => link.send({ crew: 'answer', question, to: from, answer }),
        // Its share is left out, as if it did not answer.
        () => {},
      );
    }
  });

  return {
    of,
    tell: (topic, message) => link?.send({ crew: 'tell', topic, message }),
    hear: (topic, heard) => void hearing.set(topic, heard),
    offer: (topic, make) => void offers.set(topic, make),
    onEnded: (ended) => void ending.push(ended),
    async gather<T>(topic: string): Promise<T[]> {
      const own = Promise.resolve(offers.get(topic)?.()) as Promise<T>;
      if (!link || of === 1) return [await own];
      const question = randomUUID();
      const answers: T[] = [];
      const all = new Promise<void>((resolve) => {
        const late = setTimeout(resolve, patienceMs);
        asked.set(question, (answer) => {
          answers.push(answer as T);
          if (answers.length < of - 1) return;
          clearTimeout(late);
          resolve();
        });
      });
      link.send({ crew: 'ask', topic, question, from: link.number });
      await all;
      asked.delete(question);
      return [await own, ...answers];
    },
  };
}
