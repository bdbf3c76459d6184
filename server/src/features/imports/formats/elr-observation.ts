import { codeIn } from '../../reported/coding.ts';
import type { Answer, Code, Observation, Order, Organization, ResultStatus } from '../../reported/report.ts';
import { epidemiologicalInformation, questionOf } from '../../results/questions.ts';
import { statusOf } from '../../results/result-status.ts';
import type { ReportBuilder } from './elr-builder.ts';
import { readFacility } from './elr-order.ts';
import type { Reading } from './elr-reading.ts';
import { readValues } from './elr-value.ts';
import {
  components,
  field,
  first,
  placeOf,
  type Segment,
  type Separators,
  simple,
  textOf,
} from './hl7-message.ts';
import { cliaOf, readCoded, readCodedList, readProvider } from './hl7-types.ts';
import { isPlaceName } from './place-name.ts';

export function readObservation(reading: Reading, builder: ReportBuilder, obx: Segment): void {
  const separators = reading.separators;
  const test = readCoded(separators, first(separators, obx, 3));
  if (test === undefined) {
    reading.warn('observation-code-missing', placeOf(obx, 3), obx.line);
    builder.at = 'skipped';
    return;
  }
  reading.checkDigits(test, placeOf(obx, 3), obx.line);
  const question = questionOf(test);
  const purpose = simple(separators, obx, 29)?.toUpperCase();
  // OBX before any order is about the patient, unless there is no order at all.
  const beforeOrders = builder.orders.length === 0 && reading.hasOrders;
  const order = beforeOrders
    ? undefined
    : builder.order(obx, () => reading.warn('order-missing', placeOf(obx), obx.line));
  const isAnswer =
    order === undefined ||
    question !== undefined ||
    purpose === 'QST' ||
    purpose === 'SCI' ||
    (order.test !== undefined && codeIn(order.test, 'LN') === epidemiologicalInformation) ||
    (builder.at === 'specimen' && (builder.isSpecimenCentred || order.observations.length > 0));
  const statusSent = simple(separators, obx, 11);
  const valueType = simple(separators, obx, 2)?.toUpperCase();
  const values = readValues(reading, obx, valueType);
  if (isAnswer) {
    const answer: Answer = {
      question,
      code: test,
      values:
        question === 'onset'
          ? values.filter((value) => value.kind !== 'time' || reading.canHaveHappened(value.time, obx, '5'))
          : values,
      units: readUnits(separators, obx),
      status: statusOf(statusSent),
      line: obx.line,
    };
    (order?.answers ?? builder.answers).push(answer);
    if (builder.at !== 'specimen') builder.at = 'answer';
    return;
  }
  const status = readStatus(reading, obx, statusSent, order);
  const observation: Observation = {
    position: obx.occurrence,
    setId: simple(separators, obx, 1),
    test,
    subId: textOf(separators, field(obx, 4)),
    valueType,
    values,
    units: readUnits(separators, obx),
    referenceRange: textOf(separators, field(obx, 7)),
    flags: readFlags(separators, obx),
    status,
    observed: reading.happened(obx, 14),
    analysed: reading.happened(obx, 19),
    methods: readCodedList(separators, obx, 17),
    device: readDevice(reading, obx),
    performer: readPerformer(reading, obx),
    notes: [],
    line: obx.line,
    source: 'observation',
  };
  if (values.length === 0 && (status === 'F' || status === 'C') && observation.flags.length === 0) {
    reading.warn('value-missing', placeOf(obx, 5), obx.line);
  }
  if (addObservation(reading, builder, order, observation, obx)) builder.observed(observation);
  else builder.at = 'skipped';
}

/** Adds an observation unless the order already has the same one word for word. */
function addObservation(
  reading: Reading,
  builder: ReportBuilder,
  order: Order,
  observation: Observation,
  obx: Segment,
): boolean {
  const known = builder.sameObservation(observation);
  const said = JSON.stringify([observation.values, observation.status]);
  if (known.includes(said)) {
    reading.warn('observation-repeated', placeOf(obx), obx.line);
    return false;
  }
  if (known.length > 0) reading.warn('observation-contradicted', placeOf(obx), obx.line);
  known.push(said);
  order.observations.push(observation);
  return true;
}

function readStatus(reading: Reading, obx: Segment, sent: string | undefined, order: Order): ResultStatus {
  const status = statusOf(sent);
  if (status !== undefined) return status;
  const taken = order.status ?? 'F';
  reading.warn(
    sent === undefined ? 'result-status-missing' : 'result-status-unknown',
    placeOf(obx, 11),
    obx.line,
    { taken },
  );
  return taken;
}

function readDevice(reading: Reading, obx: Segment): Observation['device'] {
  const sent = first(reading.separators, obx, 18);
  if (sent === '') return undefined;
  const [id, namespace] = components(reading.separators, sent);
  const value = textOf(reading.separators, id);
  const name = textOf(reading.separators, namespace);
  return value === undefined && name === undefined ? undefined : { id: value, name };
}

function readPerformer(reading: Reading, obx: Segment): Organization | undefined {
  const separators = reading.separators;
  let performer = readFacility(reading, obx, 23, 24, 0);
  const producer = first(separators, obx, 15);
  if (producer !== '') {
    // OBX-15 names the laboratory by its CLIA number before v2.5.1, and often in addition to OBX-23.
    const [id, name] = components(separators, producer).map((part) => textOf(separators, part));
    const clia = cliaOf({ id });
    if (performer === undefined && (id !== undefined || name !== undefined)) {
      if (clia === undefined && !isPlaceName(name ?? id!))
        reading.warn('place-name-odd', placeOf(obx, 15), obx.line);
      performer = {
        name: name ?? id,
        identifiers: id === undefined ? [] : [{ value: id, type: undefined, assigner: undefined }],
        clia,
        npi: undefined,
        address: undefined,
        phones: [],
        director: undefined,
      };
    } else if (performer !== undefined && clia !== undefined) performer.clia ??= clia;
  }
  if (performer !== undefined) performer.director = readProvider(separators, first(separators, obx, 25));
  return performer;
}

function readUnits(separators: Separators, obx: Segment): Code | undefined {
  const units = readCoded(separators, first(separators, obx, 6));
  return units?.codes[0] ?? (units === undefined ? undefined : { text: units.text });
}

function readFlags(separators: Separators, obx: Segment): Code[] {
  const flags: Code[] = [];
  for (const flag of readCodedList(separators, obx, 8)) if (flag.codes[0]) flags.push(flag.codes[0]);
  return flags;
}

/**
 * A cancelled or pending order may say so without an OBX. This adds an observation of the ordered test without a
 * value, so that the order is not lost and a later result replaces it.
 */
export function finishOrder(order: Order): void {
  if (order.observations.length > 0 || order.answers.length > 0 || order.test === undefined) return;
  if (order.status === undefined || !withoutValue.has(order.status)) return;
  order.observations.push({
    position: 0,
    setId: undefined,
    test: order.test,
    subId: undefined,
    valueType: undefined,
    values: [],
    units: undefined,
    referenceRange: undefined,
    flags: [],
    status: order.status,
    observed: order.collected,
    analysed: undefined,
    methods: [],
    device: undefined,
    performer: undefined,
    notes: [],
    line: order.line,
    source: 'order',
  });
}

/** Statuses under which no value is expected. */
const withoutValue: ReadonlySet<ResultStatus> = new Set<ResultStatus>(['X', 'I', 'O']);
