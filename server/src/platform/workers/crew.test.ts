import { describe, expect, it } from 'vitest';
import { type Crew, type CrewLink, type CrewMessage, crewOf } from './crew.ts';

/** Processes that reach each other through a primary; `lost` drops the answers of one. */
function crews(of: number, lost?: number): { crews: Crew[]; end(id: string): void } {
  const heard = new Map<number, (message: CrewMessage) => void>();
  const made = Array.from({ length: of }, (_, index): Crew => {
    const number = index + 1;
    const link: CrewLink = {
      number,
      of,
      receive: (hear) => void heard.set(number, hear),
      send(message) {
        if (number === lost && message.crew === 'answer') return;
        for (const [to, hear] of heard)
          if (to !== number && (message.crew !== 'answer' || message.to === to))
            queueMicrotask(() => hear(message));
      },
    };
    return crewOf(link);
  });
  return {
    crews: made,
    end: (id) => {
      for (const hear of heard.values()) hear({ crew: 'ended', id });
    },
  };
}

describe('the processes of a server', () => {
  it('tell all others, and not themselves', async () => {
    const [a, b, c] = crews(3).crews as [Crew, Crew, Crew];
    const told: string[] = [];
    for (const [name, crew] of Object.entries({ a, b, c }))
      crew.hear('topic', (message) => told.push(`${name} ${message}`));
    a.tell('topic', 'x');
    a.tell('another', 'y');
    await Promise.resolve();
    expect(told).toEqual(['b x', 'c x']);
  });

  it('collect what each offers, their own first, and leave out one that does not answer in time', async () => {
    const whole = crews(3).crews;
    for (const [index, crew] of whole.entries()) crew.offer('number', async () => index + 1);
    expect(await whole[1]!.gather('number')).toEqual([2, 1, 3]);
    const broken = crews(3, 3).crews;
    for (const [index, crew] of broken.entries()) crew.offer('number', () => index + 1);
    expect(await broken[0]!.gather('number')).toEqual([1, 2]);
    expect(await broken[2]!.gather('number')).toEqual([3, 1, 2]);
  });

  it('learn that one of them has ended', () => {
    const { crews: both, end } = crews(2);
    const gone: string[] = [];
    for (const crew of both) crew.onEnded((id) => gone.push(id));
    end('x');
    expect(gone).toEqual(['x', 'x']);
  });

  it('may be just one', async () => {
    const alone = crewOf();
    alone.offer('number', () => 1);
    alone.tell('topic', 'nobody');
    expect([alone.of, await alone.gather('number')]).toEqual([1, [1]]);
  });
});
