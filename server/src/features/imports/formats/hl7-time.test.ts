import { describe, expect, it } from 'vitest';
import { parseHl7Time } from './hl7-time.ts';

const clock = { timeZone: 'America/New_York' };

describe('HL7 dates and times', () => {
  it.each([
    ['2023', { value: '2023', precision: 'year', hadOffset: false }],
    ['202311', { value: '2023-11', precision: 'month', hadOffset: false }],
    ['20231102', { value: '2023-11-02', precision: 'day', day: '2023-11-02', hadOffset: false }],
    ['2023110211', { precision: 'hour', day: '2023-11-02', instant: '2023-11-02T15:00:00.000Z' }],
    ['202311021104', { precision: 'minute', instant: '2023-11-02T15:04:00.000Z' }],
    ['20231102110405', { precision: 'second', instant: '2023-11-02T15:04:05.000Z' }],
    ['20231102110405.67', { precision: 'fraction', instant: '2023-11-02T15:04:05.670Z' }],
    ['20141225120030.1234-0500', { instant: '2014-12-25T17:00:30.123Z', hadOffset: true }],
    ['20231102+0100', { value: '2023-11-02', precision: 'day', day: '2023-11-02', hadOffset: true }],
    ['2012-08-21T14:05:51-05:00', { instant: '2012-08-21T19:05:51.000Z', day: '2012-08-21' }],
    ['20240101000000Z', { instant: '2024-01-01T00:00:00.000Z', day: '2023-12-31' }],
    ['20240229', { day: '2024-02-29' }],
    // The end of a day is the beginning of the next.
    ['202602282400', { value: '2026-03-01', day: '2026-03-01', instant: '2026-03-01T05:00:00.000Z' }],
    ['20251231240000-0500', { value: '2026-01-01', day: '2026-01-01', instant: '2026-01-01T05:00:00.000Z' }],
  ])('%s', (text, expected) => {
    expect(parseHl7Time(text, clock)).toMatchObject(expected);
  });

  it('gives no day for a month and no instant for a day', () => {
    expect(parseHl7Time('202311', clock)).not.toHaveProperty('day');
    expect(parseHl7Time('20231102', clock)).not.toHaveProperty('instant');
  });

  it('puts an instant on the tenant’s day, whatever offset it was sent with', () => {
    expect(parseHl7Time('20240215033000+0000', clock)).toMatchObject({
      value: '2024-02-15',
      day: '2024-02-14',
    });
  });

  it("reads a time without offset in the sender's zone if one is given", () => {
    expect(parseHl7Time('20240215083000', { ...clock, senderTimeZone: 'America/Denver' })).toMatchObject({
      instant: '2024-02-15T15:30:00.000Z',
      hadOffset: false,
    });
  });

  it.each([
    ['20230230', 'invalid'],
    ['20230229', 'invalid'],
    ['20231301', 'invalid'],
    ['20170122265600.004-0600', 'invalid'],
    ['202311021160', 'invalid'],
    ['202311022401', 'invalid'],
    ['2023110225', 'invalid'],
    ['20231102110405-1500', 'invalid'],
    ['11/02/2023', 'invalid'],
    ['unknown', 'invalid'],
    ['2023110', 'invalid'],
    ['0000', 'unspecified'],
    ['00000000', 'unspecified'],
    ['99999999', 'unspecified'],
    ['20230000', 'unspecified'],
    ['17760704', 'implausible'],
    ['30230101', 'implausible'],
  ])('%s is %s', (text, fault) => {
    expect(parseHl7Time(text, clock)).toBe(fault);
  });
});
