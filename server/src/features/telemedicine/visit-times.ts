/*
 * How long people waited and were seen, defined once for the list of visits and their numbers. `of`: the row of a
 * visit.
 */

const minutes = (from: string, to: string) =>
  `cast(floor(extract(epoch from greatest(${to} - ${from}, interval '0')) / 60) as integer)`;

/** Minutes from the start or the arrival, whichever is later; empty if a time was not measured. */
export const waited = (of: string): string =>
  `case when ${of}.starts_at is not null and ${of}.arrived_at is not null and ${of}.joined_at is not null
      then ${minutes(`greatest(${of}.starts_at, ${of}.arrived_at)`, `${of}.joined_at`)} end`;

export const lasted = (of: string): string =>
  `case when ${of}.joined_at is not null and ${of}.ended_at is not null then ${minutes(`${of}.joined_at`, `${of}.ended_at`)} end`;

/** Less than a day before its start; empty if it had none, or was not cancelled. */
export const cancelledLate = (of: string): string =>
  `case when ${of}.starts_at - ${of}.cancelled_at < interval '24 hours' then 'yes'
      when ${of}.starts_at is not null and ${of}.cancelled_at is not null then 'no' end`;
