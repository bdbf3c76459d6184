import { addDays } from '@caseway/contract/date-range';
import type { RangeChoice } from '@caseway/contract/relative-range';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { chooseLanguage } from '../words/i18n.ts';
import { DateRangeField } from './DateRangeField.tsx';
import { DayField } from './DayField.tsx';
import { dayPattern, parseDayText } from './day-text.ts';

await startTestLocales();
const onChange = vi.fn();
beforeEach(() => onChange.mockReset());

// 2024-03-13 is the Wednesday of MMWR week 11 of 2024.
const today = '2024-03-13';
const show = (value: RangeChoice | null) =>
  renderInApp(
    <DateRangeField
      value={value}
      defaultRange={(now) => ({ start: addDays(now, -30), end: now })}
      today={today}
      onChange={onChange}
    />,
  );
const open = async () => {
  await userEvent.click(screen.getByRole('button', { name: /^Dates/ }));
  return within(await screen.findByRole('grid'));
};

describe('the date range', () => {
  test('shows its value, in words and in days', () => {
    show({ relative: 'last-7-days' });
    expect(
      screen.getByRole('button', { name: 'Dates: Last 7 days Mar 7, 2024 – Mar 13, 2024' }),
    ).toBeInTheDocument();
  });

  test('a preset stays relative', async () => {
    show(null);
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Last 4 MMWR weeks' }));
    expect(onChange).toHaveBeenCalledWith({ relative: 'last-4-mmwr-weeks' });
  });

  test('two days chosen in the calendar are applied with OK, and not with Cancel', async () => {
    show(null);
    const calendar = await open();
    await userEvent.click(calendar.getByRole('button', { name: 'Tuesday, March 5, 2024' }));
    await userEvent.click(calendar.getByRole('button', { name: 'Friday, March 8, 2024' }));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onChange).not.toHaveBeenCalled();
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Tuesday, March 5, 2024' }));
    await userEvent.click(screen.getByRole('button', { name: 'Friday, March 8, 2024' }));
    await userEvent.click(screen.getByRole('button', { name: 'OK' }));
    expect(onChange).toHaveBeenCalledWith({ start: '2024-03-05', end: '2024-03-08' });
  });

  test("a week's number selects the whole MMWR week", async () => {
    show(null);
    const calendar = await open();
    await userEvent.click(calendar.getByRole('button', { name: 'MMWR week 10 of 2024' }));
    await userEvent.click(screen.getByRole('button', { name: 'OK' }));
    expect(onChange).toHaveBeenCalledWith({ start: '2024-03-03', end: '2024-03-09' });
  });

  test('days can be typed; an end before the start is refused with its reason', async () => {
    show(null);
    await open();
    const [start, end] = [screen.getByLabelText('Start'), screen.getByLabelText('End')];
    await userEvent.clear(start);
    await userEvent.type(start, '2/1/2024{Enter}');
    await userEvent.clear(end);
    await userEvent.type(end, '01/15/2024{Enter}');
    expect(screen.getByRole('alert')).toHaveTextContent('The start must not be after the end.');
    expect(screen.getByRole('button', { name: 'OK' })).toBeDisabled();
    await userEvent.clear(end);
    await userEvent.type(end, '2024-02-29{Enter}');
    await userEvent.click(screen.getByRole('button', { name: 'OK' }));
    expect(onChange).toHaveBeenCalledWith({ start: '2024-02-01', end: '2024-02-29' });
  });

  test('the keys move through the calendar by day, week and month', async () => {
    show({ start: '2024-03-10', end: '2024-03-13' });
    const calendar = await open();
    calendar.getByRole('button', { name: 'Wednesday, March 13, 2024' }).focus();
    await userEvent.keyboard('{ArrowRight}{ArrowDown}');
    expect(screen.getByRole('button', { name: 'Thursday, March 21, 2024' })).toHaveFocus();
    await userEvent.keyboard('{Home}{PageDown}');
    expect(screen.getByRole('button', { name: 'Wednesday, April 17, 2024' })).toHaveFocus();
  });

  test('[S9.16] its English labels', async () => {
    show(null);
    await open();
    for (const name of ['Cancel', 'Clear', 'OK', 'Next'])
      expect(screen.getByRole('button', { name })).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    renderInApp(<DayField label="Day" value={null} today={today} onChange={onChange} />);
    await userEvent.click(screen.getByRole('button', { name: 'Select date' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Today' }));
    await userEvent.click(screen.getByRole('button', { name: 'OK' }));
    expect(onChange).toHaveBeenCalledWith(today);
  });
});

describe('typed days', () => {
  test("are read in the language's order, or as YYYY-MM-DD", async () => {
    expect(dayPattern()).toBe('MM/DD/YYYY');
    expect(parseDayText('3/10/2024')).toBe('2024-03-10');
    expect(parseDayText('2024-03-10')).toBe('2024-03-10');
    await chooseLanguage('es');
    expect(dayPattern()).toBe('DD/MM/AAAA');
    expect(parseDayText('10/03/2024')).toBe('2024-03-10');
    await chooseLanguage('en');
  });
  test.each(['13/13/2024', '2/30/2024', '3/10/24', 'soon', ''])('%j is not a day', (text) => {
    expect(parseDayText(text)).toBeNull();
  });
});
