import type { Answer, NextOfKin, Observation, Order, Visit } from '../../reported/report.ts';
import type { Segment } from './hl7-message.ts';

/** The current place in the message: what a note or an observation belongs to. */
export class ReportBuilder {
  readonly orders: Order[] = [];
  readonly nextOfKin: NextOfKin[] = [];
  readonly answers: Answer[] = [];
  readonly notes: string[] = [];
  visit: Visit | undefined;
  /** Orders are nested under their specimens: an observation of a specimen itself is not a result. */
  isSpecimenCentred = false;
  control: Segment | undefined;
  lastControl: Segment | undefined;
  at: 'patient' | 'order-header' | 'order' | 'observation' | 'answer' | 'skipped' | 'specimen' = 'patient';
  #observation: Observation | undefined;
  readonly #seen = new Map<string, string[]>();

  /** The ORC before this OBR, returned once. */
  takeControl(): Segment | undefined {
    const control = this.control;
    this.control = undefined;
    if (control) this.lastControl = control;
    return control;
  }

  start(order: Order): void {
    this.orders.push(order);
    this.#seen.clear();
    this.at = 'order';
  }

  /** The values of observations with the same test and sub-id in the current order. */
  sameObservation({ test, subId }: Observation): string[] {
    const key = JSON.stringify([test.codes[0]?.code ?? test.text, test.codes[0]?.system, subId]);
    const known = this.#seen.get(key) ?? [];
    this.#seen.set(key, known);
    return known;
  }

  /** The current order; if there is none, one that holds only what was sent without an order. */
  order(segment: Segment, onMissing?: () => void): Order {
    const order = this.orders.at(-1);
    if (order) return order;
    onMissing?.();
    const made: Order = {
      position: 0,
      specimens: [],
      reasons: [],
      providerPhones: [],
      observations: [],
      answers: [],
      notes: [],
      line: segment.line,
    };
    this.orders.push(made);
    return made;
  }

  observed(observation: Observation): void {
    this.#observation = observation;
    this.at = 'observation';
  }

  /** The list for notes at this place. */
  notesHere(): string[] {
    if (this.at === 'patient') return this.notes;
    if (this.at === 'observation' && this.#observation) return this.#observation.notes;
    return this.orders.at(-1)?.notes ?? this.notes;
  }
}
