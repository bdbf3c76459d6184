import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showDoor, typedAhead, useDoorTaken } from './door.ts';

const page = document.documentElement;
/** The page as built: a form in two languages, and the same form in the program. */
function pageWith(settings: string, more = '') {
  document.head.innerHTML = `<meta name="caseway-config" content='${settings}'>
    <style data-door="signIn" media="not all"></style><style data-door="patientSignIn" media="not all"></style>`;
  const form = (label: string) =>
    `<form><input aria-label="${label}"><button type="submit">Send</button>
    <button type="button" data-style="color: red;">Other way</button>${more}</form>`;
  document.body.innerHTML = `<div id="root"></div><div id="door"></div>
    <template data-door="signIn" data-language="en" data-title="Sign in">${form('Email address')}</template>
    <template data-door="signIn" data-language="ht" data-title="Konekte">${form('Adrès imel')}</template>`;
}
const door = () => document.getElementById('door')!;

const sent = vi.fn();
let whileRendering = () => {};
const otherWay = vi.fn();
function Form() {
  const [typed, setTyped] = useState(typedAhead);
  whileRendering();
  useDoorTaken(setTyped);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent(typed);
      }}
    >
      <input aria-label="Email address" value={typed} onChange={(event) => setTyped(event.target.value)} />
      <button type="submit">Send</button>
      <button type="button" onClick={otherWay}>
        Other way
      </button>
    </form>
  );
}
const takeOver = () => render(<Form />, { container: document.getElementById('root')! });

beforeEach(() => {
  Object.assign(page.dataset, { door: 'signIn', language: 'en' });
  pageWith('{}');
});
afterEach(() => {
  delete page.dataset.door;
  delete page.dataset.language;
  document.head.replaceChildren();
  document.body.replaceChildren();
  vi.clearAllMocks();
  whileRendering = () => {};
});

test('the page shows only its form in the start language, with its styles, and the field has the focus', () => {
  page.dataset.language = 'ht';
  showDoor();
  const field = screen.getByRole('textbox', { name: 'Adrès imel' });
  expect(field).toHaveFocus();
  expect(field.parentElement).toHaveClass('Mui-focused');
  field.blur();
  expect(field.parentElement).not.toHaveClass('Mui-focused');
  expect(document.title).toBe('Konekte');
  expect([...document.querySelectorAll('style')].map(({ media }) => media)).toEqual(['all', 'not all']);
  expect(screen.getByRole('button', { name: 'Other way' }).style.color).toBe('red');
});

test('the page shows no form to users for whom it has none', () => {
  delete page.dataset.door;
  showDoor();
  expect(door()).toBeEmptyDOMElement();
});

test('what only some pages offer is shown only there', () => {
  const more =
    '<p data-offered-with="demo">Demo accounts</p><button data-offered-with="passkeys">Passkey</button>';
  pageWith('{}', more);
  showDoor();
  expect(door()).not.toHaveTextContent('Demo accounts');
  expect(door()).not.toHaveTextContent('Passkey');
  pageWith('{"demo":true}', more);
  showDoor();
  expect(door()).toHaveTextContent('Demo accounts');
});

test("typed text and focus move to the program's form, which replaces the page's", async () => {
  showDoor();
  await userEvent.type(screen.getByRole('textbox'), 'ana@example.test');
  await userEvent.tab();
  takeOver();
  expect(screen.getByRole('textbox')).toHaveValue('ana@example.test');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toHaveFocus());
  expect(door()).toBeEmptyDOMElement();
  expect(document.querySelectorAll('style[data-door]')).toHaveLength(0);
  expect(sent).not.toHaveBeenCalled();
});

test('text typed while the program renders its form is in it too', async () => {
  showDoor();
  const field = screen.getByRole<HTMLInputElement>('textbox');
  field.value = 'ana';
  whileRendering = () => {
    field.value = 'ana@example.test';
  };
  takeOver();
  expect(screen.getByRole('textbox')).toHaveValue('ana@example.test');
  await waitFor(() => expect(screen.getByRole('textbox')).toHaveFocus());
});

test('a button held down while the program arrives is pressed when released', async () => {
  showDoor();
  const user = userEvent.setup();
  await user.pointer({ target: screen.getByRole('button', { name: 'Other way' }), keys: '[MouseLeft>]' });
  takeOver();
  expect(otherWay).not.toHaveBeenCalled();
  await user.pointer({ target: screen.getByRole('button', { name: 'Other way' }), keys: '[/MouseLeft]' });
  expect(otherWay).toHaveBeenCalledOnce();
});

test('a form submitted before the program has arrived is then submitted by it', async () => {
  showDoor();
  await userEvent.type(screen.getByRole('textbox'), 'ana@example.test{Enter}');
  expect(screen.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-busy', 'true');
  takeOver();
  await waitFor(() => expect(sent).toHaveBeenCalledExactlyOnceWith('ana@example.test'));
});

test('another button pressed early is pressed, unless something was typed after it', async () => {
  showDoor();
  await userEvent.click(screen.getByRole('button', { name: 'Other way' }));
  takeOver();
  await waitFor(() => expect(otherWay).toHaveBeenCalledOnce());

  pageWith('{}');
  showDoor();
  await userEvent.click(screen.getByRole('button', { name: 'Other way' }));
  await userEvent.type(screen.getByRole('textbox'), 'a');
  takeOver();
  await new Promise((resolve) => setTimeout(resolve));
  expect(otherWay).toHaveBeenCalledOnce();
});

test('it runs as standalone text, as the build writes it into the page', () => {
  new Function(`(${showDoor})()`)();
  expect(screen.getByRole('textbox')).toBeInTheDocument();
});
